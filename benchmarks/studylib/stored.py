"""Cases for place-models (include/place/case.h) from a study's CSV and the launches that were stored with it.

One file a region: the launch as it was stored, a plan line for everything that was measured there, by what realised it, and
the table of that region alone. Regions that were launched in several sizes have no case: the CSV does not tell them apart.
"""

import glob
import os
import re
import statistics
from collections import defaultdict

from .results import TOTAL
from .tables import SPACES, parse_version, short, split_kernel

MOST_BYTES = 24000  # of a case: those that need more are left out
SAMPLES = 64        # of a plan, which are all that the runtime once counted (omptarget-plugin/learn/state.h)
TIMER_NS = 1000     # by which a kernel's own timer reads less than CUPTI
SLOT_WORDS, SLOTS, ENTRIES = 16 * 32, 8, 16  # the profile buffer (include/place/abi.h)
A_LINE = 128
RUN = re.compile(r"(\d+)(?:([+-])(\d+))?(?:\*(\d+))?$")


class Unusable(Exception):
    """Why there is no case of a region."""


# ---- the stored launch ----


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def table_of(lines, entry):
    """The region's part of a table, as a table; its source file without folders."""
    kept, inside = [lines[0]], False
    for line in lines[1:]:
        if line.startswith("region "):
            inside = line == f"region {entry}"
        if inside and line and not line.startswith("end "):
            words = line.split(" ", 3)
            kept.append(" ".join(words[:3] + [os.path.basename(words[3])]) if words[0] == "at" else line)
    text = "\n".join(kept) + "\n"
    return text + f"end {fnv1a(text):016x}\n"


class Launch:
    """A file as PLACE_CASE writes it."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            head, _, table = file.read().partition("\nplace-table ")
        lines = head.split("\n")
        self.entry = next(line.split()[1] for line in lines if line.startswith("region "))
        self.head = [line for line in lines if not line.startswith(("plan ", "log "))]
        self.words = read_log([line for line in lines if line.startswith("log ")])
        self.table = table_of(("place-table " + table).split("\n"), self.entry)

    def versions(self):
        """{suffix of the kernel's name: the version}"""
        lines = [line.split() for line in self.table.split("\n") if line.startswith("version ")]
        return {split_kernel(words[1])[1]: parse_version(words) for words in lines}

    def arrays(self):
        """[(name, placeable or not)]"""
        lines = [line.split() for line in self.table.split("\n") if line.startswith("array ")]
        return [(words[3], words[6] != "-1") for words in lines]


def read_log(lines):
    words = {}
    for line in lines:
        at = int(line.split()[1])
        for item in line.split()[2:]:
            value, sign, step, count = RUN.match(item).groups()
            step = int(step or 0) * (-1 if sign == "-" else 1)
            for i in range(int(count or 1)):
                words[at] = (int(value) + i * step) & 0xFFFFFFFF
                at += 1
    return {at: value for at, value in words.items() if value}


def runs(values):
    """Equally distant neighbours as one item each, as core/case.c prints them."""
    i = 0
    while i < len(values):
        step, n = (values[i + 1] - values[i] if i + 1 < len(values) else 0), 1
        while i + n < len(values) and values[i + n] - values[i + n - 1] == step:
            n += 1
        if n < 2 or (n == 2 and step):
            n = 1
        yield f"{values[i]}" + (f"{step:+d}" if n > 1 and step else "") + (f"*{n}" if n > 1 else "")
        i += n


def print_log(words):
    out = []
    for line in sorted({at // A_LINE for at in words}):
        known = [at for at in words if at // A_LINE == line]
        values = [words.get(at, 0) for at in range(min(known), max(known) + 1)]
        out.append(f"log {min(known)} " + " ".join(runs(values)))
    return out


def without_slot(words, slot):
    """Without what one sampled warp left: its counts, then its entries."""
    counts, entries = slot * SLOT_WORDS, (SLOTS + slot * ENTRIES) * SLOT_WORDS
    return {at: value for at, value in words.items() if not counts <= at < counts + SLOT_WORDS
            and not entries <= at < entries + ENTRIES * SLOT_WORDS}


# ---- what was measured ----


def placed_letters(arrays, text):
    """Letters of "agnostic: a shared, b constant"; of nothing, all global."""
    letter = {name: letter for letter, name in SPACES.items()}
    placed = dict(item.rsplit(" ", 1) for item in text.split(": ", 1)[-1].split(", ") if item != "all global")
    if set(placed) - {name for name, placeable in arrays if placeable} or len(set(arrays)) < len(arrays):
        raise Unusable(f"its arrays cannot be told apart: {text}")
    return "".join(letter[placed.get(name, "global")] if placeable else "-" for name, placeable in arrays)


def plan_name(launch, row):
    """LETTERS[_WHAT] of what a row ran; None for versions that are no plan."""
    if row["version"] in ("", "original"):
        return "".join("g" if placeable else "-" for _, placeable in launch.arrays()) + "_original"
    version = launch.versions().get(row["version"])
    kind, letters = (version.kind, version.letters) if version else (None, None)
    if kind == "special":
        return letters
    if kind == "agnostic":
        return placed_letters(launch.arrays(), row["placement"]) + "_agnostic"
    if kind == "base":
        return letters + "_base"
    return f"{letters}_{version.shape}" if kind == "block" else None


def measured(launch, rows):
    """{plan name: (launches, nanoseconds)}: the median of what ran it; automatic runs are none of one plan."""
    times, counted = defaultdict(list), defaultdict(int)
    for row in rows:
        name = plan_name(launch, row) if row["plan"] != "auto" and row["median_ms"] else None
        if name:
            times[name].append(1e6 * float(row["median_ms"]))
            counted[name] += int(row["counted"])
    return {name: (counted[name], statistics.median(ns)) for name, ns in times.items()}


def stored_plans(path):
    """[(letters, launches, nanoseconds, half of the middle half's range)] of the file beside a stored launch."""
    try:
        with open(path[:-len("case")] + "plans", encoding="utf-8") as file:
            lines = [line.split() for line in file if line.startswith("plan ")]
    except OSError:
        return []
    return [(words[1].split("_")[0], int(words[2]), float(words[3]), float(words[4])) for words in lines if len(words) > 4]


def kernels_each(plans, stored, launches):
    """How often the region ran in each of a program's launches: what the runtime counted; where it stopped counting at SAMPLES,
    the number by which the CSV's times fit one kernel's best. Unusable where none does: its kernels differ."""
    counts = [n for _, n, _, _ in stored]
    if not counts or max(counts) != SAMPLES:
        return max(1, round(max(counts, default=0) / launches))
    same = [(ns, [time for name, (_, time) in plans.items() if name.split("_")[0] == letters]) for letters, _, ns, _ in stored]
    same = [(ns, times) for ns, times in same if times]

    def misfit(each):
        return statistics.median(min(abs(time / each / (ns + TIMER_NS) - 1) for time in times) for ns, times in same)

    most = max((max(times) / ns for ns, times in same), default=1)
    each = min(range(1, round(most) + 2), key=misfit)
    if same and (misfit(each) > 0.02 or statistics.median(off / ns for _, _, ns, off in stored) > 0.2):
        raise Unusable("its kernels differ within a launch")
    return each


# ---- a case ----


def print_case(launch, plans, each, words):
    head = [line for line in launch.head if line] + print_log(words)
    names = sorted(plans, key=lambda name: (not name.endswith("_original"), not name.endswith("_base"), "_" in name, name))
    head += [f"plan {name} {plans[name][0]} {plans[name][1] / each:.0f}" for name in names]
    return "\n".join(head) + "\n" + launch.table


def make_case(path, rows):
    """Text of the case, with as much of the profile as there is room for."""
    launch = Launch(path)
    plans = measured(launch, rows)
    each = kernels_each(plans, stored_plans(path), max(int(row["launches"]) for row in rows if row["plan"] == "base"))
    if len(plans) < 2:
        raise Unusable("less than two plans were measured")
    facts = next((row for row in rows if row["gpu"]), {"date": "", "versions": ""})
    launch.head.insert(1, f"from the study of {facts['date'][:10]}: medians by {rows[0]['timer']}, {facts['versions']}")
    words, slot = launch.words, SLOTS
    text = print_case(launch, plans, each, words)
    while len(text) > MOST_BYTES and slot > 1:
        slot -= 1
        words = without_slot(words, slot)
        text = print_case(launch, plans, each, words)
    if len(text) > MOST_BYTES:
        raise Unusable(f"it would have {len(text)} bytes")
    return text


def find_launch(folder, region):
    """The stored launch of a region; Unusable where it was launched in more sizes than one."""
    for path in sorted(glob.glob(os.path.join(folder, "*.case"))):
        with open(path, encoding="utf-8") as file:
            entry = next(line.split()[1] for line in file if line.startswith("region "))
        if short(entry) == region:
            sizes = glob.glob(re.sub(r"-\d+\.case$", "-*.plans", path)) + glob.glob(re.sub(r"-\d+\.case$", "-*.case", path))
            if len({os.path.splitext(size)[0] for size in sizes}) > 1:
                raise Unusable("launched in more sizes than one")
            return path
    raise Unusable("no launch of it was stored")


def write(rows, launches, out):
    """Writes the cases into a folder; yields (case, region, file name or why there is none)."""
    groups, totals = defaultdict(list), {}
    for row in rows:
        if row["region"] == TOTAL:
            totals[row["case"]] = row
        elif row["verdict"] == "PASS":
            groups[row["case"], row["region"]].append(row)
    regions = defaultdict(set)
    for case, region in groups:
        regions[case].add(region)
    os.makedirs(out, exist_ok=True)
    for (case, region), group in groups.items():
        name = f"{case}.case" if len(regions[case]) == 1 else f"{case}-{region.rpartition('_l')[0]}.case"
        try:
            text = make_case(find_launch(os.path.join(launches, case), region), [{**totals[case], **row, "gpu": totals[case]["gpu"],
                             "date": totals[case]["date"], "versions": totals[case]["versions"]} for row in group])
        except Unusable as why:
            yield case, region, str(why)
            continue
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(text)
        yield case, region, name
