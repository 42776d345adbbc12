#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that the build's include paths keep the folders of src/ apart.

What check_includes.py forbids a folder must not even be found by its compiler call, and what it allows
must be. Usage: check_views.py ROOT BUILD
"""
import pathlib
import subprocess
import sys

import check_includes


def found(root, view, headers):
    """Those of headers that a file with this include path would find."""
    text = "".join(f'#if __has_include("{header}")\nfound "{header}"\n#endif\n' for header in headers)
    done = subprocess.run(["cc", "-E", "-P", "-I", root / "include", "-I", view, "-"], input=text,
                          text=True, check=True, stdout=subprocess.PIPE)
    return {line.split('"')[1] for line in done.stdout.splitlines() if line.startswith("found")}


def main():
    root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    headers = sorted(str(path.relative_to(root / "src")) for path in (root / "src").glob("*/*.h"))
    faults, tried = [], 0
    for folder, (prefixes, _) in check_includes.RULES.items():
        view = build / "views" / pathlib.Path(folder).name
        if not folder.startswith("src/") or not view.is_dir():
            continue
        tried += len(headers)
        seen = found(root, view, headers)
        for header in headers:
            may = check_includes.allowed(prefixes, header)
            if may != (header in seen):
                faults.append(f"{folder} {'should' if may else 'must not'} find {header}")
    print("\n".join(faults) or f"{tried} pairs of folder and header tried")
    return 1 if faults or not tried else 0


sys.exit(main())
