"""Compiles programs for sm_90 with the plugin, into a folder whose run.sh runs and judges them on a machine with a GPU."""

import dataclasses
import multiprocessing
import os
import re
import shutil
from pathlib import Path

from fuzzlib.campaign import source_of
from fuzzlib.generate import generated
from fuzzlib.judge import Judge
from fuzzlib.tools import ROOT, find_tools, limited

# A pointer in declare target, mapped with what it points to: on NVIDIA GPUs libomptarget 19 launches no kernel that has one in its clauses
# ("too many resources requested for launch"), plain clang's or another.
NAMED = re.compile(r"map\((\w+) : (\w+), \2\[")
SONAME = re.compile(r'PLACE_RUNTIME_SONAME "(.*)"')

SCRIPT = """#!/usr/bin/env bash
# Runs the generated programs on this machine's GPU; needs python3, a driver, and libomptarget 19 on LD_LIBRARY_PATH. Arguments:
# those of `fuzz.py gpu` (-h shows them).
exec python3 "$(dirname "${BASH_SOURCE[0]}")/test/fuzz/fuzz.py" gpu "$(dirname "${BASH_SOURCE[0]}")" "$@"
"""


def for_gpus(text):
    """A program's text for GPUs: such pointers are mapped as others are."""
    return NAMED.sub(r"map(\1 : \2[", text)


def compiled(job):
    """One program. Returns (name, what failed or '')."""
    seed, out = job
    tools, source = find_tools(), source_of(generated(seed))
    source = dataclasses.replace(source, text=for_gpus(source.text))
    work = Path(out) / "source"
    judge = Judge(tools, work)
    files = judge.write(source)
    compiler = f"{tools.clang}/clang{'++' if source.language == 'cpp' else ''}"
    common = ["-O3", "-fopenmp", "-w", "-Wno-pass-failed", "--offload-arch=sm_90", f"--cuda-path={tools.cuda}",
              f"--libomptarget-nvptx-bc-path={tools.libdir}", f"-L{tools.libdir}", "-s", *source.flags]
    if source.other:
        common += ["-x", "c"] if source.language == "c" else []
    target = Path(out) / "bin" / f"{source.name}.place"
    command = [compiler, *common, f"-fplugin={tools.plugin}", *files, "-lm", "-o", str(target)]
    ended = limited(command, judge.base_environment(), 120, 600, work)
    if ended.status != 0:
        return source.name, ended.output[:300] or "timeout"
    return source.name, ""


def pack(options):
    out, tools = options.out.resolve(), find_tools()
    shutil.rmtree(out, ignore_errors=True)
    for folder in ("bin", "lib", "share/place/machines", "source"):
        (out / folder).mkdir(parents=True)
    failed = []
    with multiprocessing.Pool(options.jobs, initializer=os.nice, initargs=(5,)) as pool:
        for name, message in pool.imap_unordered(compiled, [(seed, str(out)) for seed in options.seeds]):
            if message:
                failed.append(name)
                print(f"{name}: {message}", flush=True)
    _runtime(out, tools)
    _scripts(out)
    for machine in (ROOT / "msl" / "machines").glob("*.msl"):
        shutil.copy(machine, out / "share" / "place" / "machines")
    (out / "run.sh").write_text(SCRIPT)
    (out / "run.sh").chmod(0o755)
    print(f"{len(options.seeds) - len(failed)} programs in {out}, {len(failed)} not compiled; run {out.name}/run.sh on a machine with a GPU")
    return 1 if failed else 0


def _scripts(out):
    """What runs there, with what it reads, where it lies here."""
    shutil.copytree(ROOT / "test" / "fuzz", out / "test" / "fuzz", ignore=shutil.ignore_patterns("__pycache__", "found", "regressions", "tests"))
    (out / "include" / "place").mkdir(parents=True)
    shutil.copy(ROOT / "include" / "place" / "space.def", out / "include" / "place")


def _runtime(out, tools):
    """libplacert.so by the name that programs open, and what it needs beyond a C library, LLVM's and OpenMP's own."""
    shutil.copy(tools.runtime, out / "lib" / SONAME.search((ROOT / "include" / "place" / "abi.h").read_text()).group(1))
    environment = os.environ | {"LD_LIBRARY_PATH": tools.libdir}
    for line in limited(["ldd", tools.runtime], environment, 10, 20).output.splitlines():
        words = line.split()
        if len(words) > 2 and words[2].startswith("/") and not words[0].startswith(
                ("libc.so", "libm.so", "libdl.so", "libpthread.so", "libomp", "libLLVM", "libstdc++.so", "libgcc_s.so")):
            shutil.copy(words[2], out / "lib" / words[0])
