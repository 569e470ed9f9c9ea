#!/usr/bin/env bash
# dpkg.sh ROOT ARGUMENT...: dpkg with a root and a database of its own; what packages need of others is not looked for there
set -euo pipefail
root=$1
shift
mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
# Maintainer scripts would need a system below the root.
dpkg --root="$root" --log=/dev/null --force-not-root --force-depends --force-script-chrootless --no-triggers "$@" >"$root/dpkg.log" 2>&1 ||
  { cat "$root/dpkg.log"; exit 1; }
rm -f "$root/dpkg.log"
