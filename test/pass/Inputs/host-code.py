#!/usr/bin/env python3
"""host-code.py PLAIN PLACED: whether the second program's own functions lie where the first one's do, within a page."""

import re
import subprocess
import sys


def functions(program):
    """By name, where each begins in its page; numbers of a build in kernels' names left out."""
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^([0-9a-f]+) [TtWw] (\S+)$", listed, re.M)
    return {re.sub(r"_[0-9a-f]+_[0-9a-f]+_", "", name): int(at, 16) % 4096 for at, name in found if not name.startswith("place_") and name != "_fini"}


plain, placed = map(functions, sys.argv[1:3])
moved = sorted(name for name in plain.keys() | placed.keys() if plain.get(name) != placed.get(name))
print(f"{len(plain)} functions, moved: {', '.join(moved) or 'none'}")
sys.exit(bool(moved) or "main" not in plain)
