// SPDX-License-Identifier: MIT
// Packs bytes for src/unlzma.js: raw LZMA, by the xz command.
import { execFileSync } from 'node:child_process';

/** @param {Uint8Array} bytes */
export function lzma(bytes) {
  return execFileSync('xz', ['--format=raw', '--lzma1=preset=9e,lc=3,lp=0,pb=0', '--quiet', '--stdout'], {
    input: bytes,
    maxBuffer: 1 << 26,
  });
}
