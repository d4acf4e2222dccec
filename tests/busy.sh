#!/bin/sh
# Runs a command beside busy loops, which end with it: no test may depend on the machine's speed.
# Usage: tests/busy.sh LOOPS COMMAND...
loops=$1
shift
pids=
trap 'kill $pids 2>/dev/null' EXIT
trap 'exit 130' INT TERM
while [ "$loops" -gt 0 ]; do
    # A loop also ends when this shell has been killed: its parent is then another one.
    sh -c 'parent=$PPID; n=0; while [ "$(cut -d" " -f4 /proc/$$/stat 2>/dev/null || echo $parent)" = "$parent" ]; do
        n=0; while [ $n -lt 300000 ]; do n=$((n + 1)); done; done' &
    pids="$pids $!"
    loops=$((loops - 1))
done
"$@"
