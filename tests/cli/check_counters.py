# SPDX-License-Identifier: MIT
"""Checks the shader counters of a report of `demo passes`: exact amounts, and apart from every time.

Usage: check_counters.py REPORT.json SIDE FRAMES METHOD
"""
import json
import sys

path, side, frames, method = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
with open(path, encoding="utf-8") as file:
    context = json.load(file)["contexts"][0]
assert context["method"] == method, context["method"]
seen = 0
for entry in context["passes"]:
    counters = entry["counters"]
    if not entry["name"].startswith("loops-"):
        assert counters is None, entry["name"]
        continue
    pixels, loops = side * side, int(entry["name"].split("-")[1])
    assert [(c["name"], c["unit"]) for c in counters] == [("invocations", "pixels"), ("loop steps", "steps")]
    for counter, amount in zip(counters, (pixels, pixels * loops)):
        for key in ("mean", "min", "max"):
            assert counter[key] == amount, (entry["name"], counter)
        assert counter["count"] == frames and counter["total"] == frames * amount, counter
        assert counter["se"] == 0 and counter["lost"] == 0 and counter["unproved"] == 0, counter
        assert not [key for key in counter if key.endswith("_ns")], counter
    assert entry["count"] == frames
    seen += 1
assert seen == 3, seen
costs = context["counters_cost"]
assert [cost["name"] for cost in costs] == ["loops-64", "loops-256", "loops-1024"], costs
for cost in costs:
    if method == "stamps":
        assert cost["pairs"] >= 8 and cost["low_ns"] <= cost["added_ns"] <= cost["high_ns"], cost
        assert cost["without_ns"] > 0
    else:
        assert cost["added_ns"] is None and cost["without_ns"] is None, cost
