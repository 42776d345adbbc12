#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the library's sources for another system, with warnings as errors.

Usage: check_cross.py ROOT BUILD TARGET, as in x86_64-windows-gnu. The compiler is zig cc, from the
ziglang package in .deps/venv; nothing is linked or run.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import library_sources

FLAGS = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror",
         "-fvisibility=hidden", "-DPASSTIME_BUILD", "-O1", "-c"]


def compile_one(root, target, out, folder, source, includes):
    command = [str(root / ".deps/venv/bin/python"), "-m", "ziglang", "cc", "-target", target, *FLAGS]
    for include in includes:
        # The project's own paths get warnings, other people's headers do not.
        own = include.startswith(str(root / "include")) or "/views/" in include
        command += ["-I" if own else "-isystem", include]
    command += [str(source), "-o", os.path.join(out, f"{folder}_{source.name}.o")]
    environment = dict(os.environ, ZIG_GLOBAL_CACHE_DIR=str(root / ".deps/zig"),
                       ZIG_LOCAL_CACHE_DIR=str(root / ".deps/zig"))
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return f"{folder}/{source.name}", done.returncode, done.stdout


def main():
    root, build, target = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    jobs = list(library_sources.read(build, "windows" if "windows" in target else "posix"))
    failed = not jobs
    with tempfile.TemporaryDirectory() as out, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, code, text in pool.map(lambda job: compile_one(root, target, out, *job), jobs):
            if code:
                failed = True
                print(f"{name} does not compile for {target}:\n{text}")
    print(f"{len(jobs)} files tried for {target}")
    return 1 if failed else 0


sys.exit(main())
