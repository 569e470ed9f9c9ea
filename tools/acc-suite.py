#!/usr/bin/env python3
"""acc-suite.py FOLDER: builds and runs the public OpenACC validation suite with the plugin, on libomptarget's x86-64 device.

FOLDER is a copy of github.com/OpenACCUserGroup/OpenACCV-V; docs/openacc.md names the commit that its figures are of. A line for each
test that fails, with the first thing that was said, then how many passed. The exit status is 0 if at least --least of them did.

  tools/acc-suite.py ~/OpenACCV-V                                   the C tests
  tools/acc-suite.py ~/OpenACCV-V --language c++ --only 'atomic*'   some of the C++ tests
  tools/acc-suite.py ~/OpenACCV-V --results r.jsonl                 goes on where it was stopped; without what has passed: --again
  tools/acc-suite.py ~/OpenACCV-V --shared                          where host and device share memory, as a multicore host does
  tools/acc-suite.py ~/OpenACCV-V --arch sm_90 --keep there         for a GPU: builds only; there/run.sh runs them
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test", "fuzz"))
from fuzzlib.tools import limited  # noqa: E402

LLVM = os.environ.get("PLACE_LLVM", "/usr/lib/llvm-19")
# Programs of the suite that never end would stop the campaign; the slowest that passes takes a few seconds.
COMPILE_SECONDS, RUN_SECONDS = 300, 60
RUN_SH = r"""#!/usr/bin/env bash
# run.sh [JOBS [SECONDS]]: runs every program here, JOBS at a time (as many as there are processors), SECONDS each at most (60).
# `NAME: status N: LINE` for each that fails, with the last line that it printed (124: it did not end), then how many passed.
set -uo pipefail
cd "$(dirname "$0")" || exit 2
jobs=${1:-$(nproc)} seconds=${2:-60}
rm -f -- *.out *.status
export OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}.
printf '%s\0' *.test |
  xargs -0 -P "$jobs" -I@ sh -c "timeout -k 1 $seconds ./@ > @.out 2>&1 < /dev/null; echo \$? > @.status"
passed=0 all=0
for program in *.test; do
  all=$((all + 1)) status=$(cat "$program.status")
  if [[ $status -eq 0 ]]; then
    passed=$((passed + 1))
  else
    printf '%s: status %s: %s\n' "${program%.test}" "$status" "$(tail -n 1 "$program.out" | cut -c 1-200)"
  fi
done
echo "$passed of $all passed"
"""


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


def command(given, source, program):
    clang = os.path.join(LLVM, "bin", "clang++" if given.language == "c++" else "clang")
    libraries = os.path.join(LLVM, "lib")
    line = [clang, given.level, "-w", "-fopenmp", f"-fplugin={os.path.join(given.build, 'lib', 'libplace.so')}", source, "-o", program,
            "-lm", "-Wl,--as-needed", "-latomic", "-Wl,--no-as-needed",
            f"-L{libraries}", f"-Wl,-rpath,{libraries}"] + ["-fopenmp-force-usm"] * given.shared
    if given.arch:
        return line + [f"--offload-arch={given.arch}", f"--cuda-path={os.path.join(ROOT, 'build', 'cuda')}",
                       f"--libomptarget-nvptx-bc-path={libraries}", "-s"]
    return line + ["-fopenmp-targets=x86_64-pc-linux-gnu", f"-Wl,-rpath,{os.path.join(given.build, 'lib')}"]


def first_words(text):
    """The line of an output that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[0] if lines else "")[:300]


def attempt(line, seconds):
    """How a command ended (fuzzlib.tools.Ended)."""
    cpu_seconds = seconds * (os.cpu_count() or 1)  # so that only time on the wall counts
    return limited(line, {**os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY", "LIBRARY_PATH": os.path.join(LLVM, "lib")}, cpu_seconds, seconds)


def judge(given, source, folder):
    """What became of one test: passed, or the kind of its failure, and what was said."""
    name = os.path.splitext(os.path.basename(source))[0]
    program = os.path.join(folder, name + ".test")
    built = attempt(command(given, source, program), COMPILE_SECONDS)
    if built.status != 0:
        return {"test": name, "result": "compile-hang" if built.status is None else "compile-error", "said": first_words(built.output)}
    if given.arch:
        return {"test": name, "result": "passed", "said": ""}
    ended = attempt([program], RUN_SECONDS)
    status, said = ended.status, ended.output
    os.remove(program)
    if status is None:
        return {"test": name, "result": "hang", "said": first_words(said)}
    if status < 0:
        return {"test": name, "result": "crash", "said": f"signal {-status} {first_words(said)}"}
    # The bits of the exit status are the parts of the test that failed.
    parts = ", ".join(f"T{bit + 1}" for bit in range(8) if status >> bit & 1)
    return {"test": name, "result": "wrong" if status else "passed", "said": f"{parts} {first_words(said)}".strip() if status else ""}


def recorded(given):
    if not given.results or not os.path.exists(given.results):
        return {}
    with open(given.results) as lines:
        known = {row["test"]: row for row in map(json.loads, lines)}
    return {name: row for name, row in known.items() if not given.again or row["result"] == "passed"}


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
    if given.keep:
        with open(os.path.join(folder, "run.sh"), "w") as out:
            out.write(RUN_SH)
        os.chmod(os.path.join(folder, "run.sh"), 0o755)
    for row in sorted(rows, key=lambda row: row["test"]):
        if row["result"] != "passed":
            print(f"{row['test']}: {row['result']}: {row['said']}")
    passed = sum(row["result"] == "passed" for row in rows)
    print(f"{passed} of {len(rows)} {'built' if given.arch else 'passed'}")
    return 0 if rows and passed >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
