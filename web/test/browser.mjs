// SPDX-License-Identifier: MIT
/** Debian's Chromium on a software adapter, with or without the rounding of stamps (docs/web.md). */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const EXECUTABLE = process.env.PASSTIME_CHROMIUM ?? '/usr/bin/chromium';
const ICD = ['/usr/lib/chromium/vk_swiftshader_icd.json'].find(existsSync);

/** Why there is no browser to test in; null: there is one. */
export const missing = !existsSync(EXECUTABLE) ? `${EXECUTABLE} is not there` : !ICD ? 'SwiftShader is not there' : null;

/** @param {{quantized?: boolean}} [options] quantized: as in a stock browser */
export async function launch({ quantized = false, args = [] } = {}) {
  const off = quantized ? 'adapter_blocklist' : 'adapter_blocklist,timestamp_quantization';
  return chromium.launch({
    executablePath: EXECUTABLE,
    headless: true,
    env: { ...process.env, VK_ICD_FILENAMES: ICD, VK_DRIVER_FILES: ICD },
    args: ['--no-sandbox', '--enable-features=Vulkan', '--use-vulkan=native', '--use-angle=vulkan', `--disable-dawn-features=${off}`, ...args],
  });
}

/** Console errors and exceptions of a page, from now on. */
export function watch(page) {
  const seen = [];
  page.on('pageerror', (error) => seen.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()}`);
  });
  return seen;
}
