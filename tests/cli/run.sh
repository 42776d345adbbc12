#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs one case of the command line's tests in a folder of its own and compares what it printed, byte
# for byte, with CASE.stdout.exact, where that file is there. A case is a shell script that finds
# `passtime` and `make_capture` on its PATH, runs under `set -eu`, and fails by its exit code; 77: it
# can't be run here. Standard error is part of the output where the case joins it (2>&1).
#
# Usage: run.sh [--set-exact-output] FOLDER_OF_PASSTIME FOLDER_OF_TEST_PROGRAMS CASE.sh
# or:    PASSTIME_REWRITE=1 run.sh ...       (rewrites CASE.stdout.exact, as the flag does)
set -eu
rewrite=${PASSTIME_REWRITE:-}
if [ "$1" = --set-exact-output ]; then
    rewrite=1
    shift
fi
PATH=$1:$2:$PATH
here=$(cd "$(dirname "$3")" && pwd)
case=$here/$(basename "$3")
exact=${case%.sh}.stdout.exact
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH CASES="$here" LC_ALL=C.UTF-8
unset COLUMNS NO_COLOR 2>/dev/null || true

code=0
(cd "$scratch" && exec sh -eu "$case") >"$scratch.out" 2>"$scratch.err" || code=$?
trap 'rm -rf "$scratch" "$scratch.out" "$scratch.err"' EXIT
if [ "$code" != 0 ]; then
    cat "$scratch.out"
    cat "$scratch.err" >&2
    [ "$code" = 77 ] || echo "$(basename "$case") failed with exit code $code" >&2
    exit "$code"
fi
if [ -n "$rewrite" ] && [ -f "$exact" ]; then
    cp "$scratch.out" "$exact"
fi
[ ! -f "$exact" ] || diff -u "$exact" "$scratch.out"
