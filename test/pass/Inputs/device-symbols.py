"""device-symbols.py PROGRAM [--tables]: symbols of the program's device images, each with how many there are; place_table_* by prefix, or by
name."""
import collections
import struct
import sys

from device_images import images, text_at

SHT_SYMTAB = 2

data = open(sys.argv[1], "rb").read()
count = collections.Counter()
for sections in images(data):
    for section in sections:
        if section.type != SHT_SYMTAB:
            continue
        for at in range(section.start, section.end, 24):
            text = text_at(data, sections[section.link].start + struct.unpack_from("<I", data, at)[0])
            count["place_table_" if text.startswith("place_table_") and "--tables" not in sys.argv else text] += 1
for name, number in sorted(count.items()):
    print(number, name)
