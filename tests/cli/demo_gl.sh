# SPDX-License-Identifier: MIT
# The demo on OpenGL and OpenGL ES: the passes of WebGPU, times that are right where stamps are flushed
# and marked where they may not be, and what its options do.
expect() { # exit code, then the command
    wanted=$1 code=0
    shift
    passtime "$@" >out.txt 2>err.txt || code=$?
    [ "$code" = "$wanted" ] || { cat out.txt err.txt; echo "exit $code, not $wanted: $*"; exit 1; }
}
code=0
passtime demo passes --api gl --size 16 --frames 1 --off >out.txt || code=$?
[ "$code" != 3 ] || exit 77
[ "$code" = 0 ]
three=passes=loops-64,loops-256,loops-1024
five=passes=scatter,cull,base,tiles,compose

for api in gl gles; do
    expect 0 demo passes --api $api --flush --size 128 --frames 8 --json --capture c.pftrace
    test ! -s err.txt
    python3 "$CASES/check_report.py" out.txt $three seen=8 timed=8 method=stamps api=$api filled=yes
    passtime report --json c.pftrace >report.json
    python3 "$CASES/same_numbers.py" out.txt report.json

    expect 0 demo map --api $api --points 100000 --size 64 --frames 4 --json --png p.png
    python3 "$CASES/check_report.py" out.txt $five seen=4 timed=4 method=stamps api=$api
    head -c 8 p.png | cmp - "$CASES/png_signature"
    test "$(wc -c <p.png)" -gt 2000

    # Durations without a position: no span, and busy is called what it is.
    expect 0 demo passes --api $api --elapsed --flush --size 64 --frames 4 --json
    python3 "$CASES/check_report.py" out.txt $three seen=4 timed=4 method=elapsed span=none
    expect 0 demo passes --api $api --elapsed --flush --size 64 --frames 4
    grep -q '^serial sum ' out.txt
    ! grep -q '^frame span ' out.txt

    expect 0 demo passes --api $api --fallback --size 32 --frames 4 --json
    python3 "$CASES/check_report.py" out.txt seen=4 timed=4 method=cpu warning=cpu_time
    expect 0 demo passes --api $api --size 32 --frames 4 --off --json
    python3 "$CASES/check_report.py" out.txt seen=4 timed=0 warning=nothing_timed

    expect 2 demo passes --api $api --adapter 'no such device'
    grep -q 'no EGL device matches "no such device"; there is "' err.txt
done

# A renderer that bins draws: without a flush its times carry the mark, above the table.
passtime probe --json >probe.json
if grep -q '"true_when_flushed"' probe.json; then
    expect 0 demo passes --api gles --size 256 --frames 2
    grep -q '^! boundary unverified' out.txt
    [ "$(grep -n '^! boundary' out.txt | cut -d: -f1)" -lt "$(grep -n '^loops-64' out.txt | cut -d: -f1)" ]
fi

# What other drivers lack, by Mesa's own switches for that.
if grep -q Mesa probe.json; then
    export MESA_GL_VERSION_OVERRIDE=3.3
    expect 0 demo map --api gl --points 100000 --size 64 --frames 2 --flush --json
    python3 "$CASES/check_report.py" out.txt $five seen=2 timed=2 method=stamps api=gl
    export MESA_GL_VERSION_OVERRIDE=2.1
    expect 3 demo passes --api gl --frames 1
    grep -q 'gives no OpenGL 3.3 core context .*; try another --api' err.txt
    passtime probe --json >probe.json
    grep -q 'gives no OpenGL 3.3 core context' probe.json
    unset MESA_GL_VERSION_OVERRIDE
    export MESA_GLES_VERSION_OVERRIDE=2.0
    expect 3 demo passes --api gles --frames 1
    grep -q 'needs OpenGL 3.3 or OpenGL ES 3.0' err.txt
    unset MESA_GLES_VERSION_OVERRIDE
    export MESA_EXTENSION_OVERRIDE=-GL_EXT_disjoint_timer_query
    expect 0 demo passes --api gles --size 32 --frames 2 --json
    python3 "$CASES/check_report.py" out.txt seen=2 timed=2 method=cpu warning=cpu_time
    expect 3 demo passes --api gles --size 32 --frames 2 --flush
    grep -q 'no timer on .*EXT_disjoint_timer_query' err.txt
    unset MESA_EXTENSION_OVERRIDE
fi

# No driver: exit code 3, and what to install.
export __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null
expect 3 demo --api gl
grep -q 'no EGL device found: .* install ' err.txt
expect 3 demo passes --api gles --json
test "$(wc -l <err.txt)" = 1
