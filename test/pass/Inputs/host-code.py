#!/usr/bin/env python3
"""host-code.py PLAIN PLACED: whether the second program's own functions and variables lie where the first one's do, within a page."""

import re
import subprocess
import sys


# What the linker sets to ends of sections; and tables in front of the program's data.
LINKERS = re.compile(r"place_|_fini$|_DYNAMIC$|__[A-Z_]+$|_end$|__bss_start$|_edata$|.*_array_entry$|\.omp_offloading\.(descriptor|device_images)$")


def symbols(program):
    """By name, where each begins in its page; without the numbers of a build in kernels' names."""
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^([0-9a-f]+) [TtWwDdBb] (\S+)$", listed, re.M)
    return {re.sub(r"_[0-9a-f]+_[0-9a-f]+_", "", name): int(at, 16) % 4096 for at, name in found if not LINKERS.match(name)}


plain, placed = map(symbols, sys.argv[1:3])
moved = sorted(name for name in plain.keys() | placed.keys() if plain.get(name) != placed.get(name))
print(f"{len(plain)} symbols, moved: {', '.join(moved) or 'none'}")
sys.exit(bool(moved) or "main" not in plain)
