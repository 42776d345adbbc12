# SPDX-License-Identifier: MIT
# Captures that are the same each time, in each form of report.
try() {
    code=0
    echo "== passtime report $*"
    passtime report "$@" || code=$?
    echo "exit $code"
}
make_capture good.pftrace 120
make_capture faults.pftrace 120 faults
try good.pftrace
try good.pftrace faults.pftrace
# A software adapter's missed budget is no failure.
try faults.pftrace
try --csv good.pftrace faults.pftrace
try --frame 13 faults.pftrace
try --frame 0 good.pftrace
try --json --frame 13 faults.pftrace
try --json good.pftrace
# In ASCII, as wide as COLUMNS says.
LC_ALL=C COLUMNS=100 try good.pftrace
