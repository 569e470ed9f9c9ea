#!/usr/bin/env bash
# Builds one program in every way that this machine can, runs each build, and compares what they print.
#
#   modes.sh [--simt] SOURCE PREFIX [ARGUMENT...]     builds go to PREFIX.*, arguments are passed to the program
#                                                     --simt: no other mode, where that one can be run
#
#   cpu        plain clang, libomptarget's x86-64 device, less optimised, as that is half of the compile: gives the expected checksum
#   preload    the same program with libplacert.so preloaded, and with PLACE=off
#   plugin     the same compile with the plugin: the program loads the runtime by itself. Host code is what `fallback` has, too: made of programs
#              with hints, and of those that are not run so
#   fallback   compiled for a GPU with the plugin, and run without a device: the program of `simt`, whose host code is that of such a compile, or
#              where there is none, one for sm_90 with few versions, assembled as fast as ptxas can (test/gpu/architectures.sh has ptxas
#              assemble each program's, for other GPUs, too)
#   simt       device code on the CPU (test/simt): plain, chosen by the runtime with and without trials, and with each space and
#              block version forced
# What is missing here (environment PLACE_*, set by lit.cfg.py) is left out and named. A run launches every region
# ROUNDS times, the one where the runtime chooses, as often as it takes to try all plans. Second files of a program are
# Inputs/NAME.*.c beside it, or common/*.c. Only the verdict and the checksum are
# compared, not times. A line `MODES: no-fallback (reason)`, `MODES: no-simt (reason)` or `MODES: no-gpu (reason)` (for
# test/gpu) in the source leaves that mode out.
set -euo pipefail
simt_only='' rounds=4
if [[ $1 == --simt ]]; then
  simt_only=${PLACE_PLUGIN:+${PLACE_SIMT_CC:-}}
  shift
fi
source_file=$1 prefix=$2
shift 2
arguments=("$@")
rounds_to_settle=70
folder=$(dirname "$source_file")
name=${source_file##*/} name=${name%.*}
mkdir -p "$(dirname "$prefix")"

llvm=${PLACE_LLVM_BIN:?} libdir=${PLACE_LLVM_LIBDIR:?}
compiler=$llvm/clang simt=${PLACE_SIMT_CC:-}
! grep -q '^// MODES:.*no-simt' "$source_file" || simt=''
if [[ $source_file == *.cpp ]]; then
  compiler=$llvm/clang++
fi
sources=("$source_file")
for extra in "$folder/Inputs/$name".*.c "$folder"/common/*.c; do
  [[ ! -f $extra ]] || sources+=("$extra")
done
spaces=$(dirname "${BASH_SOURCE[0]}")/../../include/place/space.def
flags=(-O3 -fopenmp -Wno-pass-failed "-L$libdir" "-Wl,-rpath,$libdir" "-Wl,-rpath,$(dirname "$PLACE_PLUGIN")"
  -Wl,--allow-shlib-undefined) # test/lit.cfg.py says why
export PLACE_TEST_ROUNDS=$rounds
[[ ! -d $folder/common ]] || arguments+=(--launches "$rounds")
expected=''

# verdict LOG: sets got to "PASS|FAIL checksum" of a program's output
verdict() {
  local line
  got=''
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line =~ checksum=([0-9a-f]+).*\ (PASS|FAIL)$ ]]; then
      got="${BASH_REMATCH[2]} ${BASH_REMATCH[1]}"
    elif [[ $line =~ ^((PASS|FAIL)\ )[a-z0-9_]+\ ([0-9a-f]{16})$ ]]; then
      got="${BASH_REMATCH[1]}${BASH_REMATCH[3]}"
    fi
  done <"$1"
}

# fail MODE LOG...: says so, and ends
fail() {
  printf '%s: %s failed\n' "$name" "$1"
  shift
  tail -n 20 "$@"
  exit 1
}

# flaked LOG: libomp 19's hidden helper threads now and then stop a program with `nowait` regions on an assertion of their own
# (kmp_tasking.cpp, task_team; plain clang's build of nowait.c 5 times in 150, without any of place's code in the process): that run
# says nothing about the program, and is made again.
flaked() { grep -q 'Assertion failure at kmp_tasking.cpp.*task_team != __null' "$1"; }

# attempt LOG COMMAND...: runs the command
attempt() {
  local log=$1 try
  shift
  for try in 1 2 3 4 5; do
    if HOME=$prefix.home timeout "${PLACE_TEST_TIMEOUT:-120}" "$@" >"$log" 2>&1; then return 0; fi
    flaked "$log" || return 1
  done
  return 1
}

# judge MODE LOG: compares a run's verdict with the first one
judge() {
  local got
  verdict "$2"
  expected=${expected:-$got}
  if [[ $got != PASS* || $got != "$expected" ]]; then
    printf '%s: %s printed "%s", expected "%s"\n' "$name" "$1" "$got" "$expected"
    tail -n 20 "$2"
    exit 1
  fi
  printf '%s: %s ok\n' "$name" "$1"
}

log_of() { log=$prefix.${1//[^a-z0-9-]/_}.log; } # MODE; sets log

# check MODE COMMAND...: runs the command, and judges it
check() {
  local mode=$1 log
  shift
  log_of "$mode"
  # a home of its own: what one run stores must not decide for another
  rm -rf "$prefix.home"
  mkdir "$prefix.home"
  attempt "$log" "$@" || fail "$mode" "$log"
  judge "$mode" "$log"
}

# Runs of $prefix.simt that the same arguments are for: one process makes all of them (test/simt/README.md, SIMT_EACH), as loading what
# libomptarget is linked with takes longer than many a run.
queued=() settings=()
queue() { # MODE SETTING...
  local IFS=$'\t'
  queued+=("$1")
  shift
  settings+=("$*")
}
check_queued() {
  local mode log status setting number=0 logs=() homes=()
  local -A ended=() # exit statuses by log
  for mode in "${queued[@]}"; do
    log_of "$mode"
    logs+=("$log")
    homes+=("$prefix.homes/$number")
    printf '%s\tHOME=%s\t%s\n' "${logs[number]}" "${homes[number]}" "${settings[number]}"
    number=$((number + 1))
  done >"$prefix.each"
  rm -rf "$prefix.homes"
  mkdir -p "${homes[@]}"
  { "${run[@]}" SIMT_EACH="$prefix.each" SIMT_SECONDS="${PLACE_TEST_TIMEOUT:-120}" "$prefix.simt" "${arguments[@]}" 2>&1 || true; } >"$prefix.ended"
  while read -r status log; do
    [[ -z $log ]] || ended[$log]=$status
  done <"$prefix.ended"
  for number in "${!queued[@]}"; do
    mode=${queued[number]} log=${logs[number]}
    if [[ ${ended[$log]-} == 0 ]]; then
      judge "$mode" "$log"
    elif [[ -n ${ended[$log]-} ]] && ! flaked "$log"; then
      fail "$mode" "$log" "$prefix.ended"
    else # libomp's own fault ended this run, or one before it, which is then the last
      IFS=$'\t' read -ra setting <<<"${settings[number]}"
      check "$mode" "${run[@]}" "${setting[@]}" "$prefix.simt" "${arguments[@]}"
    fi
  done
}

run=(env OMP_TARGET_OFFLOAD=MANDATORY)

# everything but simt
check_without_simt() {
  local host=("$compiler" "${flags[@]}" -O1 -fopenmp-targets=x86_64-pc-linux-gnu "${sources[@]}" -lm)
  "${host[@]}" -o "$prefix.cpu"
  check cpu "${run[@]}" "$prefix.cpu" "${arguments[@]}"
  if [[ -n ${PLACE_RUNTIME:-} ]]; then
    check preload "${run[@]}" LD_PRELOAD="$PLACE_RUNTIME" "$prefix.cpu" "${arguments[@]}"
    check off "${run[@]}" PLACE=off LD_PRELOAD="$PLACE_RUNTIME" "$prefix.cpu" "${arguments[@]}"
  fi
  if [[ -z ${PLACE_PLUGIN:-} ]]; then
    printf '%s: no plugin here\n' "$name"
    exit 0
  fi
  if [[ -z ${PLACE_CUDA_PATH:-} ]] || grep -qE '#pragma place|^// MODES:.*no-fallback' "$source_file"; then
    "${host[@]}" -fplugin="$PLACE_PLUGIN" -fplugin-arg-place-effort=3 -o "$prefix.plugin"
    check plugin "${run[@]}" "$prefix.plugin" "${arguments[@]}"
  fi
  if [[ -n ${PLACE_CUDA_PATH:-} && -z $simt ]]; then
    "$compiler" "${flags[@]}" --offload-arch=sm_90 "--cuda-path=$PLACE_CUDA_PATH" "--libomptarget-nvptx-bc-path=$libdir" \
      -Xcuda-ptxas -O0 -fplugin="$PLACE_PLUGIN" -fplugin-arg-place-effort=1 "${sources[@]}" -lm -o "$prefix.gpu"
    check_fallback "$prefix.gpu"
  fi
}

check_fallback() { # PROGRAM
  grep -q '^// MODES:.*no-fallback' "$source_file" || check fallback env OMP_TARGET_OFFLOAD=DISABLED "$1" "${arguments[@]}"
}

[[ -n $simt_only ]] || check_without_simt
if [[ -z $simt ]]; then
  printf '%s: not run by simt\n' "$name"
  exit 0
fi
# Every version runs under simt's checks: bounds, races, barriers, writes to what a version reads as read-only.
# The last step, to x86-64, is not optimised: that would be most of the build.
export SIMT_CHECK_BUILD=1 SIMT_OPTIMISE=${SIMT_OPTIMISE:--O0}
parts=()
for part in "${sources[@]}"; do
  object=$(dirname "$prefix")/$(basename "$part" .c).common.o
  if [[ $part != "$folder"/common/* ]]; then
    parts+=("$part")
    continue
  fi
  # what benchmarks share is compiled once for all of them
  if [[ ! -f $object || -n $(find "$folder/common" "$PLACE_PLUGIN" "$simt" -newer "$object") ]]; then
    "$simt" "${flags[@]}" -fplugin="$PLACE_PLUGIN" -fplugin-arg-place-effort=3 -Wno-unused-command-line-argument -c "$part" -o "$object"
  fi
  parts+=("$object")
done
if ! "$simt" "${flags[@]}" -fplugin="$PLACE_PLUGIN" -fplugin-arg-place-effort=3 "${parts[@]}" -lm -o "$prefix.simt" >"$prefix.simt.log" 2>&1; then
  printf '%s: simt-cc failed\n' "$name"
  tail -n 20 "$prefix.simt.log"
  exit 1
fi
[[ -n $simt_only ]] || check_fallback "$prefix.simt"
# Device code for GPUs fuses multiplication and addition: the benchmarks' sums differ from the CPU's in the last bits.
[[ ! -d $folder/common ]] || expected=''
# Forced plans: each space that a version has, for all arrays, in versions made for it and in the placement-agnostic one; the profiling
# version; the first version of each form of loops; of blocks, rows and one iteration a thread, which differ in more than spaces, each
# one, by its number.
table=$({ grep -aoE '^version [^ ]+ role=[a-z]+ [^[:cntrl:]]*' "$prefix.simt" || true; })
letters=$(sed -nE 's/.* space=([^ ]*).*/\1/p' <<<"$table" | fold -w 1 | sort -u | tr -d '\n')
forced=('*:all=global')
while read -r letter space; do
  [[ $letters != *"$letter"* ]] || forced+=("*:all=$space")
  [[ $letters != *'*'* ]] || forced+=("*:version=agnostic,all=$space")
done < <(sed -nE "s/^PLACE_SPACE\([A-Z0-9_]+, \"([a-z0-9_]+)\", '(.)'.*/\2 \1/p" "$spaces" | tail -n +2) # the first one is global
[[ $table != *' role=profile '* ]] || forced+=('*:version=profile')
while read -r most form; do
  case $form in block | rows | natural) ;; *) most=1 ;; esac
  for ((number = 1; number <= most; number++)); do
    forced+=("*:version=$form$number")
  done
done < <(sed -nE 's/_place_.* role=plan loop=([a-z]+).*/ \1/p' <<<"$table" | sort | uniq -c |
  awk '$4 != "original" && $1 > most[$4] { most[$4] = $1 } END { for (form in most) print most[form], form }' | sort -k 2)
# Launches of no iterations, or of a number that the host does not tell, have 3,200 teams, nearly all of them idle: more than half of what a
# run of blocks_bounds takes.
export SIMT_TEAMS_UNTOLD=200
queue simt-plain PLACE=off
queue simt-slices PLACE_SLICES=always PLACE_PATIENCE=0
queue simt-unmeasured PLACE_TRIALS=0
for force in "${forced[@]}"; do
  queue "simt-$force" PLACE_FORCE="$force"
done
check_queued
# More rounds mean another checksum for programs that sum up all of them; they compare each with the host, too.
[[ -d $folder/common ]] || expected=''
check simt-chosen "${run[@]}" PLACE_TEST_ROUNDS=$rounds_to_settle "$prefix.simt" "${arguments[@]/%$rounds/$rounds_to_settle}"
