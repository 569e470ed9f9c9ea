"""Builds handmade.c with a region table: handmade.py CLANG-COMMAND OUTPUT [--damage=KIND] [clang options...]

KIND: checksum (a wrong one), version (of another ABI), text (a line nobody knows), truncated, none."""
import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
clang, output, rest = sys.argv[1].split(), sys.argv[2], sys.argv[3:]
damage = next((a.split("=")[1] for a in rest if a.startswith("--damage=")), "none")
rest = [a for a in rest if not a.startswith("--damage=")]
source = os.path.join(here, "handmade.c")
include = "-I" + os.path.join(here, "..", "..", "..", "include")

subprocess.check_call(clang + ["-O2", include, "-c", source, "-o", output + ".o"])
symbols = subprocess.check_output(["nm", output + ".o"], text=True)
names = sorted(set(re.findall(r"__omp_offloading_\w+?_l\d+(?=\.region_id)", symbols)))
def kernel(function):
    return next(n for n in names if re.search("_" + function + r"_l\d+$", n))

text = f"""place-table 2
region {kernel('filter')}
at 46 filter handmade.c
kind spmd
launch 0 open - -
loop 0 -1 8
array 0 1 o 4 rw -1 global - written
array 1 2 a 4 r -1 global - -
array 2 3 w 4 r 0 global,constant - -
access 0 0 write 4 -1 0 0 -1 -1 ?
access 1 1 read 4 0 0 0 -1 -1 ?
access 2 2 read 4 0 0 0 -1 -1 4*L0
version {kernel('version_base')} role=plan loop=straight space=-,-,g
version {kernel('version_constant')} role=plan loop=straight space=-,-,c needs=aligned:16
"""
if damage == "version":
    text = text.replace("place-table 2", "place-table 999")
if damage == "text":
    text = text.replace("kind spmd", "kind gone")
checksum = 0xCBF29CE484222325
for byte in text.encode():
    checksum = ((checksum ^ byte) * 0x100000001B3) & (2**64 - 1)
if damage == "checksum":
    checksum ^= 1
text += f"end {checksum:016x}\n"
if damage == "truncated":
    text = text[: len(text) // 2]
with open(output + ".inc", "w") as table:
    for line in text.splitlines(keepends=True):
        table.write('"' + line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"\n')
subprocess.check_call(clang + ["-O2", include, f'-DTABLE="{output}.inc"', source, "-o", output] + rest)
