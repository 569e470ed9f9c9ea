"""From rows of the CSV to figures: times of plans, the best possible, shares, what a number of launches costs."""

import math
import statistics
from collections import defaultdict

from .results import TOTAL

KERNEL_TIMERS = ("cupti", "ncu")


def number(text):
    return float(text) if text else None


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def is_cuda(plan):
    return plan.startswith("cuda-")


def failures(rows):
    """[(row, why)] of the runs that did not pass, or whose result has other bits than plain clang's (CUDA's may: it sums in its
    own order)."""
    plain = {r["case"]: r["checksum"] for r in rows if r["region"] == TOTAL and r["plan"] == "plain" and r["verdict"] == "PASS"}
    bad = []
    for row in rows:
        if row["region"] != TOTAL:
            continue
        if row["verdict"] != "PASS":
            bad.append((row, row["verdict"]))
        elif not is_cuda(row["plan"]) and plain.get(row["case"], row["checksum"]) != row["checksum"]:
            bad.append((row, "DIFFERENT"))
    return bad


class Case:
    """All passing runs of a case. Times in milliseconds a launch."""

    def __init__(self, name, rows):
        self.name, self.rows = name, defaultdict(list)
        for row in rows:
            self.rows[row["plan"], row["region"]].append(row)
        self.plans = [plan for plan, region in self.rows if region == TOTAL]
        command = self.rows["plain", TOTAL][0]["command"].split() if "plain" in self.plans else [name]
        self.program = command[0].split("/")[-1].split(".")[0]
        timers = {r["timer"] for plan in ("plain", "auto") for r in self.rows[plan, TOTAL]}
        self.column = "median_ms" if timers <= set(KERNEL_TIMERS) else "wall_ms"

    def values(self, plan, region=TOTAL, column=None):
        found = [number(r[column or self.column]) for r in self.rows.get((plan, region), [])]
        return [v for v in found if v is not None]

    def time(self, plan, region=TOTAL, column=None):
        values = self.values(plan, region, column)
        return statistics.median(values) if values else None

    def text(self, plan, region, field):
        rows = self.rows.get((plan, region))
        return rows[-1][field] if rows else ""

    @property
    def regions(self):
        if self.column != "median_ms":
            return []
        return [region for plan, region in self.rows if plan == "plain" and region != TOTAL]

    def placed_plans(self):
        return [p for p in self.plans if not is_cuda(p) and self.time(p)]

    def best_of(self, region):
        """(time, plan): the fastest that any plan was in a region."""
        times = [(self.time(p, region), p) for p in self.placed_plans()]
        return min((t for t in times if t[0]), default=(None, None))

    def best(self):
        """(time, plan): the best plan for each region, added up; the fastest whole where regions are not told apart."""
        whole = self.best_of(TOTAL)
        parts = [self.best_of(region) for region in self.regions]
        if len(parts) < 2 or not all(t for t, _ in parts):
            return whole
        total = sum(t for t, _ in parts)
        return (total, " + ".join(dict.fromkeys(p for _, p in parts))) if total < whole[0] else whole

    def best_cuda(self):
        """(time, placement) of the fastest counterpart; none where only the wall clock is known, which is no kernel time."""
        times = [(self.time(p), p[5:]) for p in self.plans if is_cuda(p) and self.column == "median_ms"]
        return min((t for t in times if t[0]), default=(None, None))

    def ratio(self, over, under):
        return over / under if over and under else None

    def speedup(self, plan="auto"):
        return self.ratio(self.time("plain"), self.time(plan))

    def share(self):
        return self.ratio(self.best()[0], self.time("auto"))

    def settle_ms(self, launches):
        """Time of the first `launches` launches as the runtime runs them, its own work included; computed from the first 50 and
        from all that were measured, after which each takes what the last ones took."""
        steady, total, first = self.time("auto"), self.time("auto", column="all_ms"), self.time("auto", column="first50_ms")
        ran = number(self.text("auto", TOTAL, "launches"))
        own = sum(self.time("auto", column=c) or 0 for c in ("profile_ms", "solve_ms"))
        if not steady or not total or self.column != "median_ms":
            return None
        if launches <= 50 and first:
            return first * launches / 50 + own
        return total + own + (launches - ran) * steady

    def speedup_of_launches(self, launches):
        settled = self.settle_ms(launches)
        return launches * self.time("plain") / settled if settled and self.time("plain") else None

    def spread(self, plan):
        """Greatest over least of a plan's rounds, minus 1; None where it had one."""
        values = self.values(plan)
        return max(values) / min(values) - 1 if len(values) > 1 else None


def cases_of(rows):
    """The cases that have a plain and an automatic run, in the order of the CSV."""
    bad = {id(row) for row, _ in failures(rows)}
    failed = {(r["case"], r["plan"], r["round"]) for r in rows if id(r) in bad}
    by_case = defaultdict(list)
    for row in rows:
        if (row["case"], row["plan"], row["round"]) not in failed:
            by_case[row["case"]].append(row)
    cases = [Case(name, group) for name, group in by_case.items()]
    return [c for c in cases if c.time("plain") and c.time("auto")]


def by_program(cases, value):
    """Geometric mean of each program's cases: no program counts more for having more cases."""
    groups = defaultdict(list)
    for case in cases:
        if value(case):
            groups[case.program].append(value(case))
    return {program: geometric_mean(values) for program, values in groups.items()}
