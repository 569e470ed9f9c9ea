#!/usr/bin/env bash
# demo.sh: set-up, build, and the main job on real input: benchmarks compiled by plain clang and with place's plugin, run side by side,
# with place's report of what it put where and why.
#
#   tools/demo.sh [BENCHMARK...]      default: conv1d lookup particlefilter spmv; others: benchmarks/NAME.c
#   tools/demo.sh --help | --version
#
# It installs what is missing (tools/setup.sh) and builds below build/.
#
# With an NVIDIA GPU and a working driver they run there, in the papers' sizes, and the times count. Without one, the same
# device code runs on the CPU (test/simt), in small sizes: results and report are real, times are not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
usage() { sed -nE '2,/^set /s/^# ?//p' tools/demo.sh; }
misused() { printf '%s: %s; --help says what it takes\n' "$(basename "$0")" "$*" >&2; exit 2; }
case ${1:-} in
  --help | -h) usage || exit 1; exit 0 ;;
  --version) sed -nE 's/^project\(place VERSION ([0-9.]+).*/demo.sh \1/p' CMakeLists.txt || exit 1; exit 0 ;;
esac
for name in "$@"; do
  [[ $name != -* ]] || misused "there is no option '$name'"
  [[ -f benchmarks/$name.c ]] || misused "there is no benchmark '$name'; there are: $(cd benchmarks && printf '%s ' *.c | sed 's/\.c//g')"
done
root=$PWD
out=$root/build/demo
benchmarks=("${@:-}")
[[ -n ${benchmarks[0]} ]] || benchmarks=(conv1d lookup particlefilter spmv)

say() { printf 'demo: %s\n' "$*"; }

# gpu_arch: sm_NN of the first GPU, or nothing and a reason on stderr
gpu_arch() {
  local capability
  command -v nvidia-smi >/dev/null 2>&1 || { say "no NVIDIA driver here (no nvidia-smi)" >&2; return 0; }
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n 1p | tr -d '. ') || true
  if [[ ! $capability =~ ^[0-9]+$ ]]; then
    say "nvidia-smi is there but reports no GPU: the driver does not work (try nvidia-smi by hand)" >&2
  elif [[ $capability -gt 90 || $capability -lt 60 ]]; then
    say "the GPU is sm_$capability; LLVM 19's offloading reaches from sm_60 to sm_90" >&2
  else
    printf 'sm_%s\n' "$capability"
  fi
}

# field NAME: its value in a benchmark's line on stdin
field() { sed -nE "s/.* $1=([^ ]+).*/\1/p" | tail -n 1; }

# compare NAME PLAIN PLACED ARGUMENT...: runs both, prints report, times and whether all results are the same bits
compare() {
  local name=$1 plain=$2 placed=$3 plain_line placed_line same=identical
  shift 3
  plain_line=$("$plain" "$@") || { say "$name: the plain program failed: $plain_line"; return 1; }
  printf '\n--- %s %s\n' "$name" "$*"
  placed_line=$(HOME=$out/home PLACE_REPORT=1 "$placed" "$@") || { say "$name: the placed program failed: $placed_line"; return 1; }
  [[ $(field checksum <<<"$plain_line") == "$(field checksum <<<"$placed_line")" ]] || same=DIFFERENT
  table+=("$(printf '%-36s %10s %10s   %s' "$name $*" "$(field median <<<"$plain_line")" "$(field median <<<"$placed_line")" "$same")")
  [[ $same == identical ]]
}

# variants BENCHMARK: argument lists to run it with, one a line
variants() {
  case $1 in
    conv1d) printf '%s\n' "--taps 64" "--taps 256" ;;
    box) printf '%s\n' "--radius 1" "--radius 4" ;;
    spmv) printf '%s\n' "" "banded" ;;
    particlefilter) printf '%s\n' "" "bisect" ;;
    *) printf '\n' ;;
  esac
}

tools/setup.sh
cuda=$(tools/cuda-toolkit.sh 2>/dev/null)
arch=$(gpu_arch)
cmake --preset release >"$root/build/demo-configure.log" 2>&1 || { cat "$root/build/demo-configure.log"; exit 1; }
cmake --build --preset release -j "$(nproc)" --target installed
rm -rf "$out"
mkdir -p "$out/home"
cmake --install build/release --prefix "$out/prefix" >/dev/null

llvm=/usr/lib/llvm-19
if [[ -n $arch ]]; then
  say "GPU: $(nvidia-smi --query-gpu=name --format=csv,noheader | sed -n 1p), $arch; CUDA toolkit: $cuda"
  common=(-O3 -fopenmp "--offload-arch=$arch" "--cuda-path=$cuda" "--libomptarget-nvptx-bc-path=$llvm/lib" "-L$llvm/lib"
    "-Wl,-rpath,$llvm/lib")
  compile=("$llvm/bin/clang" "${common[@]}")
  size=(paper --launches 100)
else
  simt=$root/build/release/test/simt/bin/simt-cc
  [[ -x $simt ]] || { say "no GPU, and test/simt is not built: nothing can run device code here"; exit 1; }
  say "running device code on the CPU (test/simt): results and report are real, times are not"
  compile=("$simt" -O3 "--cuda-path=$cuda")
  size=(small --launches 80)
fi

table=()
status=0
for name in "${benchmarks[@]}"; do
  sources=("benchmarks/$name.c" benchmarks/common/bench.c)
  "${compile[@]}" "${sources[@]}" -lm -o "$out/$name.plain"
  "${compile[@]}" "-fplugin=$out/prefix/lib/libplace.so" "${sources[@]}" -lm -o "$out/$name.place"
  while IFS= read -r variant; do
    # shellcheck disable=SC2086 # a variant is words
    OMP_TARGET_OFFLOAD=MANDATORY compare "$name" "$out/$name.plain" "$out/$name.place" "${size[@]}" $variant || status=1
  done < <(variants "$name")
done

printf '\n%-36s %10s %10s   %s\n' 'median wall time of a launch, ms' plain place results
printf '%s\n' "${table[@]}"
exit $status
