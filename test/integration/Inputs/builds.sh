#!/usr/bin/env bash
# builds.sh SOURCE WORK: builds the project in each way, and says what came of it. Environment: PREFIX, CLANG, CMAKE.
set -euo pipefail
source=$1 work=$2
mkdir -p "$work"
cd "$work"

# run NAME PROGRAM: what it prints, and whether it loads the runtime
run() {
  local report=$work/report.json out
  rm -f "$report"
  out=$(PLACE_STORE=off PLACE_REPORT=$report OMP_TARGET_OFFLOAD=DISABLED "$2" 2>&1)
  printf '%s%s, %s\n' "$1" "$out" "$(grep -q '"regions"' "$report" && echo 'loads the runtime')"
}

mkdir -p make
make -s -C "$source" OUT="$work/make"
run 'make: ' make/program

for generator in 'Unix Makefiles' Ninja; do
  if [[ $generator == Ninja ]] && ! command -v ninja >/dev/null; then
    echo 'cmake Ninja: there is no ninja'
    continue
  fi
  "$CMAKE" -G "$generator" -S "$source" -B "cmake $generator" -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_C_COMPILER="$CLANG" >log
  programs=(executable static object shared interface)
  [[ $generator != Ninja ]] || programs=(executable)
  "$CMAKE" --build "cmake $generator" --target "${programs[@]}" >log || { cat log; exit 1; }
  for program in "${programs[@]}"; do
    run "cmake $generator: $program " "cmake $generator/$program"
  done
done

if command -v meson >/dev/null && command -v pkg-config >/dev/null; then
  CC=$CLANG meson setup "$source" meson >log && meson compile -C meson >log || { cat log; exit 1; }
  run 'meson: ' meson/program
else
  echo 'meson: there is no meson'
fi

# ccache knows the files that options name (-fplugin=), and not those that a configuration file names: CCACHE_EXTRAFILES does.
if command -v ccache >/dev/null; then
  export CCACHE_DIR=$work/ccache CCACHE_NODIRECT=1
  plugin=$PREFIX/lib/libplace.so config=$PREFIX/share/place/place.cfg
  misses() { ccache --print-stats | awk '$1 == "cache_miss" { print $2 }'; }
  # twice OPTION...: how many of two compiles, the second after the plugin changed, were not taken from the cache
  twice() {
    ccache -zC >/dev/null
    ccache "$CLANG" "$@" -O3 -I"$source" -DNAME=first -c "$source/region.c" -o first.o
    printf 'another' >>"$plugin"
    ccache "$CLANG" "$@" -O3 -I"$source" -DNAME=first -c "$source/region.c" -o first.o
    misses
  }
  flags=$(sed '/^#/d' "$config" | sed "s#<CFGDIR>#$PREFIX/share/place#g" | grep -v '^-L\|^-Wl')
  # shellcheck disable=SC2086 # flags are words
  [[ $(twice $flags) == 2 ]] && named='-fplugin= the changed plugin compiles again'
  [[ $(CCACHE_EXTRAFILES=$config:$plugin twice "--config=$config") == 2 ]] && configured='--config= with CCACHE_EXTRAFILES, too'
  echo "ccache: ${named:-}, ${configured:-}"
else
  echo 'ccache: there is no ccache'
fi
