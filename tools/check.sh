#!/usr/bin/env bash
# Set-up, build and all tests, from a fresh clone: unit tests under ASan and UBSan, then the development build with unit tests
# and lit suites. The last lines are ctest's summary of the latter; the exit status covers both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${PLACE_JOBS:-$(nproc)}

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
