# SPDX-License-Identifier: MIT
# The demo on a real device: what it says of itself, that a report of its capture says the same, and
# what its options do. No time is compared with a clock.
. "$CASES/need_gpu.sh"
three=passes=loops-64,loops-256,loops-1024
python3 -c 'import json; assert json.load(open("probe.json"))["schema"] == "passtime.probe/1"'

passtime demo passes --size 32 --frames 24 --json --capture c.pftrace --png p.png >run.json 2>err.txt
test ! -s err.txt
python3 "$CASES/check_report.py" run.json $three seen=24 timed=24 method=stamps growing=yes
passtime report --json c.pftrace >report.json
python3 "$CASES/same_numbers.py" run.json report.json
passtime report --frame 23 c.pftrace >tree.txt
grep -q loops-1024 tree.txt
head -c 8 p.png | cmp - "$CASES/png_signature"

passtime demo passes --size 32 --frames 4 >table.txt 2>err.txt
test ! -s err.txt
! grep -q "$(printf '\033')" table.txt
grep -q '^frames  4 complete$' table.txt
grep -q '^passes  12 good$' table.txt

passtime demo passes --size 32 --frames 32 --every 4 --json >run.json
python3 "$CASES/check_report.py" run.json $three seen=32 timed=8

passtime demo passes --size 32 --frames 8 --off --json >run.json
python3 "$CASES/check_report.py" run.json seen=8 timed=0 warning=nothing_timed

passtime demo passes --size 32 --frames 8 --fallback --json >run.json
python3 "$CASES/check_report.py" run.json seen=8 timed=8 method=cpu warning=cpu_time
