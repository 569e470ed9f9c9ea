"""same-originals.py CLANG... -- PLUGIN-FLAG... -- SOURCE...: compiles each source as it is and with the plugin, and compares the machine code of
the program's own device images, function by function. Prints what differs; exit status 1 then."""
import concurrent.futures
import os
import subprocess
import sys
import tempfile

from device_images import images


def functions(data):
    """Name to machine code of what the device images in data have."""
    sections = [section for image in images(data) for section in image if section.name.startswith(".text.")]
    return {section.name: data[section.start : section.end] for section in sections}


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
