"""damage_packed.py [--magic] PROGRAM COPY: a copy of the program whose packed images (place/packed.h) have a wrong byte each, in the stream or
in the head's magic."""
import os
import sys

magic = sys.argv[1] == "--magic"
program, copy = sys.argv[-2:]
data = bytearray(open(program, "rb").read())
at, damaged = data.find(b"placepk1"), 0
while at >= 0:
    data[at + 7 if magic else at + 24 + 100] ^= 0x55
    damaged += 1
    at = data.find(b"placepk1", at + 8)
assert damaged, "nothing is packed in it"
with open(copy, "wb") as out:
    out.write(data)
os.chmod(copy, 0o755)
