"""The confirming pass: what a first pass found worth it, run again with one program at a time.

Kernels of several milliseconds are disturbed by what other programs do on the device beside them, even where launches wait for
one another, and the least of many noisy times is too low. So plain clang, the automatic choice and the few best of the other
plans take turns again, alone, all with the same number of launches (but for SLOW_MS) of which the same last ones count. The
rounds are numbered from CONFIRMED + 1 on; where a case has them, the report's figures come from them alone.

The automatic choice is made as it is for any program here; in the first pass, of few launches, with PLACE_PATIENCE=0.

Then plans that are launched once (`once-`), without a timer: what a program pays that never launches the region again.
"""

from .analysis import number
from .plans import ASIDE, ONCE, SETTLE, SETTLED, Plan, asked_launches, cuda_plans, own_plans, plans_of
from .results import CONFIRMED, TOTAL, is_confirmed
from .tables import split_kernel

MOST, MARGIN = 2, 1.05   # other plans for a case, and how much slower than the best of them they may be
PART_GAIN = 0.98         # time of a region over the least of the chosen plans that makes its plan worth a run
BUDGET_MS = 200          # of plain clang's kernels in a run
FEWEST, MANY = 110, 400  # launches: trials have ended; a settled plan is measured again after 512
SLOW_MS, SHORT = 12, 24  # kernels that settle clocks by themselves: launches where no trials are made
ONCE_ROUNDS = 12  # of first launches, which differ by more than what is looked for


def launches_for(kernel_ms):
    """Launches, and how many of the last ones count: enough for clocks and trials to settle, few where each takes long."""
    launches = int(min(MANY, max(FEWEST, BUDGET_MS / kernel_ms))) if kernel_ms else SETTLE
    return launches, max(SETTLED, launches // 5)


class FirstPass:
    """What the CSV knows of a case. Rows of the confirming pass count only for what the automatic choice ran."""

    def __init__(self, rows):
        passed = {(r["plan"], r["round"]) for r in rows if r["region"] == TOTAL and r["verdict"] == "PASS"}
        self.runs = {}
        for row in rows:
            if (row["plan"], row["round"]) in passed:
                self.runs.setdefault((row["plan"], row["round"]), {})[row["region"]] = row

    def kernel_ms(self):
        """Plain clang's, by the first pass; None: not known."""
        plain = [run[TOTAL] for (plan, _), run in self.runs.items() if plan == "plain" and not is_confirmed(run[TOTAL])]
        return min((number(row["median_ms"]) for row in plain if number(row["median_ms"])), default=None)

    @staticmethod
    def code_of(run):
        return tuple(sorted((name, row["version"], row["placement"]) for name, row in run.items() if name != TOTAL))

    def chosen(self):
        """What the automatic choice ran, if it ran the same each time."""
        codes = {self.code_of(run) for (plan, _), run in self.runs.items() if plan == "auto"}
        return codes.pop() if len(codes) == 1 else None

    def others(self):
        """[(ms, plan, run)] of plans that run different code, the fastest of each, in order."""
        best = {}
        for (plan, _), run in self.runs.items():
            time = number(run[TOTAL]["median_ms"])
            if plan in ("plain", "auto") or plan.startswith(("cuda-", ONCE)) or is_confirmed(run[TOTAL]) or not time:
                continue
            code = self.code_of(run) or plan
            if code not in best or time < best[code][0]:
                best[code] = (time, plan, run)
        return sorted(best.values(), key=lambda found: found[:2])

    def worth_running(self):
        """{plan: its run} besides plain and auto: the best, and those that hold the best of a region."""
        others, chosen = self.others(), self.chosen()
        near = [o for o in others if o[0] <= MARGIN * others[0][0]] if others else []
        picked = [o for o in near if self.code_of(o[2]) != chosen or not chosen][:MOST]
        known = [run for _, _, run in picked] + [run for (plan, _), run in self.runs.items() if plan in ("plain", "auto")]
        for region in sorted({name for run in self.runs.values() for name in run} - {TOTAL}):
            times = [(number(run[region]["median_ms"]), plan, run) for _, plan, run in others if region in run]
            least = min((number(run[region]["median_ms"]) for run in known if region in run), default=None)
            best = min((t for t in times if t[0]), key=lambda t: t[:2], default=None)
            if best and least and best[0] < PART_GAIN * least:
                picked.append(best)
                known.append(best[2])
        return {plan: run for _, plan, run in picked}

    def rules_alone(self):
        """Whether the rules' choice is code that no other run of the pass is."""
        codes = {plan: self.code_of(run) for (plan, _), run in self.runs.items()}
        known = {codes[p] for p in ("plain", "auto", *self.worth_running()) if p in codes}
        return "model-rules" in codes and codes["model-rules"] not in known

    def best_cuda(self):
        times = [(number(run[TOTAL]["median_ms"]), plan) for (plan, _), run in self.runs.items() if plan.startswith("cuda-")]
        return min((t for t in times if t[0]), default=(None, None))[1]


def name_in_this_build(plan, run, regions):
    """Special and block versions go by numbers; the compiler may have changed since: the number of what ran then."""
    kind, numbers = plan.rpartition("-")[0], set()
    for region in regions if kind in ("special", "block") else ():
        versions = [split_kernel(v.entry)[1] for v in region.versions if v.kind == kind]
        ran = run[region.name]["version"] if region.name in run else None
        numbers |= {i + 1 for i, version in enumerate(versions) if version == ran}
    return f"{kind}-{numbers.pop()}" if len(numbers) == 1 else plan


def plans_to_confirm(case, regions, rows, stage, on_cpu):
    """The plans of one round: plain, auto, what was worth it in the first pass, once the rules' and the fastest counterpart."""
    known = FirstPass([r for r in rows if int(r["round"]) < CONFIRMED + stage])  # so that it is the same when it goes on
    launches, counted = (4, 2) if on_cpu else launches_for(known.kernel_ms())
    if asked_launches(case):
        launches, counted = asked_launches(case), max(1, asked_launches(case) // 20)
    plans = own_plans(launches, counted, 1, {})
    other = {p.name: p for p in plans_of(case, regions, "exhaustive", 1, on_cpu)}
    if case.kind == "flip":
        names = [name for name in other if name.startswith("all-")]
    else:
        found = [name_in_this_build(name, run, regions) for name, run in known.worth_running().items()]
        names = [name for name in dict.fromkeys(found) if name in other]
        if stage == 1 and known.rules_alone():
            names.append("model-rules")
    plans += [other[name]._replace(launches=launches, counted=counted) for name in names]
    if (known.kernel_ms() or 0) > SLOW_MS and not on_cpu:
        plans = [p if p.name == "auto" else p._replace(launches=SHORT) for p in plans]
    return plans + [p for p in cuda_plans(case, launches, counted, 1) if stage == 1 and p.name == known.best_cuda()]


def once_plans(case):
    launches = asked_launches(case) or 1
    return [Plan(f"{ONCE}{name}", build, {}, [], launches, 1, 1) for name, build in (("plain", "plain"), ("auto", "place"))]


def jobs_of_stage(stage, cases, regions_of, results, on_cpu):
    """(case, plan, round, regions) still to be done of a stage, a number of a round (1, 2...) or "once"."""
    jobs = []
    for case in cases:
        regions = regions_of[case.program]
        rows = [r for r in results.rows if r["case"] == case.name]
        if stage == "once":
            rounds = range(1, ONCE_ROUNDS + 1) if case.kind in ("daily", "once") else ()
            wanted = [(p, turn) for turn in rounds for p in once_plans(case)[::1 if turn % 2 else -1]]
        elif case.kind in ("sweep", "once") or (case.kind in ASIDE and stage > 1):
            wanted = []
        else:
            wanted = [(p, stage) for p in plans_to_confirm(case, regions, rows, stage, on_cpu)]
        jobs += [(case, plan, CONFIRMED + turn, regions) for plan, turn in wanted
                 if not results.has(case.name, plan.name, CONFIRMED + turn)]
    return jobs


def stages(rounds):
    """In the order of what matters most, should time run out: a round of all, what is launched once, the other rounds."""
    return [1, "once", *range(2, max(2, rounds) + 1)]
