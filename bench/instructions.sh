#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Counts instructions a pass with valgrind's callgrind, for machines whose own counters can't be read:
# a run of 2,000 frames less one of 1,000, so that start and end cancel. Usage: instructions.sh BENCH
set -eu
bench=$1
if ! command -v valgrind >/dev/null; then
    echo "bench: valgrind is not installed (Debian: apt-get install valgrind)" >&2
    exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT

count() { # subject, frames
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --alone "$1" "$2" 2>"$log" || {
        cat "$log" >&2
        return 1
    }
    sed -n 's/.*Collected : *//p' "$log"
}

for subject in null.id null.string null.string40 null.ticks null.overlap webgpu.id webgpu.string gl.id \
    gl.string; do
    few=$(count "$subject" 1000)
    many=$(count "$subject" 2000)
    printf '%-16s %6d instructions a pass\n' "$subject" $(((many - few) / 64000))
done
