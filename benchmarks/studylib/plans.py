"""Cases, and the plans that each is run with."""

import itertools
import random
from collections import namedtuple

from .tables import ON_REQUEST, SPACES

KINDS = ("daily", "full", "sweep", "flip", "once")  # in the order in which the study takes them
ASIDE = ("sweep", "flip", "once")  # kinds that are in no mean
Case = namedtuple("Case", "name kind program arguments cuda")
# build: plain, place or cuda; words: arguments besides the case's; rounds: how often in all
Plan = namedtuple("Plan", "name build environment words launches counted rounds")

MODELS = ("place", "porple", "huang", "rules", "learned")
MOST_PLANS = 64
LAUNCHES, COUNTED = 16, 12
SETTLE, SETTLED = 120, 10  # launches in which every trial has ended, and those at the end that count
AT_ONCE = {"PLACE_PATIENCE": "0"}  # short kernels would not be looked at in so few launches
ONCE = "once-"  # plans that are launched once, timed by the program's own clock


def read_cases(path, on_cpu):
    cases = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip() or line.startswith("#"):
                continue
            name, kind, program, arguments, small, cuda = [field.strip() for field in line.split("|")]
            if kind not in KINDS:
                raise ValueError(f"{path}: {name}: no kind of case: {kind}")
            if on_cpu and small == "-":
                continue
            variants = [] if cuda == "-" else cuda.split()
            cases.append(Case(name, kind, program, (small if on_cpu else arguments).split(), variants))
    return cases


def asked_launches(case):
    """How often the case's own arguments launch it, or None where each plan says."""
    words = case.arguments
    return int(words[words.index("--launches") + 1]) if "--launches" in words else None


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


def agnostic(space):
    return f"agnostic-{space}", f"*:version=agnostic,all={space}"


def spaces_of(regions):
    """Names of the spaces that a program's versions can have arrays in: those that need no request, and what was asked for."""
    asked = {letter for r in regions for v in r.versions for letter in v.letters}
    return [name for letter, name in SPACES.items() if letter not in ON_REQUEST or letter in asked]


def whole_spaces(regions):
    return [(f"all-{space}", f"*:all={space}") for space in spaces_of(regions)]


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
    yield from whole_spaces(regions)
    for space in spaces_of(regions):
        yield agnostic(space)
    if level == "exhaustive":
        for i, text in enumerate(force_all(regions, [other_plans(r) for r in regions])):
            yield f"plan-{i + 1}", text


def own_plans(launches, counted, rounds, environment):
    """What no forced version is in: plain clang and the runtime's own choice, launched alike."""
    return [Plan("plain", "plain", {}, [], launches, counted, rounds),
            Plan("auto", "place", environment, [], launches, counted, rounds)]


def cuda_plans(case, launches, counted, rounds):
    return [Plan(f"cuda-{variant}", "cuda", {}, [w for w in variant.split("+") if w not in case.arguments], launches, counted,
                 rounds) for variant in case.cuda]


def model_plans(models, launches, counted, rounds):
    """Each model's choice unmeasured; two launches more, in which it is made."""
    trusted = {"PLACE_TRIALS": "0", **AT_ONCE}
    return [Plan(f"model-{m}", "place", {"PLACE_MODEL": m, **trusted}, [], launches + 2, counted, rounds) for m in models]


def plans_of(case, regions, level, rounds, on_cpu):
    """All plans of a case, in the order in which they take turns."""
    launches, counted = (4, 2) if on_cpu else (LAUNCHES, COUNTED)
    twice = max(rounds, 1 if on_cpu or case.kind in ASIDE else 2)  # what everything is compared with shows its spread
    asked = asked_launches(case)
    if asked:
        launches, counted = asked, max(1, asked // 20)
    plans = own_plans(*((asked, counted, twice, {}) if asked else (SETTLE, SETTLED, twice, AT_ONCE)))
    if on_cpu:
        plans[0] = plans[0]._replace(launches=launches, counted=counted)
    forced = [*whole_spaces(regions), agnostic("global")] if case.kind in ASIDE else forced_plans(regions, level)
    if case.kind not in ASIDE:
        plans += model_plans(MODELS if level != "subset" else ("rules",), launches, counted, rounds)
    plans += [Plan(name, "place", {"PLACE_FORCE": text}, [], launches, counted, rounds) for name, text in forced]
    return plans + ([] if on_cpu else cuda_plans(case, launches, counted, rounds))
