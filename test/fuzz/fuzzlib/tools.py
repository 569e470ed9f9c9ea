"""Where compilers and libraries are, and running them with limits."""

import os
import re
import resource
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Tools:
    """Paths; from the environment that lit and CMake set (PLACE_*), else from the development build."""

    clang: str
    libdir: str
    cuda: str
    plugin: str
    runtime: str
    simt: str


def find_tools():
    build = Path(os.environ.get("PLACE_BUILD", ROOT / "build" / "dev"))
    llvm = os.environ.get("PLACE_LLVM_BIN", "/usr/lib/llvm-19/bin")
    cuda = Path(os.environ.get("PLACE_CUDA_PATH") or ROOT / "build" / "cuda")
    return Tools(llvm, os.environ.get("PLACE_LLVM_LIBDIR", str(Path(llvm).parent / "lib")), str(cuda) if cuda.exists() else "",
                 os.environ.get("PLACE_PLUGIN", str(build / "lib" / "libplace.so")),
                 os.environ.get("PLACE_RUNTIME", str(build / "lib" / "libplacert.so")),
                 os.environ.get("PLACE_SIMT_CC", str(build / "test" / "simt" / "bin" / "simt-cc")))


@dataclass
class Ended:
    """How a command ended. status: exit status, negative signal, or None: it ran past a limit."""

    status: int | None
    output: str


def limited(command, environment, cpu_s, wall_s, folder=None):
    """Runs a command in a process group of its own; nothing of it is left when this returns."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    process = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, preexec_fn=limits, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=wall_s)
        status = process.returncode
    except subprocess.TimeoutExpired:
        status = None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    if status is None:
        output, _ = process.communicate()
    if status in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        status = None
    return Ended(status, output.decode(errors="replace"))


def normalized(text):
    """A message without what differs from program to program."""
    text = re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b", "#", text)
    text = re.sub(r"\bt\d+(:|\b)", "t", text)
    return re.sub(r"\d+", "N", text)[:160]
