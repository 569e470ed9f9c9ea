#!/usr/bin/env bash
# complete.sh FILE COMMAND WORD: what the completion in FILE offers for WORD after COMMAND
source "$1"
COMP_WORDS=("$2" "$3") COMP_CWORD=1
"$(complete -p "$2" | sed -E 's/.*-F ([^ ]+).*/\1/')"
echo "${COMPREPLY[*]}"
