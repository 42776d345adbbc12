# SPDX-License-Identifier: MIT
# The map: five named passes, a picture that is not of one colour, points within what is allowed.
. "$CASES/need_gpu.sh"
passtime demo map --points 200000 --size 64 --frames 6 --json --png p.png >run.json
python3 "$CASES/check_report.py" run.json passes=scatter,cull,base,tiles,compose seen=6 timed=6
# One colour would pack into far less.
test "$(wc -c <p.png)" -gt 2000
