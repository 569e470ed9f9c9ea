#!/usr/bin/env bash
# by_pkg_config.sh COMPILER SOURCE OUT: by pkg-config, where it is installed; else by what place.pc says, read by hand
set -euo pipefail
if command -v pkg-config >/dev/null; then
  flags=$(pkg-config --cflags --libs place)
else
  flags=$(sed -nE 's/^(Cflags|Libs): //p' "$PKG_CONFIG_PATH/place.pc")
  while [[ $flags =~ \$\{([a-z]+)\} ]]; do
    name=${BASH_REMATCH[1]} value=$PKG_CONFIG_PATH
    [[ $name == pcfiledir ]] || value=$(sed -n "s/^$name=//p" "$PKG_CONFIG_PATH/place.pc")
    flags=${flags//"\${$name}"/$value}
  done
fi
# shellcheck disable=SC2086 # flags are words
"$1" -O3 "$2" $flags -o "$3"
