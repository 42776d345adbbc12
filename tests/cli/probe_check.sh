# SPDX-License-Identifier: MIT
# What the check says of each adapter is all there and does not contradict itself, whatever it found.
. "$(dirname "$0")/need_gpu.sh"
code=0
passtime probe --check --json >check.json || code=$?
CODE=$code python3 - <<'END'
import json, os

document = json.load(open("check.json"))
measured = []
for adapter in document["adapters"]:
    check = adapter["check"]
    if check is None:
        assert adapter["error"], adapter
        continue
    measured.append(check["can_measure"])
    assert check["can_measure"] == (check["method"] in ("stamps", "elapsed")), check
    assert check["can_measure"] or check["reason"] != "proved", check
    assert check["finest_ns"] is None or check["can_measure"] and check["finest_ns"] > 0, check
    cost = check["cost"]
    if cost["gpu_pair_ns"] is not None:
        assert cost["gpu_pair_low_ns"] <= cost["gpu_pair_ns"] <= cost["gpu_pair_high_ns"], cost
    for kind in check["kinds"]:
        assert [step["parts"] for step in kind["steps"]] == [1, 2, 4, 8, 16], kind
        if kind["rank_correlation"] is None:
            assert kind["rises"] is None, kind
        else:
            assert kind["rises"] == (kind["rank_correlation"] >= 0.9), kind
        if check["reason"] == "proved":
            assert kind["rises"] and kind["linear"] and kind["repeats"], kind
            assert kind["boundary_true"] is not False, kind
        assert kind["covers"] is not False or kind["boundary_true"] is False, kind
assert measured, "no adapter was checked to the end"
assert int(os.environ["CODE"]) == (0 if any(measured) else 3), measured
END
