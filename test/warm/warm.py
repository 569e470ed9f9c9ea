"""warm.py PARTS LLVM_BIN [LOWER] -- COMMAND...: runs the command, for which tools of LLVM's wait, loaded.

Loading and relocating LLVM takes a tool longer than a small program's compile. So one process of each tool does that once, and is copied
for each call (server.c, client.c). The command finds them in a folder that has all of LLVM_BIN (PLACE_LLVM_BIN, SIMT_LLVM); simt-lower,
if named, as SIMT_LOWER. PARTS: where warm.so and warm-client were built. The exit status is the command's.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile

LONGEST = 100000  # bytes of a call's arguments: those of the process are where a copy's are written to

# Waiting tools, with other names of theirs.
TOOLS = {"clang": ["clang++"], "opt": [], "clang-offload-packager": [], "clang-linker-wrapper": []}


def offer(folder, parts, tool, names):
    """The client by these names, and what it needs to find the tool."""
    for name in names:
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            os.remove(path)
        shutil.copy(os.path.join(parts, "warm-client"), path)
        os.symlink(os.path.join(os.path.dirname(tool), name), os.path.join(folder, "tools", name))
        if name != names[0]:
            os.symlink(f"{names[0]}.socket", f"{path}.socket")


def wait_for_calls(folder, parts, tool, library_path, ended):
    """The process; it ends when nobody holds the other end of the pipe `ended`."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.join(folder, os.path.basename(tool) + ".socket"))
        listener.listen(64)
        environment = {**os.environ, "LD_PRELOAD": os.path.join(parts, "warm.so"), "WARM_LISTENER": str(listener.fileno()),
                       "WARM_CLIENTS": folder, "LD_LIBRARY_PATH": library_path}
        return subprocess.Popen([tool, " " * LONGEST], stdin=ended, pass_fds=[listener.fileno()], env=environment)


def main():
    split = sys.argv.index("--")
    parts, llvm_bin, *lower = sys.argv[1:split]
    tools = {os.path.join(llvm_bin, name): [name, *others] for name, others in TOOLS.items()}
    tools |= {tool: [os.path.basename(tool)] for tool in lower}
    libraries = os.path.join(os.path.dirname(llvm_bin), "lib")
    with tempfile.TemporaryDirectory(prefix="warm-") as folder:
        os.mkdir(os.path.join(folder, "tools"))
        for tool in [*(os.path.join(llvm_bin, name) for name in os.listdir(llvm_bin)), *lower]:
            os.symlink(tool, os.path.join(folder, os.path.basename(tool)))
        ended, held = os.pipe()
        waiting = []
        for tool, names in tools.items():
            try:
                waiting.append(wait_for_calls(folder, parts, tool, libraries, ended))
            except OSError as why:  # as of a folder for temporary files whose path is too long for a socket's
                print(f"warm.py: {tool} is started for each call: {why}", file=sys.stderr)
                continue
            offer(folder, parts, tool, names)
        os.close(ended)
        environment = {**os.environ, "PLACE_LLVM_BIN": folder, "SIMT_LLVM": folder}
        environment |= {"SIMT_LOWER": os.path.join(folder, os.path.basename(tool)) for tool in lower}
        status = subprocess.call(sys.argv[split + 1:], env=environment)
        os.close(held)
        for process in waiting:
            process.wait()
    sys.exit(status if status >= 0 else 128 - status)


main()
