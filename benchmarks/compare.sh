#!/usr/bin/env bash
# Kernel times on this machine's GPU of the OpenMP programs, by plain clang and with place once it has settled, beside their
# hand-written CUDA counterparts, as ncu reads them (gpu__time_duration, median of the last six launches; a launch of several
# kernels counts as their sum). Results are checked by the programs themselves.
#
#   compare.sh DIR [PROGRAM...]     DIR: what the target gpu-pack made; PROGRAM: only these
#
# Needs a driver, nvcc, gcc, ncu on PATH and libomptarget 19 on LD_LIBRARY_PATH (set by the caller); no LLVM.
# Environment: COMPARE_ARCH (sm_90), COMPARE_LAUNCHES (of the placed program before it is read; 110).
set -uo pipefail
dir=$(cd "${1:?usage: compare.sh DIR [PROGRAM...]}" && pwd)
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
arch=${COMPARE_ARCH:-sm_90}
settled=${COMPARE_LAUNCHES:-110}
export OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$dir/lib
unset PLACE PLACE_FORCE PLACE_REPORT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
launches=8 counted=6

gcc -O2 -c "$here/common/bench.c" -o "$work/bench.o" || exit 2
for source in "$here"/cuda/*.cu; do
  name=$(basename "$source" .cu)
  nvcc -O3 -std=c++17 "-arch=$arch" "$source" "$work/bench.o" -o "$work/$name.cuda" >"$work/$name.log" 2>&1 &
done
wait
grep -hE 'error|warning' "$work"/*.log

# placed PROGRAM ARGUMENT...: the same of a settled program; ncu starts reading behind the trials, at the region's last launches
placed() {
  ncu --clock-control none --metrics gpu__time_duration.sum --csv --kernel-name-base function --launch-skip "$settled" \
    "$@" --launches "$((settled + counted))" >"$work/csv" 2>"$work/err"
  grep -E '^"[0-9]+"' "$work/csv" | awk -F'","' '
    { value = $NF; unit = $(NF-1); gsub(/[",]/, "", value); name = $5
      ms[NR] = unit ~ /^n/ ? value / 1e6 : unit ~ /^u/ ? value / 1e3 : value + 0 }
    END { for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) if (ms[j] < ms[i]) { t = ms[i]; ms[i] = ms[j]; ms[j] = t }
          sub(/.*_place_/, "", name); sub(/^__omp_off.*/, "original", name)
          if (NR) printf "%.4f %s", ms[int((NR + 1) / 2)], name; else printf "- -" }'
  printf ' %s\n' "$(sed -nE 's/.*error=([^ ]*) (PASS|FAIL)$/\1 \2/p' "$work/csv" "$work/err" | sed -n 1p)"
}

# measure PROGRAM ARGUMENT...: kernel time of a launch in milliseconds, then "ERROR PASS" or "ERROR FAIL" of the program's check
measure() {
  ncu --clock-control none --metrics gpu__time_duration.sum --csv "$@" --launches "$launches" >"$work/csv" 2>"$work/err"
  # CUDA counterparts launch once more, to warm up; kernels of a launch come in the same order each time
  grep -E '^"[0-9]+"' "$work/csv" | awk -F'","' -v launches="$launches" -v counted="$counted" -v more="$([[ $1 == *.cuda ]] && echo 1 || echo 0)" '
    { value = $NF; unit = $(NF-1); gsub(/[",]/, "", value)
      ms[NR] = unit ~ /^n/ ? value / 1e6 : unit ~ /^u/ ? value / 1e3 : value + 0 }
    END { rounds = launches + more; each = NR / rounds
          if (!NR || each != int(each)) { printf "-"; exit }
          for (r = 1; r <= counted; r++) for (k = 0; k < each; k++) sum[r] += ms[NR - r * each + 1 + k]
          for (i = 1; i <= counted; i++) for (j = i + 1; j <= counted; j++) if (sum[j] < sum[i]) { t = sum[i]; sum[i] = sum[j]; sum[j] = t }
          printf "%.4f", sum[int((counted + 1) / 2)] }'
  printf ' %s\n' "$(sed -nE 's/.*error=([^ ]*) (PASS|FAIL)$/\1 \2/p' "$work/csv" "$work/err" | sed -n 1p)"
}

wanted() {
  local name=$1
  shift
  [[ $# -eq 0 ]] || [[ " $* " == *" $name "* ]]
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
"$dir/bin/conv1d.plain" paper --launches 200 >/dev/null # the first program runs at idle clocks
while IFS='|' read -r name arguments variants; do
  wanted "$name" "$@" || continue
  # shellcheck disable=SC2086 # arguments are words
  printf '%-48s %-16s %s\n' "$name $arguments" openmp "$(measure "$dir/bin/$name.plain" $arguments)"
  # shellcheck disable=SC2086
  printf '%-48s %-16s %s\n' "$name $arguments" place "$(placed "$dir/bin/$name.place" $arguments)"
  for variant in $variants; do
    # shellcheck disable=SC2086
    printf '%-48s %-16s %s\n' "$name $arguments" "cuda $variant" "$(measure "$work/$name.cuda" $arguments ${variant//+/ })"
  done
done <<'CASES'
transpose|paper|tile direct
transpose|paper double|tile direct
transpose|--rows 4095 --columns 4097|tile
transpose|--rows 4095 --columns 4097 double|tile
mm|paper|tile register direct
mm|--m 1999 --n 2011 --k 2003|tile register direct
conv1d|paper --taps 64|constant constant+fixed window window+fixed shared shared+fixed
conv1d|paper --taps 256|constant constant+fixed window window+fixed shared shared+fixed
box|paper --radius 1|direct direct+fixed tile tile+fixed
box|paper --radius 2|direct direct+fixed tile tile+fixed
box|paper --radius 4|direct direct+fixed tile tile+fixed
box|--rows 4095 --columns 4097 --radius 2|direct
star|paper --radius 1|direct direct+fixed tile tile+fixed
star|paper --radius 2|direct direct+fixed tile tile+fixed
star|paper --radius 4|direct direct+fixed tile tile+fixed
box3d|paper|direct tile
box3d|--nx 255 --ny 257 --nz 253|direct
star3d|paper|direct tile
nbody|paper|tile direct
nbody|--n 20011|tile
kmeans|paper|constant shared direct
kmeans|--n 100003 --clusters 64|constant shared
pairwise|paper|tile direct
pairwise|--m 4095 --n 4097 --features 65|tile
spmv|paper|scalar vector
spmv|paper banded|scalar vector
spmv|paper powerlaw|scalar vector
raytrace|paper --spheres 200|constant shared direct
raytrace|paper|constant shared direct
raytrace|large|constant shared direct
particlefilter|paper|tile direct bisect
particlefilter|paper --particles 1024 --queries 1048576|tile direct
mri_q|paper|constant shared direct
stencil2d|paper --steps 1|direct tile
convsep|paper|tile tile+fixed direct
CASES
