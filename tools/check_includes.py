#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what each folder includes, and that only src/port asks which system it runs on.

The build's include paths already keep a folder from most of what it may not see; this also covers
relative paths and system headers. Usage: check_includes.py ROOT
"""
import pathlib
import re
import sys

FREESTANDING = "float limits stdalign stdarg stdatomic stdbool stddef stdint string"
HOSTED = FREESTANDING + " assert ctype errno inttypes locale math signal stdio stdlib time"
NANOPB = ["pb.h", "pb_common.h", "pb_decode.h", "pb_encode.h"]


def headers(names):
    return [name + ".h" for name in names.split()]


# Folder -> (prefixes of quoted includes, allowed angle includes; None: any). A prefix that ends in .h
# is one header. Every folder may include its own headers and the public ones.
RULES = {
    "include/passtime": ([], headers("stdbool stddef stdint") + ["webgpu/webgpu.h"]),
    "src/port": (["port/"], None),
    "src/core": (["core/", "port/"], headers(FREESTANDING)),
    "src/backend": (["backend/", "core/backend.h", "port/"], headers(HOSTED) + ["webgpu/webgpu.h"]),
    "src/sink": (["sink/", "core/", "port/", "passtime_trace.pb.h"],
                 headers(HOSTED) + ["jansson.h"]),
    "src/read": (["read/", "sink/snapshot.h", "sink/keys.h", "sink/fields.h", "core/", "port/",
                  "passtime_trace.pb.h"], headers(HOSTED) + NANOPB),
    "src/page": (["page/", "page_generated/", "sink/", "read/", "core/", "port/"],
                 headers(HOSTED) + ["jansson.h"]),
    "src/cli": (["cli/", "page/", "sink/", "read/", "port/", "shaders/"], None),
}
SYSTEM = re.compile(
    r"\b(_WIN32|_WIN64|_MSC_VER|__MINGW32__|__linux__|__linux|__APPLE__|__unix__|__wasm__|__wasm32__"
    r"|__EMSCRIPTEN__|__ANDROID__|__FreeBSD__|__CYGWIN__|_POSIX_VERSION)\b")
# The one place outside src/port: how a symbol is exported differs by system.
EXPORT_BLOCK = "#if defined(_WIN32) && defined(PASSTIME_SHARED)"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def allowed(prefixes, name):
    return any(name == p or (p.endswith("/") and name.startswith(p)) for p in prefixes)


def fault_of_include(path, rule, bracket, name):
    prefixes, angles = rule
    if ".." in name.split("/"):
        return "leaves its folder"
    if bracket == '"':
        if (path.parent / name).exists():
            return None
        if allowed(prefixes, name):
            return None
        return "is not for this folder"
    if angles is None or name in angles or re.fullmatch(r"passtime/\w+\.h", name):
        return None
    return "is not for this folder"


def check_file(path, folder, rule):
    faults = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            fault = fault_of_include(path, rule, match[1], match[2])
            if fault:
                faults.append(f"{path}:{number}: {match[2]} {fault}")
        if folder != "src/port" and line.lstrip().startswith("#") and SYSTEM.search(line):
            if not (path.name == "passtime.h" and line.strip() == EXPORT_BLOCK):
                faults.append(f"{path}:{number}: asks for the system; only src/port may")
    return faults


def main():
    root = pathlib.Path(sys.argv[1])
    faults = []
    seen = 0
    for folder, rule in RULES.items():
        for path in sorted((root / folder).rglob("*.[ch]")):
            seen += 1
            faults += check_file(path, folder, rule)
    known = {root / folder for folder in RULES}
    for path in sorted((root / "src").rglob("*.[ch]")):
        if not known & set(path.parents):
            faults.append(f"{path}: its folder has no rule in tools/check_includes.py")
    print("\n".join(faults) or f"{seen} files include only what they may")
    return 1 if faults or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
