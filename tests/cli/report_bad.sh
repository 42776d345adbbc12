# SPDX-License-Identifier: MIT
# Captures that are missing, empty, cut off, damaged or something else.
try() {
    code=0
    passtime report "$@" >out.txt 2>err.txt || code=$?
    echo "exit $code: passtime report $*"
    sed -e 's/at byte [0-9]*/at byte .../' -e 's/^/  /' out.txt err.txt
}
make_capture good.pftrace 120
try nosuch.pftrace
: >empty.pftrace
try empty.pftrace
mkdir folder.pftrace
try folder.pftrace
printf '\211PNG\r\n\032\n and more of it, as pictures have' >picture.png
try picture.png
printf '{"traceEvents": [{"ph": "B", "ts": 1}]}' >trace.json
try trace.json
head -c 9200 good.pftrace >cut.pftrace
try cut.pftrace
head -c 40 good.pftrace >stub.pftrace
try stub.pftrace
try good.pftrace --frame 120
# One bad file among good ones is told, and nothing half done is printed.
try good.pftrace nosuch.pftrace
