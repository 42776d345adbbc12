#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Lets each fuzzer search for SECONDS (default 60; the first argument). New inputs gather under
# build/fuzz-corpus; one that fails is left in build/ as crash-… with its report on the terminal.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
cmake -G Ninja -S . -B build/clang --log-level=NOTICE -DCMAKE_C_COMPILER=clang \
    -DCMAKE_BUILD_TYPE=Debug -DPASSTIME_FUZZ=ON -DPASSTIME_SANITIZE=address,undefined >/dev/null
ninja --quiet -C build/clang
for program in build/clang/fuzz/fuzz_*; do
    name=${program##*/fuzz_}
    mkdir -p "build/fuzz-corpus/$name"
    echo "== fuzzing $name for $seconds s"
    "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix=build/ "build/fuzz-corpus/$name" "fuzz/corpus/$name" 2>&1 | tail -n 20
done
