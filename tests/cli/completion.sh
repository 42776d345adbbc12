# SPDX-License-Identifier: MIT
# The completion scripts are what shells take, and know every option that the help shows.
passtime completion bash >completion.bash
passtime completion fish >completion.fish
for command in demo page; do
    passtime "$command" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p' | while read -r option; do
        grep -q -- "--$option " completion.bash
        grep -q -- "-l $option " completion.fish
    done
done
command -v bash >/dev/null || exit 0
bash -n completion.bash
bash -c '
    source ./completion.bash
    complete_words() {
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        _passtime
        echo "${COMPREPLY[*]}"
    }
    complete_words passtime re
    complete_words passtime demo pa
    complete_words passtime demo --bud
    complete_words passtime demo --frames 1'
