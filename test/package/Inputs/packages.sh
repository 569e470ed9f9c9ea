#!/usr/bin/env bash
# packages.sh BUILD OUT: the Debian packages of a build, in OUT
set -euo pipefail
cd "$2"
cpack --config "$1/CPackConfig.cmake" -B "$2/work" >"$2/log" 2>&1 || { cat "$2/log"; exit 1; }
mv work/*.deb .
rm -rf work log
