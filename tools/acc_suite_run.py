#!/usr/bin/env python3
"""run.sh OUT: runs the programs of this folder, which tools/acc-suite.py --keep has built, on this machine's GPU.

OUT gets results.txt, a line for each test (pass; fail and its parts; crash; error of the offloading library; timeout), and what failing
tests printed. Lines of tests that fail are printed, then the numbers. What fails is run a second time and once with PLACE=off, when all
tests have been reached. Needs python3, a driver, and libomptarget 19 on LD_LIBRARY_PATH; libplacert is in lib.

A program is killed with all it has started after --seconds; one that cannot be killed is left behind, and holds nothing up. Nothing is
started after --limit; the same command goes on with the tests that were not reached.
"""

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import json
import os
import re
import signal
import subprocess
import sys
import time

KILLED_SECONDS = 5  # that a killed program may take to go: the driver first takes down what it has on the GPU
OFFLOADING_ERROR = re.compile(r"omptarget (fatal )?error|PluginInterface error|CUDA error")
PARTS = re.compile(r"^failed parts: (.*)$", re.M)  # of tests with more parts than an exit status has bits (acc-suite.py)


@dataclasses.dataclass
class Verdict:
    """result: pass, fail, crash, error or timeout. parts: those of the test that failed. said: what was printed about it."""

    test: str
    result: str
    parts: str = ""
    said: str = ""
    seconds: float = 0.0
    second_time: str = ""
    place_off: str = ""

    def line(self):
        again = "".join(f"; {name}: {what}" for name, what in (("again", self.second_time), ("PLACE=off", self.place_off)) if what)
        return " ".join(filter(None, [f"{self.test}:", self.result, self.parts, f"{self.seconds:.1f}s{again}", self.said and f"({self.said})"]))

    def short(self):
        return f"{self.result} {self.parts}".strip()


def first_words(text):
    """The line of an output that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() and "Consult http" not in line]
    fatal = [line for line in errors if "fatal error" in line]
    return next(iter(fatal + errors + lines), "")[:300]


def verdict(test, status, output):
    """Of a test that ended with an exit status (negative: a signal; None: it ran past its limit)."""
    said = first_words(output)
    if status is None:
        return Verdict(test, "timeout", said=said)
    if status and OFFLOADING_ERROR.search(output):
        return Verdict(test, "error", said=said)
    if status < 0:
        return Verdict(test, "crash", said=f"signal {-status} {said}".strip())
    told = PARTS.search(output)
    # The bits of the exit status are the parts of the test that failed.
    parts = told.group(1) if told else " ".join(f"T{bit + 1}" for bit in range(8) if status >> bit & 1)
    return Verdict(test, "fail", parts, "" if told else said) if status else Verdict(test, "pass")


def ended(program, out, environment, seconds):
    """Exit status of a program whose output goes to a file; None if it did not end in time."""
    # No core files, and no more output than 4 MiB.
    command = ["sh", "-c", 'ulimit -c 0; ulimit -f 8192; exec "$0"', program]
    with open(out, "wb") as output:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(KILLED_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass


class Session:
    """given: the arguments. folder: where the programs are."""

    def __init__(self, given, folder):
        self.given, self.folder, self.out = given, folder, os.path.abspath(given.out)
        os.makedirs(self.out, exist_ok=True)
        self.end = time.monotonic() + given.limit
        self.record = os.path.join(self.out, "results.jsonl")
        self.known = {}
        if os.path.exists(self.record):
            with open(self.record) as lines:
                rows = [Verdict(**json.loads(line)) for line in lines if line.endswith("}\n")]
            self.known = {row.test: row for row in rows if fnmatch.fnmatch(row.test, given.only)}

    def environment(self, extra):
        libraries = [os.environ.get("LD_LIBRARY_PATH", ""), os.path.join(self.folder, "lib")]
        # What one program leaves in a store must not decide for another.
        return {"PLACE_STORE": "off", **os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY",
                "LD_LIBRARY_PATH": os.pathsep.join(filter(None, libraries)), **extra}

    def run(self, test, label="", extra=None):
        """The verdict on one run of a test, or None: the time is up."""
        started = time.monotonic()
        if started > self.end:
            return None
        out = os.path.join(self.out, test + label + ".out")
        status = ended(os.path.join(self.folder, test + ".test"), out, self.environment(extra or {}), self.given.seconds)
        with open(out, errors="replace") as lines:
            row = verdict(test, status, lines.read(1 << 20))
        row.seconds = round(time.monotonic() - started, 2)
        if row.result == "pass":
            os.remove(out)
        return row

    def all(self, tests, work):
        """What work(test) returns for each test, --jobs at a time, in the order in which they end; without what there was no time for."""
        with concurrent.futures.ThreadPoolExecutor(self.given.jobs) as pool:
            for done in concurrent.futures.as_completed([pool.submit(work, test) for test in tests]):
                if done.result():
                    yield done.result()

    def keep(self, row):
        self.known[row.test] = row
        with open(self.record, "a") as out:
            out.write(json.dumps(dataclasses.asdict(row)) + "\n")

    def once_more(self, test):
        """A failed test's verdict with how its second run and the one without place ended."""
        second, off = self.run(test, ".again"), self.run(test, ".off", {"PLACE": "off"})
        if not second or not off:
            return None
        return dataclasses.replace(self.known[test], second_time=second.short(), place_off=off.short())

    def report(self, tests, unbuilt):
        reached = [self.known[test] for test in tests if test in self.known]
        with open(os.path.join(self.out, "results.txt"), "w") as out:
            out.writelines(line + "\n" for line in [row.line() for row in reached] + unbuilt)
        for row in reached:
            if row.result != "pass":
                print(row.line()[:240])
        print(*unbuilt, sep="\n", end="\n" if unbuilt else "")
        slowest = sorted(reached, key=lambda row: -row.seconds)[:8]
        print("slowest:", ", ".join(f"{row.test} {row.seconds:.1f}s" for row in slowest))
        seconds = sorted(row.seconds for row in reached)
        print(f"a program, {self.given.jobs} at a time: {seconds[len(seconds) // 2] if seconds else 0:.1f} s (median)")
        kinds = {kind: sum(row.result == kind for row in reached) for kind in ("fail", "crash", "error", "timeout")}
        print(f"{sum(seconds):.0f} s in all programs together;", ", ".join(f"{kind} {n}" for kind, n in kinds.items()))
        passed = sum(row.result == "pass" for row in reached)
        print(f"{passed} of {len(tests) + len(unbuilt)} passed, {len(unbuilt)} not built, {len(tests) - len(reached)} not reached")
        return len(tests) == len(reached)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", help="the folder for results")
    parser.add_argument("--jobs", type=int, default=14, help="programs at a time (14)")
    parser.add_argument("--seconds", type=float, default=30, help="that a program may take (30)")
    parser.add_argument("--limit", type=float, default=260, help="seconds after which nothing is started (260)")
    parser.add_argument("--only", default="*", help="names of tests, with * and ?")
    return parser.parse_args()


def main():
    given, folder = arguments(), os.path.dirname(os.path.abspath(__file__))
    session = Session(given, folder)
    tests = sorted(name[:-len(".test")] for name in os.listdir(folder) if name.endswith(".test"))
    tests = [test for test in tests if fnmatch.fnmatch(test, given.only)]
    unbuilt = []
    if os.path.exists(os.path.join(folder, "not-built")):
        with open(os.path.join(folder, "not-built")) as lines:
            unbuilt = [line.rstrip("\n") for line in lines if fnmatch.fnmatch(line.split(":")[0], given.only)]
    waiting = [test for test in tests if test not in session.known]
    alone = session.run(waiting[0]) if waiting else None  # how long a program takes that has the GPU for itself
    if alone:
        session.keep(alone)
        print(f"{alone.test} alone: {alone.seconds:.1f} s", flush=True)
    for row in session.all(waiting[1:], session.run):
        session.keep(row)
    failed = [row.test for row in session.known.values() if row.result != "pass" and not row.place_off]
    for row in session.all(failed, session.once_more):
        session.keep(row)
    complete = session.report(tests, unbuilt)
    sys.stdout.flush()
    os._exit(0 if complete else 1)  # at once, whatever was left behind


if __name__ == "__main__":
    main()
