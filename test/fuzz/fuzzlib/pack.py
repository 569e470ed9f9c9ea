"""Compiles programs for sm_90, plain and with the plugin, into a folder that test/gpu's judge.sh runs and judges."""

import multiprocessing
import os
import shutil
from pathlib import Path

from fuzzlib.campaign import source_of
from fuzzlib.generate import generated
from fuzzlib.judge import Judge
from fuzzlib.tools import ROOT, find_tools, limited

SCRIPT = """#!/usr/bin/env bash
# Runs the generated programs on this machine's GPU: plain, as place chooses, and with every kind of version forced; needs what
# judge.sh needs. Arguments and environment: those of judge.sh. With FUZZ_SANITIZER=memcheck or racecheck: the first
# FUZZ_COUNT (50) programs under compute-sanitizer instead, with a few launches each.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PLACE_PATIENCE=0
[[ -n ${FUZZ_SANITIZER:-} ]] || exec "$here/judge.sh" "$@"
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib PLACE_TEST_ROUNDS=8 OMP_TARGET_OFFLOAD=MANDATORY
passed=0 failed=0
for program in $(ls "$here"/bin/*.place | sort -V | head -n "${FUZZ_COUNT:-50}"); do
  if timeout 300 compute-sanitizer --tool "$FUZZ_SANITIZER" --error-exitcode 9 "$program" >"$program.log" 2>&1; then
    passed=$((passed + 1)) && rm "$program.log"
  else
    failed=$((failed + 1)) && echo "$(basename "$program"): $FUZZ_SANITIZER: exit $?, see $program.log"
  fi
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
"""


def compiled(job):
    """One program, both builds. Returns (name, what failed or '')."""
    seed, out = job
    tools, source = find_tools(), source_of(generated(seed))
    work = Path(out) / "source"
    judge = Judge(tools, work)
    files = judge.write(source)
    compiler = f"{tools.clang}/clang{'++' if source.language == 'cpp' else ''}"
    common = ["-O3", "-fopenmp", "-w", "-Wno-pass-failed", "--offload-arch=sm_90", f"--cuda-path={tools.cuda}",
              f"--libomptarget-nvptx-bc-path={tools.libdir}", f"-L{tools.libdir}", "-s"]
    if source.other:
        common += ["-x", "c"] if source.language == "c" else []
    for build, plugin in (("plain", []), ("place", [f"-fplugin={tools.plugin}"])):
        target = Path(out) / "bin" / f"{source.name}.{build}"
        ended = limited([compiler, *common, *plugin, *files, "-lm", "-o", str(target)], judge.base_environment(), 120, 400, work)
        if ended.status != 0:
            return source.name, f"{build}: {ended.output[:300]}"
    return source.name, ""


def pack(options):
    out, tools = options.out.resolve(), find_tools()
    shutil.rmtree(out, ignore_errors=True)
    for folder in ("bin", "lib", "share/place/machines", "source"):
        (out / folder).mkdir(parents=True)
    failed = []
    with multiprocessing.Pool(options.jobs, initializer=os.nice, initargs=(5,)) as pool, (out / "cases.txt").open("w") as cases:
        for name, message in pool.imap_unordered(compiled, [(seed, str(out)) for seed in options.seeds]):
            if message:
                failed.append(name)
                print(f"{name}: {message}", flush=True)
            else:
                cases.write(f"{name} {name}\n")
    _runtime(out, tools)
    shutil.copy(ROOT / "test" / "gpu" / "judge.sh", out / "judge.sh")
    for machine in (ROOT / "msl" / "machines").glob("*.msl"):
        shutil.copy(machine, out / "share" / "place" / "machines")
    (out / "run.sh").write_text(SCRIPT)
    (out / "run.sh").chmod(0o755)
    print(f"{len(options.seeds) - len(failed)} programs in {out}, {len(failed)} not compiled; run {out.name}/run.sh on a machine with a GPU")
    return 1 if failed else 0


def _runtime(out, tools):
    """libplacert.so, and what it needs beyond a C library, LLVM's and OpenMP's own."""
    shutil.copy(tools.runtime, out / "lib")
    environment = os.environ | {"LD_LIBRARY_PATH": tools.libdir}
    for line in limited(["ldd", tools.runtime], environment, 10, 20).output.splitlines():
        words = line.split()
        if len(words) > 2 and words[2].startswith("/") and not words[0].startswith(
                ("libc.so", "libm.so", "libdl.so", "libpthread.so", "libomp", "libLLVM", "libstdc++.so", "libgcc_s.so")):
            shutil.copy(words[2], out / "lib" / words[0])
