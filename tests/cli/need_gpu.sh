# SPDX-License-Identifier: MIT
# For cases that need a device: sourced first; skips the case only where the probe says there is none.
code=0
passtime probe --json >probe.json || code=$?
[ "$code" != 3 ] || exit 77
[ "$code" = 0 ] || { echo "passtime probe ended with exit code $code" >&2; exit 1; }
