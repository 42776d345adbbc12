#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the library as on a machine without webgpu.h: the stub must stand in for the backend, with the
# same exported functions. Usage: check_stub.sh SOURCE BUILD
set -eu
source=$1
stub=$2/stub
cmake -G Ninja -S "$source" -B "$stub" -DPASSTIME_WGPU_DIR=/nonexistent -DPASSTIME_TOOLS=OFF \
    -DPASSTIME_TESTS=OFF >/dev/null
ninja --quiet -C "$stub"
nm "$stub/libpasstime.a" 2>/dev/null | grep -q ' T passtime_create_webgpu'
exec sh "$source/tools/check_exports.sh" "$source" "$stub"
