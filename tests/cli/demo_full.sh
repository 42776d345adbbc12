# SPDX-License-Identifier: MIT
# The main job at its full size: ten million points, all of them timed and kept.
. "$CASES/need_gpu.sh"
passtime demo map --frames 3 --warmup 1 --json --capture c.pftrace --png p.png >run.json
python3 "$CASES/check_report.py" run.json passes=scatter,cull,base,tiles,compose seen=3 timed=3
passtime report --json c.pftrace >report.json
python3 "$CASES/same_numbers.py" run.json report.json
test "$(wc -c <p.png)" -gt 20000
