# SPDX-License-Identifier: MIT
"""Checks that the report of a capture says what the run itself said. Usage: ... RUN.json REPORT.json"""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["contexts"][0]


run, report = load(sys.argv[1]), load(sys.argv[2])
assert report["origin"] == "summary", report["origin"]
for key in ("api", "adapter", "method", "clock", "frame", "passes", "scopes", "ledger"):
    assert run[key] == report[key], (key, run[key], report[key])
run["frames"]["warmup"] = 0
assert run["frames"] == report["frames"], (run["frames"], report["frames"])
