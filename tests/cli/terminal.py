# SPDX-License-Identifier: MIT
"""Runs the demo on a terminal of our own and looks at what it draws there."""
import fcntl
import os
import pty
import re
import struct
import termios

DEMO = "passtime demo passes --size 48 --frames 60 --budget-ms 0.01".split()
ESCAPE = re.compile(rb"\x1b\[[0-9;]*([A-Za-z])")


def run(columns, **environment):
    """What the demo writes to a terminal so wide."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "xterm-256color", **environment})
        os.execvp(DEMO[0], DEMO)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    output = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    status = os.waitpid(child, 0)[1]
    assert os.waitstatus_to_exitcode(status) == 1, (status, output)
    return output


def lines_within(output, columns):
    for line in ESCAPE.sub(b"", output).decode("utf-8").split("\n"):
        text = line.rstrip("\r")
        assert len(text) <= columns, (columns, len(text), text)


def main():
    for columns in (80, 120):
        output = run(columns)
        codes = set(ESCAPE.findall(output))
        assert codes <= {b"m", b"F", b"J"}, codes
        assert b"frame " in output and b"loops-1024" in output, output
        assert "█".encode() in output
        assert b"\x1b[31m" in output, "nothing is red although the budget is missed"
        lines_within(output, columns)
        # The picture is gone at the end: the table follows the last wipe.
        last = output.rfind(b"\x1b[J")
        assert b"measured by GPU timestamps" in output[last:], output[last:]
    plain = run(80, NO_COLOR="1")
    assert b"m" not in set(ESCAPE.findall(plain)), "colours in spite of NO_COLOR"
    dumb = run(80, TERM="dumb")
    assert b"\x1b" not in dumb, dumb


main()
