#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Puts in place what the build needs and is not there yet. Usage: tools/setup.sh [build|test]
#
#   build   compilers, libraries and wgpu-native: enough for `make` and `make demo`
#   test    the same, and what only the tests and the browser package need (clang, cmocka, Python
#           packages, Node.js, Chromium)
#
# Debian packages come by apt (root, or sudo), everything else goes into .deps/ and web/node_modules/,
# which git ignores.
# WGPU_DIR=DIR takes a webgpu.h and library of your own instead of the pinned wgpu-native.
# When all is there already, nothing is fetched and this ends within a moment.
set -eu

cd "$(dirname "$0")/.."
mode=${1:-test}
deps=$PWD/.deps

say() { echo "setup: $*"; }
die() { echo "setup: $*" >&2; exit 1; }

case $mode in
build | test) ;;
*) die "unknown mode '$mode'; use: tools/setup.sh [build|test]" ;;
esac

# Names in tools/packages.txt that this mode wants: those marked "test" only in mode test.
wanted_packages() {
    while read -r name kind; do
        case $name in '' | '#'*) continue ;; esac
        if [ "${kind:-}" != test ] || [ "$mode" = test ]; then echo "$name"; fi
    done <tools/packages.txt
}

missing_packages() {
    have=$(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' |
        sed -n 's/^\([^ :]*\)[^ ]* installed$/\1/p')
    for name in $(wanted_packages); do
        case $name in
        # Node of another origin brings its own npm, which Debian's would clash with.
        nodejs | npm) command -v "${name%js}" >/dev/null && continue ;;
        esac
        echo "$have" | grep -qxF "$name" || echo "$name"
    done
}

install_packages() {
    missing=$(missing_packages | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    hint="install by hand as root: apt-get install $missing"
    if [ "$(id -u)" = 0 ]; then
        root=
    elif command -v sudo >/dev/null; then
        root=sudo
    else
        die "not root and no sudo; $hint"
    fi
    say "installing Debian packages: $missing"
    $root apt-get update -qq || die "apt-get update failed; check the network and apt's sources, or $hint"
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
        >"$deps/apt.log" 2>&1 || {
        tail -n 5 "$deps/apt.log" >&2
        die "apt-get install failed (all of it in .deps/apt.log); $hint"
    }
}

make_venv() {
    [ -x "$deps/venv/bin/pip" ] && return 0
    say "making a Python environment in .deps/venv"
    rm -rf "$deps/venv"
    python3 -m venv "$deps/venv" ||
        die "python3 -m venv failed; install Python's venv module (Debian: python3-venv)"
}

pip() { "$deps/venv/bin/python" -m pip --disable-pip-version-check -q "$@"; }

# The wheel is only a parcel here: its header and library are unpacked, Python never loads it.
install_wgpu() {
    if [ -n "${WGPU_DIR:-}" ]; then
        if [ ! -f "$WGPU_DIR/include/webgpu/webgpu.h" ] && [ ! -f "$WGPU_DIR/webgpu.h" ]; then
            die "WGPU_DIR=$WGPU_DIR has neither include/webgpu/webgpu.h nor webgpu.h"
        fi
        return 0
    fi
    cmp -s tools/wgpu.txt "$deps/wgpu/pinned" && return 0
    make_venv
    say "fetching wgpu-native (3.5 MB)"
    rm -rf "$deps/wgpu" "$deps/wheel"
    pip download --no-deps --only-binary :all: --require-hashes -r tools/wgpu.txt -d "$deps/wheel" ||
        die "pip could not fetch wgpu-native for $(uname -m) (its reason stands above); take a" \
            "release of it by hand and set WGPU_DIR=its folder (include/webgpu/webgpu.h," \
            "lib/libwgpu_native.so)"
    "$deps/venv/bin/python" -m zipfile -e "$deps"/wheel/wgpu-*.whl "$deps/wheel"
    mkdir -p "$deps/wgpu/include/webgpu" "$deps/wgpu/lib"
    mv "$deps/wheel/wgpu/resources/webgpu.h" "$deps/wheel/wgpu/resources/wgpu.h" \
        "$deps/wgpu/include/webgpu/"
    mv "$deps/wheel/wgpu/resources/libwgpu_native-release.so" "$deps/wgpu/lib/libwgpu_native.so"
    rm -rf "$deps/wheel"
    cp tools/wgpu.txt "$deps/wgpu/pinned"
}

install_python() {
    [ "$mode" = test ] || return 0
    cmp -s tools/requirements.txt "$deps/venv/pinned" && return 0
    make_venv
    say "fetching the tests' Python packages (80 MB)"
    pip install --only-binary :all: --require-hashes -r tools/requirements.txt ||
        die "pip could not install tools/requirements.txt; the tests of captures and the" \
            "cross-compile check need it (network? a mirror goes into PIP_INDEX_URL)"
    cp tools/requirements.txt "$deps/venv/pinned"
}

# What the web package is built and tested with; none of it is in what is shipped.
install_node() {
    [ "$mode" = test ] || return 0
    cmp -s web/package-lock.json web/node_modules/.pinned && return 0
    say "fetching the web package's tools and the libraries it is tried on (350 MB)"
    npm ci --prefix web --ignore-scripts --no-audit --no-fund --loglevel=error ||
        die "npm could not install web/package-lock.json; the web package is built and tested with it" \
            "(network? a mirror goes into npm_config_registry)"
    cp web/package-lock.json web/node_modules/.pinned
}

mkdir -p "$deps"
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    install_packages
else
    for tool in cc cmake ninja pkg-config protoc python3; do
        command -v $tool >/dev/null ||
            die "no apt here and '$tool' is missing; install what tools/packages.txt names"
    done
fi
install_wgpu
install_python
install_node
