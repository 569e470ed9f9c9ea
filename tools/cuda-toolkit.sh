#!/usr/bin/env bash
# cuda-toolkit.sh: finds, or unpacks, the parts of a CUDA toolkit that clang needs to build for NVIDIA GPUs: ptxas, nvlink, libdevice, and
# nvdisasm for the tests. libomptarget 19 loads the cubins of CUDA 11.8 to 12.x; those of CUDA 13 it silently ignores.
#
#   tools/cuda-toolkit.sh [DIR]   prints the path of a usable toolkit (default DIR: build/cuda); status 1, and why, if there is none
#   <prefix>/bin/place-cuda-toolkit [DIR]   the same where place is installed (default DIR: <prefix>/share/place/cuda, the toolkit of
#                                 place.cfg, which becomes a link to a toolkit that the machine has)
#   cuda-toolkit.sh --help | --version
#
# A toolkit of the machine's own (PLACE_CUDA_PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda*) is preferred if its version
# serves. Otherwise Debian's package is downloaded with apt and unpacked into DIR; nothing is installed system-wide.
set -euo pipefail
self=$(readlink -f "${BASH_SOURCE[0]}")
here=$(cd "$(dirname "$self")/.." && pwd)
name=$(basename "$self")
version='@PROJECT_VERSION@' # of the installed script
usage() { sed -nE '2,/^set /s/^# ?//p' "$self"; }
case ${1:-} in
  --help | -h) usage || exit 1; exit 0 ;;
  --version)
    [[ $version != @* ]] || version=$(sed -nE 's/^project\(place VERSION ([0-9.]+).*/\1/p' "$here/CMakeLists.txt")
    printf '%s %s\n' "$name" "$version" || exit 1
    exit 0
    ;;
  -*) printf "%s: there is no option '%s'; --help says what it takes\n" "$name" "$1" >&2; exit 2 ;;
esac
[[ $# -le 1 ]] || { printf '%s: more than one folder; --help says what it takes\n' "$name" >&2; exit 2; }
installed=$here/share/place/place.cfg
dir=${1:-$here/build/cuda}
[[ ! -f $installed || $# -eq 1 ]] || dir=$here/share/place/cuda
package=nvidia-cuda-toolkit

say() { printf '%s: %s\n' "$name" "$*" >&2; }

# needs_write: ends where DIR, or what it is to be made in, cannot be written
needs_write() {
  local above=$dir
  while above=$(dirname "$above") && [[ ! -e $above ]]; do :; done
  [[ -d $above && -w $above && (! -d $dir || -L $dir || -w $dir) ]] && return
  say "$dir cannot be made or changed, as you may not write to $above; run it as a user who may, or name a folder of yours, $name DIR, and give" \
    "clang that as --cuda-path=DIR"
  exit 1
}

# version_of TOOLKIT: "MAJOR.MINOR" as its ptxas says, or nothing
version_of() {
  "$1/bin/ptxas" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p'
}

# serves TOOLKIT: complete, and of a version whose cubins libomptarget 19 loads
serves() {
  local version
  [[ -x $1/bin/ptxas && -x $1/bin/nvlink && -f $1/nvvm/libdevice/libdevice.10.bc && -f $1/include/cuda.h ]] || return 1
  version=$(version_of "$1")
  case $version in
    11.8 | 12.[0-9] | 12.[0-9][0-9]) return 0 ;;
    1[3-9].*) say "$1 is CUDA $version: libomptarget 19 cannot load its cubins (the program would see 0 devices); looking on" ;;
  esac
  return 1
}

for candidate in ${PLACE_CUDA_PATH:+"$PLACE_CUDA_PATH"} ${CUDA_HOME:+"$CUDA_HOME"} ${CUDA_PATH:+"$CUDA_PATH"} \
  "$dir" /usr/local/cuda /usr/local/cuda-12* /usr/local/cuda-11.8; do
  if [[ -d $candidate ]] && serves "$candidate"; then
    # place.cfg takes the one in its own folder
    [[ ! -f $installed || $candidate -ef $dir ]] || { needs_write; rm -rf "$dir"; ln -s "$candidate" "$dir"; }
    printf '%s\n' "$candidate"
    exit 0
  fi
done

# unpack SUITE: download Debian's package from that suite and lay it out as clang expects a toolkit
unpack() {
  local suite=$1 work uri
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 2>/dev/null | sort -u | sed -n 1p)
  [[ -n $uri ]] || uri=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -E '/debian/?$' | sort -u | sed -n 1p)
  [[ -n $uri ]] || { say "apt knows no Debian mirror"; return 1; }
  work=$(mktemp -d)
  trap 'rm -rf "$work"' RETURN
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s non-free\n' "$uri" "$suite" >"$work/sources.list"
  local apt=(apt-get -qq -o Acquire::Retries=3 -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::Lists=$work/lists"
    -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
  "${apt[@]}" update >&2 || return 1
  (cd "$work" && "${apt[@]}" download "$package" >&2) || return 1
  dpkg -x "$work/$package"_*.deb "$work/root"
  rm -rf "$dir.part"
  mkdir -p "$dir.part/bin" "$dir.part/nvvm/libdevice" "$dir.part/include"
  local tool
  for tool in ptxas nvlink nvdisasm cuobjdump fatbinary; do
    cp -L "$(find "$work/root" -type f -name "$tool" | sed -n 1p)" "$dir.part/bin/"
  done
  cp -L "$(find "$work/root" -name libdevice.10.bc | sed -n 1p)" "$dir.part/nvvm/libdevice/"
  local version major minor
  version=$(version_of "$dir.part")
  major=${version%%.*} minor=${version##*.}
  printf '#define CUDA_VERSION %d\n' $((major * 1000 + minor * 10)) >"$dir.part/include/cuda.h"
  rm -rf "$dir"
  mkdir -p "$(dirname "$dir")"
  mv "$dir.part" "$dir"
}

if command -v apt-get >/dev/null 2>&1; then
  needs_write
  for suite in trixie bookworm; do
    say "unpacking $package from $suite into $dir"
    if unpack "$suite" && serves "$dir"; then
      printf '%s\n' "$dir"
      exit 0
    fi
  done
fi
say "no usable CUDA toolkit: install CUDA 11.8 to 12.x and set PLACE_CUDA_PATH, or give apt a Debian mirror with non-free"
exit 1
