# SPDX-License-Identifier: MIT
# Wrong use: one line on stderr that says what is wrong and what to do, nothing on stdout, exit code 2.
try() {
    code=0
    passtime "$@" >out.txt 2>err.txt || code=$?
    echo "exit $code: passtime $*"
    sed 's/^/  /' err.txt
    test ! -s out.txt
    test "$(wc -l <err.txt)" = 1
}
try prob
try nosuchthing
try version extra
try help nosuch
try completion
try probe extra
try probe --jason
try demo nosuch
try demo map passes
try demo --frame 3
try demo -x
try demo --frames
try demo --frames 0
try demo --frames -1
try demo --frames 1e3
try demo --frames 99999999999999999999
try demo --points 0
try demo --points 5000000000
try demo passes --points 5
try demo --size 15
try demo --size 4097
try demo --budget-ms 0
try demo --budget-ms nan
try demo --budget-ms -1
try demo --budget-ms 1,5
try demo --every 0
try demo --off=1
try demo --off --fallback
try demo --off --capture x
try demo --adapter ''
try demo --api gl4
try demo --flush
try demo --elapsed
try demo --api gl --flush --off
try demo --api gles --flush --fallback
try demo --capture /nonexistent/x
try demo --capture .
try demo --png /nonexistent/x.png
try report
try report --csv --json x
try report --csv --frame 1 x
try report --frame x
try page
try page a.html b.html
try page --frames 0 x.html
try page --seconds 0 x.html
try page --pass-budget shadow x.html
try page --pass-budget =2 x.html
try page --pass-budget shadow=0 x.html
try page --pass-budget shadow=2ms x.html
try page --csv --json x.html
try page --stock --fine x.html
try page --repeat 0 x.html
try page --repeat 2 --profile p x.html
try page --flag '' x.html
try page --capture a --screenshot a x.html
try page --csv --compare base.json x.html
try page --compare nosuch.json x.html
try page --compare a --compare b x.html
try page nosuch.html
try page --capture /nonexistent/x .
# The same as JSON, strict and on one line.
try demo --json --points 0
try report --json nosuch
try nosuch --json
ls
