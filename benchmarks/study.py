#!/usr/bin/env python3
"""The study in one command: runs every benchmark in every plan, and writes what came of it.

    study.py DIR [--subset] [--csv FILE]     on a GPU: DIR is what the target gpu-pack made (programs, runtime, CUDA sources)
    study.py DIR --csv FILE --confirm        the same, then the confirming pass, whose figures the report prefers
    study.py DIR --confirm --out FOLDER      all of it: tables and plots in FOLDER when it ends
    study.py --report FILE                   writes STUDY.md and plots/ from the CSV, wherever Python is
    study.py --build                         builds the programs first (where clang is); on a machine without a GPU, for the CPU
    study.py --stored CSV LAUNCHES OUT       makes cases for place-models of the CSV and what --launches stored
    study.py --accuracy CSV --out DIR        draws the models' accuracy from what place-models --csv printed

Without a GPU all programs run at small size through the CPU runner (test/simt): every result is checked, times mean nothing.

A run that was stopped goes on where it was: what the CSV already has is not run again. Needs Python 3.8 and, on the GPU
machine, a driver and libomptarget 19 on LD_LIBRARY_PATH; nvcc for the CUDA counterparts and CUPTI or ncu for kernel times,
where they were not packed. Exit status: 0 if everything ran and passed, 1 if something failed, 3 if time
ran out first.
"""

import argparse
import fnmatch
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from studylib import confirm, report, timers
from studylib.plans import KINDS, plans_of, read_cases
from studylib.results import TOTAL, Results, read_rows
from studylib.run import Runner
from studylib.tables import read_tables
from studylib import accuracy, stored

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def say(text):
    print(text, file=sys.stderr, flush=True)


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def gpus():
    """[(name, driver)] of the GPUs that a program sees."""
    lines = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").split("\n")
    return [tuple(line.split(", ")) for line in lines if line.count(", ") == 1]


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "")
    except OSError:
        model = ""
    return f"{model or platform.machine()} x {os.cpu_count()}"


def versions_of(folder):
    try:
        with open(os.path.join(folder, "versions.txt"), encoding="utf-8") as file:
            return "; ".join(file.read().split("\n")).strip("; ")
    except OSError:
        return ""


# ---- what is needed before a run ----


def build(folder, on_cpu):
    tree = os.path.join(ROOT, "build", "dev")
    if not os.path.exists(os.path.join(tree, "CMakeCache.txt")):
        subprocess.run(["cmake", "--preset", "dev"], cwd=ROOT, check=True)
    variable = f"PLACE_{'SIMT' if on_cpu else 'PACK'}_DIR={os.path.abspath(folder)}"
    subprocess.run(["cmake", f"-D{variable}", tree], cwd=ROOT, check=True)
    target = "simt-pack" if on_cpu else "gpu-pack"
    subprocess.run(["cmake", "--build", tree, "--target", target, "-j", str(os.cpu_count())], cwd=ROOT, check=True)


def build_cuda(folder, renew):
    """The counterparts that are missing (renew: or old), with nvcc, several at once. Without nvcc: what is there."""
    nvcc = shutil.which("nvcc") or next((f"{h}/bin/nvcc" for h in timers.cuda_homes() if os.path.exists(f"{h}/bin/nvcc")), None)
    out = os.path.join(folder, "cuda")
    os.makedirs(out, exist_ok=True)
    parts = [os.path.join(HERE, d, f) for d in ("common", "problems", "cuda") for f in os.listdir(os.path.join(HERE, d))]
    newest = max(os.path.getmtime(p) for p in parts if p.endswith((".h", ".c")))

    def is_due(source):
        name = os.path.join(out, os.path.basename(source)[:-3] + ".cuda")
        return not os.path.exists(name) or (renew and os.path.getmtime(name) < max(newest, os.path.getmtime(source)))

    def compile_one(source):
        name = os.path.join(out, os.path.basename(source)[:-3] + ".cuda")
        arch = os.environ.get("STUDY_ARCH", "sm_90")
        done = subprocess.run([nvcc, "-O3", "-std=c++17", f"-arch={arch}", source, os.path.join(out, "bench.o"), "-o", name],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            say(f"study: {os.path.basename(source)}: {done.stderr.strip()[-400:]}")

    due = [p for p in parts if p.endswith(".cu") and is_due(p)]
    if nvcc and due:
        common = os.path.join(HERE, "common", "bench.c")
        subprocess.run(["gcc", "-O2", "-c", common, "-o", os.path.join(out, "bench.o")], check=True)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compile_one, due))


def prepare(folder, renew):
    """What can be built ahead of a run: the library that times kernels, the CUDA counterparts."""
    if renew or not os.path.exists(os.path.join(folder, "lib", timers.LIBRARY)):
        timers.build_library(os.path.join(folder, "lib"))
    build_cuda(folder, renew)


def choose_timer(runner, folder, wanted):
    """The first timer that sees a kernel of a short run."""
    programs = sorted(name for name in os.listdir(os.path.join(folder, "bin")) if name.endswith(".plain"))
    name = "triad.plain" if "triad.plain" in programs else programs[0]
    program = os.path.join(folder, "bin", name)
    output, status = runner.execute([program, "small", "--launches", "3"], {})[:2]
    if status != 0:
        sys.exit(f"study: nothing runs here; {name} says: {' '.join(output.split())[-600:]}")
    for timer in timers.candidates(folder, wanted):
        runner.timer, scratch = timer, os.path.join(runner.scratch, "timer")
        output, *_ = runner.execute(timer.prefix() + [program, "small", "--launches", "3"], timer.environment(scratch))
        kernels = timer.read(scratch, output)
        if timer.name == "device" or (kernels and all(ns > 0 for _, ns in kernels)):
            return timer
        say(f"study: no kernel times by {timer.name}: {' '.join(output.split())[-200:]}")
    sys.exit(f"study: no timer '{wanted}' here")


# ---- the run ----


class Queue:
    """Runs still to be done, of one GPU; and when to stop."""

    def __init__(self, jobs, deadline):
        self.jobs, self.deadline, self.lock = jobs, deadline, threading.Lock()

    def take(self):
        with self.lock:
            return self.jobs.pop(0) if self.jobs and time.monotonic() < self.deadline else None


class Progress:
    def __init__(self, total):
        self.total, self.done, self.started, self.lock = total, 0, time.monotonic(), threading.Lock()

    def note(self, row):
        with self.lock:
            self.done += 1
            left = (time.monotonic() - self.started) / self.done * (self.total - self.done)
            say(f"[{self.done}/{self.total}] {row['case']} {row['plan']} #{row['round']}: {row.get('median_ms') or '-'} ms"
                f" {row.get('version', '')} {row['verdict']}   left {left // 60:.0f} min {left % 60:02.0f} s")


def cases_to_run(arguments, folder, on_cpu, level):
    """The cases asked for, the daily ones first; the regions of each program; names of cases whose program is missing."""
    cases, regions, missing = [], {}, []
    for case in sorted(read_cases(arguments.case_list, on_cpu), key=lambda c: KINDS.index(c.kind)):
        if arguments.cases and not any(fnmatch.fnmatch(case.name, pattern) for pattern in arguments.cases):
            continue
        if level == "subset" and case.kind != "daily":
            continue
        placed = os.path.join(folder, "bin", f"{case.program}.place")
        if not os.path.exists(placed):
            missing.append(case.name)
            continue
        if case.program not in regions:
            regions[case.program] = read_tables(placed)
        cuda = os.path.exists(os.path.join(folder, "cuda", f"{case.program}.cuda"))
        cases.append(case if cuda else case._replace(cuda=[]))
    return cases, regions, missing


def first_pass(cases, regions, results, arguments, on_cpu, level):
    """(case, plan, round, regions) still to be done, case after case, in each of which all plans take turns."""
    jobs = []
    for case in cases:
        plans = plans_of(case, regions[case.program], level, arguments.rounds, on_cpu)
        for turn in range(1, max(plan.rounds for plan in plans) + 1):
            jobs += [(case, plan, turn, regions[case.program]) for plan in plans
                     if turn <= plan.rounds and not results.has(case.name, plan.name, turn)]
    return jobs


def work(queue, runner, results, progress, extra):
    while True:
        job = queue.take()
        if job is None:
            return
        case, plan, turn, regions = job
        rows = runner.run(case, plan, turn, regions, extra)
        results.add(rows)
        progress.note(rows[-1])


def warm_up(runner, folder, extra):
    """The first program would run at idle clocks."""
    program = os.path.join(folder, "bin", "conv1d.plain")
    if os.path.exists(program):
        runner.execute([program, "paper", "--launches", "200"], extra)


def run_jobs(jobs, runner, results, deadline, devices, share, at_once):
    """All of them, some at once on each device; returns how many were left when time was out. share: {case: its device}."""
    progress, threads = Progress(len(jobs)), []
    for device in range(max(1, len(devices))):
        extra = {"BENCH_GATE": os.path.join(runner.scratch, f"gate{device}")} if at_once > 1 and devices else {}
        if len(devices) > 1:
            extra["CUDA_VISIBLE_DEVICES"] = str(device)
        if devices and jobs and time.monotonic() < deadline:
            warm_up(runner, runner.folder, extra)
        queue = Queue([job for job in jobs if share[job[0].name] == device], deadline)
        threads += [threading.Thread(target=work, args=(queue, runner, results, progress, extra)) for _ in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(jobs) - progress.done


def measure(arguments, folder, scratch):
    devices = [] if arguments.cpu else gpus()
    on_cpu = not devices
    level = "exhaustive" if arguments.exhaustive else "subset" if arguments.subset else "full"
    results = Results(arguments.csv, arguments.retry)
    facts = {"size": "small" if on_cpu else "paper", "gpu": devices[0][0] if devices else "none (CPU runner)",
             "driver": devices[0][1] if devices else "", "host": processor(), "versions": versions_of(folder)}
    environment = {"OMP_TARGET_OFFLOAD": "MANDATORY", **({"OMP_NUM_THREADS": "2"} if on_cpu else {})}
    launches = os.path.abspath(arguments.launches) if arguments.launches else None
    runner = Runner(folder, scratch, timers.Report(), facts, arguments.limit, environment, launches)
    if not on_cpu:
        prepare(folder, renew=False)
        runner.timer = choose_timer(runner, folder, arguments.timer)
    cases, regions, missing = cases_to_run(arguments, folder, on_cpu, level)
    deadline = arguments.started + (1e9 if arguments.seconds is None else arguments.seconds)
    jobs = first_pass(cases, regions, results, arguments, on_cpu, level)
    say(f"study: {len(jobs)} runs on {facts['gpu']}, {max(1, len(devices))} device(s), {arguments.jobs} at a time on each; "
        f"kernel times from {runner.timer.name}; {len(results.done)} runs are in {arguments.csv} already")
    # a case's runs all go to one device, so that what is compared ran on the same one
    share = {case.name: i % max(1, len(devices)) for i, case in enumerate(cases)}
    left = run_jobs(jobs, runner, results, deadline, devices, share, arguments.jobs)
    for stage in confirm.stages(arguments.rounds) if arguments.confirm else ():
        jobs = confirm.jobs_of_stage(stage, cases, regions, results, on_cpu)
        say(f"study: confirming, {'launched once' if stage == 'once' else f'round {stage}'}: {len(jobs)} runs, one at a time")
        left += run_jobs(jobs, runner, results, deadline, devices, share, 1)
    return finish(results, left, missing)


def finish(results, left, missing):
    bad = report.failures(results.rows)
    runs = sum(row["region"] == TOTAL for row in results.rows)
    for row, why in bad:
        say(f"study: {row['case']} {row['plan']} #{row['round']}: {why} {row['note'][:300]}")
    print(f"{runs - len(bad)} passed, {len(bad)} failed, {left} left for another run with the same --csv")
    if missing:
        print(f"not built, so not run: {', '.join(missing)}")
    return 1 if bad or missing else 3 if left or not runs else 0


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", help="what gpu-pack made (default: build/gpu, or build/simt without a GPU)")
    parser.add_argument("--csv", default="study.csv", help="raw results, added to (study.csv)")
    parser.add_argument("--subset", action="store_true", help="daily cases; no models but the rules, no agnostic versions")
    parser.add_argument("--exhaustive", action="store_true", help="also every plan that has no version of its own (at most 64)")
    parser.add_argument("--cases", nargs="+", metavar="PATTERN", help="only these cases")
    parser.add_argument("--case-list", default=os.path.join(HERE, "study-cases.txt"), help="the list of cases")
    parser.add_argument("--rounds", type=int, default=1, help="how often each plan has its turn (1; plain and automatic twice)")
    parser.add_argument("--confirm", action="store_true",
                        help="then run what matters again, one program at a time, for the report")
    parser.add_argument("--seconds", type=float, help="stop cleanly after so long")
    parser.add_argument("--jobs", type=int, default=1, help="runs at once on each GPU; their launches wait for one another (1)")
    parser.add_argument("--launches", metavar="DIR", help="store launches and what forced plans took there, for place-models")
    parser.add_argument("--retry", action="store_true", help="run again what did not pass")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run (120)")
    parser.add_argument("--timer", choices=("auto", "cupti", "ncu", "device"), default="auto", help="source of kernel times")
    parser.add_argument("--cpu", action="store_true", help="use the CPU runner even where a GPU is")
    parser.add_argument("--build", action="store_true", help="build the programs first")
    parser.add_argument("--prepare", action="store_true", help="only build what needs nvcc and CUPTI, into the folder")
    parser.add_argument("--report", metavar="CSV", help="write STUDY.md and plots/ from this CSV")
    parser.add_argument("--stored", nargs=3, metavar=("CSV", "LAUNCHES", "OUT"), help="write cases for place-models into OUT")
    parser.add_argument("--accuracy", metavar="CSV", help="draw accuracy.svg and ranks.svg from place-models --csv")
    parser.add_argument("--out", metavar="DIR", help="where the report goes (the folder of this script); with a run: written "
                        "when it ends")
    return parser.parse_args(words)


def write_report(arguments, table, out):
    os.makedirs(out, exist_ok=True)
    report.write(read_rows(table), out, os.path.basename(table), read_cases(arguments.case_list, on_cpu=False))


def main(words):
    started = time.monotonic()
    arguments = parse(words)
    arguments.started = started
    if arguments.report:
        write_report(arguments, arguments.report, arguments.out or HERE)
        return 0
    if arguments.accuracy:
        accuracy.write(arguments.accuracy, arguments.out or HERE)
        return 0
    if arguments.stored:
        table, launches, out = arguments.stored
        for case, region, what in stored.write(read_rows(table), launches, out):
            say(f"study: {case} {region}: {what}")
        return 0
    on_cpu = arguments.cpu or not gpus()
    folder = arguments.folder or os.path.join(ROOT, "build", "simt" if on_cpu else "gpu")
    if arguments.prepare:
        prepare(folder, renew=True)
        return 0
    if arguments.build:
        build(folder, on_cpu)
    with tempfile.TemporaryDirectory() as scratch:
        status = measure(arguments, os.path.abspath(folder), scratch)
    if arguments.out:
        write_report(arguments, arguments.csv, arguments.out)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
