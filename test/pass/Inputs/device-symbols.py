"""device-symbols.py PROGRAM [--tables]: symbols of the program's device images, each with how many there are; place_table_* by prefix, or by
name.

The images are the ELF files of machine EM_CUDA that lie inside the program."""
import collections
import struct
import sys

data = open(sys.argv[1], "rb").read()
count = collections.Counter()
at = data.find(b"\x7fELF", 1)
while at >= 0:
    if struct.unpack_from("<H", data, at + 18)[0] == 190:
        offset, = struct.unpack_from("<Q", data, at + 40)
        size, sections = struct.unpack_from("<HH", data, at + 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, at + offset + i * size) for i in range(sections)]
        for header in headers:
            if header[1] != 2:  # SHT_SYMTAB
                continue
            strings = at + headers[header[6]][4]
            for i in range(header[5] // 24):
                name = struct.unpack_from("<I", data, at + header[4] + 24 * i)[0]
                end = data.index(b"\0", strings + name)
                text = data[strings + name : end].decode()
                count["place_table_" if text.startswith("place_table_") and "--tables" not in sys.argv else text] += 1
    at = data.find(b"\x7fELF", at + 4)
for name, number in sorted(count.items()):
    print(number, name)
