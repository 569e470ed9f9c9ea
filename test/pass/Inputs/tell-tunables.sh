#!/usr/bin/env bash
# An assembler for -fplugin-arg-place-assembler=: says how its malloc is to work, and makes an "image".
echo "tunables of ptxas: ${GLIBC_TUNABLES:-none}" >"$KEEP"
printf '0123456789abcdef' >"${@: -2:1}"
