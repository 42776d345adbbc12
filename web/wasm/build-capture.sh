#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the writer of captures as a wasm module without imports: the code of src/sink, and
# web/wasm/capture. Usage: web/wasm/build-capture.sh OUT.wasm
# The numbers of the schema's fields come from nanopb's generator, as in the C library. CLANG=... takes
# another compiler, NANOPB_GENERATOR=... another generator.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$1

generator=${NANOPB_GENERATOR:-$(command -v nanopb_generator.py || command -v nanopb_generator || true)}
for folder in "${NANOPB_INCLUDE:-}" /usr/include/nanopb /usr/include /usr/local/include /opt/homebrew/include; do
    [ -n "$folder" ] && [ -f "$folder/pb.h" ] && header=$folder/pb.h && break
done
if [ -z "$generator" ] || [ -z "${header:-}" ]; then
    echo "web/wasm/build-capture.sh: nanopb is not there (Debian: nanopb libnanopb-dev), or set" \
        "NANOPB_GENERATOR and NANOPB_INCLUDE" >&2
    exit 1
fi
generated=$(mktemp -d)
trap 'rm -rf "$generated"' EXIT
(cd "$root/src/sink" && "$generator" -q -I . -D "$generated" passtime_trace.proto)
cp "$header" "$generated"

sources=
for name in capture capture_clock capture_frame capture_out capture_samples capture_summary capture_tracks fields \
    intern keys lanes packet snapshot_series text; do
    sources="$sources $root/src/sink/$name.c"
done
exports=$(sed -n -e "s/^[^ /*].*[ *]\(passtime_web_capture_[a-z_]*\)(.*/-Wl,--export=\1/p" \
    -e "s/^\(passtime_web_capture_[a-z_]*\)(.*/-Wl,--export=\1/p" "$here/capture/writer.h" | sort -u)
"${CLANG:-clang}" --target=wasm32 -std=c17 -Oz -flto -ffreestanding -nostdlib -mbulk-memory \
    -mnontrapping-fptoint -fvisibility=hidden -DPASSTIME_BUILD \
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror \
    -I"$root/include" -I"$root/src" -I"$root/src/port/wasm" -isystem "$generated" \
    $sources "$root/src/core/names_clean.c" "$root/src/core/words.c" "$root/src/port/wasm.c" \
    "$root/src/port/wasm/string.c" "$here"/capture/*.c \
    -Wl,--no-entry -Wl,--strip-all -Wl,--lto-O2 -Wl,-z,stack-size=65536 $exports -o "$out"
