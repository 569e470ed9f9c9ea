"""The grammar of directives and clauses."""

from fuzzlib.tree import Clause, Param, Reduction
from fuzzlib.types import DOUBLE, FLOAT, INT, LONG, UNSIGNED, WORD

COMBINED = "target teams distribute parallel for"
# spellings, outermost directive first, and how often
DIRECTIVES = (
    ([COMBINED], 12),
    ([COMBINED + " simd"], 2),
    (["target teams loop"], 2),
    (["target parallel for"], 2),
    (["target parallel for simd"], 1),
    (["target parallel loop"], 1),
    (["target", "parallel for"], 1),
    (["target parallel", "for"], 1),
    (["target", "teams distribute parallel for"], 1),
    (["target teams", "distribute parallel for"], 2),
    (["target teams distribute"], 2),
    (["target teams distribute simd"], 1),
    (["target teams", "distribute"], 1),
)
SPLIT = (["target teams distribute"], "parallel for")
# one level of parallelism: teams of one thread, or the threads of one team
ONE_LEVEL = (
    ["target teams distribute"],
    ["target teams distribute"],
    ["target teams distribute"],
    ["target parallel for"],
    ["target parallel for"],
    ["target parallel for"],
    ["target teams distribute simd"],
    ["target parallel for simd"],
    ["target parallel", "for"],
    ["target", "parallel for"],
    ["target teams", "distribute"],
)
COUNTS = (1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 96, 100, 128, 129, 200, 256, 257, 512, 1024)
INTEGER_OPS = ("+", "*", "min", "max", "&", "|", "^", "&&", "||")
REAL_OPS = ("+", "+", "*", "min", "max")


def directives(rng, plain):
    """(directives, inner directive or ''). plain: those whose kernels place has versions for, wherever it can."""
    if plain and rng.random() < 0.93:
        return [rng.choice((COMBINED, COMBINED, COMBINED, COMBINED + " simd"))], ""
    if rng.random() < 0.08:
        return list(SPLIT[0]), rng.choice(("parallel for", "parallel for simd", "parallel for"))
    kinds, weights = zip(*DIRECTIVES)
    return list(rng.choices(kinds, weights)[0]), ""


def count_of(rng, params, name, choices=COUNTS):
    """A constant, or a parameter whose values change from round to round."""
    if rng.random() < 0.5:
        return str(rng.choice(choices))
    c = rng.choice(("int", "int", "int", "unsigned", "short", "long"))
    params.append(Param(name, c, [rng.choice(choices) for _ in range(rng.choice((1, 1, 2, 3)))]))
    return name


def shape_clauses(rng, words, params, plain):
    """num_teams, thread_limit, num_threads"""
    out = []
    if "teams" in words and rng.random() < 0.3:
        out.append(Clause("num_teams", count_of(rng, params, "teams", COUNTS + (1, 2, 3)), "teams"))
    if "teams" in words and rng.random() < 0.25:
        out.append(Clause("thread_limit", count_of(rng, params, "limit"), "teams"))
    if "parallel" in words and rng.random() < (0.02 if plain else 0.25):
        out.append(Clause("num_threads", count_of(rng, params, "threads"), "parallel"))
    return out


def schedule_clauses(rng, words, params, plain):
    out = []
    if "for" in words and rng.random() < 0.3:
        kind = rng.choice(("static", "static", "static,", "static,", "dynamic", "dynamic,", "guided", "auto"))
        kind = rng.choice(("static", "static,")) if plain else kind
        if kind.endswith(","):
            kind = f"{kind} {count_of(rng, params, 'chunk', (1, 1, 2, 3, 4, 7, 16, 33, 128))}"
        out.append(Clause("schedule", kind, "for"))
    if "distribute" in words and rng.random() < 0.15:
        kind = rng.choice(("static", "static,", "static,"))
        if kind.endswith(","):
            kind = f"{kind} {count_of(rng, params, 'piece', (1, 5, 32, 50, 128, 200, 1000))}"
        out.append(Clause("dist_schedule", kind, "distribute"))
    return out


def other_clauses(rng, words, params):
    out = []
    if rng.random() < 0.08:
        params.append(Param("there", "int", [rng.randrange(4) for _ in range(rng.choice((1, 2, 3)))]))
        at = "parallel" if "parallel" in words and rng.random() < 0.4 else "target"
        out.append(Clause("if", "there", at))
    if rng.random() < 0.06:
        out.append(Clause("nowait", "", "target"))
    if rng.random() < 0.08:
        out.append(Clause("device", "0", "target"))
    if "simd" in words and rng.random() < 0.5:
        out.append(Clause(rng.choice(("simdlen", "safelen")), "8", "simd"))
    if words & {"for", "loop"} and "inner" not in words and rng.random() < 0.05:
        out.append(Clause("order", "concurrent", "loop" if "loop" in words else "for"))
    if "parallel" in words and rng.random() < 0.03:
        out.append(Clause("proc_bind", "spread", "parallel"))
    return out


def clauses(rng, spelled, inner, params, plain):
    words = set(" ".join(spelled + [inner]).split())
    out = shape_clauses(rng, words, params, plain) + schedule_clauses(rng, words, params, plain)
    out += other_clauses(rng, words, params)
    if any(c.name == "schedule" and not c.value.startswith("static") for c in out) and rng.random() < 0.1:
        out += [Clause("firstprivate", p.name, "for") for p in params[-1:]]
    return out


def reductions(rng, plain):
    if rng.random() > (0.06 if plain else 0.22):
        return []
    return some_reductions(rng)


def sums_of_one_level(rng):
    """Reductions of up to three variables, of 8 to 64 bits."""
    out = [r for _ in range(rng.choice((1, 1, 2))) for r in some_reductions(rng)][:3]
    for number, r in enumerate(out):
        r.name = f"sum{number}"
        if r.carrier is UNSIGNED and not r.own and r.op != "*" and rng.random() < 0.7:
            r.narrow = rng.choice(("uint8_t", "int8_t", "uint16_t", "int16_t"))
    return out


def some_reductions(rng):
    out = []
    for number in range(rng.choice((1, 1, 1, 2))):
        carrier = rng.choice((INT, LONG, UNSIGNED, WORD, FLOAT, FLOAT, DOUBLE))
        op = rng.choice(REAL_OPS if carrier.real else INTEGER_OPS)
        form = rng.choice(("scalar", "scalar", "scalar", "scalar", "scalar", "cells", "least", "lesser"))
        out.append(Reduction(f"sum{number}", op, carrier, form))
        if out[-1].own:
            out[-1].op, out[-1].carrier = form, LONG
    return out
