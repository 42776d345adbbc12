#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/numbers.md from what `make truth` wrote.

Usage: tools/truth_svg.py build/truth.csv [build/truth-web.csv] docs/images
"""
import csv
import html
import math
import pathlib
import sys

STYLE = """
  .panel { fill: #ffffff; stroke: #d0d7de; }
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; }
  .small { font-size: 12px; fill: #59636e; }
  .title { font-size: 15px; font-weight: 600; }
  .grid { stroke: #e4e8ec; } .axis { stroke: #8c959f; }
  .band { fill: #1a7f37; fill-opacity: 0.10; }
  .a { stroke: #0969da; fill: #0969da; } .b { stroke: #bc4c00; fill: #bc4c00; }
  .c { stroke: #8250df; fill: #8250df; } .d { stroke: #1a7f37; fill: #1a7f37; }
  .line { fill: none; stroke-width: 1.6; }
  @media (prefers-color-scheme: dark) {
    .panel { fill: #0d1117; stroke: #3d444d; }
    text { fill: #f0f6fc; } .small { fill: #9198a1; }
    .grid { stroke: #262c36; } .axis { stroke: #656c76; }
    .band { fill: #3fb950; fill-opacity: 0.13; }
    .a { stroke: #58a6ff; fill: #58a6ff; } .b { stroke: #f0883e; fill: #f0883e; }
    .c { stroke: #bc8cff; fill: #bc8cff; } .d { stroke: #3fb950; fill: #3fb950; }
    .line { fill: none; }
  }
  text.word { stroke: none; }
"""


class Picture:
    """A panel with a plot in it; x and y map values to places."""

    def __init__(self, title, width=720, height=380, left=70, right=24, top=64, bottom=58):
        self.width, self.height = width, height
        self.box = (left, top, width - right, height - bottom)
        self.parts = []
        self.text(20, 28, title, "title")

    def text(self, x, y, words, kind="", anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">'
                          f"{html.escape(words)}</text>")

    def line(self, x1, y1, x2, y2, kind):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>')

    def dot(self, x, y, kind, radius=4.0):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{kind}"/>')

    def rect(self, x1, y1, x2, y2, kind):
        self.parts.append(f'<rect x="{min(x1, x2):.1f}" y="{min(y1, y2):.1f}" width="{abs(x2 - x1):.1f}" '
                          f'height="{abs(y2 - y1):.1f}" class="{kind}"/>')

    def path(self, points, kind):
        words = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{words}" class="{kind}"/>')

    def scales(self, x_range, y_range, log_x=False, log_y=False):
        def scale(value_range, low, high, log):
            low_value, high_value = (map(math.log10, value_range) if log else value_range)
            return lambda v: low + (high - low) * ((math.log10(v) if log else v) - low_value) / (
                high_value - low_value)

        x1, y1, x2, y2 = self.box
        self.x, self.y = scale(x_range, x1, x2, log_x), scale(y_range, y2, y1, log_y)

    def axes(self, x_ticks, y_ticks, x_words, y_words):
        x1, y1, x2, y2 = self.box
        for value, words in y_ticks:
            self.line(x1, self.y(value), x2, self.y(value), "grid")
            self.text(x1 - 8, self.y(value) + 4, words, "small", "end")
        for value, words in x_ticks:
            self.line(self.x(value), y2, self.x(value), y2 + 5, "axis")
            self.text(self.x(value), y2 + 20, words, "small", "middle")
        self.line(x1, y2, x2, y2, "axis")
        self.text((x1 + x2) / 2, y2 + 42, x_words, "small", "middle")
        self.text(20, 50, y_words, "small")

    def write(self, path, about):
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{html.escape(about)}">\n'
            f"<style>{STYLE}</style>\n"
            f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" rx="8" class="panel"/>\n'
            + "\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")
        print(path)


def draw_rounding(folder):
    """Twelve passes of 20 us begin anywhere on a grid of 65.5 us: the few that cross a line tick."""
    quantum, length = 65.536, 20.0
    begins = [(i * 0.6180339887 + 0.11) % 1 * quantum for i in range(12)]
    ticked = [b + length >= quantum for b in begins]
    p = Picture("A pass of 20 µs on stamps of 65.5 µs", height=340, left=150, right=50, bottom=44)
    p.scales((0, 2 * quantum), (12, 0))
    x1, y1, x2, y2 = p.box
    for i in range(3):
        p.line(p.x(i * quantum), y1 - 6, p.x(i * quantum), y2, "axis")
        p.text(p.x(i * quantum), y2 + 20, f"{i * quantum:.1f} µs", "small", "middle")
    for i, begin in enumerate(begins):
        y = y1 + (i + 0.5) * (y2 - y1) / 12
        p.rect(p.x(begin), y - 6, p.x(begin + length), y + 6, "b" if ticked[i] else "a")
        p.text(x1 - 14, y + 4, "reads 65.5 µs" if ticked[i] else "reads 0", "small", "end")
    mean = quantum * sum(ticked) / 12
    p.text(20, 50, f"{sum(ticked)} of 12 cross a step: their mean is {mean:.1f} µs. "
           "No single one of them says anything.", "small")
    p.write(folder / "numbers-rounding.svg", "Passes at random phases; those that cross a step tick")


def draw_curve(rows, folder):
    rows = [r for r in rows if r["part"].startswith("The error of the mean")]
    p = Picture("The error of the mean falls with the samples")
    p.scales((70, 14000), (0.05, 4), True, True)
    p.axes([(n, f"{n:,}") for n in (100, 300, 1000, 3000, 10000)],
           [(v, f"{v:g}") for v in (0.1, 0.3, 1, 3)], "samples", "error of the mean, µs "
           "(lines: Q √(p (1 − p) / n); dots: measured)")
    for us, kind in (("1", "a"), ("5", "b"), ("50", "c")):
        mine = [r for r in rows if r["what"].startswith(us + " us")]
        p.path([(p.x(float(r["x"])), p.y(float(r["truth"]))) for r in mine], kind + " line")
        for r in mine:
            p.dot(p.x(float(r["x"])), p.y(float(r["measured"])), kind)
        if mine:
            p.text(p.x(float(mine[0]["x"])) + 8, p.y(float(mine[0]["truth"])) - 10, f"{us} µs",
                   kind + " word")
    p.write(folder / "numbers-law.svg", "Error of the mean against the number of samples")


def draw_coverage(rows, folder):
    rows = [r for r in rows if r["part"].startswith("Simulated passes")]
    p = Picture("How often the 95 % interval holds the true mean")
    p.scales((-0.6, 3.6), (88, 100))
    p.rect(p.box[0], p.y(90), p.box[2], p.y(99), "band")
    rhos = ("0.00", "0.50", "0.90", "0.98")
    p.axes(list(enumerate(rhos)), [(v, f"{v} %") for v in (88, 90, 95, 99, 100)],
           "correlation of one frame with the next",
           f"{len(rows)} simulated cases of {rows[0]['runs'] if rows else 0} runs each")
    kinds = (("no quantum", "a"), ("Q 65.5 us", "b"), ("Q 100.0 us", "c"))
    for number, (name, kind) in enumerate(kinds):
        for at, rho in enumerate(rhos):
            mine = [r for r in rows if name in r["what"] and f"rho {rho}" in r["what"]]
            for i, r in enumerate(mine):
                place = at + 0.27 * (number - 1) + 0.22 * ((i + 0.5) / len(mine) - 0.5)
                p.dot(p.x(place), p.y(100 * int(r["covered"]) / int(r["told"])), kind, 2.6)
        p.dot((430, 500, 610)[number], 46, kind)
        p.text((438, 508, 618)[number], 50, ("exact", "65.5 µs steps", "100 µs steps")[number], "small")
    p.write(folder / "numbers-coverage.svg", "Coverage of the 95 % interval in simulated cases")


def draw_devices(rows, folder):
    shorts = (("WebGPU", "a", "WebGPU on lavapipe"), ("OpenGL", "b", "OpenGL on llvmpipe"))
    draw_means(rows, shorts, folder / "numbers-devices.svg",
               "Real passes: the mean of rounded stamps against the mean of exact ones",
               ("mean of exact stamps, µs", "mean of the same stamps rounded to 65.5 µs, µs"))


def draw_browser(rows, folder):
    shorts = (("Chromium", "c", "five passes, 60 blocks of 600 frames in each browser"),)
    draw_means(rows, shorts, folder / "numbers-browser.svg",
               "Chromium: means in a stock browser against those of one that does not round",
               ("mean where stamps are exact, µs", "mean where they are rounded to 65.5 µs, µs"))


def draw_means(rows, shorts, path, title, axes):
    """Means of rounded stamps against means of exact ones, with two errors of what all blocks told."""
    rows = [r for r in rows if "stamps rounded" in r["part"] and "a pass made" in r["what"]
            and r["part"].startswith(tuple(name for name, _, _ in shorts))]
    p = Picture(title)
    values = [float(r[k]) for r in rows for k in ("truth", "measured") if r[k]] or [1, 100]
    span = (min(values) * 0.7, max(values) * 1.4)
    p.scales(span, span, True, True)
    ticks = [(v, f"{v:g}") for v in (1, 2, 5, 10, 20, 50, 100, 200, 500) if span[0] < v < span[1]]
    p.axes(ticks, ticks, *axes)
    p.line(p.x(span[0]), p.y(span[0]), p.x(span[1]), p.y(span[1]), "axis")
    if span[0] < 65.536 < span[1]:
        p.line(p.x(65.536), p.box[1], p.x(65.536), p.box[3], "grid")
        p.text(p.x(65.536) - 6, p.box[3] - 8, "one step", "small", "end")
    for number, (name, kind, words) in enumerate(shorts):
        for r in (r for r in rows if r["part"].startswith(name)):
            x, y = p.x(float(r["truth"])), float(r["measured"])
            error = min(2 * float(r["stated"]) / math.sqrt(int(r["told"])), 0.9 * y)
            p.line(x, p.y(max(y - error, span[0])), x, p.y(y + error), kind)
            p.dot(x, p.y(y), kind)
        p.dot(p.box[0] + 24, p.box[1] + 14 + 20 * number, kind)
        p.text(p.box[0] + 34, p.box[1] + 18 + 20 * number, words, "small")
    p.write(path, "Means of rounded stamps against means of exact ones")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    rows = []
    for name in sys.argv[1:-1]:
        with open(name, encoding="utf-8", newline="") as file:
            rows += csv.DictReader(file)
    folder = pathlib.Path(sys.argv[-1])
    # Each picture that the tables given have rows for; the first one needs none.
    draw_rounding(folder)
    for start, draw in (("The error of the mean", draw_curve), ("Simulated passes", draw_coverage),
                        ("WebGPU", draw_devices), ("Chromium", draw_browser)):
        if any(r["part"].startswith(start) for r in rows):
            draw(rows, folder)


if __name__ == "__main__":
    main()
