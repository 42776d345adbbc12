# SPDX-License-Identifier: MIT
# What each command says of itself.
passtime help
for command in probe demo report page version help; do
    echo "== $command"
    passtime "$command" --help
done
passtime help demo >help.txt
passtime demo --help | cmp - help.txt
passtime --help | head -n 1
echo "== nothing"
passtime 2>&1 | head -n 1
code=0
passtime >out.txt 2>/dev/null || code=$?
echo "exit $code"
test ! -s out.txt
