#!/usr/bin/env bash
# commands.sh VERSION COMMAND...: --help, --version, an unknown option and a full disk are answered alike by all commands. A line for
# each thing that is not as it should be, and how many commands were looked at.
version=$1 bad=0
shift
complain() { printf '%s: %s\n' "$name" "$*"; bad=1; }

# answers ARGUMENT PATTERN: status 0, nothing on stderr, and a line on stdout that matches
answers() {
  local out err
  err=$( { out=$("$command" "$1" </dev/null); printf '%s' "$?" >&3; printf '%s' "$out" >"$work/out"; } 2>&1 3>"$work/status")
  [[ $(<"$work/status") == 0 ]] || complain "$1: status $(<"$work/status")"
  [[ -z $err ]] || complain "$1: on stderr: $err"
  grep -qE -- "$2" "$work/out" || complain "$1: no line like '$2' in: $(head -c 200 "$work/out")"
  "$command" "$1" </dev/null >/dev/full 2>/dev/null && complain "$1 >/dev/full: status 0"
}

# refuses ARGUMENT...: the status of misuse, nothing on stdout, one line on stderr that has the argument
refuses() {
  local out status=0
  out=$("$command" "$@" </dev/null 2>"$work/err") || status=$?
  [[ $status == 2 ]] || complain "$*: status $status"
  [[ -z $out ]] || complain "$*: on stdout: $out"
  [[ $(wc -l <"$work/err") == 1 ]] || complain "$*: not one line on stderr: $(<"$work/err")"
  grep -qF -- "$1" "$work/err" || complain "$*: not named in: $(<"$work/err")"
  grep -qF -- --help "$work/err" || complain "$*: no word of --help in: $(<"$work/err")"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for command in "$@"; do
  name=$(basename "$command")
  answers --help "usage: $name|$name"
  answers -h "usage: $name|$name"
  answers --version "^$name $version$"
  [[ $name == simt-c* ]] || refuses --no-such-option
done
printf '%d commands\n' $#
exit $bad
