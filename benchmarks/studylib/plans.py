"""Cases, and the plans that each is run with."""

import itertools
import random
from collections import namedtuple

from .tables import SPACES

Case = namedtuple("Case", "name daily program arguments cuda")
# build: plain, place or cuda; words: arguments besides the case's; rounds: how often in all
Plan = namedtuple("Plan", "name build environment words launches counted rounds")

MODELS = ("place", "porple", "huang", "rules")
MOST_PLANS = 64
LAUNCHES, COUNTED = 16, 12
SETTLE, SETTLED = 90, 10  # launches in which every trial has ended, and those at the end that count


def read_cases(path, on_cpu):
    cases = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip() or line.startswith("#"):
                continue
            name, daily, program, arguments, small, cuda = [field.strip() for field in line.split("|")]
            if on_cpu and small == "-":
                continue
            cases.append(Case(name, daily == "daily", program, (small if on_cpu else arguments).split(), cuda.split()))
    return cases


def clause(region, letters):
    """One region's part of PLACE_FORCE that asks for each array's space by name."""
    items = [f"arg{a.arg}={SPACES[letter]}" for a, letter in zip(region.arrays, letters) if a.placeable >= 0]
    return f"{region.entry}:{','.join(items)}" if items else f"{region.entry}:version=base"


def force_all(regions, choices):
    """PLACE_FORCE texts, the i-th with the i-th choice (letters) of each region, and its base version where it has fewer."""
    texts = []
    for row in itertools.zip_longest(*choices):
        texts.append(";".join(clause(region, letters) if letters else f"{region.entry}:version=base"
                              for region, letters in zip(regions, row)))
    return texts


def specials(region):
    return [v.letters for v in region.versions if v.kind == "special"]


def other_plans(region):
    """Letters of plans that no special version has: all if there are at most 64, else a random sample, the same each time."""
    by_name = {name: letter for letter, name in SPACES.items()}
    options = [[by_name[s] for s in a.spaces if s in by_name] if a.placeable >= 0 else ["-"] for a in region.arrays]
    number = 1
    for option in options:
        number *= len(option)
    if not region.versions or all(v.kind != "agnostic" for v in region.versions):
        return []
    if number <= MOST_PLANS:
        plans = ["".join(p) for p in itertools.product(*options)]
    else:
        choose = random.Random(region.name)
        plans = sorted({"".join(choose.choice(o) for o in options) for _ in range(MOST_PLANS)})
    known = set(specials(region))
    return [p for p in plans if p not in known]


def forced_plans(regions, level):
    """Names and PLACE_FORCE texts; level: subset, full or exhaustive."""
    yield "base", "*:version=base"
    for i, text in enumerate(force_all(regions, [specials(r) for r in regions])):
        yield f"special-{i + 1}", text
    blocks = max((sum(v.kind == "block" for v in r.versions) for r in regions), default=0)
    for i in range(blocks):
        yield f"block-{i + 1}", f"*:version=block{i + 1}"
    if level == "subset":
        return
    for space in SPACES.values():
        yield f"all-{space}", f"*:all={space}"
    for space in ("readonly", "constant", "shared"):
        yield f"agnostic-{space}", f"*:version=agnostic,all={space}"
    if level == "exhaustive":
        for i, text in enumerate(force_all(regions, [other_plans(r) for r in regions])):
            yield f"plan-{i + 1}", text


def plans_of(case, regions, level, rounds, on_cpu):
    """All plans of a case, in the order in which they take turns."""
    launches, counted = (4, 2) if on_cpu else (LAUNCHES, COUNTED)
    twice = max(rounds, 1 if on_cpu else 2)  # what everything is compared with shows its spread
    plans = [Plan("plain", "plain", {}, [], launches, counted, twice),
             Plan("auto", "place", {}, [], SETTLE, SETTLED, twice)]
    for model in MODELS if level != "subset" else ("rules",):
        trusted = {"PLACE_MODEL": model, "PLACE_TRIALS": "0"}
        plans.append(Plan(f"model-{model}", "place", trusted, [], launches + 2, counted, rounds))
    for name, text in forced_plans(regions, level):
        plans.append(Plan(name, "place", {"PLACE_FORCE": text}, [], launches, counted, rounds))
    for variant in case.cuda if not on_cpu else ():
        plans.append(Plan(f"cuda-{variant}", "cuda", {}, variant.split("+"), launches, counted, rounds))
    return plans
