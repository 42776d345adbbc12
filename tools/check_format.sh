#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks that every C file is as clang-format leaves it (`make format` does that). Usage: ... ROOT
set -eu
cd "$1"
find include src tests fuzz bench examples -name '*.[ch]' -exec clang-format --dry-run -Werror {} + ||
    { echo "run: make format"; exit 1; }
