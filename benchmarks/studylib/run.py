"""Runs one plan of one case and makes rows of it."""

import json
import os
import re
import signal
import statistics
import subprocess
import time

from .results import TOTAL
from .tables import describe, split_kernel

LINE = re.compile(r"median=([\d.]+) best=([\d.]+) ms checksum=([0-9a-f]{16}) error=(\S+) (PASS|FAIL)")


def launches_of(kernels, launches):
    """Kernel nanoseconds of each launch, by region, and the version that the last launch ran: {region: ([ns], version)}.

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
        sums = [sum(ns for _, ns in rest[i * each:(i + 1) * each]) for i in range(launches)]
        time_of = {}
        for version, ns in rest[-each:]:
            time_of[version] = time_of.get(version, 0) + ns
        shared[region] = (sums, max(time_of, key=time_of.get))
    return shared


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


def costs_of(report):
    """Milliseconds of profiling and solving, and the predicted time of a launch if all regions have one."""
    classes = [c for r in (report or {}).get("regions", []) for c in r["classes"] if c["launches"]]
    total = {key: sum(c[key] or 0 for c in classes) / 1e6 for key in ("profile_ns", "solve_ns")}
    predicted = [(c["predicted_ns"] or 0) for c in classes]
    return {"profile_ms": f"{total['profile_ns']:.4f}", "solve_ms": f"{total['solve_ns']:.4f}",
            "predicted_ms": f"{predicted[0] / 1e6:.6f}" if len(predicted) == 1 and predicted[0] > 0 else ""}


class Runner:
    """folder: bin/NAME.plain and NAME.place, cuda/NAME.cuda, lib/. timer: from timers.py. launches: where launches and what
    forced plans took are stored for place-models, or None. One for all threads."""

    def __init__(self, folder, scratch, timer, facts, limit_s, environment, launches=None):
        self.folder, self.scratch, self.timer, self.facts, self.limit_s = folder, scratch, timer, facts, limit_s
        self.launches = launches
        self.base = {k: v for k, v in os.environ.items() if not k.startswith("PLACE")}
        library = os.path.join(os.path.abspath(folder), "lib")
        self.base["LD_LIBRARY_PATH"] = ":".join(filter(None, [self.base.get("LD_LIBRARY_PATH"), library]))
        self.base.update(environment)

    def command(self, case, plan):
        program = f"cuda/{case.program}.cuda" if plan.build == "cuda" else f"bin/{case.program}.{plan.build}"
        return [os.path.join(self.folder, program), *case.arguments, *plan.words, "--launches", str(plan.launches)]

    def execute(self, command, environment):
        """Output, exit status (None: over the limit) and seconds."""
        started = time.monotonic()
        with subprocess.Popen(command, env={**self.base, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True) as process:
            try:
                output, _ = process.communicate(timeout=self.limit_s)
                status = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                status = None
        return output, status, time.monotonic() - started

    def run(self, case, plan, turn, regions, extra):
        """Rows of one run: its regions, then their total."""
        scratch = os.path.join(self.scratch, f"{case.name}.{plan.name}.{turn}")
        environment = {**plan.environment, **self.timer.environment(scratch), **extra}
        if plan.build == "place":
            environment["PLACE_REPORT"] = f"{scratch}.json"
        if self.launches and (plan.name == "model-place" or "PLACE_FORCE" in plan.environment):
            environment["PLACE_CASE"] = os.path.join(self.launches, case.name)
            os.makedirs(environment["PLACE_CASE"], exist_ok=True)
        command = self.command(case, plan)
        output, status, seconds = self.execute(self.timer.prefix() + command, environment)
        kernels, report = self.timer.read(scratch, output), read_report(f"{scratch}.json")
        for ending in (".json", ".kernels"):
            if os.path.exists(scratch + ending):
                os.remove(scratch + ending)
        total = self.total(case, plan, turn, command, output, status, seconds, report)
        rows = self.regions(total, plan, kernels, report, {r.name: r for r in regions})
        return rows + [total]

    def total(self, case, plan, turn, command, output, status, seconds, report):
        found = LINE.search(output)
        words = [f"{k}='{v}'" for k, v in plan.environment.items()] + [os.path.relpath(command[0], self.folder)] + command[1:]
        row = {**self.facts, "case": case.name, "plan": plan.name, "round": turn, "region": TOTAL, "launches": plan.launches,
               "counted": plan.counted, "process_s": f"{seconds:.3f}", "command": " ".join(words),
               "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        if report:
            row.update(costs_of(report))
        if found:
            row.update(wall_ms=found[1], wall_min_ms=found[2], checksum=found[3], error=found[4])
        row["verdict"] = verdict_of(found, status)
        if row["verdict"] != "PASS":
            row["note"] = " ".join(output.split())[-300:]
        return row

    def regions(self, total, plan, kernels, report, regions):
        """Rows of regions; fills the total's times in."""
        launches = plan.launches
        parts = launches_of(kernels, launches) if kernels else {}
        keys = {k: total[k] for k in ("case", "plan", "round", "launches", "counted", "verdict")}
        rows, sums = [], [0.0] * launches
        for name, (ns, version) in sorted(parts.items()):
            if plan.build != "cuda":
                placed, why = placement_of(report, name)
                known = describe(regions.get(name), version)
                rows.append({**keys, "region": name, "version": version or "original", "timer": self.timer.name, "note": why,
                             "placement": f"agnostic: {placed or 'all global'}" if known == "agnostic" else known,
                             **spread(ns[-plan.counted:])})
            sums = [s + n for s, n in zip(sums, ns)]
        if parts:
            total.update(spread(sums[-plan.counted:]), timer=self.timer.name, all_ms=f"{sum(sums) / 1e6:.6f}")
            if launches >= 50:
                total["first50_ms"] = f"{sum(sums[:50]) / 1e6:.6f}"
        else:
            rows = self.timed_by_runtime(total, plan, report, keys)
        total["version"] = " + ".join(r["version"] for r in rows) if len(rows) < 4 else ""
        return rows

    @staticmethod
    def timed_by_runtime(total, plan, report, keys):
        times, rows = from_report(report, plan.launches), []
        for name, ns in sorted(times.items()):
            placed, why = placement_of(report, name)
            rows.append({**keys, "region": name, "version": "?", "placement": placed or ("original" if why else "all global"),
                         "note": why, "timer": "device", **spread([ns])})
        if plan.build == "cuda" and "wall_ms" in total:  # its own time is between two events
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
