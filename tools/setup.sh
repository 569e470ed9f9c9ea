#!/usr/bin/env bash
# setup.sh: installs what building and testing place needs on Debian 12: LLVM 19 with OpenMP offloading, GLPK, SQLite, cmocka, CMake,
# a host compiler, and the parts of a CUDA toolkit that clang uses. Safe to run again: without network when all is there.
#
#   tools/setup.sh             as root, or as a user with sudo; says what is missing and, at a terminal, asks before it installs that
#   tools/setup.sh --yes       does not ask
#   tools/setup.sh --list      only says what is missing, and installs nothing; status 1 if anything is
#   tools/setup.sh --all       also what only some tests use, which are skipped without: Chromium, Open MPI, Meson, ccache; does not ask
#   tools/setup.sh --help | --version
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
usage() { sed -nE '2,/^set /s/^# ?//p' "$here/tools/setup.sh"; }
misused() { printf '%s: %s; --help says what it takes\n' "$(basename "$0")" "$*" >&2; exit 2; }
mode=ask all=0
case ${1:-} in
  --help | -h) usage || exit 1; exit 0 ;;
  --version) sed -nE 's/^project\(place VERSION ([0-9.]+).*/setup.sh \1/p' "$here/CMakeLists.txt" || exit 1; exit 0 ;;
  --yes) mode=yes ;;
  --all) mode=yes all=1 ;;
  --list) mode=list ;;
  ?*) misused "there is no option '$1'" ;;
esac
[[ $# -le 1 ]] || misused "too many arguments"
[[ -t 0 || $mode != ask ]] || mode=yes

say() { printf 'setup: %s\n' "$*" >&2; }

packages=(
  # compiler, its tools for offloading (clang-offload-packager, clang-linker-wrapper), headers for the plugin
  clang-19 clang-tools-19 llvm-19 llvm-19-dev llvm-19-tools libclang-19-dev libclang-rt-19-dev lld-19
  # libomptarget, libomp, the device runtime
  libomp-19-dev
  # libraries that the runtime opens when it needs them, and that of the unit tests
  libglpk-dev libsqlite3-dev zlib1g-dev libcmocka-dev
  # the page of place-msl edit (clang for WebAssembly)
  wasi-libc libclang-rt-19-dev-wasm32
  # build and test tools
  cmake ninja-build make gcc g++ libc6-dev python3 python3-jsonschema
)

# for the pages' tests, and for those of MPI and of build systems
[[ $all == 0 ]] || packages+=(chromium openmpi-bin libopenmpi-dev meson pkg-config ccache)

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    say "needs root or sudo to run: $*"
    return 1
  fi
}

# fetched COMMAND...: tries a command that uses the network up to three times
fetched() {
  local try
  for try in 1 2 3; do
    if "$@"; then return 0; fi
    say "failed (try $try of 3): $*"
    sleep $((try * 5))
  done
  return 1
}

install_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
  done
  if [[ $mode == list ]]; then
    [[ ${#missing[@]} -eq 0 ]] || printf '%s\n' "${missing[@]}"
    exit $((${#missing[@]} > 0))
  fi
  [[ ${#missing[@]} -gt 0 ]] || return 0
  say "missing packages of Debian: ${missing[*]}"
  if [[ $mode == ask ]]; then
    read -r -p 'setup: install them with apt-get? [y/N] ' answer
    [[ $answer == [yY]* ]] || { say "nothing was installed"; return 1; }
  fi
  say "installing them"
  fetched as_root apt-get update -qq
  # LLVM 19 is part of Debian 12 itself (main) since its point release of 2025.
  if [[ $(apt-cache policy clang-19 | awk '/Candidate:/ {print $2}') =~ ^(\(none\))?$ ]]; then
    say "apt knows no clang-19. Debian 12 has it in its main section (12.10 and later), also in bookworm-updates;" \
      "elsewhere add a source of LLVM 19 with offloading to apt and run this again"
    return 1
  fi
  fetched as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
  say "this is no Debian: install these packages' equivalents by hand: ${packages[*]}"
  exit 1
fi
install_packages
if ! cuda=$("$here/tools/cuda-toolkit.sh"); then
  say "without a CUDA toolkit nothing can be built for GPUs"
  exit 1
fi
say "ready; CUDA toolkit: $cuda"
