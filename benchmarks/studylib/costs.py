"""Sections about what placing costs: overheads, compiling, a region launched once, number of launches, sizes that change."""

import math
import statistics
from collections import Counter

from . import svg
from .analysis import geometric_mean, number
from .markdown import ms, plot, save, table, times, us
from .phases import read_run_lengths
from .plans import ONCE
from .results import TOTAL

LAUNCHES = (50, 250, 500, 1496)
LONG_RUN = 1496  # launches of paper 000's Figure 11 and 14
ONCE_PERCENT, ONCE_US = 2, 50  # what a region launched once may lose
ONE_SIDED_5_PERCENT = 1.645    # standard deviations
FOLLOW = 10  # launches in which a new size is to be followed
PARTS = ("profile", "solve", "until settled", "dispatch")


# ---- overheads ----


def middle(case, region, column):
    return case.time("auto", region, column)


def cost_of(case, region):
    """Milliseconds of profiling, solving, what trials took more on the device, and of dispatch a launch; None: not known."""
    values = [middle(case, region, c) for c in ("profile_ms", "solve_ms", "extra_ms")]
    dispatch = middle(case, region, "dispatch_us")
    if values[0] is None or values[1] is None or dispatch is None:
        return None
    return values[0], values[1], values[2] or 0.0, dispatch / 1e3


def even_after(case, region, cost):
    """Launches after which what was gained has paid for it, dispatch counted; None: never."""
    plain, auto = case.time("plain", region), case.time("auto", region)
    gain = plain - auto - cost[3] if plain and auto else 0
    return sum(cost[:3]) / gain if gain > 0 else None


def overhead_line(case, region):
    cost, settled = cost_of(case, region), middle(case, region, "settled")
    plain, after = case.time("plain", region), even_after(case, region, cost)
    total = sum(cost[:3])
    trials = (f"{settled:.0f}", us(cost[2])) if settled is not None else ("not settled", "-")
    return (case.name, region, us(cost[0]), us(cost[1]), *trials, us(total), f"{total / plain:.0f}" if plain else "-",
            f"{1e3 * cost[3]:.1f}", f"{after:.0f}" if after is not None else "never")


def long_run_share(case):
    """Percent that profiling, solving, trials and dispatch are of what LONG_RUN launches take by plain clang."""
    costs = [cost_of(case, region) for region in case.regions]
    whole = LONG_RUN * case.time("plain")
    parts = [sum(c[i] for c in costs if c) for i in range(4)]
    return [100 * max(0, p) / whole for p in (*parts[:3], LONG_RUN * parts[3])]


def overheads(cases, out):
    known = [c for c in cases if any(cost_of(c, r) for r in c.regions)]
    if not known:
        return "Not measured in this CSV.\n"
    shares = {c.name: long_run_share(c) for c in known}
    ordered = sorted(shares.items(), key=lambda item: -sum(item[1]))
    title = f"Overhead in percent of {LONG_RUN} launches by plain clang (paper 000, Figure 11)"
    text = save(out, "overhead.svg", title, svg.stacked(title, PARTS, ordered, "percent of plain clang's kernel time"))
    totals = [sum(cost_of(c, r)[:3]) for c in known for r in c.regions if cost_of(c, r)]
    whole = statistics.median(sum(share) for share in shares.values())
    text += (f"\nProfiling, solving and trials of a region: median {us(statistics.median(totals))} us, most {us(max(totals))} "
             f"us. Over {LONG_RUN} launches, with dispatch: median {whole:.2f}% of plain clang's kernel time. The paper has "
             "0.06% for profiling, engine and transform on a Tesla K20c; it makes no trials.\n\n")
    heads = ("benchmark", "region", "profile, us", "solve, us", "launches until settled", "more until then, us", "sum, us",
             "sum in launches of plain", "dispatch, us a launch", "even after launches")
    return text + table(heads, [overhead_line(c, r) for c in known for r in c.regions if cost_of(c, r)]) + (
        "\n*Profile, solve*: on the host, as the runtime reports. *More until then*: kernel time of the launches until the "
        "plan was settled, before and in trials, over as many settled ones. *Dispatch*: what the runtime "
        "adds to a launch on the host, whether or not the device waits for it. *Even after*: launches whose gain pays for the "
        "sum.\n")


BUILT = ("compile_s", "device_bytes", "program_bytes", "memory_mb")


def compiling(cases, out):
    lines, chart = [], []
    for program, case in sorted({c.program: c for c in cases}.items()):
        plain, auto = ([number(case.text(p, TOTAL, field) or "") for field in BUILT] for p in ("plain", "auto"))
        if not plain[0] or not auto[0]:
            continue
        ratios = [case.ratio(a, p) for a, p in zip(auto, plain)]
        chart.append((program, ratios[:2]))
        lines.append((program, *(f"{p:.1f} / {a:.1f} s ({times(r)})" for p, a, r in ((plain[0], auto[0], ratios[0]),)),
                      *(f"{p / 1024:.0f} / {a / 1024:.0f} KiB ({times(r)})" if p and a else "-"
                        for p, a, r in zip(plain[1:3], auto[1:3], ratios[1:3])),
                      f"{plain[3]:.0f} / {auto[3]:.0f} MB" if plain[3] and auto[3] else "-"))
    if not lines:
        return "Not measured in this CSV.\n"
    text = plot(out, "compiling.svg", "Compiling with the plugin over plain clang", [("time", "bar"), ("device code", "dot")],
                sorted(chart, key=lambda row: -row[1][0]), "times as much (number: time)")
    means = [geometric_mean(r[i] for _, r in chart if r[i]) for i in (0, 1)]
    text += f"\nGeometric means: {times(means[0])} times the processor time, {times(means[1])} times the device code.\n\n"
    return text + table(("program", "compiling, plain / place", "device image", "program", "host memory of a run"),
                        lines)


# ---- launched once ----


def once_of(case):
    """Of plain and auto: ([us of the first launch], [ms of the process]) of each round; None where either is missing."""
    found = []
    for plan in ("plain", "auto"):
        rows = case.rows.get((ONCE + plan, TOTAL), [])
        found.append(([1e3 * number(r["wall_ms"]) for r in rows if r["wall_ms"]],
                      [1e3 * number(r["process_s"]) for r in rows if r["process_s"]]))
    return found if all(launch and process for launch, process in found) else None


def range_of(values):
    return f"{statistics.median(values):.0f} ({min(values):.0f}-{max(values):.0f})"


def lower_quartile(values):
    return statistics.quantiles(values, n=4, method="inclusive")[0] if len(values) > 1 else values[0]


def once_bound(plain, of=statistics.median):
    """us that a first launch may take more."""
    return max(ONCE_US, ONCE_PERCENT / 100 * of(plain[0]))


def once_more(plain, auto, of=statistics.median):
    """us more, and whether that is within the bounds."""
    more = of(auto[0]) - of(plain[0])
    return more, more <= once_bound(plain, of)


def is_greater(values, others):
    """Whether values are greater than others: one-sided rank test of Mann and Whitney, normal approximation, 5%."""
    n, m = len(values), len(others)
    wins = sum((v > o) + (v == o) / 2 for v in values for o in others)
    ties = sum(t ** 3 - t for t in Counter([*values, *others]).values())
    variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
    return variance > 0 and (wins - n * m / 2) / math.sqrt(variance) > ONE_SIDED_5_PERCENT


def once_verdict(plain, auto):
    """Within the bounds or not by the medians; where not, whether the rounds tell."""
    if once_more(plain, auto)[1]:
        return "yes"
    bound = once_bound(plain)
    return "no" if is_greater(auto[0], [p + bound for p in plain[0]]) else "not told"


def once_line(case, plain, auto):
    more = once_more(plain, auto)[0]
    share = more / statistics.median(plain[0])
    spread = max(max(v[0]) - min(v[0]) for v in (plain, auto))
    return (case.name, case.kernels or "-", range_of(plain[0]), range_of(auto[0]), f"{more:+.0f}", f"{100 * share:+.1f}%",
            once_verdict(plain, auto), f"{once_more(plain, auto, lower_quartile)[0]:+.0f}",
            "within the spread" if abs(more) <= spread else "", range_of(plain[1]), range_of(auto[1]),
            f"{statistics.median(auto[1]) - statistics.median(plain[1]):+.0f}")


def once_summary(known):
    """What the launches of these programs come to: [(case, plain, auto)]."""
    verdicts = Counter(once_verdict(p, a) for _, p, a in known)
    differences = [once_more(p, a)[0] for _, p, a in known]
    quartiles = [once_more(p, a, lower_quartile) for _, p, a in known]
    return (f"not slower by more than {ONCE_PERCENT}% or {ONCE_US} us: {verdicts['yes']} of {len(known)} by the medians; slower by "
            f"more: {verdicts['no']}; not told by the rounds (rank test, 5%): {verdicts['not told']}. Difference of the launch: "
            f"median {statistics.median(differences):+.0f} us, most {max(differences):+.0f} us; of the rounds' lower quartiles, "
            f"which what disturbs a round hardly moves: {sum(q[1] for q in quartiles)} of {len(known)}, median "
            f"{statistics.median(q[0] for q in quartiles):+.0f} us, most {max(q[0] for q in quartiles):+.0f} us.")


def once_head(case):
    """Which of the section's paragraphs the program belongs to."""
    if case.kernels is None and case.kind != "once":
        return "How often a region is launched is not known"
    if (case.kernels or 1) == 1:
        return "Each region is launched once"
    return "A region is launched again and again, and may be ranked and tried from its second launch on"


def launched_once(cases, out):
    known = [(c, *once_of(c)) for c in cases if once_of(c)]
    if not known:
        return "Not measured in this CSV.\n"
    rounds = min(len(plain[0]) for _, plain, _ in known)
    text = plot(out, "once.svg", "First launch of a program that makes only one: place over plain clang",
                [("place", "bar")], sorted(((c.name, [statistics.median(auto[0]) / statistics.median(plain[0])])
                                            for c, plain, auto in known), key=lambda row: -row[1][0]),
                "times plain clang's (1: no difference)")
    groups = {}
    for found in known:
        groups.setdefault(once_head(found[0]), []).append(found)
    for head, group in groups.items():
        text += f"\n{head} (programs: {len(group)}): {once_summary(group)}\n"
    processes = [statistics.median(a[1]) - statistics.median(p[1]) for _, p, a in known]
    text += (f"\nThe whole process: median {statistics.median(processes):+.0f} ms, most {max(processes):+.0f} ms. {rounds} or more "
             "rounds by turns, one program at a time, no timer loaded.\n\n")
    heads = ("benchmark", "launches of a region", "plain, us", "place, us", "more, us", "more", "within bounds",
             "lower quartiles, us", "", "process plain, ms", "process place, ms", "more, ms")
    return text + table(heads, [once_line(*k) for k in known]) + (
        "\nMedian (least-most) of the rounds. The launch: by the program's own clock, from before the construct until it has "
        "completed; data are on the device by then. *Launches of a region*: the most that one turn of the program makes of any "
        "of its regions. The process: from its start to its end, with loading the device image, which is larger with the "
        "plugin.\n")


# ---- number of launches ----


def launches(cases, out):
    lines = [(c, [c.speedup_of_launches(n) for n in LAUNCHES]) for c in cases if c.settle_ms(50)]
    if not lines:
        return "Needs kernel times of every launch.\n"
    chart = plot(out, "launches.svg", "Speedup when the whole run has so many launches (computed)",
                 [(f"{n} launches", shape) for n, shape in zip(LAUNCHES, ("bar", "dot", "diamond", "line"))],
                 [(c.name, row) for c, row in sorted(lines, key=lambda line: -line[1][-1])],
                 "times faster than plain clang (number: 50 launches)")
    means = [f"**{geometric_mean(row[i] for _, row in lines):.3f}**" for i in range(len(LAUNCHES))]
    rows = [(c.name, *map(times, row), *(f"{c.time('auto', column=k) or 0:.3f}" for k in ("profile_ms", "solve_ms")))
            for c, row in lines]
    return chart + "\n" + table(("benchmark", *(f"{n} launches" for n in LAUNCHES), "profiling, ms", "solving, ms"),
                                rows + [("geometric mean", *means, "", "")]) + (
        "\nComputed, not run: kernel time of the first 50 launches as measured, of all launches until the plan was settled, "
        "and from there on the settled plan's; plus profiling and solving on the host, as the runtime reports them. Plain: "
        "launches times the median. What the runtime measures again after 512 launches is not in it.\n")


# ---- sizes that change ----


def phase_line(case, region):
    settled = case.time("auto", region, "settled")
    best, by = min(((case.time(p, region), p) for p in case.placed_plans() if case.time(p, region)), default=(None, "-"))
    followed = "never settled" if settled is None else f"{settled:.0f}"
    kept = "-" if order_of(region) == 1 else "yes" if settled is not None and settled <= FOLLOW else "no"
    return (case.name, region, case.text("auto", region, "placement"), followed, kept,
            ms(case.time("auto", region)),
            ms(case.time("plain", region)), case.text(by, region, "placement"), ms(best),
            times(case.ratio(best, case.time("auto", region))))


def order_of(region):
    """Regions of a program that changes are "NAME FIRST-LAST"."""
    return int(region.rsplit(" ", 1)[-1].split("-")[0])


def changes(cases, out):
    flips = [c for c in cases if c.kind == "flip" and c.regions]
    if not flips:
        return "Not measured in this CSV.\n"
    strips, lines = [], []
    for case in flips:
        for region in sorted(case.regions, key=order_of):
            ran = [v for v, n in read_run_lengths(case.text("auto", region, "note")) for _ in range(n)]
            strips.append((f"{case.name} {region.rsplit(' ', 1)[-1]}", ran))
            lines.append(phase_line(case, region))
    title = "What each launch ran after a change of size"
    text = (f"\nOne region, launched small, then large, then small again (`flip.c`). A change is to be followed within {FOLLOW} "
            "launches; the first launches are none: there the region is waited for, profiled and tried as any other. "
            "In the plot, letters say where each array is: g global, r read-only, c constant, s shared.\n\n")
    heads = ("case", "launches", "plan settled on", "after launches", f"within {FOLLOW}", "its time, ms", "plain, ms",
             "best plan of those forced", "ms", "share")
    drawing = svg.strips(title, strips, 40, "launches since the change")
    return save(out, "changes.svg", title, drawing) + text + table(heads, lines)
