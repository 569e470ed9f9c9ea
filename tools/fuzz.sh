#!/usr/bin/env bash
# Generates OpenMP programs, runs each in every mode of place on the CPU runner, and reduces what fails (docs/fuzz.md).
#
#   fuzz.sh [--seeds A-B] [--minutes M] [--gpu] [--folder DIR]
#
#   --seeds A-B     programs of these seeds (default 1-3000: the nightly size); what has a result already is not run again
#   --minutes M     no further program is started after M minutes
#   --gpu           instead: compiles the programs for sm_90 into DIR/gpu; copy that folder to a machine with a GPU, run its run.sh
#   --folder DIR    results, failing programs reduced (default build/fuzz)
#
# Needs a build (cmake --preset dev && cmake --build --preset dev). Environment: PLACE_JOBS (processes, default all cores),
# PLACE_BUILD (the build tree, default build/dev). Exit status 1: a program failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seeds=1-3000 minutes=0 folder=build/fuzz gpu=0
usage() { sed -nE '2,/^set /s/^# ?//p' "$0" >&2; exit 2; }
while [[ $# -gt 0 ]]; do
  case $1 in
    --gpu) gpu=1 ;;
    --seeds | --minutes | --folder)
      [[ $# -gt 1 ]] || usage
      declare "${1#--}=$2"
      shift
      ;;
    *) usage ;;
  esac
  shift
done
jobs=${PLACE_JOBS:-$(nproc)}
fuzz=(python3 test/fuzz/fuzz.py --folder "$folder")
if [[ $gpu == 1 ]]; then
  exec "${fuzz[@]}" pack "$seeds" --jobs "$jobs" --out "$folder/gpu"
fi
exec "${fuzz[@]}" run "$seeds" --jobs "$jobs" --minutes "$minutes" --reduce 300
