"""Runs one plan of one case and makes rows of it."""

import contextlib
import csv
import json
import os
import re
import signal
import statistics
import subprocess
import tempfile
import threading
import time

from .phases import extra_ns, phases_of, run_lengths, settled_at
from .plans import ONCE, asked_launches
from .results import CONFIRMED, TOTAL
from .tables import describe, split_kernel

LINE = re.compile(r"median=([\d.]+) best=([\d.]+) ms checksum=([0-9a-f]{16}) error=(\S+) (PASS|FAIL)")


def launches_of(kernels, launches):
    """Kernel nanoseconds of each launch, by region, the version that took most of the last launch, and what versions each
    launch ran, as a text: {region: ([ns], version, [versions])}.

    A region's kernels are shared out evenly among the launches, in order. Those that are left over come first: a warm-up.
    """
    by_region = {}
    for name, ns in kernels:
        region, version = split_kernel(name)
        by_region.setdefault(region, []).append((version, ns))
    shared = {}
    for region, all_kernels in by_region.items():
        each = len(all_kernels) // launches
        if each == 0:
            continue  # not part of every launch
        rest = all_kernels[len(all_kernels) - each * launches:]
        parts = [rest[i * each:(i + 1) * each] for i in range(launches)]
        time_of = {}
        for version, ns in parts[-1]:
            time_of[version] = time_of.get(version, 0) + ns
        shared[region] = ([sum(ns for _, ns in part) for part in parts], max(time_of, key=time_of.get),
                          [" ".join(version for version, _ in part) for part in parts])
    return shared


def kernels_of(versions):
    """How many kernels a launch of the program was, from the text of their versions."""
    return versions.count(" ") + 1


def spread(values):
    """Median, least and greatest, from nanoseconds to milliseconds."""
    return {"median_ms": f"{statistics.median(values) / 1e6:.6f}", "min_ms": f"{min(values) / 1e6:.6f}",
            "max_ms": f"{max(values) / 1e6:.6f}"}


def from_report(report, launches):
    """{region: (nanoseconds a launch, placement)} as the runtime measured it; regions that it did not time are missing."""
    times = {}
    for region in (report or {}).get("regions", []):
        classes = [c for c in region["classes"] if c["launches"]]
        ns = [c["kernel_ns"] or c["base_kernel_ns"] for c in classes]
        if classes and all(ns):
            name = split_kernel(region["entry"])[0]
            times[name] = sum(n * c["launches"] for n, c in zip(ns, classes)) / launches
    return times


def placement_of(report, name):
    """What the runtime says of a region's most launched class: ("taps constant", why it was left alone)."""
    for region in (report or {}).get("regions", []):
        if split_kernel(region["entry"])[0] == name and region["classes"]:
            main = max(region["classes"], key=lambda c: c["launches"])
            placed = [f"{a['name']} {a['space']}" for a in main["arrays"] if a["space"] != "global"]
            return ", ".join(placed), main["left_alone"] or main["fallback_reason"] or ""
    return "", ""


def costs_of_classes(classes):
    """Milliseconds of profiling, solving and trial launches, by the wall clock."""
    total = {key: sum(c.get(key) or 0 for c in classes) / 1e6 for key in ("profile_ns", "solve_ns", "trial_ns")}
    return {key.replace("_ns", "_ms"): f"{value:.4f}" for key, value in total.items()}


def costs_by_region(report):
    """{region: what it cost on the host, microseconds of dispatch for a launch among it}."""
    costs = {}
    for region in (report or {}).get("regions", []):
        classes = [c for c in region["classes"] if c["launches"]]
        if classes:
            costs[split_kernel(region["entry"])[0]] = {**costs_of_classes(classes),
                                                       "dispatch_us": f"{(region.get('dispatch_ns') or 0) / 1e3:.3f}"}
    return costs


def costs_of(report):
    """The same for all regions, dispatch as their mean by launches; the predicted time of a launch if there is one region."""
    regions = [r for r in (report or {}).get("regions", []) if r.get("launches")]
    classes = [c for r in (report or {}).get("regions", []) for c in r["classes"] if c["launches"]]
    predicted = [(c["predicted_ns"] or 0) for c in classes]
    dispatch = sum((r.get("dispatch_ns") or 0) * r["launches"] for r in regions) / max(1, sum(r["launches"] for r in regions))
    return {**costs_of_classes(classes), "dispatch_us": f"{dispatch / 1e3:.3f}",
            "predicted_ms": f"{predicted[0] / 1e6:.6f}" if len(predicted) == 1 and predicted[0] > 0 else ""}


def read_builds(folder):
    """{(program, build): compile_s, program_bytes, device_bytes} as pack.sh measured them; {} if it did not."""
    try:
        with open(os.path.join(folder, "build.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError:
        return {}
    return {(r["program"], r["build"]): {k: r[k] for k in ("compile_s", "program_bytes", "device_bytes")} for r in rows}


def steady_of(ns, versions):
    """settled, extra_ms: the launches until a plan was settled, and what they took more on the device."""
    settled = settled_at(versions)
    return {} if settled is None else {"settled": settled, "extra_ms": f"{extra_ns(ns, settled) / 1e6:.6f}"}


class Runner:
    """folder: bin/NAME.plain and NAME.place, cuda/NAME.cuda, lib/. timer: from timers.py. launches: where launches and what
    forced plans took are stored for place-models, or None. One for all threads."""

    def __init__(self, folder, scratch, timer, facts, limit_s, environment, launches=None):
        self.folder, self.scratch, self.timer, self.facts, self.limit_s = folder, scratch, timer, facts, limit_s
        self.launches, self.builds = launches, read_builds(folder)
        self.base = {k: v for k, v in os.environ.items() if not k.startswith("PLACE")}
        self.base["PLACE_STORE"] = "off"  # each run finds out for itself
        library = os.path.join(os.path.abspath(folder), "lib")
        self.base["LD_LIBRARY_PATH"] = ":".join(filter(None, [self.base.get("LD_LIBRARY_PATH"), library]))
        self.base.update(environment)

    def command(self, case, plan):
        program = f"cuda/{case.program}.cuda" if plan.build == "cuda" else f"bin/{case.program}.{plan.build}"
        launches = [] if asked_launches(case) else ["--launches", str(plan.launches)]
        return [os.path.join(self.folder, program), *case.arguments, *plan.words, *launches]

    def execute(self, command, environment):
        """Output, exit status (None: over the limit), seconds and most memory that was resident, in MB."""
        started, late = time.monotonic(), threading.Event()
        with tempfile.TemporaryFile(dir=self.scratch) as file:
            with subprocess.Popen(command, env={**self.base, **environment}, stdin=subprocess.DEVNULL, stdout=file,
                                  stderr=subprocess.STDOUT, start_new_session=True) as process:
                def stop():
                    late.set()
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)

                timer = threading.Timer(self.limit_s, stop)
                timer.start()
                _, status, usage = os.wait4(process.pid, 0)
                timer.cancel()
                process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
            seconds = time.monotonic() - started
            file.seek(0)
            output = file.read().decode("utf-8", "replace")
        return output, None if late.is_set() else process.returncode, seconds, usage.ru_maxrss / 1024

    def environment_of(self, case, plan, turn, scratch):
        """A plan that is launched once is left alone: no timer, no report. Launches are stored in the first pass."""
        if plan.name.startswith(ONCE):
            return plan.environment
        environment = {**plan.environment, **self.timer.environment(scratch)}
        if plan.build == "place":
            environment["PLACE_REPORT"] = f"{scratch}.json"
        if self.launches and turn <= CONFIRMED and (plan.name == "model-place" or "PLACE_FORCE" in plan.environment):
            environment["PLACE_CASE"] = os.path.join(self.launches, case.name)
            os.makedirs(environment["PLACE_CASE"], exist_ok=True)
        return environment

    def run(self, case, plan, turn, regions, extra):
        """Rows of one run: its regions, then their total."""
        scratch = os.path.join(self.scratch, f"{case.name}.{plan.name}.{turn}")
        once = plan.name.startswith(ONCE)
        command = self.command(case, plan)
        ran = self.execute(([] if once else self.timer.prefix()) + command,
                           {**self.environment_of(case, plan, turn, scratch), **extra})
        kernels, report = None if once else self.timer.read(scratch, ran[0]), read_report(f"{scratch}.json")
        for ending in (".json", ".kernels"):
            if os.path.exists(scratch + ending):
                os.remove(scratch + ending)
        total = self.total(case, plan, turn, command, ran, report)
        rows = self.regions(total, case, plan, kernels, report, {r.name: r for r in regions})
        return rows + [total]

    def total(self, case, plan, turn, command, ran, report):
        output, status, seconds, memory_mb = ran
        found = LINE.search(output)
        words = [f"{k}='{v}'" for k, v in plan.environment.items()] + [os.path.relpath(command[0], self.folder)] + command[1:]
        row = {**self.facts, "case": case.name, "plan": plan.name, "round": turn, "region": TOTAL, "launches": plan.launches,
               "counted": plan.counted, "process_s": f"{seconds:.4f}", "memory_mb": f"{memory_mb:.1f}",
               "command": " ".join(words),
               **self.builds.get((case.program, plan.build), {}),
               "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        if report:
            row.update(costs_of(report))
        if found:
            row.update(wall_ms=found[1], wall_min_ms=found[2], checksum=found[3], error=found[4])
        row["verdict"] = verdict_of(found, status)
        if row["verdict"] != "PASS":
            row["note"] = " ".join(output.split())[-300:]
        return row

    def regions(self, total, case, plan, kernels, report, regions):
        """Rows of regions; fills the total's times in."""
        launches = plan.launches
        parts = launches_of(kernels, launches) if kernels else {}
        keys = {k: total[k] for k in ("case", "plan", "round", "launches", "counted", "verdict")}
        rows, sums, versions = [], [0.0] * launches, [""] * launches
        for name, (ns, version, launched) in sorted(parts.items()):
            if plan.build != "cuda":
                cost = costs_by_region(report).get(name, {})
                rows += self.parts(phases_of(case.arguments, launches), {**keys, **cost}, regions.get(name), report,
                                   (name, ns, version, launched))
            sums = [s + n for s, n in zip(sums, ns)]
            versions = [f"{v};{more}" for v, more in zip(versions, launched)]
        if parts:
            total.update(spread(sums[-plan.counted:]), timer=self.timer.name, all_ms=f"{sum(sums) / 1e6:.6f}",
                         **steady_of(sums, versions))
            if launches >= 50:
                total["first50_ms"] = f"{sum(sums[:50]) / 1e6:.6f}"
        else:
            rows = self.timed_by_runtime(total, plan, report, keys)
        total["version"] = " + ".join(r["version"] for r in rows) if len(rows) < 4 else ""
        return rows

    def parts(self, phases, keys, region, report, part):
        """A region's row, or its rows by phase, with what each launched in the note."""
        name, ns, version, launched = part
        if not phases:
            placed, why = placement_of(report, name)
            known = describe(region, version)
            return [{**keys, "region": name, "version": version or "original", "timer": self.timer.name, "note": why,
                     "kernels": kernels_of(launched[-1]),
                     "placement": f"agnostic: {placed or 'all global'}" if known == "agnostic" else known,
                     **spread(ns[-int(keys["counted"]):]), **steady_of(ns, launched)}]
        rows = []
        for first, end in phases:
            last = launched[end - 1]
            rows.append({**keys, "region": f"{name} {first + 1}-{end}", "launches": end - first, "version": last or "original",
                         "placement": describe(region, last), "timer": self.timer.name,
                         "note": run_lengths(launched[first:end]),
                         **spread(ns[max(first, end - int(keys["counted"])):end]),
                         **steady_of(ns[first:end], launched[first:end])})
        return rows

    @staticmethod
    def timed_by_runtime(total, plan, report, keys):
        times, rows = from_report(report, plan.launches), []
        for name, ns in sorted(times.items()):
            placed, why = placement_of(report, name)
            rows.append({**keys, "region": name, "version": "?", "placement": placed or ("original" if why else "all global"),
                         "note": why, "timer": "device", **spread([ns])})
        if plan.name.startswith(ONCE) and "wall_ms" in total:
            total.update(timer="wall")
        elif plan.build == "cuda" and "wall_ms" in total:  # its own time is between two events
            total.update(median_ms=total["wall_ms"], min_ms=total["wall_min_ms"], timer="events")
        elif rows and len(rows) == len([r for r in report["regions"] if r["launches"]]):
            total.update(spread([sum(times.values())]), timer="device")
        elif "wall_ms" in total:
            total.update(median_ms=total["wall_ms"], min_ms=total["wall_min_ms"], timer="wall")
        return rows


def verdict_of(found, status):
    """PASS needs the program's own word and exit status 0."""
    if status is None:
        return "TIMEOUT"
    if found and (status == 0 or found[5] == "FAIL"):
        return found[5]
    return f"EXIT{status}" if status else "SILENT"


def read_report(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None
