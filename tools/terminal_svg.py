#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the demo on a terminal of its own and draws what it shows there as an SVG picture, for the
README: the live picture from the middle of the run, then the table.

Usage: tools/terminal_svg.py COMMAND... >docs/images/demo.svg
With: build/passtime demo map
"""
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from xml.sax.saxutils import escape

COLUMNS, COLUMN, LINE, MARGIN = 96, 8.4, 18, 14
NAMED = {"31": "#f85149", "32": "#3fb950", "33": "#d29922"}
PLAIN = "#c9d1d9"


def cube(number):
    """The colour of number 16 to 231 of the 256."""
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])


def apply(codes, style):
    codes = codes.split(";") if codes else ["0"]
    if codes[:2] == ["38", "5"]:
        style["fill"] = cube(int(codes[2]))
        return
    for code in codes:
        if code == "0":
            style.clear()
        elif code == "1":
            style["font-weight"] = "bold"
        elif code == "2":
            style["opacity"] = "0.6"
        elif code == "39":
            style.pop("fill", None)
        elif code in NAMED:
            style["fill"] = NAMED[code]


def spans(line, style):
    """The pieces of a line: column, style, text."""
    column = 0
    for escape_codes, text in re.findall(r"\x1b\[([0-9;]*)m|([^\x1b]+)", line):
        if text:
            yield column, dict(style), text
            column += len(text)
        else:
            apply(escape_codes, style)


def run(command, columns):
    """All that the command writes to a terminal so wide."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    output = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    os.waitpid(child, 0)
    return output.decode("utf-8").replace("\r", "")


def scene(command, columns):
    """The lines to draw: each live picture ends where the next one wipes it."""
    pieces = re.split(r"\x1b\[\d+F\x1b\[J", run(command, columns))
    live = [piece for piece in pieces if piece.count("\n") == 4]
    shown = "passtime " + " ".join(command[1:])
    lines = ["$ " + shown, ""]
    if live:
        lines += live[len(live) * 3 // 4].rstrip("\n").split("\n") + [""]
    return lines + pieces[-1].rstrip("\n").split("\n")


def main():
    lines = scene(sys.argv[1:], COLUMNS)
    width, height = COLUMNS * COLUMN + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
          f'width="{width:.0f}" font-family="ui-monospace,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" '
          f'font-size="14" fill="{PLAIN}">')
    print('<rect width="100%" height="100%" rx="8" fill="#0d1117"/>')
    style = {}
    for number, line in enumerate(lines):
        y = MARGIN + number * LINE + 13
        for column, marks, text in spans(line, style):
            if not text.strip():
                continue
            # Blanks at the ends are left out: not every renderer keeps them.
            column += len(text) - len(text.lstrip())
            # Some viewers collapse runs of spaces whatever xml:space says.
            text = text.strip().replace(" ", "\u00a0")
            marks = "".join(f' {key}="{value}"' for key, value in marks.items())
            # The length is said, so that no font can shift what stands behind.
            print(f'<text x="{MARGIN + column * COLUMN:.1f}" y="{y}" '
                  f'textLength="{len(text) * COLUMN:.1f}" lengthAdjust="spacingAndGlyphs"{marks}>'
                  f"{escape(text)}</text>")
    print("</svg>")


main()
