#!/usr/bin/env bash
# Every plan of every benchmark, forced one after another, as cases for place-models: kernel times from the runtime's own
# device timers. Plans are exhaustive where a region has at most 64 that the launch allows.
#
#   models.sh DIR OUT [SIZE] [LAUNCHES]     DIR: what the target gpu-pack made (or any folder with bin/*.place);
#                                           OUT: where the cases go; SIZE: paper (default), small, large; LAUNCHES: of each
#                                           forced plan (default 24; the median of the last 64 counts)
#   PLACE_MODELS_ONLY='conv1d lookup'       only these benchmarks
#
# Needs libomptarget 19 on LD_LIBRARY_PATH (set by the caller), and a GPU unless the programs were built for none. Then:
#   place-models MACHINE.msl OUT/*/*.case
set -uo pipefail
dir=$(realpath "${1:?usage: models.sh DIR OUT [SIZE] [LAUNCHES]}")
out=${2:?usage: models.sh DIR OUT [SIZE] [LAUNCHES]}
size=${3:-paper}
launches=${4:-24}
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$dir/lib
unset PLACE PLACE_FORCE PLACE_REPORT PLACE_MODEL
failed=0

# one PROGRAM ARGUMENT...: the case, then each of its plans
one() {
  local name=$1 program=$dir/bin/$1.place folder
  shift
  [[ -z ${PLACE_MODELS_ONLY:-} || " $PLACE_MODELS_ONLY " == *" $name "* ]] || return 0
  folder=$out/$name$(printf '%s' "$@" | tr -c 'a-z0-9-' '_')
  rm -rf "$folder"
  mkdir -p "$folder"
  export PLACE_CASE=$folder
  if ! PLACE_TRIALS=0 "$program" "$size" "$@" --launches 2 >"$folder/log" 2>&1; then
    echo "FAIL $name $*: $(tail -n 1 "$folder/log")"
    failed=1
    return
  fi
  local plans=0 lines
  while read -r plan; do
    if PLACE_FORCE=$plan "$program" "$size" "$@" --launches "$launches" >>"$folder/log" 2>&1; then
      plans=$((plans + 1))
    else
      echo "FAIL $name $* with PLACE_FORCE='$plan': $(tail -n 1 "$folder/log")"
      failed=1
    fi
  done < <(cat "$folder"/*.force 2>/dev/null)
  lines=$(cat "$folder"/*.plans 2>/dev/null | wc -l)
  echo "$name $*: $plans plans run, $lines measured"
}

one conv1d --taps 64
one conv1d --taps 256
one lookup
one particlefilter
one particlefilter --queries 1048576 --particles 1024
one particlefilter --queries 1048576 bisect
one spmv
one box --radius 1
one box --radius 2
one box --radius 4
one triad
one transpose
one mm
exit $failed
