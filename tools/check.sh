#!/usr/bin/env bash
# check.sh: set-up, build and all tests, from a fresh clone: unit tests under ASan and UBSan, then the development build with unit tests
# and lit suites. The last lines are ctest's summary of the latter; the exit status covers both.
#
#   tools/check.sh                      installs what is missing (tools/setup.sh), builds below build/, runs all tests
#   tools/check.sh --help | --version
#
# Environment: PLACE_JOBS (processes, default all cores); GLIBC_TUNABLES (default glibc.malloc.hugetlb=1).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
usage() { sed -nE '2,/^set /s/^# ?//p' tools/check.sh; }
misused() { printf '%s: %s; --help says what it takes\n' "$(basename "$0")" "$*" >&2; exit 2; }
case ${1:-} in
  --help | -h) usage || exit 1; exit 0 ;;
  --version) sed -nE 's/^project\(place VERSION ([0-9.]+).*/check.sh \1/p' CMakeLists.txt || exit 1; exit 0 ;;
esac
[[ $# -eq 0 ]] || misused "it takes no argument '$1'"
jobs=${PLACE_JOBS:-$(nproc)}
# Compilers touch each page of their memory once, and end: where Linux has huge pages for who asks, they take a tenth less time.
export GLIBC_TUNABLES=${GLIBC_TUNABLES-glibc.malloc.hugetlb=1}

step() { printf '\n== %s\n' "$*"; }

step "set-up"
tools/setup.sh

step "unit tests with sanitizers"
cmake --preset asan
cmake --build --preset asan -j "$jobs"
sanitized=0
ctest --preset asan -j "$jobs" -L unit || sanitized=$?

step "build"
cmake --preset dev
cmake --build --preset dev -j "$jobs"

step "tests"
tested=0
ctest --preset dev || tested=$?
[[ $sanitized -eq 0 ]] || printf 'FAILED above: unit tests with sanitizers (ctest --preset asan -L unit)\n' >&2
exit $((sanitized || tested))
