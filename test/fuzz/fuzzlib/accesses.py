"""The grammar of accesses: which element of which array."""

from fuzzlib.tree import Index, Load, Term

FACTORS = (1, 1, 1, 2, 3, 4, -1, -1, -2, 5)


def linear(rng, loops):
    """The element of this iteration in an array of the shape of the nest, or of that shape with two loops exchanged."""
    order = list(loops)
    if len(order) == 2 and loops[0].columns:
        order.reverse()
    elif len(order) > 1 and rng.random() < 0.3:
        a, b = rng.sample(range(len(order)), 2)
        order[a], order[b] = order[b], order[a]
    terms, stride = [], 1
    for one in reversed(order):
        if one.param and rng.random() < 0.5 and stride == 1 and len(order) == 2:
            terms.append(Term(one.var))
            terms.append(Term(order[0].var, 1, one.param))
            return terms
        terms.append(Term(one.var, stride))
        stride *= one.start + one.trips * one.step
    return terms


def terms(rng, loops, inner):
    """Terms of loop variables; inner: variables of sequential loops around the access."""
    pick = rng.random()
    if pick < 0.5:
        out = linear(rng, loops)
    elif pick < 0.6:
        out = [Term(rng.choice(inner).var, rng.choice(FACTORS))] if inner else []
    else:
        chosen = rng.sample(loops, rng.randrange(0, len(loops) + 1))
        out = [Term(one.var, rng.choice(FACTORS)) for one in chosen]
    for one in inner:
        if rng.random() < 0.6 and all(t.var != one.var for t in out):
            factor = rng.choice(FACTORS)
            if rng.random() < 0.15:
                factor *= rng.choice((8, 16, 33))
            out.append(Term(one.var, factor))
    return out


def index(rng, loops, inner, params, through):
    """through: index arrays that lead into the array."""
    made = Index("affine", terms(rng, loops, inner), rng.choice((0, 0, 0, 1, 2, 5, -1, -3, 17)))
    pick = rng.random()
    if pick < 0.08:
        made.form, made.operand = "modulo", rng.choice((3, 7, 16, 30, 61, 128))
    elif pick < 0.12:
        made.form, made.operand = "divide", rng.choice((2, 3, 8))
    elif pick < 0.16:
        made.form, made.operand = "mask", rng.choice((3, 15, 63))
    elif pick < 0.21:
        made.form = "clamp"
    elif pick < 0.35 and through:
        made.form, made.through, made.operand = "gather", rng.choice(through), rng.choice((5, 50, 200, 600))
    narrow = [p for p in params if p.c in ("unsigned short", "unsigned char", "_Bool", "short")]
    if narrow and rng.random() < 0.25 and made.form != "clamp":
        made.narrow, made.narrow_by = rng.choice(narrow).name, rng.choice((1, 2, 3))
    return made


def load(rng, array, loops, inner, params, through):
    made = Load(array.name, index(rng, loops, inner, params, through), rng.randrange(8))
    if array.fill == "rows":
        made.index.form, made.index.narrow = "affine", ""
        return made
    pick = rng.random()
    if pick < 0.12:
        made.how = "guarded"
    elif pick < 0.18:
        made.how = "pointer"
    elif pick < 0.184 and array.slack == 0 and array.residence != "implicit":
        made.how = "aligned"
    return made
