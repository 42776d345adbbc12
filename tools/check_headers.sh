#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compiles every public header alone as C11, C17 and C++17, by gcc and clang, with pedantic warnings as
# errors. Usage: check_headers.sh SOURCE [folder of webgpu/webgpu.h]
set -eu
source=$1
webgpu=${2:-/nonexistent}
faults=0
done=0

compile() { # header compiler flags...
    header=$1
    shift
    if echo "#include <passtime/$header>" |
        "$@" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only \
            -I "$source/include" -isystem "$webgpu" -; then
        done=$((done + 1))
    else
        echo "$header does not compile alone: $*"
        faults=1
    fi
}

for path in "$source"/include/passtime/*.h; do
    header=${path##*/}
    if [ "$header" = webgpu.h ] && [ ! -d "$webgpu" ]; then
        echo "webgpu.h left out: no webgpu/webgpu.h here"
        continue
    fi
    for standard in c11 c17; do
        compile "$header" gcc -std=$standard -Wstrict-prototypes -x c
        compile "$header" clang -std=$standard -Wstrict-prototypes -x c
    done
    compile "$header" g++ -std=c++17 -x c++
    compile "$header" clang++ -std=c++17 -x c++
done
echo "$done compilations passed"
[ "$done" -gt 0 ] && [ "$faults" = 0 ]
