#!/usr/bin/env bash
# Compiles the benchmarks and the end-to-end programs with the plugin for other GPUs than the one they are run on: device code through
# clang and ptxas, no link. By itself each program for one architecture, all architectures in turn; a test. Every third program has all
# versions (effort=3), the others those of the default.
#
#   architectures.sh [--all | --turn N] [PROGRAM...]     --all: each program for each architecture; --turn N: each for the N-th next to
#                                                        its own (0 to 7: all of them together are --all); PROGRAM: only these (conv1d)
#
# Environment, set by CMake: PLACE_LLVM_BIN, PLACE_LLVM_LIBDIR, PLACE_CUDA_PATH, PLACE_PLUGIN; PLACE_JOBS (compiles at once, default
# all cores). Exit status 1: the plugin breaks a compile that plain clang does. The last line counts.
set -uo pipefail
architectures=(sm_52 sm_60 sm_70 sm_75 sm_80 sm_86 sm_89 sm_90)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export llvm=${PLACE_LLVM_BIN:?} libdir=${PLACE_LLVM_LIBDIR:?} cuda=${PLACE_CUDA_PATH:?} plugin=${PLACE_PLUGIN:?} root
all=0 turn=0
case ${1:-} in
  --all) all=1 && shift ;;
  --turn) turn=${2:?a number behind --turn} && shift 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$llvm:$cuda/bin:$PATH work

# compile SOURCE ARCHITECTURE [OPTION...]: the device's object; messages in $work
compile() {
  local source=$1 arch=$2 compiler=$llvm/clang object
  shift 2
  [[ $source == *.cpp ]] && compiler=$llvm/clang++
  object=$work/$(basename "$source").$arch.$#
  "$compiler" -O3 -fopenmp "--offload-arch=$arch" "--cuda-path=$cuda" "--libomptarget-nvptx-bc-path=$libdir" -Wno-pass-failed \
    -Wno-unknown-cuda-version --offload-device-only "-I$root/benchmarks/common" "$@" -c "$source" -o "$object.o" >"$object.log" 2>&1
  local status=$?
  rm -f "$object.o"
  [[ $status -eq 0 ]] || sed -n '/error/p;/Assertion/p' "$object.log" | sed -n 1,3p
  return $status
}

# judge SOURCE ARCHITECTURE: prints nothing, or why it failed
judge() {
  local message effort=2
  (($(cksum <<<"$(basename "$1")" | cut -d' ' -f1) % 3)) || effort=3
  message=$(compile "$1" "$2" "-fplugin=$plugin" -fplugin-arg-place-effort=$effort) && return
  if compile "$1" "$2" >/dev/null; then
    printf 'FAILED %s %s: %s\n' "$(basename "$1")" "$2" "$message"
  else
    printf 'neither plain clang nor the plugin compiles %s for %s: %s\n' "$(basename "$1")" "$2" "$message"
  fi
}
export -f compile judge

jobs=() number=0
for source in "$root"/benchmarks/*.c "$root"/test/programs/*.c "$root"/test/programs/*.cpp; do
  name=$(basename "${source%.*}")
  [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
  for index in "${!architectures[@]}"; do
    [[ $all == 1 || $index == $(((number + turn) % ${#architectures[@]})) ]] && jobs+=("$source" "${architectures[index]}")
  done
  number=$((number + 1))
done
results=$(printf '%s\n' ${jobs[@]+"${jobs[@]}"} | xargs -r -n 2 -P "${PLACE_JOBS:-$(nproc)}" bash -c 'judge "$1" "$2"' judge)
[[ -z $results ]] || printf '%s\n' "$results"
failed=$(grep -c '^FAILED' <<<"$results")
printf '%d compiles of %d programs, %d failed\n' $((${#jobs[@]} / 2)) "$number" "$failed"
[[ $failed -eq 0 && $number -gt 0 ]]
