#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the build, moves the tree, and builds a small outside project against it: in C and in C++,
# by CMake and by pkg-config, shared and static; then runs every program. Usage: run.sh SOURCE BUILD
set -eu
source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0

run() { # program
    (cd "$work" && LD_LIBRARY_PATH=${2:-} "$1" >out) || { echo "$1 failed"; exit 1; }
    [ "$(cat "$work/out")" = "shadow 1500 ns" ] || { echo "$1 said: $(cat "$work/out")"; exit 1; }
    count=$((count + 1))
}

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved here"
prefix="$work/moved here"
libraries=$(dirname "$(find "$prefix" -name libpasstime.a)")

for static in OFF ON; do
    cmake -G Ninja -S "$source/tests/install/project" -B "$work/cmake-$static" \
        -DCMAKE_PREFIX_PATH="$prefix" -DPASSTIME_STATIC=$static >/dev/null
    ninja --quiet -C "$work/cmake-$static"
    for app in "$work/cmake-$static"/app_*; do
        case $app in *.cpp) continue ;; esac
        run "$app"
        if ldd "$app" | grep -q libpasstime; then linked=OFF; else linked=ON; fi
        [ $linked = $static ] || { echo "$app is not linked as asked for"; exit 1; }
    done
done

# pkg-config quotes the space of the path; eval gives it back.
export PKG_CONFIG_PATH="$libraries/pkgconfig"
[ "$(pkg-config --modversion passtime)" = "$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' \
    "$libraries/cmake/passtime/passtime-config-version.cmake")" ]
app="$source/tests/install/project/app.c"
for module in passtime passtime_capture; do
    pkg-config --exists $module || continue
    define=
    [ $module = passtime ] || define=-DCAPTURE
    for compiler in 'gcc -std=c17' 'g++ -std=c++17 -x c++'; do
        eval "$compiler" $define '"$app"' -x none -o '"$work/dynamic"' "$(pkg-config --cflags --libs $module)"
        run "$work/dynamic" "$libraries"
        eval "$compiler" $define '"$app"' -x none -static -o '"$work/static"' \
            "$(pkg-config --static --cflags --libs $module)"
        run "$work/static"
    done
done

# The installed command finds its WebGPU library from where it now lies.
if [ -x "$prefix/bin/passtime" ]; then
    "$prefix/bin/passtime" --version >/dev/null || { echo "the installed command does not run"; exit 1; }
fi
echo "$count programs built and run against the installed tree"
[ "$count" -ge 8 ]
