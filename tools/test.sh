#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every test and check, in five builds (`make test` calls this after the set-up):
#   address   gcc with the address and undefined sanitizers: all tests
#   thread    gcc with the thread sanitizer: the tests labelled tsan
#   clang     clang, the fuzzers, and each of them over its corpus
#   check     gcc as users build it: the checks of style, exports, other targets, the installed tree
#   web       the web package: built, its types, its tests in node and in Chromium, and passtime page
# Usage: tools/test.sh [build...]; without a name, all of them.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 2)
wgpu=
[ -z "${WGPU_DIR:-}" ] || wgpu=-DPASSTIME_WGPU_DIR=$(cd "$WGPU_DIR" && pwd)

build() { # name, then CMake's options
    name=$1
    shift
    cmake -G Ninja -S . -B "build/$name" --log-level=NOTICE $wgpu "$@" >/dev/null &&
        ninja --quiet -C "build/$name"
}

tests() { # name, then ctest's options
    name=$1
    shift
    ctest --test-dir "build/$name" --output-on-failure --no-tests=error -j "$jobs" "$@"
}

run() { # name
    case $1 in
    address)
        build address -DCMAKE_BUILD_TYPE=Debug -DPASSTIME_SANITIZE=address,undefined &&
            tests address
        ;;
    thread)
        build thread -DCMAKE_BUILD_TYPE=Debug -DPASSTIME_SANITIZE=thread && tests thread -L tsan
        ;;
    clang)
        build clang -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DPASSTIME_FUZZ=ON \
            -DPASSTIME_SANITIZE=address,undefined && tests clang -L fuzz
        ;;
    check)
        build check -DPASSTIME_CHECKS=ON && tests check -L check
        ;;
    web)
        # The tests of passtime page need the command.
        build page -DCMAKE_BUILD_TYPE=Release -DPASSTIME_TESTS=OFF &&
            (cd web && node build.mjs && npm run --silent types &&
                PASSTIME_BIN=../build/page/passtime npm test --silent)
        ;;
    *)
        echo "unknown build '$1'; there are: address thread clang check web" >&2
        exit 2
        ;;
    esac
}

# Every build is tried, so that one run tells all that is wrong.
failed=
for step in ${*:-address thread clang check web}; do
    echo "== $step"
    run "$step" || failed="$failed $step"
done
if [ -n "$failed" ]; then
    echo "FAILED:$failed (again, one alone: tools/test.sh NAME)" >&2
    exit 1
fi
echo "all builds passed their tests"
