#!/usr/bin/env bash
# An assembler for -fplugin-arg-place-assembler=: keeps what it is given as $KEEP and makes an "image" of 16 bytes; with FAIL set it fails.
[[ -z ${FAIL:-} ]] || { echo "no such instruction"; exit 1; }
[[ $1 == -m64 && $3 == --gpu-name && "${*: -3:1}" == --output-file ]] || { echo "called with $*"; exit 1; }
printf '// %s\n' "${*:1:$#-3}" | cat - "${@: -1}" >"$KEEP"
printf '0123456789abcdef' >"${@: -2:1}"
