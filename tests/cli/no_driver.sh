# SPDX-License-Identifier: MIT
# A machine without any driver: exit code 3, and what to install.
export VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null
for command in probe demo "demo --json" "probe --json"; do
    code=0
    passtime $command >out.txt 2>err.txt || code=$?
    [ "$code" = 3 ] || { cat out.txt err.txt; echo "exit $code, not 3: $command"; exit 1; }
    test ! -s out.txt
    grep -q 'install' err.txt
done

# A driver that gives no answer in time is left behind.
unset VK_ICD_FILENAMES VK_DRIVER_FILES __EGL_VENDOR_LIBRARY_FILENAMES
code=0
passtime probe --timeout-ms 1 >out.txt 2>err.txt || code=$?
[ "$code" = 3 ]
grep -q 'no answer within 0.001 s' err.txt
