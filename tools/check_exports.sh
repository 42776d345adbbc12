#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks the symbols that leave the libraries: every one starts with passtime_, and the shared ones
# export exactly what the public headers declare. Usage: check_exports.sh SOURCE BUILD
set -eu
source=$1
build=$2
faults=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for library in "$build"/libpasstime.a "$build"/libpasstime_capture.a; do
    [ -f "$library" ] || { echo "$library is not there"; faults=1; continue; }
    nm --extern-only --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort -u >"$work/static"
    [ -s "$work/static" ] || { echo "$library defines nothing"; faults=1; }
    if grep -v '^passtime_' "$work/static"; then
        echo "$library: the symbols above lack the prefix passtime_"
        faults=1
    fi
done

# Declarations of functions: PASSTIME_API up to the first parenthesis, comments left out.
grep -hv '^ *#' "$source"/include/passtime/*.h | tr '\n' ' ' | sed 's:/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/::g' |
    grep -o 'PASSTIME_API [^;{(]*(' | sed 's/.*[ *]\(passtime_[a-z0-9_]*\)($/\1/' | sort -u >"$work/declared"
for library in "$build"/libpasstime.so "$build"/libpasstime_capture.so; do
    [ -f "$library" ] || continue
    nm --dynamic --extern-only --defined-only "$library" | awk '$2 != "A" { print $3 }'
done | sort -u >"$work/exported"

comm -23 "$work/exported" "$work/declared" >"$work/undeclared"
comm -13 "$work/exported" "$work/declared" >"$work/missing"
if [ -s "$work/undeclared" ]; then
    echo "exported, but in no public header:"
    cat "$work/undeclared"
    faults=1
fi
if [ -s "$work/missing" ]; then
    echo "declared in a public header, but not exported:"
    cat "$work/missing"
    faults=1
fi
echo "$(wc -l <"$work/exported") exported, $(wc -l <"$work/declared") declared"
[ -s "$work/exported" ] && [ "$faults" = 0 ]
