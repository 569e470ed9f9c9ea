"""Makes a program from a seed."""

import random

from fuzzlib import bodies, clauses, loops, openacc, tree
from fuzzlib.prelude import FUNCTIONS, NEIGHBOURS
from fuzzlib.shapes import Shapes
from fuzzlib.types import COMPOUNDS, F32, F64, I32, SCALARS, U32, U64


class Generator(Shapes):
    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed)
        self.threads = 2 if self.rng.random() < 0.08 else 1
        self.language = "cpp" if self.rng.random() < 0.15 else "c"
        # plain: without what keeps place away from every kernel of a file
        self.plain = self.rng.random() < 0.65
        allowed = ("mix", "pick") if self.plain else [f for f in FUNCTIONS if f not in ("elsewhere", "rest")]
        self.functions = [f for f in allowed if self.rng.random() < 0.4]
        if not self.plain and self.rng.random() < 0.12:
            self.functions.append("elsewhere")
        if random.Random(f"rest {seed}").random() < 0.2:  # of its own, so that other programs stay what they were
            self.functions.append("rest")
        self.arrays = []

    def program(self):
        rng = self.rng
        self._pool()
        regions = [self._region(f"r{n}") for n in range(rng.choice((3, 4, 4, 5)))]
        neighbours = rng.sample(sorted(NEIGHBOURS), rng.choice((1, 1, 2))) if rng.random() < (0.03 if self.plain else 0.6) else []
        return tree.Program(self.seed, self.language, self.arrays, regions, neighbours, self.functions,
                            self._steps(regions), self.threads, rng.choice((3, 5, 16, 40, 3200, 3200)), [])

    # arrays

    def _elem(self):
        rng = self.rng
        if rng.random() < 0.12:
            return rng.choice(COMPOUNDS)
        return rng.choice(SCALARS + (I32, I32, F32, F32, F32, F64, F64))

    def _array(self, elem, fill="data", target=""):
        rng = self.rng
        made = tree.Array(f"a{len(self.arrays)}", elem, fill=fill, target=target)
        if self.threads == 1 and rng.random() < 0.3:
            made.storage = "static"
            made.residence = rng.choice(("clause", "implicit", "implicit", "data"))
        else:
            made.residence = rng.choice(("clause",) * 6 + ("data",) * 3 + ("device",))
            made.slack = rng.choice((0, 0, 0, 0, 1, 3)) if fill == "data" else 0
            made.dynamic = rng.random() < 0.4
        made.narrow = fill == "index" and rng.random() < 0.3
        # Drawn apart from the rest, as `looks`.
        usual = (made.storage, made.residence, fill, made.slack) == ("heap", "clause", "data", 0) and self.threads == 1
        if usual and random.Random(f"named {self.seed} {made.name}").random() < 0.08:
            made.storage = "named"
        self.arrays.append(made)
        return made

    def _pool(self):
        rng = self.rng
        for _ in range(rng.choice((5, 6, 8))):
            self._array(self._elem())
        for _ in range(rng.choice((0, 1, 1, 2))):
            self._array(I32, "index", rng.choice([a for a in self.arrays if a.fill == "data"]).name)
        if rng.random() < 0.12 and self.threads == 1:
            elem = rng.choice((F32, F64, I32))
            base = self._array(elem)
            base.storage, base.residence, base.fill, base.slack = "heap", "data", "data", 0
            rows = self._array(elem, "rows", base.name)
            rows.storage, rows.residence, rows.slack = "heap", "clause", 0
            self.rows_base = base.name
        else:
            self.rows_base = ""

    # regions

    def _region(self, name):
        rng, params = self.rng, []
        spelled, inner = clauses.directives(rng, self.plain)
        nest, collapsed = loops.nest(rng, params, inner)
        made = clauses.clauses(rng, spelled, inner, params, self.plain)
        for number in range(rng.choice((0, 0, 1, 2))):
            c, most = rng.choice((("unsigned short", 300), ("unsigned char", 100), ("_Bool", 1), ("short", 90), ("int", 60), ("long", 9)))
            params.append(tree.Param(f"p{number}", c, [rng.randrange(most + 1) for _ in range(rng.choice((1, 2, 3)))]))
        data = [a for a in self.arrays if a.fill == "data" and a.name != self.rows_base]
        rng.shuffle(data)
        count = rng.choice((1, 1, 1, 1, 2, 2, 3))
        targets, rest = data[:count], data[count:]
        readable = rest[: rng.choice((1, 2, 2, 3, 4))]
        readable += [a for a in self.arrays if a.fill == "rows" and rng.random() < 0.5]
        body = bodies.Body(rng, nest, params, readable, self.arrays, self.functions)
        self._params_only_before(body, params)
        slots = [self._slot(f"{name}s{n}", array, nest) for n, array in enumerate(targets)]
        body.own = [s for s in slots if rng.random() < 0.35]
        body.halved = {s.array for s in body.own if not s.reverse and rng.random() < 0.5}
        region = tree.Region(name, spelled, nest, collapsed, made, params, self._reductions(name, inner), slots, [], [], inner)
        one_level = self._sum_on_one_level(region)
        self._fill_region(region, body, rest, 0.5 if one_level else 0.2)
        self._along(region, body)
        self._rows(region, body)
        self._product(region, body)
        self._ranges(region, body)
        self._columns(region, body)
        self._exchange(region, body)
        self._table(region, body)
        # Drawn apart from the rest: programs made before this was are made still.
        region.looks = random.Random(f"looks {self.seed} {name}").random() < 0.15
        region.records = self.threads == 1 and random.Random(f"records {self.seed} {name}").random() < 0.6
        region.mapped = self._mapped(name, params)
        for array in readable:
            if rng.random() < 0.1:
                region.maps[array.name] = rng.choice(("tofrom", "always, to", "tofrom"))
        return region

    def _mapped(self, name, params):
        """Parameters that come by reference; drawn apart from the rest, as `looks`."""
        rng = random.Random(f"mapped {self.seed} {name}")
        share = rng.choice((0, 0, 0, 0, 0, 0.6, 1))
        return [p.name for p in params if rng.random() < share]

    def _reductions(self, name, inner):
        """Of loops in two levels drawn apart from the rest, as `looks`."""
        if not inner:
            return clauses.reductions(self.rng, self.plain)
        rng = random.Random(f"sums {self.seed} {name}")
        return clauses.some_reductions(rng) if rng.random() < 0.3 else []

    @staticmethod
    def _params_only_before(body, params):
        """Expressions may name all parameters; those of clauses too."""
        body.params = params

    def _slot(self, name, array, nest):
        rng = self.rng
        order = [one.var for one in nest]
        if len(order) == 2 and nest[0].columns:
            order.reverse()
        elif rng.random() < 0.2:
            rng.shuffle(order)
        made = tree.Slot(name, array.name, order)
        pick = rng.random()
        if pick < 0.08:
            made.reverse = True
        elif pick < 0.15:
            made.factor, made.offset = rng.choice((2, 3)), rng.choice((0, 1))
        elif pick < 0.2:
            made.offset = rng.choice((1, 5, 32))
        elif pick < 0.28:
            made.through = self._array(I32, "permutation").name
        return made

    def _sum_on_one_level(self, region):
        """Now and then, a reduction of a loop that is shared out once; drawn apart from the rest, as `looks`. Whether it is one."""
        rng = random.Random(f"one level {self.seed} {region.name}")
        if region.inner or rng.random() > 0.08:
            return False
        region.directives = list(rng.choice(clauses.ONE_LEVEL))
        region.reductions = clauses.sums_of_one_level(rng)
        if rng.random() < 0.8:  # else chunks of the program's own
            region.clauses = [c for c in region.clauses if c.name not in ("schedule", "dist_schedule")]
        return True

    def _fill_region(self, region, body, rest, inner):
        rng = self.rng
        if region.inner:
            outer = region.loops[:1]
            body.loops, saved = outer, (body.loops, body.own)
            body.own = []
            for _ in range(rng.choice((0, 1, 2))):
                carrier = rng.choice((bodies.INT, bodies.FLOAT, bodies.UNSIGNED))
                region.before += body.accumulation(carrier) if rng.random() < 0.3 else [self._let(body, carrier)]
            body.loops, body.own = saved
        for slot in region.slots:
            if rng.random() < 0.15:
                self._imperfect(region, body, slot)
            else:
                region.body += body.store(slot)
        loop_words = " ".join(region.directives)
        lasts = ["last0"] if rng.random() < 0.08 and "loop" not in loop_words and not region.inner else []
        if lasts and any(p.values and 0 in p.values for p in region.params if p.name.startswith("n")) or \
                any(one.form == "triangular" for one in region.loops):
            lasts = []
        region.lasts = lasts
        atomics = [a for a in rest if a not in body.readable and a.elem in (U32, U64)][:1] if rng.random() < 0.5 else []
        region.body += body.uses(region.reductions, lasts, atomics, inner)
        first = [s for s in region.body if isinstance(s, tree.Let)]
        if first and rng.random() < 0.12:
            region.clauses.append(tree.Clause("private", rng.choice(first).name, "for"))

    def _let(self, body, carrier):
        made = tree.Let(body.name("b"), carrier, body.expression(carrier, 1))
        body.locals.append(made.name)
        return made

    def _imperfect(self, region, body, slot):
        """A sequential loop within the nest, whose iterations write an element each; statements before and after it."""
        rng = self.rng
        one = loops.loop(rng, body.name("m"), rng.choice((2, 4, 7)), region.params, False, 0.3)
        slot.order.append(one.var)
        body.inner.append(one)
        made = tree.For(one, body.store(slot))
        body.inner.pop()
        region.body.append(made)
        body.locals = []
        body.own = [s for s in body.own if s is not slot]

    # launches

    def _launch(self, region, every):
        """Around it, now and then, data are mapped and released that its own clauses map as well, or others; drawn apart from the rest, as `looks`."""
        rng = random.Random(f"around {self.seed} {region.name}")
        made = tree.Step("launch", region.name, every)
        on_host = any(c.name == "if" and c.at != "parallel" for c in region.clauses)  # now and then, with what the host has of the data
        if rng.random() < 0.85 or on_host:
            return made
        made.other, made.around_every = rng.random() < 0.6, rng.choice((1, 2, 3))
        able = [a.name for a in self.arrays if a.residence in ("clause", "implicit") and a.storage != "named" and a.fill != "rows" and a.name not in region.maps]
        made.around = rng.sample(able, min(len(able), rng.choice((0, 1, 2))))
        return made

    def _steps(self, regions):
        rng, out = self.rng, []
        for region in regions:
            out.append(self._launch(region, 1 if rng.random() < 0.9 else 2))
            if rng.random() < 0.1:
                out.append(tree.Step("launch", region.name))
        for _ in range(rng.choice((0, 1, 2, 3))):
            array = rng.choice(self.arrays)
            out.append(tree.Step(rng.choice(("refill", "refill", "move")), array.name, rng.choice((1, 2, 3, 5))))
        if rng.random() < 0.5:
            rng.shuffle(out)
        return out


def generated(seed):
    """An OpenMP program; from openacc.FIRST_SEED on, one of OpenACC."""
    program = Generator(seed).program()
    return openacc.adapt(program, random.Random(-seed)) if seed >= openacc.FIRST_SEED else program

