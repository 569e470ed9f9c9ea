"""The device images in a program or an object file: the ELF files of machine EM_CUDA that lie inside it."""
import struct

EM_CUDA = 190


class Section:
    """A section of an image: header as ELF has it, name, and where in the file it begins (start) and ends."""

    def __init__(self, header, name, start):
        self.type, self.link = header[1], header[6]
        self.name, self.start, self.end = name, start, start + header[5]


def text_at(data, at):
    return data[at : data.index(b"\0", at)].decode()


def images(data):
    """The sections of each image in data."""
    at = data.find(b"\x7fELF", 1)
    while at >= 0:
        if struct.unpack_from("<H", data, at + 18)[0] == EM_CUDA:
            offset, = struct.unpack_from("<Q", data, at + 40)
            size, number, names = struct.unpack_from("<HHH", data, at + 58)
            headers = [struct.unpack_from("<IIQQQQIIQQ", data, at + offset + i * size) for i in range(number)]
            yield [Section(header, text_at(data, at + headers[names][4] + header[0]), at + header[4]) for header in headers]
        at = data.find(b"\x7fELF", at + 4)
