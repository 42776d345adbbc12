#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks that every C file is as clang-format leaves it (`make format` does that). Usage: ... ROOT
set -eu
cd "$1"
faults=0
for file in $(find include src tests fuzz bench examples -name '*.[ch]' | sort); do
    clang-format --dry-run -Werror "$file" 2>/dev/null || { echo "$file"; faults=1; }
done
[ $faults = 0 ] || { echo "these are not as clang-format leaves them; run: make format"; exit 1; }
