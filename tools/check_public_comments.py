#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every public function, type, field and enumerator has a comment. Usage: ... ROOT

A field or enumerator needs one of its own: on its lines, or alone on the line before. A function or
type may share the comment at the head of its block (lines without a blank one between them).
"""
import json
import pathlib
import re
import subprocess
import sys


def tags(header):
    command = ["ctags", "--output-format=json", "--languages=C", "--map-C=+.h",
               "--kinds-C=pmegstu", "--fields=+neK", "-f", "-", str(header)]
    out = subprocess.run(command, text=True, check=True, stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in out.splitlines()]


def is_comment_end(line):
    """True where the line is the end of a comment that stands alone, not one behind a declaration."""
    line = line.strip()
    return line.endswith("*/") and line.startswith(("/*", "*", "/**")) or \
        line.endswith("*/") and "/*" not in line


def own_comment(lines, index):
    end = index
    while ";" not in lines[end] and "," not in lines[end] and "/*" not in lines[end] \
            and "}" not in lines[end + 1]:
        end += 1
    if any("/*" in line for line in lines[index:end + 1]):
        return True
    # A declaration without a comment of its own may follow one that it shares with the line before.
    return is_comment_end(lines[index - 1])


def block_comment(lines, index):
    while index >= 0 and lines[index].strip():
        if "/*" in lines[index] or is_comment_end(lines[index]):
            return True
        index -= 1
    return False


def main():
    root = pathlib.Path(sys.argv[1])
    faults = []
    seen = 0
    for header in sorted((root / "include/passtime").glob("*.h")):
        lines = header.read_text(encoding="utf-8").splitlines()
        for tag in tags(header):
            if tag["name"].startswith("__anon"):
                continue
            seen += 1
            if re.match(r"\s*WGPUProc\w+ \w+;", lines[tag["line"] - 1]):
                continue  # webgpu.h documents the function that it points to
            check = own_comment if tag["kind"] in ("member", "enumerator") else block_comment
            if not check(lines, tag["line"] - 1):
                faults.append(f"{header}:{tag['line']}: {tag['kind']} {tag['name']} has no comment")
    print("\n".join(faults) or f"{seen} declarations, each with a comment")
    return 1 if faults or not seen else 0


sys.exit(main())
