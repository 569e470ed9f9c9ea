"""The grammar of loop nests."""

from fuzzlib.tree import Loop, Param

SIZES = {
    1: ((1,), (31,), (33,), (127,), (128,), (129,), (300,), (500,), (777,), (1000,), (1500,)),
    2: ((33, 35), (1, 200), (64, 32), (17, 70), (200, 3), (40, 40), (7, 130), (70, 65), (5, 5), (20, 64), (9, 100), (66, 32)),
    3: ((5, 9, 33), (2, 3, 70), (16, 8, 8), (9, 7, 11), (3, 20, 20), (2, 33, 32), (3, 8, 64)),
    4: ((2, 3, 4, 20), (3, 5, 5, 7), (2, 2, 9, 33)),
}
TYPES = ("int", "int", "int", "int", "int", "long", "unsigned", "size_t", "int64_t", "short")


def loop(rng, var, trips, params, collapsed, variable=0.35):
    """One loop of about so many iterations."""
    made = Loop(var, trips)
    if rng.random() < variable:
        name = f"n{var}"
        other = rng.choice((trips, max(1, trips - rng.randrange(9)), max(1, trips // 3), 0 if not collapsed else 1))
        kind = rng.choice(("int", "int", "int", "unsigned", "short", "long") + (("unsigned char",) if trips < 200 else ()))
        params.append(Param(name, kind, [trips] if rng.random() < 0.5 else [trips, other] if rng.random() < 0.8 else [other, trips, 1]))
        made.param = name
    made.c = rng.choice(TYPES)
    pick = rng.random()
    if pick < 0.12:
        made.form = "down"
    elif pick < 0.18:
        made.form = "until"
    elif pick < 0.25:
        made.form = "upto"
    if rng.random() < 0.12:
        made.start = rng.choice((1, 1, 2, 3, 7))
    if rng.random() < 0.1:
        made.step = rng.choice((2, 2, 3, 4))
    if made.form in ("down", "upto") and made.c in ("unsigned", "size_t"):
        made.form = "up"
    return made


def nest(rng, params, inner):
    """(loops, collapsed)"""
    depth = rng.choices((1, 2, 3, 4), (10, 10, 3, 1))[0]
    if inner:
        depth = max(2, depth)
    sizes = rng.choice(SIZES[depth])
    loops = [loop(rng, "ijkl"[n], trips, params, depth > 1, 0.35 if depth < 3 else 0.2) for n, trips in enumerate(sizes)]
    collapsed = depth if rng.random() < 0.8 else rng.randrange(1, depth + 1)
    if inner:
        collapsed = rng.randrange(1, depth)
    loops[0].columns = depth == 2 and rng.random() < 0.2
    if depth == 2 and rng.random() < 0.07:
        second = loops[1]
        second.form, second.outer, second.step, second.start = "triangular", loops[0].var, 1, 0
        second.c = loops[0].c = "int"
        if not inner and rng.random() < 0.7:
            collapsed = 1
    return loops, collapsed


LONG = (20, 33, 47, 64, 66)


def sequential(rng, var, params, outer="", trips=(1, 2, 3, 4, 5, 7, 8, 9, 16), variable=0.3):
    """A loop within an iteration."""
    trips = rng.choice(trips)
    made = loop(rng, var, trips, params, False, variable)
    if outer and rng.random() < 0.08:
        made.form, made.outer, made.step, made.start, made.c = "triangular", outer, 1, 0, "int"
    if made.form == "upto":
        made.form = "up"
    return made
