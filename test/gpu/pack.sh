#!/usr/bin/env bash
# Builds the benchmarks and the end-to-end programs, plain and with the plugin, into a folder that runs and judges them on a
# machine that has a GPU and a driver but no LLVM (judge.sh). Rebuilds only what is older than its parts.
#
#   pack.sh DIR         environment, set by CMake: PLACE_LLVM_BIN, PLACE_LLVM_LIBDIR, PLACE_CUDA_PATH, PLACE_PLUGIN,
#                       PLACE_RUNTIME; PLACE_PACK_ARCH (sm_90; simt: device code on the CPU by PLACE_SIMT_CC, for judge.sh
#                       and study.py without a GPU); PLACE_PACK_ONLY ('conv1d spmv': only these); PLACE_PACK_TIMES (how
#                       often each is compiled, 1)
#
# DIR/build.csv holds what each program took to compile, for study.py: processor seconds (the median, where it is compiled more than
# once), bytes of the program and of the device image in it.
set -euo pipefail
out=${1:?usage: pack.sh DIR}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_root=$here/../..
arch=${PLACE_PACK_ARCH:-sm_90}

llvm=${PLACE_LLVM_BIN:?} libdir=${PLACE_LLVM_LIBDIR:?} plugin=${PLACE_PLUGIN:?} runtime=${PLACE_RUNTIME:?}
flags=(-O3 -fopenmp -Wno-pass-failed "-L$libdir" -s)
if [[ $arch != simt ]]; then
  flags+=("--offload-arch=$arch" "--cuda-path=${PLACE_CUDA_PATH:?no CUDA toolkit}" "--libomptarget-nvptx-bc-path=$libdir")
fi
# what every program is made of or by, beside its own sources
common=("$source_root"/benchmarks/{common,problems}/*.h "$source_root/test/programs/check.h")
[[ $arch != simt ]] || common+=("$(dirname "${PLACE_SIMT_CC:?}")/simt-lower")
mkdir -p "$out/bin" "$out/lib" "$out/share/place/machines"

# newer FILE PART...: FILE exists and no PART is newer
newer() {
  local file=$1 part
  shift
  [[ -f $file ]] || return 1
  for part in "$@"; do
    [[ $part -ot $file ]] || return 1
  done
}

# record FILE SECONDS...: FILE's row of build.csv, new or instead of the one there
builds=$out/build.csv
[[ -f $builds ]] || printf 'program,build,compile_s,program_bytes,device_bytes\n' >"$builds"
record() {
  local file=$1 program=${1%.*} build=${1##*.} median device
  shift
  median=$(printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p")
  device=$("$llvm/llvm-size" -A "$out/bin/$file" | awk '$1 == ".llvm.offloading" { print $2 }')
  grep -v "^$program,$build," "$builds" >"$builds.new"
  printf '%s,%s,%s,%s,%s\n' "$program" "$build" "$median" "$(stat -c %s "$out/bin/$file")" "$device" >>"$builds.new"
  mv "$builds.new" "$builds"
}

# compile FILE COMMAND...: what cannot be compiled is left out and named in the end
failed=()
compile() {
  local file=$1 times=() i TIMEFORMAT='%U %S'
  shift
  for ((i = 0; i < ${PLACE_PACK_TIMES:-1}; i++)); do
    # the time's own output goes to a file, the compiler's to where it went
    if ! { time "$@" -o "$out/bin/$file" 2>&3; } 3>&2 2>"$out/time"; then
      rm -f "$out/bin/$file" "$out/time"
      failed+=("$file")
      return
    fi
    times+=("$(awk '{ print $1 + $2 }' "$out/time")")
  done
  rm -f "$out/time"
  record "$file" "${times[@]}"
}

# due FILE PART...: FILE is not newer than its parts, or build.csv does not know it
due() { ! newer "$out/bin/$1" "${@:2}" || ! grep -q "^${1%.*},${1##*.}," "$builds"; }

# build NAME SOURCE...: NAME.plain and NAME.place
build() {
  local name=$1 compiler=$llvm/clang
  shift
  [[ -z ${PLACE_PACK_ONLY:-} || " $PLACE_PACK_ONLY " == *" $name "* ]] || return 0
  [[ $1 != *.cpp ]] || compiler=$llvm/clang++
  [[ $arch != simt ]] || compiler=${PLACE_SIMT_CC:?}
  ! due "$name.plain" "$@" "${common[@]}" || compile "$name.plain" "$compiler" "${flags[@]}" "$@" -lm
  ! due "$name.place" "$@" "${common[@]}" "$plugin" ||
    compile "$name.place" "$compiler" "${flags[@]}" "-fplugin=$plugin" "$@" -lm
}

if [[ -n ${PLACE_PACK_ONLY:-} ]]; then
  awk -v only=" $PLACE_PACK_ONLY " '/^#/ || index(only, " " $2 " ")' "$here/cases.txt" >"$out/cases.txt"
else
  cp "$here/cases.txt" "$out/cases.txt"
fi
for file in "$source_root"/benchmarks/*.c; do
  build "$(basename "$file" .c)" "$file" "$source_root/benchmarks/common/bench.c"
done
for file in "$source_root"/test/programs/*.c "$source_root"/test/programs/*.cpp; do
  name=$(basename "${file%.*}")
  ! grep -q '^// MODES:.*no-gpu' "$file" || continue
  parts=("$file")
  for extra in "$source_root/test/programs/Inputs/$name".*.c; do
    [[ ! -f $extra ]] || parts+=("$extra")
  done
  build "$name" "${parts[@]}"
  [[ -x $out/bin/$name.place ]] || continue
  printf '%-21s %s\n' "$name" "$name" >>"$out/cases.txt"
done

# The runtime, and what it needs beyond a C library; libomptarget and libomp are the caller's.
packed=$out/lib/$("$llvm/llvm-readelf" -d "$runtime" | sed -nE 's/.*SONAME.*\[(.*)\].*/\1/p') # by the name that programs open
cp -L "$runtime" "$packed"
"$llvm/llvm-strip" "$packed"
LD_LIBRARY_PATH=$libdir ldd "$runtime" | awk '$3 ~ /^\// {print $3}' | while read -r library; do
  case ${library##*/} in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | libomp* | libLLVM* | libstdc++.so.* | libgcc_s.so.*) ;;
    *) cp -L "$library" "$out/lib/" ;;
  esac
done
cp "$source_root"/msl/machines/*.msl "$out/share/place/machines/" 2>/dev/null || true
install -m 755 "$here/judge.sh" "$out/judge.sh"

# The study: its scripts, the CUDA counterparts and the library that times kernels, built if nvcc and CUPTI are here.
rm -rf "$out/benchmarks"
mkdir -p "$out/benchmarks"
cp -r "$source_root"/benchmarks/{study.py,study-cases.txt,studylib,cuda,common,problems} "$out/benchmarks/"
rm -rf "$out/benchmarks/studylib/__pycache__"
mkdir -p "$out/include/place"
cp "$source_root/include/place/space.def" "$out/include/place/" # what region tables and plans call the spaces
PYTHONDONTWRITEBYTECODE=1 python3 "$out/benchmarks/study.py" --help >/dev/null || { printf 'gpu-pack: error: the packed study does not start\n' >&2; exit 1; }
{
  "$llvm/clang" --version | sed -n 1p
  if [[ $arch != simt ]]; then "$PLACE_CUDA_PATH/bin/ptxas" --version | grep -o 'release [0-9.]*' | sed 's/^release/ptxas/'; fi
  git -C "$source_root" describe --always --dirty 2>/dev/null | sed 's/^/place /'
} >"$out/versions.txt" || true
if [[ $arch != simt ]]; then
  python3 "$source_root/benchmarks/study.py" "$out" --prepare ||
    printf 'gpu-pack: CUDA counterparts or the kernel timer were not built here; study.py builds them where it runs\n'
fi
printf 'gpu-pack: %s, %s\n' "$out" "$(du -sh "$out" | cut -f 1)"
if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'gpu-pack: error: not compiled: %s\n' "${failed[*]}"
  exit 1
fi
