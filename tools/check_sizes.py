#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no function is longer than 80 lines and no file longer than 500. Usage: check_sizes.py ROOT"""
import json
import pathlib
import statistics
import subprocess
import sys

FUNCTION_LINES = 80
FILE_LINES = 500
FOLDERS = ["include", "src", "tests", "fuzz", "bench", "examples"]


def functions(files):
    command = ["ctags", "--output-format=json", "--languages=C", "--map-C=+.h", "--kinds-C=f",
               "--fields=+ne", "-f", "-", "-L", "-"]
    out = subprocess.run(command, input="\n".join(map(str, files)), text=True, check=True,
                         stdout=subprocess.PIPE).stdout
    for line in out.splitlines():
        tag = json.loads(line)
        # An end is missing where ctags lost its way: count such a function as too long.
        yield tag["path"], tag["line"], tag["name"], tag.get("end", 10**6) - tag["line"] + 1


def main():
    root = pathlib.Path(sys.argv[1])
    files = [f for folder in FOLDERS for f in sorted((root / folder).rglob("*.[ch]"))]
    faults = []
    for file in files:
        lines = len(file.read_text(encoding="utf-8").splitlines())
        if lines > FILE_LINES:
            faults.append(f"{file}: {lines} lines; at most {FILE_LINES}: split it")
    lengths = []
    for path, line, name, length in functions(files):
        lengths.append(length)
        if length > FUNCTION_LINES:
            faults.append(f"{path}:{line}: {name} has {length} lines; at most {FUNCTION_LINES}")
    if not lengths:
        faults.append("no function found: is ctags universal-ctags?")
    else:
        print(f"{len(files)} files, {len(lengths)} functions, median {statistics.median(lengths)} "
              f"lines, longest {max(lengths)}")
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
