#!/usr/bin/env bash
# The study from end to end on the CPU: packs three benchmarks for the runner, runs them in every plan, confirms what matters,
# checks results, writes the report. Times are not looked at.
#
#   study-simt.sh DIR       environment as for pack.sh
set -euo pipefail
dir=${1:?usage: study-simt.sh DIR}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
study=$here/../../benchmarks/study.py
rm -rf "$dir/out" "$dir/study.csv"
mkdir -p "$dir/out"
PLACE_PACK_ONLY='conv1d scan flip' bash "$here/pack.sh" "$dir"
# what each took to compile is known, once for each
[[ $(grep -cE '^(conv1d|scan|flip),(plain|place),[0-9.]+,[0-9]+,[0-9]+$' "$dir/build.csv") -eq 6 ]]
run=("$study" "$dir" --cpu --exhaustive --confirm --csv "$dir/study.csv" --cases conv1d-64 scan 'flip-*')
python3 "${run[@]}" --jobs 2 --out "$dir/out"
# every version of both regions was launched, what was confirmed and launched once too, and nothing is run twice
grep -q '^conv1d-64,special-1,1,' "$dir/study.csv"
grep -q '^scan,agnostic-shared,1,' "$dir/study.csv"
grep -q '^scan,auto,102,' "$dir/study.csv"
grep -q '^flip-table,all-shared,101,' "$dir/study.csv"
[[ $(grep -cE '^(conv1d-64|scan),once-(plain|auto),1(0[1-9]|1[0-2]),' "$dir/study.csv") -eq 48 ]]
runs=$(grep -c ',\*,' "$dir/study.csv")
grep -q "^$runs of $runs runs passed" "$dir/out/STUDY.md"
before=$(wc -l <"$dir/study.csv")
python3 "${run[@]}"
[[ $(wc -l <"$dir/study.csv") -eq $before ]]
