"""same-originals.py CLANG... -- PLUGIN-FLAG... -- SOURCE...: compiles each source as it is and with the plugin, and compares the machine code of
the program's own device images, function by function. Prints what differs; exit status 1 then."""
import concurrent.futures
import os
import struct
import subprocess
import sys
import tempfile


def functions(data):
    """Name to machine code of what the device images in data have: ELF files of machine EM_CUDA."""
    found, at = {}, data.find(b"\x7fELF", 1)
    while at >= 0:
        if struct.unpack_from("<H", data, at + 18)[0] == 190:
            offset, = struct.unpack_from("<Q", data, at + 40)
            size, sections, names = struct.unpack_from("<HHH", data, at + 58)
            headers = [struct.unpack_from("<IIQQQQIIQQ", data, at + offset + i * size) for i in range(sections)]
            for header in headers:
                name = at + headers[names][4] + header[0]
                text = data[name : data.index(b"\0", name)].decode()
                if text.startswith(".text."):
                    found[text] = data[at + header[4] : at + header[4] + header[5]]
        at = data.find(b"\x7fELF", at + 4)
    return found


def compiled(command, source):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.o")
        run = subprocess.run([*command, "-O3", "-c", source, "-o", out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            sys.exit(f"{source}: {run.stdout}")
        with open(out, "rb") as file:
            return file.read()


def differences(plain, plugin, source):
    theirs, with_versions = functions(compiled(plain, source)), compiled(plugin, source)
    ours = functions(with_versions)
    if not theirs or b"place-table" not in with_versions:
        return [f"{source}: no functions, or no table"]
    return [f"{source}: {name} {'differs' if name in ours else 'is missing'}" for name, code in theirs.items() if ours.get(name) != code]


def main(arguments):
    end = arguments.index("--")
    after = arguments.index("--", end + 1)
    plain, flags, sources = arguments[:end], arguments[end + 1 : after], arguments[after + 1 :]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        lists = list(pool.map(lambda source: differences(plain, plain + flags, source), sources))
    for line in sum(lists, []):
        print(line)
    print(f"{len(sources)} files")
    return any(lists)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
