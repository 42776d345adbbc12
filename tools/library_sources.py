# SPDX-License-Identifier: MIT
"""What the build compiles for the library, from the list that cmake/checks.cmake writes; and of src/port,
what the command's processes need."""
import pathlib


def read(build, platform):
    """Yields (folder of src, source, include paths) of every C file, with src/port's for `platform`."""
    text = pathlib.Path(build, "library_sources.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        name, directory, sources, includes = line.split("|")
        folder = name.removeprefix("passtime_")
        if folder == "port":
            files = sorted(path.name for path in pathlib.Path(directory).glob(f"*_{platform}.c"))
            sources = ":".join([f"{platform}.c", *files])
        for source in sources.split(":"):
            if source.endswith(".c"):
                path = pathlib.Path(directory, source)
                yield folder, path, [i for i in includes.split(":") if i]
