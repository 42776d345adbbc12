#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the core as a wasm module without imports. Usage: web/wasm/build.sh OUT.wasm
# core/plain.c, a shortcut that judges most frames faster, is left out: it finds what the long way
# finds, and size counts for more here. So is core/counts.c, shader counters, which no hook brings.
# Only what web/wasm/exports.h and relay.h declare with the prefix passtime_web_ is exported, and
# the memory. CLANG=... takes another compiler; it needs the wasm32 target and wasm-ld.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$1

core=$(ls "$root"/src/core/*.c | grep -v -e '/plain\.c$' -e '/counts\.c$')
exports=$(sed -n 's/^[^ /*].*[ *]\(passtime_web_[a-z_]*\)(.*/-Wl,--export=\1/p' \
    "$here/exports.h" "$here/relay.h" | sort -u)
"${CLANG:-clang}" --target=wasm32 -std=c17 -Oz -flto -ffreestanding -nostdlib -mbulk-memory \
    -mnontrapping-fptoint -fvisibility=hidden -DPASSTIME_BUILD \
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror \
    -I"$root/include" -I"$root/src" -I"$root/src/port/wasm" -I"$here" \
    $core "$root/src/port/wasm.c" "$root/src/port/wasm/string.c" "$here"/*.c \
    -Wl,--no-entry -Wl,--strip-all -Wl,--lto-O2 -Wl,-mllvm,-inline-threshold=0 \
    -Wl,-z,stack-size=65536 $exports -o "$out"
