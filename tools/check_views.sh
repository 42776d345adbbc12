#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Proves that the build's include paths keep the folders apart: what a folder may not include must not
# be found by its compiler call, and what it may must be. Usage: check_views.sh SOURCE BUILD
set -eu
source=$1
build=$2
faults=0
tried=0

allowed() {
    case $1:$2 in
    port:port | core:core | core:port | backend:backend | backend:port) return 0 ;;
    sink:sink | sink:core | sink:port | read:read | read:core | read:port) return 0 ;;
    cli:cli | cli:sink | cli:read | cli:port) return 0 ;;
    esac
    [ "$1:$3" = backend:core/backend.h ] || [ "$1:$3" = read:sink/snapshot.h ]
}

found() {
    echo "#if !__has_include(\"$2\")
#error absent
#endif" | cc -E -I "$source/include" -I "$build/views/$1" - >/dev/null 2>&1
}

for folder in port core backend sink read cli; do
    [ -d "$build/views/$folder" ] || continue
    for header in $(cd "$source/src" && ls */*.h); do
        tried=$((tried + 1))
        if allowed $folder "${header%%/*}" "$header"; then
            found $folder "$header" || { echo "$folder should find $header"; faults=1; }
        elif found $folder "$header"; then
            echo "$folder must not find $header"
            faults=1
        fi
    done
done
echo "$tried pairs of folder and header tried"
[ "$tried" -gt 0 ] && [ "$faults" = 0 ]
