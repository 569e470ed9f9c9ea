"""Sections about inputs and sizes: what the choice makes of them (paper 000, Figures 12 and 13), and what each memory is worth
on this chip beside what paper 004 found from Kepler to Volta (its Figures 3, 5, 7 and 9 to 13)."""

from collections import namedtuple
from functools import reduce

from .analysis import is_cuda
from .markdown import ms, plot, table, times
from .tables import ON_REQUEST, PLACED

# cases: [(name, what differs)]; about: what the paper says of it
Group = namedtuple("Group", "file title about cases")

GROUPS = (
    Group("particles.svg", "Particle filter by number of particles (paper 000, Figure 12)",
          "Paper 000, Tesla K20c: 1.72 on average over six inputs, rules 1.07.",
          [(f"particles-{n}", f"{n:,} particles") for n in (1024, 2048, 4096, 8192, 16384, 32768)]),
    Group("matrices.svg", "Sparse matrix times vector by matrix (paper 000, Figure 13)",
          "Paper 000, Tesla K20c: 1.30 on average over six matrices, rules 1.24; on the matrix `random` the rules were "
          "slightly better.",
          [(f"spmv-{m}", m) for m in ("random", "banded", "powerlaw")]),
    Group("order.svg", "The same data in order and shuffled",
          "Unstructured inputs: what neighbours share decides what a cache is worth.",
          [("md", "md, in order"), ("md-shuffled", "md, shuffled"), ("cfd", "cfd, in order"),
           ("cfd-shuffled", "cfd, shuffled")]),
    Group("spheres.svg", "Ray tracing by number of spheres", "The table that all threads walk grows from 4 to 46 KiB.",
          [(f"raytrace-{n}", f"{n:,} spheres") for n in (200, 1000, 2340)]),
    Group("tables.svg", "Random look-ups by size of the table", "16 look-ups a thread in 2^24 threads.",
          [("lookup-table-64", "256 bytes"), ("lookup-table-512", "2 KiB"), ("lookup-table-2048", "8 KiB"),
           ("lookup", "32 KiB"),
           ("lookup-table-16384", "64 KiB"), ("lookup-table-65536", "256 KiB")]),
    Group("threads.svg", "Random look-ups by number of threads",
          "A table of 32 KiB, which every team copies where it is shared.",
          [("lookup-threads-16k", "2^14 threads"), ("lookup-threads-256k", "2^18 threads"),
           ("lookup-threads-2m", "2^21 threads"),
           ("lookup", "2^24 threads")]),
    Group("widths.svg", "Matrix product and heat by size", "",
          [("mm-512", "mm, 512"), ("mm-1024", "mm, 1,024"), ("mm", "mm, 2,048"), ("heat-1024", "heat, 1,024"),
           ("heat", "heat, 4,096"),
           ("heat-8192", "heat, 8,192")]),
)


def group_section(group, by_name, out):
    found = [(by_name[name], label) for name, label in group.cases if name in by_name]
    if not found:
        return None
    chart = plot(out, group.file, group.title, [("automatic", "bar"), ("rules", "dot"), ("best plan", "line")],
                 [(label, [c.speedup(), c.speedup("model-rules"), c.ratio(c.time("plain"), c.best()[0])])
                  for c, label in found],
                 "times faster than plain clang -O3 (number: automatic)")
    lines = []
    for case, label in found:
        region = case.regions[0] if case.regions else ""
        lines.append((label, ms(case.time("plain")), ms(case.time("auto")), f"**{times(case.speedup())}**",
                      times(case.speedup("model-rules")), times(case.ratio(case.time("plain"), case.best()[0])),
                      times(case.share()),
                      case.text("auto", region, "placement")))
    return chart + "\n" + (group.about + "\n\n" if group.about else "") + table(
        ("input", "plain, ms", "automatic, ms", "speedup", "rules", "best plan", "share", "automatic choice"), lines)


def inputs(cases, out):
    by_name = {c.name: c for c in cases if c.kind != "flip"}
    parts = [section for section in (group_section(g, by_name, out) for g in GROUPS) if section]
    return "\n".join(parts) if parts else "Not measured in this CSV.\n"


# ---- beside paper 004 ----

AGNOSTIC = "agnostic: "


def spaces_of(placement):
    """The spaces other than global that a placement uses; None where it says nothing of spaces, or changes more than those."""
    text = placement[len(AGNOSTIC):] if placement.startswith(AGNOSTIC) else placement
    if text in ("straight loop", "all global"):
        return set()
    items = [item.rsplit(" ", 1) for item in text.split(", ")]
    if any(len(item) != 2 or item[1] not in PLACED.values() for item in items):
        return None
    return {space for _, space in items}


def in_space(case, space):
    """(ms, placement): the fastest plan of a program of one region that has arrays in this space and in no other, by a special
    version if there is one, else by the agnostic one; "global": the straight loop. (None, "") where there is none."""
    wanted, found = ({space} if space != "global" else set()), []
    if len(case.regions) == 1:
        for plan in case.plans:
            placement = case.text(plan, case.regions[0], "placement")
            if not is_cuda(plan) and case.time(plan) and placement and spaces_of(placement) == wanted:
                found.append((placement.startswith(AGNOSTIC), case.time(plan), placement))
    return min(found, default=(False, None, ""))[1:]


def gain(case, space):
    """Speedup of the space over the same loop with everything in global memory: an agnostic version over itself so."""
    found, placement = in_space(case, space)
    base = case.time("agnostic-global") if placement.startswith(AGNOSTIC) else in_space(case, "global")[0]
    return case.ratio(base, found)


def cuda_gain(case, variant):
    return case.ratio(case.time("cuda-direct"), case.time(f"cuda-{variant}")) if case else None


def span(values):
    """"0.25 to 0.69", of what is known."""
    known = sorted({times(v) for v in values if v}, key=float)
    return " to ".join(dict.fromkeys((known[0], known[-1]))) if known else "not measured"


def by_size(by_name, out, file, title, names, series):
    """A plot of some cases; series: [(name, value of a case)]. Returns the values of each series, and Markdown."""
    rows = [(label, [value(by_name[name]) for _, value in series]) for name, label in names if name in by_name]
    rows = [row for row in rows if any(row[1])]
    chart = plot(out, file, title, [(name, shape) for (name, _), shape in zip(series, ("bar", "dot", "diamond"))], rows,
                 "times faster than everything in global memory") if rows else ""
    return [[row[1][i] for row in rows] for i in range(len(series))], chart


def versions_of(case, out, file, title):
    """A plot of every special version of a program of one region that moves arrays; returns the gains, and Markdown."""
    base, rows = in_space(case, "global")[0] if case else None, {}
    for plan in case.plans if base else ():
        placement = case.text(plan, case.regions[0], "placement")
        if is_cuda(plan) or placement.startswith(AGNOSTIC) or not placement or not spaces_of(placement):
            continue
        rows[placement] = max(base / case.time(plan), rows.get(placement, 0))
    if not rows:
        return [], ""
    short = {p: reduce(lambda text, space: text.replace(PLACED[space], space), PLACED, p) for p in rows}
    chart = plot(out, file, title, [("version", "bar")],
                 [(short[p] if len(short[p]) < 28 else short[p][:25] + "...", [v]) for p, v in sorted(rows.items())],
                 "times faster than the straight loop, all global (r read-only, c constant, s shared)")
    return list(rows.values()), chart


LULESH = (("add-node-forces", "add node forces"), ("hourglass-control", "hourglass control"),
          ("hourglass-force", "hourglass force"), ("monotonic-q", "monotonic q"))


def lulesh_cases(size):
    return [(name + ("" if size == 45 else f"-{size}"), f"{label}, {size}") for name, label in LULESH]


def kernels(by_name, out):
    """Figures 3, 5 and 7: [(figure, paper, here)] and plots."""
    spheres = [(f"raytrace-{n}", f"{n:,} spheres") for n in (200, 1000, 2340)]
    (program, hand), first = by_size(by_name, out, "constant.svg", "Constant memory: ray tracing (paper 004, Figure 3)",
                                     spheres, (("compiler", lambda c: gain(c, "constant")),
                                               ("CUDA", lambda c: cuda_gain(c, "constant"))))
    widths = [(name, f"{width:,}") for name, width in (("mm-512", 512), ("mm-1024", 1024), ("mm", 2048))]
    (tiles, tile), second = by_size(by_name, out, "tiles.svg", "Shared memory: matrix product (paper 004, Figure 5)", widths,
                                    (("compiler's tiles", lambda c: c.speedup()), ("CUDA", lambda c: cuda_gain(c, "tile"))))
    grids = [(name, f"{width:,}") for name, width in (("heat-1024", 1024), ("heat", 4096), ("heat-8192", 8192))]
    (loads,), third = by_size(by_name, out, "readonly.svg", "Read-only loads: heat (paper 004, Figure 7: texture)", grids,
                              (("compiler", lambda c: gain(c, "readonly")),))
    lines = [("3: constant memory, ray tracing",
              "worth less and less from Maxwell on; below 1 on Pascal at the larger sizes, on Volta at all three",
              f"compiler {span(program)}, CUDA {span(hand)}"),
             ("5: shared memory, matrix product", "gain falls from Kepler to Maxwell, rises on Pascal, falls on Volta",
              f"CUDA tiles {span(tile)}; the compiler's tiles over plain clang {span(tiles)}"),
             ("7: texture memory, heat", "Kepler slightly above 1 with blocks of 16; newer ones below 1, most at large grids",
              f"read-only loads {span(loads)}")]
    return lines, first + second + third


def applications(by_name, out):
    """Figures 9 to 11."""
    spmv, first = versions_of(by_name.get("spmv-4k"), out, "spmv-versions.svg", "SpMV by version (paper 004, Figure 9)")
    mm, second = versions_of(by_name.get("mm"), out, "mm-versions.svg", "Matrix product by version (paper 004, Figure 10)")
    cfd, third = versions_of(by_name.get("cfd"), out, "cfd-versions.svg", "CFD by version (paper 004, Figure 11)")
    lines = [("9: SpMV, nine versions", "best above 1.5 on Kepler; the same version 0.8 on Volta", span(spmv)),
             ("10: matrix product, seven versions", "up to 1.2 by texture on Volta; shared almost 4 on Pascal, 1.5 on Volta",
              f"read-only {span(mm)}; CUDA tiles {span([cuda_gain(by_name.get('mm'), 'tile')])}"),
             ("11: CFD, eight versions", "best 1.08 on Kepler, worst 0.86 on Maxwell, worst about 0.90 on Volta", span(cfd))]
    return lines, first + second + third


def lulesh(by_name, out):
    """Figures 12 and 13."""
    series = [(s, lambda c, s=s: gain(c, s)) for letter, s in PLACED.items() if letter not in ON_REQUEST]
    small, first = by_size(by_name, out, "lulesh-4.svg", "LULESH kernels, size 4 (paper 004, Figure 12)", lulesh_cases(4),
                           series)
    large, second = by_size(by_name, out, "lulesh-45-90.svg", "LULESH kernels, sizes 45 and 90 (paper 004, Figure 13: texture)",
                            [c for pair in zip(lulesh_cases(45), lulesh_cases(90)) for c in pair], series[:1])
    lines = [("12: LULESH, size 4",
              "constant and texture never gain; shared: monotonic q 1.2 on Kepler, marginal on Maxwell, "
              "none on Pascal and Volta", "; ".join(f"{s} {span(v)}" for (s, _), v in zip(series, small))),
             ("13: LULESH, sizes 45 and 90", "texture gains for hourglass control and force, less on each newer chip",
              f"read-only {span(large[0])}")]
    return lines, first + second


def latencies(by_name):
    """Table VII: [(what, Kepler, Volta, here)] from micro; a chain of 16,384 reads, a stream of 2^26 integers in and out."""
    reads, bytes_moved = 16384, 2 * 4 * 2 ** 26

    def ns(name, space):
        time = None
        if name in by_name:
            time = in_space(by_name[name], space)[0] or (by_name[name].time("plain") if space == "global" else None)
        return f"{1e6 * time / reads:.1f} ns" if time else "not measured"

    stream = by_name.get("micro-stream-64m")
    best = min((stream.time(p) for p in stream.placed_plans()), default=None) if stream else None
    return [("L1 hit, by a chain of 4 KiB", "hit latency 35", "hit latency 28", f"{ns('micro-chase-1k', 'global')}"),
            ("L2 hit, by a chain of 1 MiB", "hit latency about 200", "about 193", f"{ns('micro-chase-256k', 'global')}"),
            ("global memory, by a chain of 64 MiB", "-", "-", f"{ns('micro-chase-16m', 'global')}"),
            ("shared memory, 4 KiB", "-", "-", f"{ns('micro-chase-1k', 'shared')}"),
            ("constant memory, 4 KiB", "-", "-", f"{ns('micro-chase-1k', 'constant')}"),
            ("global memory, GB/s", "191", "750", f"{bytes_moved / best / 1e6:.0f}" if best else "not measured")]


def paper_004(cases, out):
    by_name = {c.name: c for c in cases if c.kind != "flip"}
    lines, plots = [], ""
    for part in (kernels, applications, lulesh):
        more, charts = part(by_name, out)
        lines, plots = lines + more, plots + charts
    return (table(("figure of paper 004", "found from Kepler to Volta", "here"), lines) + "\n" + table(
        ("Table VII", "Kepler K40", "Volta V100", "here"), latencies(by_name)) + "\n" + plots +
            "\nSpeedup of the fastest version with arrays in that space alone over the same loop with everything in global "
            "memory; where no special version has it, of the agnostic one, which looks up at run time where each array is, "
            "over itself with everything in global memory. The paper's speedups are over its global version with blocks of 32 "
            "threads; block sizes are not varied here. Texture memory: read-only loads, which share that path since Maxwell. "
            "All times are the first pass'.\n")
