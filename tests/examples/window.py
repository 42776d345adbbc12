#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an example in a window of a virtual X server, looks at the window, and reads the table.

Usage: window.py PROGRAM PICTURE PASS...  Fails where the window is not drawn, or a pass has no time.
PICTURE is where a PNG of the screen goes. Exits 77 without Xvfb.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

FRAMES = "60"
COLOURS = 50  # a blank window has one


def read_screen(path):
    """Width and rows of RGB bytes of the X server's frame buffer, a file in xwd's format."""
    data = open(path, "rb").read()
    head = struct.unpack(">25I", data[:100])
    width, height, stride, colours = head[4], head[5], head[12], head[19]
    start = head[0] + 12 * colours
    rows = []
    for y in range(height):
        row = data[start + y * stride:start + y * stride + 4 * width]
        pixels = bytearray(3 * width)
        pixels[0::3], pixels[1::3], pixels[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(bytes(pixels))
    return width, rows


def write_png(path, width, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    image = zlib.compress(b"".join(b"\0" + row for row in rows))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", image) +
                  chunk(b"IEND", b""))


def count_colours(rows):
    return len({row[i:i + 3] for row in rows for i in range(0, len(row), 3)})


def start_server(folder):
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x640x24",
                               "-fbdir", folder, "-nolisten", "tcp"],
                              pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    display = os.fdopen(reader).readline().strip()
    return server, display


def run(program, folder, display):
    """The program's output, its exit status, and the screen with the most colours."""
    # Leaks in the GL driver are the driver's: it is unloaded before they can be told from ours.
    environment = dict(os.environ, DISPLAY=":" + display, ASAN_OPTIONS="detect_leaks=0")
    child = subprocess.Popen([program, FRAMES], env=environment, text=True, stdout=subprocess.PIPE)
    best, screen = 0, None
    deadline = time.monotonic() + 200
    while child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
        width, rows = read_screen(os.path.join(folder, "Xvfb_screen0"))
        colours = count_colours(rows)
        if colours > best:
            best, screen = colours, (width, rows)
    if child.poll() is None:
        child.kill()
    return child.stdout.read(), child.wait(), best, screen


def check(output, status, colours, passes):
    faults = []
    if status != 0:
        faults.append("it ended with %d" % status)
    if colours < COLOURS:
        faults.append("the window shows %d colours" % colours)
    for name in passes:
        found = re.search(r"^(?:\S+/)?%s +([0-9.]+) ms$" % re.escape(name), output, re.MULTILINE)
        if not found or float(found.group(1)) <= 0:
            faults.append("no time for the pass %s" % name)
    return faults


def main():
    program, picture, passes = sys.argv[1], sys.argv[2], sys.argv[3:]
    if shutil.which("Xvfb") is None:
        print("skipped: no Xvfb (Debian: xvfb)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        server, display = start_server(folder)
        try:
            output, status, colours, screen = run(program, folder, display)
        finally:
            server.terminate()
            server.wait()
    if screen is not None:
        write_png(picture, *screen)
    print(output, end="")
    faults = check(output, status, colours, passes)
    for fault in faults:
        print("FAILED:", fault)
    return 1 if faults else 0


sys.exit(main())
