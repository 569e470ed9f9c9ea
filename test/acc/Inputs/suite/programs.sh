#!/usr/bin/env bash
# programs.sh FOLDER SCRIPT: a folder as tools/acc-suite.py --keep makes it, with programs that end in every way there is.
set -euo pipefail
mkdir -p "$1"
cp "$2" "$1"
program() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" > "$1.test"
  chmod +x "$1.test"
}
cd "$1"
program passes 'exit 0'
program parts 'echo sum differs; exit 5'
program more_parts 'echo "failed parts: T2 T9"; exit 1'
program like_a_signal 'exit 134'
program signal 'kill -SEGV $$'
program mandatory 'echo "omptarget fatal error 1: failure of target construct"; kill -ABRT $$'
program stays 'sleep 1000'
program ignores 'trap "" TERM INT; while :; do sleep 1000; done'
program leaves_another 'sleep 1000 & exit 0'
program flood 'yes'
program versions '[[ ${PLACE:-} == off ]] || exit 2'
program once 'mkdir "$OUT/once" 2> /dev/null || exit 0; exit 1'
echo 'unbuilt: compile-error: no such directive' > not-built
