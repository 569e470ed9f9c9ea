#!/usr/bin/env bash
# run.sh COMPILER [flags] FILE OUT: builds FILE at -O1 and -O2, runs both; fails if one does, with what it said.
set -euo pipefail
out=${*: -1}
set -- "${@:1:$#-1}"
for level in -O1 -O2; do
  "$@" "$level" -lm -o "$out$level"
  timeout 120 "$out$level"
done
