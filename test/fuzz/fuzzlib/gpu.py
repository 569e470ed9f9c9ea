"""Runs packed programs on this machine's GPU, natively and under compute-sanitizer, for a limited time.

Stages come in the order of what they tell; each says how many of its runs there was time for. A run that fails is repeated with
PLACE=off, and has `control:` before its kind if it fails then, too.
"""

import os
import random
import re
import shutil
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from fuzzlib.judge import Failure, Judge, controlled, run_failure
from fuzzlib.tools import find_tools, limited, normalized

SANITIZED_ROUNDS = 12  # launches until most versions of a region were tried once
RUN_CPU_S, RUN_WALL_S = 60, 60
FOUND = 9  # exit status of compute-sanitizer


@dataclass
class Run:
    """A program in one mode: (name, rounds, environment). tool: of compute-sanitizer, or ''."""

    program: Path
    mode: tuple
    tool: str = ""


def modes_of(program):
    """Its modes in an order of their own for each program: the first ones of all programs together meet every kind of version."""
    original, *others = Judge(find_tools(), program.parent).modes(program)
    chosen = [m for m in others if m[0] == "chosen"] or [original]
    forced = [m for m in others if m[0] not in ("chosen", "unmeasured")]
    random.Random(program.name).shuffle(forced)
    return chosen[0], forced, [m for m in others if m[0] == "unmeasured"] + [original]


class Session:
    """folder: a pack. limit_s: how long all stages may take together; say: prints a line; only: words of the stages' names."""

    def __init__(self, folder, jobs, limit_s, say=print, only=""):
        self.folder, self.jobs, self.say, self.only = Path(folder).resolve(), jobs, say, only
        self.end = time.monotonic() + limit_s
        self.stages = 0  # gone through
        self.logs = self.folder / "logs"
        self.logs.mkdir(exist_ok=True)
        self.failures = Counter()
        self.sanitizer = shutil.which("compute-sanitizer")

    def environment(self, extra):
        out = {k: v for k, v in os.environ.items() if not k.startswith(("PLACE_", "OMP_"))}
        # each array in an allocation of its own, so that memcheck sees what lies beyond it
        out.update(OMP_TARGET_OFFLOAD="MANDATORY", OMP_NUM_THREADS="2", PLACE_PATIENCE="0", LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD="0",
                   LD_LIBRARY_PATH=f"{os.environ.get('LD_LIBRARY_PATH', '')}:{self.folder / 'lib'}")
        return out | extra

    def failure(self, run):
        name, rounds, extra = run.mode
        command = [str(run.program)]
        if run.tool:
            command = [self.sanitizer, "--tool", run.tool, "--report-api-errors", "no", "--error-exitcode", str(FOUND)] + command
        ended = limited(command, self.environment(extra | {"PLACE_TEST_ROUNDS": str(rounds)}), RUN_CPU_S, RUN_WALL_S, self.folder)
        return sanitizer_failure(ended, run) if run.tool else run_failure(ended, name)

    def judge(self, run):
        """None, or a Failure; it is in the log. None as well when the time is up: see stage()."""
        if time.monotonic() > self.end:
            return "late"
        failure = self.failure(run)
        if failure:
            again = Run(run.program, ("control", run.mode[1], {"PLACE": "off"}), run.tool)
            failure = controlled(failure, self.failure(again))
            log = self.logs / f"{run.program.stem}.{run.tool or 'run'}.{re.sub(r'[^a-z0-9]+', '-', run.mode[0])}"
            log.write_text(f"{failure.kind}\n{failure.output}")
        return failure

    def stage(self, name, runs):
        if self.only not in name:
            return
        self.stages += 1
        started, done = time.monotonic(), 0
        with ThreadPoolExecutor(self.jobs) as pool:
            for run, failure in zip(runs, pool.map(self.judge, runs)):
                if failure == "late":
                    continue
                done += 1
                if failure:
                    self.failures[failure.kind] += 1
                    self.say(f"{run.program.stem} ({run.mode[0]}{', ' + run.tool if run.tool else ''}): {failure.kind}: {failure.detail}")
        self.say(f"{name}: {done} of {len(runs)} runs in {time.monotonic() - started:.0f} s")

    def sanitizes(self, program, mode):
        """Whether compute-sanitizer works on this machine: not with every driver."""
        if not self.sanitizer:
            self.say("no compute-sanitizer on PATH")
            return False
        ended = limited([self.sanitizer, "--tool", "memcheck", "--report-api-errors", "no", str(program)],
                        self.environment({"PLACE_TEST_ROUNDS": "1"} | mode[2]), RUN_CPU_S, RUN_WALL_S, self.folder)
        if re.search(r"^PASS ", ended.output, re.M):
            return True
        self.say(f"compute-sanitizer does not work here: {ended.output.strip()[-400:]}")
        return False


def sanitizer_failure(ended, run):
    """None, or what compute-sanitizer or the program itself reports."""
    lines = [line for line in ended.output.splitlines() if line.startswith("=========")]
    first = next((line for line in lines if re.search(r"Invalid|Error: |Race reported|Misaligned|Out-of-range|hazard", line)
                  and "SUMMARY" not in line), "")
    if ended.status == FOUND or first:
        kernels = sorted({"version" if "_place_" in kernel else "original" for kernel in re.findall(r"(__omp_offloading\w+)", ended.output)})
        return Failure(f"finding:{run.tool}", run.mode[0], normalized(f"{' and '.join(kernels)}: {first.strip('= ')}"), ended.output)
    return run_failure(ended, run.mode[0])


def gpu(options):
    """Action of `fuzz.py gpu`."""
    programs = sorted((options.pack / "bin").glob("*.place"), key=lambda p: (len(p.name), p.name))
    session = Session(options.pack, options.jobs, options.seconds, lambda text: print(text, flush=True), options.only)
    modes = {p: modes_of(p.resolve()) for p in programs}
    runs = {p: p.resolve() for p in programs}
    chosen = {p: ("chosen", SANITIZED_ROUNDS, modes[p][0][2]) for p in programs}
    session.stage("as chosen", [Run(runs[p], modes[p][0]) for p in programs])
    if programs and session.sanitizes(runs[programs[0]], chosen[programs[0]]):
        session.stage("memcheck, as chosen", [Run(runs[p], chosen[p], "memcheck") for p in programs])
        raced = [p for p in programs if modes[p][1]][: options.racecheck]
        session.stage("racecheck, as chosen", [Run(runs[p], chosen[p], "racecheck") for p in raced])
        session.stage("memcheck, one forced mode", [Run(runs[p], f, "memcheck") for p in programs for f in modes[p][1][:1]])
        session.stage("racecheck, one forced mode", [Run(runs[p], f, "racecheck") for p in raced for f in modes[p][1][1:2]])
    most = max((len(modes[p][1]) for p in programs), default=0)
    session.stage("forced modes", [Run(runs[p], modes[p][1][n]) for n in range(most) for p in programs if n < len(modes[p][1])])
    session.stage("unmeasured and original", [Run(runs[p], mode) for p in programs for mode in modes[p][2]])
    if not session.stages:
        print(f"no stage has '{options.only}' in its name", flush=True)
        return 1
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(session.failures.items())) or "no failure"
    print(f"{len(programs)} programs: {kinds}", flush=True)
    return 1 if not programs or any(not kind.startswith("control:") for kind in session.failures) else 0
