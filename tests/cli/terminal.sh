# SPDX-License-Identifier: MIT
# What the demo draws on a terminal while it runs.
. "$CASES/need_gpu.sh"
python3 "$CASES/terminal.py"
