# SPDX-License-Identifier: MIT
"""Checks a JSON report: the document's keys, its sums, and what is asked for on the command line.

Usage: check_report.py REPORT.json [passes=a,b,c] [seen=N] [timed=N] [method=M] [warning=CODE]
       [growing=yes] [api=A] [span=none] [filled=yes]
"""
import json
import math
import sys

CONTEXT = "id api adapter method clock frames frame passes ledger".split()
CLOCK = "tick_ns valid_bits quantum_ns align_bound_ns".split()
FRAMES = "seen timed skipped incomplete no_data".split()
FRAME = "busy_ns span_ns sum_ns cpu_submit_ns unattributed_ns budget_ns over_budget bound_by".split()
TOTAL = "mean se p50 p95 p99 max".split()
PASS = (
    "name path source count mean_ns se_ns n_eff below_ns min_ns max_ns p50_ns p95_ns p99_ns total_ns"
    " attributed_ns share rejected flags"
).split()
FATES = (
    "complete incomplete no_data empty skipped_full skipped_stride skipped_off skipped_lost"
    " skipped_warmup refused"
).split()


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def need(thing, keys, where):
    missing = [key for key in keys if key not in thing]
    assert not missing, f"{where} lacks {missing}"


def check_shape(report):
    assert report["schema"] == "passtime.report/1"
    assert report["tool"]["version"]
    for context in report["contexts"]:
        need(context, CONTEXT, "context")
        need(context["adapter"], "name driver kind software".split(), "adapter")
        need(context["clock"], CLOCK, "clock")
        need(context["frames"], FRAMES, "frames")
        need(context["frame"], FRAME, "frame")
        for total in ("busy_ns", "span_ns", "sum_ns"):
            need(context["frame"][total], TOTAL, total)
        need(context["frame"]["cpu_submit_ns"], ["mean", "se"], "cpu_submit_ns")
        for entry in context["passes"]:
            need(entry, PASS, "pass " + entry["name"])


def check_sums(context):
    frames = context["frames"]
    assert sum(frames[fate] for fate in FATES) + frames["in_flight"] == frames["seen"], frames
    counted = sum(e["count"] + sum(e["rejected"].values()) for e in context["passes"])
    assert counted == sum(context["ledger"].values()), (counted, context["ledger"])
    shares = [e["share"] for e in context["passes"] if e["share"] is not None]
    assert not shares or math.isclose(sum(shares), 1.0, rel_tol=1e-6), shares
    for entry in context["passes"]:
        if entry["count"] == 0:
            assert entry["mean_ns"] is None and entry["min_ns"] is None, entry
        elif entry["mean_ns"] is not None:
            assert math.isclose(entry["total_ns"] / entry["count"], entry["mean_ns"], rel_tol=1e-6)
            if entry["min_ns"] is not None:
                assert entry["min_ns"] <= entry["mean_ns"] <= entry["max_ns"], entry


def check_wanted(context, wanted):
    names = [e["name"] for e in context["passes"]]
    if "passes" in wanted:
        assert names == wanted["passes"].split(","), names
    for key in ("seen", "timed"):
        if key in wanted:
            assert context["frames"][key] == int(wanted[key]), context["frames"]
    if "method" in wanted:
        assert context["method"] == wanted["method"], context["method"]
    if "warning" in wanted:
        codes = [w["code"] for w in context["warnings"]]
        assert wanted["warning"] in codes, codes
    if "api" in wanted:
        assert context["api"] == wanted["api"], context["api"]
    if "span" in wanted:
        assert all(value is None for value in context["frame"]["span_ns"].values()), context["frame"]
    if "filled" in wanted:
        # The device had no other work: its passes fill most of the time on the wall, and no more.
        busy_ns = context["frame"]["busy_ns"]["mean"] * context["frames"]["timed"]
        assert context["wall_ns"] / 2 < busy_ns <= context["wall_ns"], (busy_ns, context["wall_ns"])
    if "growing" in wanted:
        means = [e["mean_ns"] for e in context["passes"]]
        assert means == sorted(means) and means[0] > 0, means


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file, parse_constant=refuse)
    check_shape(report)
    for context in report["contexts"]:
        check_sums(context)
        check_wanted(context, dict(word.split("=", 1) for word in sys.argv[2:]))


main()
