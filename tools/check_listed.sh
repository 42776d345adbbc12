#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks that the build's lists and the folders agree: a C file that no list names is never compiled,
# and a test that no list names never runs. Usage: check_listed.sh SOURCE BUILD
set -eu
if cmake -G Ninja -S "$1" -B "$2/listed" 2>&1 >/dev/null | grep -E '^(not listed|not built|not there)'; then
    exit 1
fi
echo "every C file is listed, and every file listed is there"
