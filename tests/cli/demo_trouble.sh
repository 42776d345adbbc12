# SPDX-License-Identifier: MIT
# Trouble in the middle of a run, and exit codes: what was timed is kept and told.
expect() { # exit code, then the command
    wanted=$1 code=0
    shift
    passtime "$@" >out.txt 2>err.txt || code=$?
    [ "$code" = "$wanted" ] || { cat out.txt err.txt; echo "exit $code, not $wanted: $*"; exit 1; }
}
. "$CASES/need_gpu.sh"
small="demo passes --size 32"

expect 1 $small --frames 4 --budget-ms 0.00001
expect 0 $small --frames 4 --budget-ms 60000
grep -q '^budget 6e+04 ms: kept\|^budget 60000 ms: kept' out.txt
expect 2 $small --adapter 'no such adapter'
grep -q 'no adapter matches "no such adapter"; there is "' err.txt

if [ -c /dev/full ]; then
    expect 2 $small --frames 4 --capture /dev/full
    expect 2 $small --frames 4 --png /dev/full
fi

# A disk that fills up in the middle: the run goes on, its table is printed, what fits can be read.
(
    trap '' XFSZ
    ulimit -f 8
    expect 2 $small --frames 60 --capture c.pftrace
)
grep -q '^frames  60 complete$' out.txt
grep -q 'could not be written to its end' err.txt
code=0
passtime report --json c.pftrace >report.json || code=$?
python3 "$CASES/check_report.py" report.json warning=rebuilt method=stamps

# Ctrl-C ends the run early; the capture and the report hold what was timed.
passtime $small --frames 100000 --json --capture d.pftrace >run.json 2>err.txt &
run=$!
while [ ! -s d.pftrace ] || [ "$(wc -c <d.pftrace)" -lt 3000 ]; do
    kill -0 $run || { cat err.txt; exit 1; }
    sleep 0.1
done
kill -INT $run
wait $run
grep -q "interrupted after [0-9]* of 100000 frames" err.txt
python3 "$CASES/check_report.py" run.json method=stamps
passtime report --json d.pftrace >report.json
python3 "$CASES/same_numbers.py" run.json report.json
