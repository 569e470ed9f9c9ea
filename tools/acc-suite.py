#!/usr/bin/env python3
"""acc-suite.py FOLDER: builds and runs the public OpenACC validation suite with the plugin, on libomptarget's x86-64 device.

FOLDER is a copy of github.com/OpenACCUserGroup/OpenACCV-V; docs/openacc.md names the commit that its figures are of. A line for each
test that fails, with the first thing that was said, then how many passed. The exit status is 0 if at least --least of them did.

  tools/acc-suite.py ~/OpenACCV-V                                   the C tests
  tools/acc-suite.py ~/OpenACCV-V --language c++ --only 'atomic*'   some of the C++ tests
  tools/acc-suite.py ~/OpenACCV-V --results r.jsonl                 goes on where it was stopped; without what has passed: --again
  tools/acc-suite.py ~/OpenACCV-V --shared                          where host and device share memory, as a multicore host does
  tools/acc-suite.py ~/OpenACCV-V --arch sm_90 --keep there         for a GPU: builds only; there/run.sh OUT runs them
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test", "fuzz"))
from acc_suite_run import first_words, verdict  # noqa: E402
from fuzzlib.tools import limited  # noqa: E402

LLVM = os.environ.get("PLACE_LLVM", "/usr/lib/llvm-19")
# Programs of the suite that never end would stop the campaign; the slowest that passes takes a few seconds.
COMPILE_SECONDS, RUN_SECONDS = 300, 60
RUN_SH = """#!/usr/bin/env bash
# run.sh OUT [OPTIONS]: runs the programs here on this machine's GPU; --help says how.
exec python3 "$(dirname "$0")/acc_suite_run.py" "$@"
"""
# An exit status tells of so many parts; with more, a test gets its main from this file.
STATUS_BITS, MAIN = 8, os.path.join(ROOT, "tools", "acc_suite_main.c")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="the suite: the folder that holds Tests/")
    parser.add_argument("--language", choices=["c", "c++"], default="c")
    parser.add_argument("--only", default="*", help="names of tests, without their ending, with * and ?")
    parser.add_argument("--level", default="-O1", help="clang's optimisation (default -O1)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "dev"), help="where the plugin was built (default build/dev)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--least", type=int, default=0, help="fail if fewer pass")
    parser.add_argument("--results", help="a file of results to add to; tests in it are not run again")
    parser.add_argument("--again", action="store_true", help="with --results: run what did not pass again")
    parser.add_argument("--shared", action="store_true", help="host and device share memory (-fopenmp-force-usm)")
    parser.add_argument("--arch", help="a GPU, such as sm_90: build for it, run nothing")
    parser.add_argument("--keep", help="with --arch: the folder for the programs")
    given = parser.parse_args()
    if not os.path.isdir(os.path.join(given.folder, "Tests")):
        parser.error(f"{given.folder} has no folder Tests: the suite is github.com/OpenACCUserGroup/OpenACCV-V")
    if bool(given.arch) != bool(given.keep):
        parser.error("--arch and --keep go together")
    return given


def parts_of(source):
    """How many parts a test has."""
    with open(source, errors="replace") as text:
        return max(map(int, re.findall(r"^#ifndef T(\d+)", text.read(), re.M)), default=0)


def command(given, source, program):
    clang = os.path.join(LLVM, "bin", "clang++" if given.language == "c++" else "clang")
    libraries = os.path.join(LLVM, "lib")
    line = [clang, given.level, "-w", "-fopenmp", f"-fplugin={os.path.join(given.build, 'lib', 'libplace.so')}", source, "-o", program,
            "-lm", "-Wl,--as-needed", "-latomic", "-Wl,--no-as-needed",
            f"-L{libraries}", f"-Wl,-rpath,{libraries}"] + ["-fopenmp-force-usm"] * given.shared
    if parts_of(source) > STATUS_BITS:
        line += ["-Dmain=parts_of_test", MAIN]
    if given.arch:
        return line + [f"--offload-arch={given.arch}", f"--cuda-path={os.path.join(ROOT, 'build', 'cuda')}",
                       f"--libomptarget-nvptx-bc-path={libraries}", "-s"]
    return line + ["-fopenmp-targets=x86_64-pc-linux-gnu", f"-Wl,-rpath,{os.path.join(given.build, 'lib')}"]


def attempt(line, seconds):
    """How a command ended (fuzzlib.tools.Ended)."""
    cpu_seconds = seconds * (os.cpu_count() or 1)  # so that only time on the wall counts
    return limited(line, {**os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY", "LIBRARY_PATH": os.path.join(LLVM, "lib")}, cpu_seconds, seconds)


def judge(given, source, folder):
    """What became of one test: pass, or the kind of its failure, and what was said."""
    name = os.path.splitext(os.path.basename(source))[0]
    program = os.path.join(folder, name + ".test")
    built = attempt(command(given, source, program), COMPILE_SECONDS)
    if built.status != 0:
        return {"test": name, "result": "compile-hang" if built.status is None else "compile-error", "said": first_words(built.output)}
    if given.arch:
        return {"test": name, "result": "pass", "said": ""}
    ended = attempt([program], RUN_SECONDS)
    os.remove(program)
    row = verdict(name, ended.status, ended.output)
    return {"test": name, "result": row.result, "said": f"{row.parts} {row.said}".strip()}


def recorded(given):
    if not given.results or not os.path.exists(given.results):
        return {}
    with open(given.results) as lines:
        known = {row["test"]: row for row in map(json.loads, lines)}
    return {name: row for name, row in known.items() if not given.again or row["result"] == "pass"}


def run_all(given, sources, folder):
    known = recorded(given)
    name_of = lambda source: os.path.splitext(os.path.basename(source))[0]
    rows = [known[name_of(s)] for s in sources if name_of(s) in known]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        waiting = [pool.submit(judge, given, s, folder) for s in sources if name_of(s) not in known]
        for done in concurrent.futures.as_completed(waiting):
            rows.append(done.result())
            if given.results:
                with open(given.results, "a") as out:
                    out.write(json.dumps(rows[-1]) + "\n")
    return rows


def pack(given, folder, unbuilt):
    """What the machine with the GPU needs beside the programs: the runtime, the script, and what there is no program of."""
    os.makedirs(os.path.join(folder, "lib"), exist_ok=True)
    shutil.copy(os.path.join(given.build, "lib", "libplacert.so.2"), os.path.join(folder, "lib"))
    shutil.copy(os.path.join(ROOT, "tools", "acc_suite_run.py"), folder)
    with open(os.path.join(folder, "not-built"), "w") as out:
        out.writelines(line + "\n" for line in unbuilt)
    with open(os.path.join(folder, "run.sh"), "w") as out:
        out.write(RUN_SH)
    os.chmod(os.path.join(folder, "run.sh"), 0o755)


def main():
    given = arguments()
    tests = os.path.join(given.folder, "Tests")
    ending = ".cpp" if given.language == "c++" else ".c"
    sources = sorted(os.path.join(tests, f) for f in os.listdir(tests) if f.endswith(ending) and fnmatch.fnmatch(f[:-len(ending)], given.only))
    folder = given.keep or tempfile.mkdtemp(prefix="acc-suite.")
    os.makedirs(folder, exist_ok=True)
    try:
        rows = run_all(given, sources, folder)
    finally:
        if not given.keep:
            shutil.rmtree(folder)
    rows.sort(key=lambda row: row["test"])
    said = [f"{row['test']}: {row['result']}: {row['said']}" for row in rows if row["result"] != "pass"]
    if given.keep:
        pack(given, folder, said)
    for line in said:
        print(line)
    passed = sum(row["result"] == "pass" for row in rows)
    print(f"{passed} of {len(rows)} {'built' if given.arch else 'passed'}")
    return 0 if rows and passed >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
