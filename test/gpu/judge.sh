#!/usr/bin/env bash
# Runs the packed programs on this machine's GPU and compares every checksum with plain clang's. Needs bash, coreutils, a
# driver, and libomptarget 19 on LD_LIBRARY_PATH (set by the caller); no LLVM, no CUDA toolkit.
#
#   judge.sh [CASE...]      all cases of cases.txt, or the named ones (shell patterns)
#
# Each case runs plain, with the plugin as it comes, and with every kind of version forced. Environment: JUDGE_JOBS (runs at
# once, default half the cores, at most 8), JUDGE_LOGS (folder for outputs and reports, kept), JUDGE_TIMEOUT (seconds a run, 60),
# JUDGE_MODES ('block1 block2': only these, besides plain).
# The last line is 'N passed, N failed'; exit status 1 if any failed.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cores=$(nproc)
jobs=${JUDGE_JOBS:-$((cores > 16 ? 8 : cores > 1 ? cores / 2 : 1))}
limit=${JUDGE_TIMEOUT:-60}
logs=${JUDGE_LOGS:-$(mktemp -d)}
mkdir -p "$logs"
[[ -n ${JUDGE_LOGS:-} ]] || trap 'rm -rf "$logs"' EXIT

# mode name -> what it sets PLACE_FORCE to ('-': nothing)
modes=(plain chosen global readonly constant shared any-readonly any-constant any-shared profile)
declare -A force=([plain]=- [chosen]=- [global]='*:all=global' [readonly]='*:all=readonly' [constant]='*:all=constant'
  [shared]='*:all=shared' [any-readonly]='*:version=agnostic,all=readonly' [any-constant]='*:version=agnostic,all=constant'
  [any-shared]='*:version=agnostic,all=shared' [profile]='*:version=profile')
for version in straight privatised natural ranges isolated strided rows1 rows2 block1 block2 block3 block4 block5 block6; do
  modes+=("$version")
  force[$version]=*:version=$version
done

# shellcheck disable=SC2206 # words
[[ -z ${JUDGE_MODES:-} ]] || modes=(plain $JUDGE_MODES)
for mode in "${modes[@]}"; do
  [[ -n ${force[$mode]:-} ]] || { printf 'judge.sh: JUDGE_MODES: no mode %s; there are %s\n' "$mode" "${!force[*]}" >&2; exit 2; }
done

# libplacert.so with what it needs, after the caller's libomptarget
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib
export OMP_TARGET_OFFLOAD=${OMP_TARGET_OFFLOAD:-MANDATORY}
unset PLACE PLACE_FORCE PLACE_REPORT

# run_one CASE MODE PROGRAM ARGUMENT...: leaves CASE.MODE.out, .err and .rc in $logs
run_one() {
  local name=$1 mode=$2 program=$3 build=place log rc
  shift 3
  log=$logs/$name.$mode
  [[ $mode == plain ]] && build=plain
  (
    # a home of its own: the plan store of one run must not decide for another
    export HOME=$log.home PLACE_REPORT=1
    unset XDG_CACHE_HOME
    mkdir -p "$HOME"
    [[ ${force[$mode]} == - ]] || export PLACE_FORCE=${force[$mode]}
    exec timeout "$limit" "$here/bin/$program.$build" "$@"
  ) >"$log.out" 2>"$log.err" </dev/null
  rc=$?
  printf '%s\n' "$rc" >"$log.rc"
}

# verdict_of CASE MODE: the checksum, or why there is none
verdict_of() {
  local log=$logs/$1.$2 line checksum='' rc
  rc=$(<"$log.rc")
  while IFS= read -r line; do
    [[ $line =~ ^PASS\ [^\ ]+\ ([0-9a-f]{16})$ || $line =~ checksum=([0-9a-f]{16})\ .*PASS$ ]] && checksum=${BASH_REMATCH[1]}
  done <"$log.out"
  if [[ $rc -eq 0 && -n $checksum ]]; then
    printf '%s\n' "$checksum"
  elif [[ $rc -eq 124 ]]; then
    printf 'TIMEOUT\n'
  else
    printf 'EXIT%s\n' "$rc"
  fi
}

wanted() {
  local pattern
  [[ $# -gt 1 ]] || return 0
  for pattern in "${@:2}"; do
    # shellcheck disable=SC2053 # a pattern on purpose
    [[ $1 == $pattern ]] && return 0
  done
  return 1
}

names=()
started=0
while read -r name program arguments; do
  [[ -z $name || $name == '#'* ]] && continue
  wanted "$name" "$@" || continue
  names+=("$name")
  # shellcheck disable=SC2086 # arguments are words
  for mode in "${modes[@]}"; do
    if [[ $started -ge $jobs ]]; then
      wait -n
      started=$((started - 1))
    fi
    if [[ $mode == chosen ]]; then
      # enough launches for the runtime to try all plans and settle; results are the same in every launch
      run_one "$name" "$mode" "$program" ${arguments/--launches 10/--launches 80} &
    else
      run_one "$name" "$mode" "$program" $arguments &
    fi
    started=$((started + 1))
  done
done <"$here/cases.txt"
wait

passed=0 failed=0 notes=()
printf '%-22s' case
printf ' %-12s' "${modes[@]}"
printf '\n'
for name in "${names[@]}"; do
  printf '%-22s' "$name"
  expected=$(verdict_of "$name" plain)
  for mode in "${modes[@]}"; do
    got=$(verdict_of "$name" "$mode")
    cell=ok
    if [[ ! $got =~ ^[0-9a-f]{16}$ ]]; then
      cell=$got
      notes+=("$name $mode: $(tail -n 2 "$logs/$name.$mode.out" | tr '\n' ' ') $(tail -n 3 "$logs/$name.$mode.err" | tr '\n' ' ')")
    elif [[ $got != "$expected" ]]; then
      cell=DIFFERENT
      notes+=("$name $mode: checksum $got, plain $expected")
    elif [[ $mode == chosen && $(<"$logs/$name.$mode.err") != *place:* ]]; then
      cell=no-runtime
      notes+=("$name $mode: no report: was libplacert.so loaded?")
    fi
    if [[ $cell == ok ]]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    printf ' %-12s' "$cell"
  done
  printf '\n'
done
for note in ${notes[@]+"${notes[@]}"}; do
  printf '  %.400s\n' "$note"
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
