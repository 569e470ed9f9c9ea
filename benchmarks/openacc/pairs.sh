#!/usr/bin/env bash
# pairs.sh PROGRAM [ARGUMENT...]: what pairs.c's kernels are in OpenACC and in OpenMP, side by side: the mode, teams and threads of a
# launch, median times as compiled (PLACE=off) and as placed, and what place chose.
# Exit status 1 if mode, teams, threads or choices differ, or times by more than PAIRS_PERCENT (5).
set -euo pipefail
program=${1:?usage: pairs.sh PROGRAM [ARGUMENT...]}
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PLACE_STORE=off

PLACE=off LIBOMPTARGET_INFO=16 "$program" "$@" --launches 2 2>&1 | grep 'Launching kernel' >"$scratch/launches"
PLACE=off "$program" "$@" >"$scratch/compiled"
PLACE_REPORT=1 "$program" "$@" >"$scratch/placed" 2>"$scratch/report"

# `KERNEL LANGUAGE TEAMS THREADS MODE` for each kernel launched
sed -nE 's/.*kernel __omp_offloading_[0-9a-f]+_[0-9a-f]+_([a-z]+)_(acc|omp)_l[0-9]+ with ([0-9]+) blocks and ([0-9]+) threads in (.+) mode.*/\1 \2 \3 \4 \5/p' \
  "$scratch/launches" | sort -u >"$scratch/grids"
# `KERNEL LANGUAGE CHOICE` for each region of the report
awk '/^[a-z]+_(acc|omp), / { split($1, name, /[_,]/) }
     /^  (now:|as compiled)/ && name[1] { sub(/^ +(now: )?/, ""); sub(/^as compiled:.*/, "as compiled"); print name[1], name[2], $0; name[1] = "" }' "$scratch/report" >"$scratch/choices"

bad=0
differ() {
  printf 'differ: %s\n' "$*"
  bad=1
}
# of FILE KERNEL LANGUAGE: what FILE says of them
of() { awk -v kernel="$2" -v language="$3" '$1 == kernel && $2 == language { $1 = $2 = ""; sub(/^ +/, ""); print }' "$1"; }

for kernel in stencil matmul spmv sum triad; do
  grid=$(of "$scratch/grids" "$kernel" acc) choice=$(of "$scratch/choices" "$kernel" acc)
  printf '%-8s %s teams of %s threads, %s mode\n' "$kernel" $grid
  printf '         %s\n' "placed:   ${choice:-not in the report}"
  [[ -n $grid && $grid == $(of "$scratch/grids" "$kernel" omp) ]] || differ "$kernel in OpenMP: $(of "$scratch/grids" "$kernel" omp)"
  [[ -n $choice && $choice == $(of "$scratch/choices" "$kernel" omp) ]] || differ "$kernel in OpenMP: $(of "$scratch/choices" "$kernel" omp)"
  for build in compiled placed; do
    line=$(grep "^$kernel " "$scratch/$build")
    printf '         %s\n' "$build: ${line#"$kernel" }"
    awk -v percent="${PAIRS_PERCENT:-5}" '{ off = ($(NF) - 1) * 100; exit off > percent || off < -percent }' <<<"$line" ||
      differ "times of $kernel, $build"
  done
done
exit $bad
