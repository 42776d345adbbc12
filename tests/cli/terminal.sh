# SPDX-License-Identifier: MIT
# What the demo draws on a terminal while it runs.
passtime probe >/dev/null || exit 77
python3 "$CASES/terminal.py"
