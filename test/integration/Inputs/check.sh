#!/usr/bin/env bash
# check.sh PROGRAM...: its results are right, as they are without place, and both of its regions are launched with w in constant memory
set -euo pipefail
plain=$(PLACE=off OMP_TARGET_OFFLOAD=MANDATORY "$@" 2>&1) || true
[[ $plain == 'wrong: 0' ]] || { printf 'without place: %s\n' "$plain"; exit 1; }
placed=$(PLACE_STORE=off PLACE_REPORT="$PWD/report.json" PLACE_FORCE='*:w=constant' OMP_TARGET_OFFLOAD=MANDATORY "$@" 2>&1) || true
[[ $placed == 'wrong: 0' ]] || { printf 'with place: %s\n' "$placed"; exit 1; }
python3 "$(dirname "$0")/placed.py" report.json w constant 2
rm report.json
