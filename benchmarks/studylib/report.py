"""Tables in Markdown and plots in SVG from the rows of a study's CSV: STUDY.md and plots/."""

import os
import statistics

from . import costs, sensitivity, tables
from .analysis import by_program, cases_of, counted, failures, geometric_mean, is_cuda
from .markdown import ms, percent, plot, table, times
from .results import TOTAL, is_confirmed

SPACES = tuple(tables.SPACES.values())
REQUESTED = {tables.SPACES[letter] for letter in tables.ON_REQUEST}
MODELS = ("place", "porple", "huang", "rules", "learned")
AIMS = (("geometric mean of the speedup", 1.72), ("greatest speedup", 5.0), ("share of the best run, geometric mean", 0.97),
        ("least speedup", 0.99))


# ---- sections: each gives Markdown ----


def origin(rows, csv_name):
    def all_of(field):
        return "; ".join(sorted({r[field] for r in rows if r[field]})) or "unknown"

    total = [r for r in rows if r["region"] == TOTAL]
    dates = sorted(r["date"] for r in total)
    return (f"GPU: {all_of('gpu')}, driver {all_of('driver')}. Host: {all_of('host')}. Built with: {all_of('versions')}. "
            f"Sizes: {all_of('size')}. Kernel times from: {all_of('timer')}. {len(total)} runs from {dates[0]} to {dates[-1]}; "
            f"every row of `{csv_name}` holds the command that it came from.{confirmed_text(total)}\n\n"
            "    benchmarks/study.py build/gpu --csv study.csv --confirm --out .   # all of it, where the GPU is\n"
            "    benchmarks/study.py --report study.csv                            # this file and the plots once more\n")


def confirmed_text(total):
    runs = [r for r in total if is_confirmed(r)]
    names = {r["case"] for r in runs if r["plan"] == "auto"}
    if not names:
        return ""
    return (f" {len(runs)} of the runs are of the confirming pass, one program at a time: for the {len(names)} cases that have "
            "them, times of plain, automatic and best plans are from these alone.")


def headline(rows, cases):
    speedups = {c.name: c.speedup() for c in cases}
    shares = {c.name: c.share() for c in cases if c.share()}
    programs = by_program(cases, lambda c: c.speedup())
    best, worst = max(speedups, key=speedups.get), min(speedups, key=speedups.get)
    got = (geometric_mean(speedups.values()), speedups[best], geometric_mean(shares.values()), speedups[worst])
    notes = (f"{len(cases)} cases; {times(geometric_mean(programs.values()))} over {len(programs)} programs, "
             "each the mean of its cases", best, f"least {times(min(shares.values()))}: {min(shares, key=shares.get)}", worst)
    rules = [c.ratio(c.time("model-rules"), c.time("auto")) for c in cases if c.time("model-rules")]
    cuda = [c.ratio(c.best_cuda()[0], c.time("auto")) for c in cases if c.best_cuda()[0]]
    text = table(("", "aim", "measured", "reached", ""),
                 [(name, aim, f"**{value:.3f}**", "yes" if value >= aim else "no", note)
                  for (name, aim), value, note in zip(AIMS, got, notes)])
    text += "\n" + passed(rows)
    if rules:
        text += f"Against the rules ({len(rules)} cases): geometric mean {geometric_mean(rules):.3f}, least {min(rules):.3f}.\n"
    if cuda:
        text += (f"Against the fastest hand-written CUDA ({len(cuda)} with a counterpart; 1: as fast): geometric mean "
                 f"{geometric_mean(cuda):.3f}, least {min(cuda):.3f}.\n")
    missed = [f"{n} ({times(v)})" for n, v in sorted(shares.items(), key=lambda i: i[1]) if v < 0.97]
    bounds = geometric_mean(c.share_of_bound() for c in cases if c.share_of_bound())
    text += f"Share of the bound, the least times of each region of any run added up: geometric mean {bounds:.3f}.\n"
    slower = [f"{n} ({v:.3f})" for n, v in sorted(speedups.items(), key=lambda i: i[1]) if v < 0.99]
    text += f"\nShare below 0.97: {', '.join(missed) or 'none'}.\n\nSlower than 0.99 of plain: {', '.join(slower) or 'none'}.\n"
    return text


def every_benchmark(cases, out):
    lines = []
    for c in cases:
        best, by = c.best()
        rules, cuda = c.time("model-rules"), c.best_cuda()[0]
        lines.append((c.name + ("" if c.column == "median_ms" else " (wall)"), ms(c.time("plain")), ms(c.time("auto")),
                      f"**{times(c.speedup())}**", ms(best), by, times(c.share()), times(c.share_of_bound()),
                      times(c.ratio(rules, c.time("auto"))), ms(cuda), times(c.ratio(cuda, c.time("auto")))))
    ordered = sorted(cases, key=lambda c: -c.speedup())
    chart = plot(out, "speedup.svg", "Kernel time of plain clang over that of place",
                 [("automatic", "bar"), ("rules", "dot"), ("best run", "line")],
                 [(c.name, [c.speedup(), c.speedup("model-rules"), c.ratio(c.time("plain"), c.best()[0])]) for c in ordered],
                 "times faster than plain clang -O3 (number: automatic)")
    chart += plot(out, "share.svg", "Share of the best run: its time over that of the automatic choice",
                  [("automatic", "bar"), ("rules", "dot")],
                  [(c.name, [c.share(), c.ratio(c.best()[0], c.time("model-rules"))]) for c in
                   sorted(cases, key=lambda c: c.share())],
                  "1: the best plan was chosen")
    heads = ("benchmark", "plain, ms", "automatic, ms", "speedup", "best run, ms", "which", "share of best", "share of bound",
             "over rules", "CUDA, ms", "of CUDA")
    return chart + "\n" + table(heads, lines) + (
        "\n*Best run*: the least of all plans that were run, the original kernel and the automatic choice among them; of the "
        "confirmed ones where the case was. *Bound*: where a program has several regions, the least of each, added up; what "
        "one "
        "leaves in the caches another finds, so no run may be so fast. *Over rules*: time of the choice by rules over that of "
        "the "
        "automatic one. *Of CUDA*: time of the fastest hand-written placement over the automatic one's; 1 is as fast. "
        "*(wall)*: no kernel times, the program's own clock.\n")


def placements(cases):
    lines = []
    for c in cases:
        for region in c.regions:
            best, by = c.best_of(region)
            base = c.time("plain", region)
            lines.append((c.name, region, c.text("auto", region, "placement"), times(c.ratio(base, c.time("auto", region))),
                          c.text(by, region, "placement"), times(c.ratio(base, best)),
                          c.text("model-rules", region, "placement") or "-",
                          times(c.ratio(base, c.time("model-rules", region))), c.text("auto", region, "note")))
    heads = ("benchmark", "region", "automatic", "speedup", "best", "speedup", "rules", "speedup", "why it was left alone")
    return table(heads, lines) if lines else "No kernel times by region in this CSV.\n"


def by_hand(cases, out):
    with_cuda = [c for c in cases if c.best_cuda()[0]]
    if not with_cuda:
        return "Not measured in this CSV.\n"
    ordered = sorted(with_cuda, key=lambda c: -c.best_cuda()[0] / c.time("auto"))
    chart = plot(out, "cuda.svg", "Hand-written CUDA's kernel time over the OpenMP program's",
                 [("automatic", "bar"), ("plain clang", "dot")],
                 [(c.name, [c.ratio(c.best_cuda()[0], c.time(plan)) for plan in ("auto", "plain")]) for c in ordered],
                 "1: as fast as the fastest placement by hand")
    lines = []
    for c in with_cuda:
        variants = sorted((c.time(p), p[5:]) for p in c.plans if is_cuda(p) and c.time(p))
        lines.append((c.name, ms(c.time("plain")), ms(c.time("auto")), ", ".join(f"{name} {ms(t)}" for t, name in variants)))
    return chart + "\n" + table(("benchmark", "plain, ms", "automatic, ms", "CUDA by placement, ms"), lines)


def models(cases, out):
    named = [m for m in MODELS if any(c.time(f"model-{m}") for c in cases)]
    if not named:
        return "Not measured in this CSV.\n"

    def regret(c, m):
        return c.ratio(c.time(f"model-{m}"), c.best()[0])

    def error(c, m):
        predicted = c.time(f"model-{m}", column="predicted_ms")
        return abs(predicted / c.time(f"model-{m}") - 1) if predicted and m not in ("rules", "learned") and c.time(f"model-{m}") else None

    def cell(c, m):
        if not regret(c, m):
            return "-"
        return f"{regret(c, m):.2f}" + (f" ({error(c, m):.0%})" if error(c, m) is not None else "")

    lines = [(c.name, *(cell(c, m) for m in named)) for c in cases]
    summary = []
    for m in named:
        all_errors = [e for e in (error(c, m) for c in cases) if e is not None]
        summary.append(f"{geometric_mean(r for r in (regret(c, m) for c in cases) if r):.3f}"
                       + (f" ({statistics.median(all_errors):.0%})" if all_errors else ""))
    chart = plot(out, "models.svg", "Time of the plan that a model trusts unmeasured over the best plan's",
                 [(m, "dot") for m in named], [(c.name, [regret(c, m) for m in named]) for c in cases], "1: the best plan")
    return chart + "\n" + table(("benchmark", *named), lines + [("geometric mean (median error)", *summary)]) + (
        "\nTime of the plan that the model ranks first (`PLACE_TRIALS=0`) over the best plan's; in brackets, for programs of "
        "one region, how far the predicted kernel time is from the measured. Rank correlations over all plans: "
        "`place-models`. All times here are the first pass'.\n")


def spaces(cases, out):
    found = [c for c in cases if c.time("base") and any(c.time(f"all-{s}") for s in SPACES)]
    if not found:
        return "Measured by the full study only.\n"
    forced = [s for s in SPACES if s not in REQUESTED or any(c.time(f"all-{s}") for c in found)]
    rows = [(c, [c.ratio(c.time("base"), c.time(f"all-{s}")) for s in forced]) for c in found]
    chart = plot(out, "spaces.svg", "All arrays that fit in one space: base version's kernel time over it",
                 list(zip(forced, ("bar", "dot", "diamond", "line", "dot"))), [(c.name, row) for c, row in rows],
                 "times faster than everything in global memory by clang's loop (number: global)")
    agnostic = [[c.ratio(c.time("base"), c.time(f"agnostic-{s}")) for s in forced] for c, _ in rows]
    lines = [(c.name, ms(c.time("base")), *map(times, row + more)) for (c, row), more in zip(rows, agnostic)]
    return chart + "\n" + table(("benchmark", "base, ms", *forced, *(f"agnostic {s}" for s in forced)), lines)


def noise(cases):
    lines = [(c.name, percent(c.spread("plain")), percent(c.spread("auto"))) for c in cases]
    known = [s for c in cases for s in (c.spread("plain"),) if s is not None]
    text = f"Median over the cases, plain: {100 * statistics.median(known):.1f}%.\n\n" if known else ""
    return text + table(("benchmark", "plain", "automatic"), lines)


def passed(rows):
    total = sum(r["region"] == TOTAL for r in rows)
    return f"{total - len(failures(rows))} of {total} runs passed their check with the bits of plain clang's result.\n"


def failed(rows, listed):
    bad, run = failures(rows), {r["case"] for r in rows}
    missing = [name for name in listed if name not in run]
    text = f"Listed, but not in this CSV: {', '.join(missing)}.\n\n" if missing else ""
    if not bad:
        return text + "None failed.\n"
    return text + table(("benchmark", "plan", "round", "verdict", "command"),
                 [(r["case"], r["plan"], r["round"], why, f"`{r['command']}`") for r, why in bad])


def figures(rows, out, kinds):
    """All sections that are about times; study-notes.md of the folder, if there, comes after the headline as it is."""
    every = cases_of(rows, kinds)
    # plans with one another, few of which were confirmed: all by the first pass
    first = cases_of([r for r in rows if not is_confirmed(r)], kinds)
    cases = counted(every)
    if not cases:
        raise SystemExit("study: no case in this CSV has both a plain and an automatic run that passed")
    os.makedirs(os.path.join(out, "plots"), exist_ok=True)
    notes, parts = os.path.join(out, "study-notes.md"), ["## Headline\n", headline(rows, cases)]
    if os.path.exists(notes):
        with open(notes, encoding="utf-8") as file:
            parts.append(file.read())
    for title, text in (("Every benchmark", every_benchmark(cases, out)), ("What was placed where", placements(cases)),
                        ("Against hand-written CUDA", by_hand(cases, out)),
                        ("Inputs and sizes varied", sensitivity.inputs(every, out)),
                        ("What each memory is worth, beside paper 004", sensitivity.paper_004(first, out)),
                        ("Overheads", costs.overheads(cases, out)), ("Compiling", costs.compiling(cases, out)),
                        ("A region launched once", costs.launched_once(every, out)),
                        ("Number of launches", costs.launches(cases, out)), ("Sizes that change", costs.changes(every, out)),
                        ("Models", models(counted(first), out)), ("One space for all", spaces(counted(first), out)),
                        ("Spread between rounds (greatest over least, minus 1)", noise(cases))):
        parts += [f"## {title}\n", text]
    return parts


def write(rows, out, csv_name, listed=()):
    """STUDY.md and plots/ below `out`. listed: the cases that should be there. Small sizes: checks only."""
    if not rows:
        raise SystemExit(f"study: nothing in {csv_name}")
    parts = ["# Study\n", "Written by `study.py --report`; not to be edited. Losses stand in the same tables as gains.\n"]
    parts.append(origin(rows, csv_name))
    if any(r["size"] == "small" for r in rows):
        parts += ["Small sizes on a CPU: times mean nothing, only whether results are right.\n", passed(rows)]
    else:
        parts += figures(rows, out, {case.name: case.kind for case in listed})
    parts += ["## Runs that failed\n", failed(rows, [case.name for case in listed])]
    with open(os.path.join(out, "STUDY.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(parts))
