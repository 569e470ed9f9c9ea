"""From rows of the CSV to figures: times of plans, the best possible, shares, what a number of launches costs."""

import math
import statistics
from collections import defaultdict

from .plans import ASIDE, ONCE
from .results import TOTAL, is_confirmed

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


def code_of(runs):
    """What ran: the version and the placement of each region. runs: the last row of each region."""
    return tuple(sorted((r["region"], r["version"], r["placement"]) for r in runs))


def preferred(rows):
    """Those of the confirming pass, where there are any."""
    return [r for r in rows if is_confirmed(r)] or rows


def without_half_a_pass(rows):
    """A pass that was stopped before both plain and auto were confirmed does not count; what was launched once does."""
    confirmed = {r["plan"] for r in rows if is_confirmed(r) and r["region"] == TOTAL}
    if {"plain", "auto"} <= confirmed:
        return rows
    return [r for r in rows if not is_confirmed(r) or r["plan"].startswith(ONCE)]


class Case:
    """All passing runs of a case; where a plan has rows of the confirming pass, only these. Times in milliseconds a launch."""

    def __init__(self, name, rows, kind="full"):
        self.name, self.kind, groups = name, kind, defaultdict(list)
        for row in without_half_a_pass(rows):
            groups[row["plan"], row["region"]].append(row)
        self.rows = defaultdict(list, {key: preferred(group) for key, group in groups.items()})
        self.kernels = max((int(r["kernels"]) for r in rows if r["kernels"]), default=None)  # of a region, in a launch
        self.plans = [plan for plan, region in self.rows if region == TOTAL and not plan.startswith(ONCE)]
        command = self.rows["plain", TOTAL][0]["command"].split() if "plain" in self.plans else [name]
        self.program = command[0].split("/")[-1].split(".")[0]
        timers = {r["timer"] for plan in ("plain", "auto") for r in self.rows[plan, TOTAL]}
        self.column = "median_ms" if timers <= set(KERNEL_TIMERS) else "wall_ms"
        self.confirmed = all(is_confirmed(r) for plan in ("plain", "auto") for r in self.rows[plan, TOTAL])
        self.same = self.same_code() if self.confirmed else {}

    def is_confirmed(self, plan):
        return bool(self.rows[plan, TOTAL]) and is_confirmed(self.rows[plan, TOTAL][0])

    def same_code(self):
        """{plan that was not confirmed: one that was and runs the same code}."""
        codes = {p: code_of([rows[-1] for (plan, region), rows in self.rows.items() if plan == p and region != TOTAL])
                 for p in self.plans}
        known = {codes[p]: p for p in reversed(self.plans) if codes[p] and self.is_confirmed(p)}
        return {p: known[codes[p]] for p in self.plans if codes[p] in known and not self.is_confirmed(p)}

    def values(self, plan, region=TOTAL, column=None):
        plan = plan if column else self.same.get(plan, plan)
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
        """The plans that are compared: if the case was confirmed, those that were. The least of many disturbed times is too
        low."""
        known = [p for p in self.plans if not is_cuda(p) and self.time(p)]
        return [p for p in known if self.is_confirmed(p)] if self.confirmed else known

    def best_of(self, region):
        """(time, plan): the fastest that any plan was in a region."""
        times = [(self.time(p, region), p) for p in self.placed_plans()]
        return min((t for t in times if t[0]), default=(None, None))

    def best(self):
        """(time, plan) of the fastest run."""
        return self.best_of(TOTAL)

    def bound(self):
        """The least time of each region in any run, added up; not above the best run. No run may be so fast: what one region
        leaves in the caches is what the next one finds."""
        parts = [self.best_of(region)[0] for region in self.regions]
        whole = self.best()[0]
        return min(sum(parts), whole) if len(parts) > 1 and all(parts) else whole

    def best_cuda(self):
        """(time, placement) of the fastest counterpart; none where only the wall clock is known, which is no kernel time."""
        plans = [p for p in self.plans if is_cuda(p) and self.column == "median_ms"]
        plans = [p for p in plans if self.confirmed and self.is_confirmed(p)] or plans
        return min(((self.time(p), p[5:]) for p in plans if self.time(p)), default=(None, None))

    def ratio(self, over, under):
        return over / under if over and under else None

    def speedup(self, plan="auto"):
        return self.ratio(self.time("plain"), self.time(plan))

    def share(self):
        return self.ratio(self.best()[0], self.time("auto"))

    def share_of_bound(self):
        return self.ratio(self.bound(), self.time("auto"))

    def settle_ms(self, launches):
        """Time of the first `launches` launches as the runtime runs them, its own work included; computed from the first 50,
        and from what those took more in which trials were made (where that is not known: from all that were measured), after
        which each takes what the last ones took."""
        steady, total, first = self.time("auto"), self.time("auto", column="all_ms"), self.time("auto", column="first50_ms")
        ran = number(self.text("auto", TOTAL, "launches"))
        own = sum(self.time("auto", column=c) or 0 for c in ("profile_ms", "solve_ms"))
        if not steady or not total or self.column != "median_ms":
            return None
        if launches <= 50 and first:
            return first * launches / 50 + own
        extra = self.time("auto", column="extra_ms")
        return own + launches * steady + (total - ran * steady if extra is None else extra)

    def speedup_of_launches(self, launches):
        settled = self.settle_ms(launches)
        return launches * self.time("plain") / settled if settled and self.time("plain") else None

    def spread(self, plan):
        """Greatest over least of a plan's rounds, minus 1; None where it had one."""
        values = self.values(plan)
        return max(values) / min(values) - 1 if len(values) > 1 else None


def cases_of(rows, kinds=None):
    """The cases that have a plain and an automatic run. kinds: {name: kind}, in whose order they come; else that of the CSV."""
    bad = {id(row) for row, _ in failures(rows)}
    failed = {(r["case"], r["plan"], r["round"]) for r in rows if id(r) in bad}
    by_case = {name: [] for name in kinds or {}}
    for row in rows:
        if (row["case"], row["plan"], row["round"]) not in failed:
            by_case.setdefault(row["case"], []).append(row)
    cases = [Case(name, group, (kinds or {}).get(name, "full")) for name, group in by_case.items()]
    return [c for c in cases if c.time("plain") and c.time("auto")]


def counted(cases):
    """Those that are in means."""
    return [c for c in cases if c.kind not in ASIDE]


def by_program(cases, value):
    """Geometric mean of each program's cases: no program counts more for having more cases."""
    groups = defaultdict(list)
    for case in cases:
        if value(case):
            groups[case.program].append(value(case))
    return {program: geometric_mean(values) for program, values in groups.items()}
