#!/usr/bin/env bash
# Generates OpenMP programs, runs each in every mode of place on the CPU runner, and reduces what fails (docs/fuzz.md).
#
#   tools/fuzz.sh [--seeds A-B] [--minutes M] [--gpu] [--folder DIR]
#   tools/fuzz.sh --help | --version
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
usage() { sed -nE '2,/^set /s/^# ?//p' tools/fuzz.sh; }
misused() { printf '%s: %s; --help says what it takes\n' "$(basename "$0")" "$*" >&2; exit 2; }
while [[ $# -gt 0 ]]; do
  case $1 in
    --help | -h) usage || exit 1; exit 0 ;;
    --version) sed -nE 's/^project\(place VERSION ([0-9.]+).*/fuzz.sh \1/p' CMakeLists.txt || exit 1; exit 0 ;;
    --gpu) gpu=1 ;;
    --seeds | --minutes | --folder)
      [[ $# -gt 1 ]] || misused "$1 lacks its value"
      declare "${1#--}=$2"
      shift
      ;;
    *) misused "there is no option '$1'" ;;
  esac
  shift
done
jobs=${PLACE_JOBS:-$(nproc)}
fuzz=(python3 test/fuzz/fuzz.py --folder "$folder")
if [[ $gpu == 1 ]]; then
  exec "${fuzz[@]}" pack "$seeds" --jobs "$jobs" --out "$folder/gpu"
fi
exec "${fuzz[@]}" run "$seeds" --jobs "$jobs" --minutes "$minutes" --reduce 300
