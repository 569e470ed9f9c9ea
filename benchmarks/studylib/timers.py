"""Where kernel times come from, best first: CUPTI's activity records (kernel_times.c), Nsight Compute, the runtime's report.

A timer gives the environment and the words before a command, and reads the kernels that ran: a list of (name, nanoseconds)
in the order in which they started, or None where it knows nothing about the run.
"""

import csv
import glob
import io
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "libkernel_times.so"


def cuda_homes():
    nvcc = shutil.which("nvcc")
    beside_nvcc = os.path.dirname(os.path.dirname(os.path.realpath(nvcc))) if nvcc else None
    homes = dict.fromkeys([os.environ.get("CUDA_HOME"), beside_nvcc, "/usr/local/cuda"])
    return [home for home in homes if home and os.path.isdir(home)]


def find_cupti():
    """(folder of cupti.h, libcupti.so, newest kernel record), or None."""
    for home in cuda_homes():
        for base in (home, f"{home}/extras/CUPTI", f"{home}/targets/x86_64-linux"):
            headers, libraries = f"{base}/include", glob.glob(f"{base}/lib*/libcupti.so")
            if os.path.exists(f"{headers}/cupti_activity.h") and libraries:
                with open(f"{headers}/cupti_activity.h", encoding="utf-8", errors="replace") as file:
                    numbers = [int(n) for n in re.findall(r"\} *CUpti_ActivityKernel(\d+);", file.read())]
                if numbers:
                    return headers, libraries[0], f"CUpti_ActivityKernel{max(numbers)}"
    return None


def build_library(folder):
    """Compiles kernel_times.c into `folder`, with the libcupti that it was made for beside it. Returns its path or None."""
    found, out = find_cupti(), os.path.join(folder, LIBRARY)
    if not found:
        return None
    headers, library, record = found
    os.makedirs(folder, exist_ok=True)
    cuda = next((f"{home}/include" for home in cuda_homes() if os.path.exists(f"{home}/include/cuda.h")), headers)
    command = ["gcc", "-O2", "-shared", "-fPIC", f"-I{headers}", f"-I{cuda}", f"-DKERNEL_RECORD={record}",
               f"{HERE}/kernel_times.c", library, "-Wl,-rpath,$ORIGIN", "-o", out]
    try:
        shutil.copy(os.path.realpath(library), folder)
        return out if subprocess.run(command, capture_output=True, check=False).returncode == 0 else None
    except OSError:
        return None


class Cupti:
    name = "cupti"

    def __init__(self, library):
        self.library = os.path.abspath(library)

    def environment(self, scratch):
        return {"CUDA_INJECTION64_PATH": self.library, "KERNEL_TIMES": f"{scratch}.kernels"}

    def prefix(self):
        return []

    def read(self, scratch, _):
        try:
            with open(f"{scratch}.kernels", encoding="utf-8", errors="replace") as file:
                pairs = [line.rstrip("\n").split(" ", 1) for line in file]
        except OSError:
            return None
        return [(name, int(ns)) for ns, name in pairs] or None


class NsightCompute:
    name = "ncu"
    NANOSECONDS = {"ns": 1, "nsecond": 1, "us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "s": 1e9, "second": 1e9}

    def environment(self, _):
        return {}

    def prefix(self):
        return ["ncu", "--clock-control", "none", "--metrics", "gpu__time_duration.sum", "--csv"]

    def read(self, _, output):
        rows = [line for line in output.split("\n") if line.startswith('"')]
        if len(rows) < 2:
            return None
        kernels = []
        for row in csv.DictReader(io.StringIO("\n".join(rows))):
            unit = self.NANOSECONDS.get(row.get("Metric Unit"))
            if unit:
                kernels.append((row["Kernel Name"], float(row["Metric Value"].replace(",", "")) * unit))
        return kernels or None


class Report:
    """No timer at all: what the runtime's report says about versions (run.py reads it anyway), the wall clock for the rest."""

    name = "device"

    def environment(self, _):
        return {}

    def prefix(self):
        return []

    def read(self, *_):
        return None


def candidates(folder, wanted):
    if wanted in ("auto", "cupti"):
        library = os.path.join(folder, "lib", LIBRARY)
        if os.path.exists(library):
            yield Cupti(library)
        built = build_library(os.path.join(folder, "lib", "here"))
        if built:
            yield Cupti(built)
    if wanted in ("auto", "ncu") and shutil.which("ncu"):
        yield NsightCompute()
    if wanted in ("auto", "device"):
        yield Report()
