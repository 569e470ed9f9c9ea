#!/usr/bin/env bash
# Kernel times of the benchmarks on this machine's GPU: plain clang, the plan that the runtime settles on, and every space
# forced, all in one run, as ncu reads them (gpu__time_duration), beside the wall clock. The table of RESULTS.md.
#
#   measure.sh DIR [LAUNCHES]     DIR: what the target gpu-pack made; LAUNCHES: of the automatic mode (default 90)
#
# Needs a driver, ncu (Nsight Compute) on PATH and libomptarget 19 on LD_LIBRARY_PATH (set by the caller); no LLVM.
set -uo pipefail
dir=${1:?usage: measure.sh DIR [LAUNCHES]}
launches=${2:-90}
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$dir/lib OMP_TARGET_OFFLOAD=MANDATORY
unset PLACE PLACE_FORCE PLACE_REPORT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# kernel_ms PROGRAM ARGUMENT...: median over the last 10 launches, and which kernel that was
kernel_ms() {
  ncu --clock-control none --metrics gpu__time_duration.sum --csv "$@" >"$work/ncu.csv" 2>"$work/err"
  grep -E '^"[0-9]+"' "$work/ncu.csv" | tail -n 10 | awk -F'","' '
    { value = $NF; unit = $(NF-1); gsub(/[",]/, "", value); name = $5
      ms[NR] = unit ~ /^n/ ? value / 1e6 : unit ~ /^u/ ? value / 1e3 : value + 0 }
    END { for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) if (ms[j] < ms[i]) { t = ms[i]; ms[i] = ms[j]; ms[j] = t }
          sub(/.*_place_/, "", name); sub(/^__omp_off.*/, "original", name)
          if (NR) printf "%.4f %s", ms[int((NR + 1) / 2)], name; else printf "- -" }'
}

wall_ms() { "$@" 2>/dev/null | sed -n 's/.*median=\([0-9.]*\).*/\1/p'; }

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
"$dir/bin/conv1d.plain" paper --launches 200 >/dev/null # the first program runs at idle clocks
printf '%-44s %8s %8s %6s %-14s %9s %9s  forced: global readonly constant shared\n' benchmark plain chosen gain version wall-plain wall-chosen
while read -r name arguments; do
  # shellcheck disable=SC2086 # arguments are words
  read -r plain _ <<<"$(kernel_ms "$dir/bin/$name.plain" $arguments --launches 20)"
  read -r chosen version <<<"$(kernel_ms "$dir/bin/$name.place" $arguments --launches "$launches")"
  wall_plain=$(wall_ms "$dir/bin/$name.plain" $arguments --launches 40)
  wall_chosen=$(wall_ms "$dir/bin/$name.place" $arguments --launches "$launches")
  printf '%-44s %8s %8s %6s %-14s %9s %9s ' "$name $arguments" "$plain" "$chosen" \
    "$(awk -v a="$plain" -v b="$chosen" 'BEGIN { printf "%.2fx", b > 0 ? a / b : 0 }')" "$version" "$wall_plain" "$wall_chosen"
  for space in global readonly constant shared; do
    read -r forced which <<<"$(PLACE_FORCE="*:all=$space" kernel_ms "$dir/bin/$name.place" $arguments --launches 14)"
    printf ' %s(%s)' "$forced" "$which"
  done
  printf '\n'
done <<'CASES'
conv1d paper --taps 64
conv1d paper --taps 256
lookup paper
particlefilter paper
particlefilter paper --queries 1048576 --particles 1024
particlefilter paper --queries 1048576 bisect
spmv paper
box paper --radius 1
box paper --radius 4
triad paper
transpose paper
mm paper
CASES
echo "dispatch (empty region, median ms of 20,000 launches; plain, with the library, plain, with the library):"
for round in 1 2 3; do
  echo "  $(wall_ms "$dir/bin/empty.plain" --launches 20000) $(wall_ms "$dir/bin/empty.place" --launches 20000)"
done
