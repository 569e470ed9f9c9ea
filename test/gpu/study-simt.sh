#!/usr/bin/env bash
# The study from end to end on the CPU: packs two benchmarks for the runner, runs them in every plan, checks results, writes the
# report. Times are not looked at.
#
#   study-simt.sh DIR       environment as for pack.sh
set -euo pipefail
dir=${1:?usage: study-simt.sh DIR}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
study=$here/../../benchmarks/study.py
rm -rf "$dir/out" "$dir/study.csv"
mkdir -p "$dir/out"
PLACE_PACK_ONLY='conv1d scan' bash "$here/pack.sh" "$dir"
python3 "$study" "$dir" --cpu --exhaustive --csv "$dir/study.csv" --cases conv1d-64 scan --jobs 2
python3 "$study" --report "$dir/study.csv" --out "$dir/out"
# every version of both regions was launched, and nothing is run twice
grep -q '^conv1d-64,special-1,' "$dir/study.csv"
grep -q '^scan,agnostic-shared,' "$dir/study.csv"
runs=$(grep -c ',\*,' "$dir/study.csv")
grep -q "^$runs of $runs runs passed" "$dir/out/STUDY.md"
before=$(wc -l <"$dir/study.csv")
python3 "$study" "$dir" --cpu --exhaustive --csv "$dir/study.csv" --cases conv1d-64 scan
[[ $(wc -l <"$dir/study.csv") -eq $before ]]
