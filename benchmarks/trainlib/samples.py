"""Samples for the learned selector: an array of a region each, its features, and how the spaces that it was measured in compare.

Features are what place-models --features prints of the stored cases. Times are the study's CSV's: medians of the runs that forced
spaces, of the first pass alone (what was run again, alone, was run of a few plans), by special versions, or by the straight or base
version where everything is in global memory. A space's time is the least of all plans that have the array there.
"""

import csv
import io
import math
import os
import subprocess
from collections import defaultdict, namedtuple

from studylib import stored
from studylib.results import TOTAL, is_confirmed, read_rows
from studylib.tables import ON_REQUEST, SPACES, short

LETTERS = "".join(letter for letter in SPACES if letter not in ON_REQUEST)  # in the order of include/place/space.def
NOISE = 0.02               # times that differ by no more are alike (EVALUATE_NOISE in omptarget-plugin/core/plan/evaluate.h)
MOST = 1.0                 # of |log ratio|: one array of a plan that takes 31 times as long must not outweigh all others

# program: source file, which is held out as a whole; row: features; gain: {letter: log of its time over global memory's, 0 where
# alike}; excess: {letter: its time over the least, minus 1, 0 where alike}; label: the first letter without excess
Sample = namedtuple("Sample", "case program array row gain excess label")


class Bad(Exception):
    """What is wrong with the input, and where."""


def features_of(tool, machine, cases):
    """(names of the features, rows as dictionaries)"""
    done = subprocess.run([tool, "--features", machine] + cases, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Bad(done.stderr.strip() or f"{tool} failed")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    if not rows:
        raise Bad("the cases have no array that can be placed")
    return list(rows[0])[5:], rows


def forced_runs(path):
    """{(case, region): rows} of runs that passed and forced spaces, in the first pass."""
    groups = defaultdict(list)
    for row in read_rows(path):
        forced = not row["plan"].startswith(("auto", "plain", "model-"))
        if row["region"] != TOTAL and row["verdict"] == "PASS" and forced and not is_confirmed(row):
            groups[row["case"], row["region"]].append(row)
    return groups


def times_of(path, groups):
    """{letters: nanoseconds} of a stored case's plans; empty where the CSV has none."""
    launch, stem = stored.Launch(path), os.path.splitext(os.path.basename(path))[0]
    region = short(launch.entry)
    function = region.rpartition("_l")[0]
    rows = groups.get((stem, region)) or groups.get((stem.removesuffix("-" + function), region)) or []
    plans = {name: ns for name, (_, ns) in stored.measured(launch, rows).items()}
    times = {name: ns for name, ns in plans.items() if "_" not in name}
    base = next((name for name in plans if name.endswith("_base")), None)
    if base and base.removesuffix("_base") not in times:
        times[base.removesuffix("_base")] = plans[base]
    return times


def by_space(times, array, candidates):
    """{letter: the least time of a plan with that array there}"""
    least = {}
    for letters, ns in times.items():
        if letters[array] in candidates:
            least[letters[array]] = min(ns, least.get(letters[array], math.inf))
    return least


def sample_of(row, names, times):
    """None where there is nothing to tell: fewer than two spaces were measured, or none of them is global memory."""
    least = by_space(times, int(row["number"]), row["candidates"])
    if len(least) < 2 or "g" not in least:
        return None
    best = min(times.values())
    excess = {letter: ns / best - 1 for letter, ns in least.items()}
    excess = {letter: x if x > NOISE else 0.0 for letter, x in excess.items()}
    gain = {letter: math.log(ns / least["g"]) for letter, ns in least.items()}
    gain = {letter: max(-MOST, min(MOST, x)) if abs(x) > NOISE else 0.0 for letter, x in gain.items()}
    label = next((letter for letter in LETTERS if excess.get(letter) == 0), None)
    features = [float(row[name]) for name in names]
    return label and Sample(row["case"], os.path.splitext(row["source"])[0], row["array"], features, gain, excess, label)


def read(tool, machine, study, cases):
    """(names of the features, samples)"""
    names, rows = features_of(tool, machine, cases)
    groups = forced_runs(study)
    times = {os.path.splitext(os.path.basename(path))[0]: times_of(path, groups) for path in cases}
    samples = [sample_of(row, names, times[row["case"]]) for row in rows]
    return names, [sample for sample in samples if sample]
