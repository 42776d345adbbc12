#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the core and the feed backend as a wasm32 module, and checks that it imports nothing.

Usage: check_wasm.py ROOT BUILD. It exports what passtime.h and feed.h declare; a call into an
operating system or a C library would fail the link or show up as an import.
"""
import pathlib
import re
import subprocess
import sys

import library_sources

FLAGS = ["--target=wasm32", "-std=c17", "-O2", "-ffreestanding", "-nostdlib", "-mbulk-memory",
         "-fvisibility=hidden", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
         "-DPASSTIME_BUILD"]
IMPORT_SECTION, EXPORT_SECTION = 2, 7


def declared(root):
    names = []
    for header in ("passtime.h", "feed.h"):
        text = (root / "include/passtime" / header).read_text(encoding="utf-8")
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        names += re.findall(r"PASSTIME_API [^;{(]*?(passtime_\w+)\(", text)
    return names


def number(data, at):
    """An unsigned LEB128 number and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def section_counts(module):
    """How many items each section of a module holds, by the section's id."""
    assert module[:8] == b"\0asm\1\0\0\0", "not a wasm module"
    counts = {}
    at = 8
    while at < len(module):
        kind = module[at]
        size, at = number(module, at + 1)
        counts[kind] = number(module, at)[0]
        at += size
    return counts


def main():
    root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    # What a C library would give lies in src/port/wasm.
    sources, includes = [str(root / "src/port/wasm/string.c")], [str(root / "src/port/wasm")]
    for folder, source, paths in library_sources.read(build, "wasm"):
        if folder in ("core", "port") or source.name == "feed.c":
            sources.append(str(source))
            includes += [p for p in paths if "/views/" in p or p.endswith("/include")]
    names = declared(root)
    module = build / "passtime_core.wasm"
    command = ["clang", *FLAGS, *[f"-I{p}" for p in dict.fromkeys(includes)], *sources,
               "-Wl,--no-entry", *[f"-Wl,--export={n}" for n in names],
               "-o", str(module)]
    done = subprocess.run(command, check=False)
    if done.returncode:
        print("the core does not build for wasm32 without imports")
        return 1
    counts = section_counts(module.read_bytes())
    print(f"{module.stat().st_size} bytes, {counts.get(IMPORT_SECTION, 0)} imports, "
          f"{counts.get(EXPORT_SECTION, 0)} exports, {len(names)} functions declared")
    return 1 if counts.get(IMPORT_SECTION, 0) or counts.get(EXPORT_SECTION, 0) < len(names) else 0


sys.exit(main())
