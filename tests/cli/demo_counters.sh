# SPDX-License-Identifier: MIT
# Shader counters in the demo: exact whatever measures the time, and told where they can't be had.
. "$CASES/need_gpu.sh"

passtime demo passes --counters --size 32 --frames 12 --json >run.json 2>err.txt
test ! -s err.txt
python3 "$CASES/check_counters.py" run.json 32 12 stamps

# A capture carries them, so that its report says the same.
passtime demo passes --counters --size 32 --frames 12 --json --capture c.pftrace >live.json
passtime report --json c.pftrace >read.json
passtime report c.pftrace | grep -Eq '^loops-64 +invocations +1024 +0 +1024 +1024 pixels$'
python3 - <<'END'
import json

live, read = (json.load(open(name))["contexts"][0]["passes"] for name in ("live.json", "read.json"))
assert [p["counters"] for p in live] == [p["counters"] for p in read]
assert all(p["counters"] for p in read)
END
passtime report --csv c.pftrace >c.csv
python3 - <<'END'
import csv

rows = list(csv.DictReader(open("c.csv", newline="")))
assert [int(row["loop steps [steps] mean"]) for row in rows] == [1024 * n for n in (64, 256, 1024)], rows
assert all(row["invocations [pixels] count"] == "12" for row in rows), rows
END

passtime demo passes --counters --size 32 --frames 12 --fallback --json >run.json
python3 "$CASES/check_counters.py" run.json 32 12 cpu

passtime demo passes --counters --size 32 --frames 4 >table.txt
grep -Eq '^loops-1024 +invocations +1024 +0 +1024 +1024 pixels$' table.txt
grep -Eq '^ +loop steps +1048576 +0 +1048576 +1048576 steps$' table.txt
grep -q '^What counting adds to a pass.s own time, from [0-9]* pairs' table.txt

# Without the option nothing is said of counters.
passtime demo passes --size 32 --frames 4 --json >plain.json
! grep -q counters plain.json

wrong() { # what it must say, then the command
    what=$1
    shift
    ! "$@" >out.txt 2>err.txt
    grep -q "$what" err.txt
}
wrong "counters is for passes" passtime demo map --counters
wrong "counters is for --api webgpu" passtime demo passes --api gl --counters
wrong "off and --counters exclude" passtime demo passes --off --counters
