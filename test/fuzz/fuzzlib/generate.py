"""Makes a program from a seed."""

import math
import random

from fuzzlib import accesses, bodies, clauses, loops, openacc, tree
from fuzzlib.prelude import FUNCTIONS, NEIGHBOURS
from fuzzlib.statements import walk
from fuzzlib.types import COMPOUNDS, F32, F64, I32, SCALARS, U32, U64, Compound


class Generator:
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

    @staticmethod
    def _instead(region, body, rng, *names, inner=None):
        """What follows takes the place of the region's statements, and knows of these locals and this inner loop alone."""
        body.rng, body.locals, body.own, body.inner = rng, list(names), [], [inner] if inner else []
        region.clauses = [c for c in region.clauses if c.name != "private"]

    def _along(self, region, body):
        """Instead of all else: loops whose iterations form a cell each of reductions. Drawn apart from the rest."""
        rng = random.Random(f"along {self.seed} {region.name}")
        if region.inner or not region.reductions or rng.random() < 0.6:
            return
        cells = rng.choice((8, 16, 32, 32, 24, 64))
        self._instead(region, body, rng)
        region.before, region.body, region.slots, region.lasts = [], [], [], []
        for number, r in enumerate(region.reductions):
            many = cells if rng.random() < 0.85 else 5
            if r.own:
                r.section = many
            else:
                r.form, r.cells = "cells", many
            one = tree.Loop(f"c{number}", cells, c=rng.choice(("int", "unsigned")))
            body.inner = [one]
            terms = [tree.Term(loop.var, cells) for loop in region.loops[-1:]] + [tree.Term(one.var)]
            along = tree.Load(rng.choice(body.readable).name, tree.Index("affine", terms)) if body.readable else tree.Const(7)
            value = along if rng.random() < 0.4 else tree.Bin("+", along, body.expression(r.carrier, 1))
            made = tree.Reduce(r.name, value, one.var if rng.random() < 0.85 else "")
            region.body.append(tree.For(one, [made], behind=self._behind(region, along, r)))

    def _rows(self, region, body):
        """Instead of all else: each iteration goes along a row of its own, longer than a strip or not. Drawn apart from the rest."""
        rng = random.Random(f"rows {self.seed} {region.name}")
        arrays = [a for a in body.readable if a.elem in (F32, F64, I32, U32) and a.fill != "rows"]
        if region.inner or region.reductions or region.lasts or len(region.loops) != 1 or not arrays or rng.random() < 0.7:
            return
        one = tree.Loop("q", rng.choice((31, 64, 65, 100, 129, 200, 260)))
        self._instead(region, body, rng, inner=one)
        region.body = []
        along = tree.Load(rng.choice(arrays).name, tree.Index("affine", [tree.Term(region.loops[0].var, one.trips), tree.Term(one.var)]))
        step = tree.Acc("along", along if rng.random() < 0.5 else tree.Bin("+", along, body.expression(bodies.INT, 1)))
        if rng.random() < 0.2:
            step = tree.If("<", along, tree.Const(rng.randrange(60)), [step], [])
        body.inner, body.locals = [], ["along"]
        region.body += [tree.Let("along", bodies.INT, tree.Const(0)), tree.For(one, [step])]
        for slot in region.slots:
            region.body += body.store(slot)

    def _ranges(self, region, body):
        """Instead of all else: each iteration goes along a range of its own, which begins where the one before it ends, or not. Drawn apart from
        the rest."""
        rng = random.Random(f"ranges {self.seed} {region.name}")
        arrays = [a for a in body.readable if a.elem in (F32, F64, I32, U32) and a.fill != "rows"]
        if region.inner or region.reductions or region.lasts or len(region.loops) != 1 or not arrays or rng.random() < 0.7:
            return
        starts = tree.Array(f"a{len(self.arrays)}", I32, fill="starts")
        self.arrays.append(starts)
        one = tree.Loop("q", 3, c=rng.choice(("int", "int", "long")), form=rng.choice(("next", "next", "next", "gap", "over")),
                        outer=region.loops[0].var, through=starts.name)
        self._instead(region, body, rng, "along", inner=one)
        carrier = rng.choice((bodies.INT, bodies.INT, bodies.FLOAT))
        straight = [tree.Load(rng.choice(arrays).name, tree.Index("affine", [tree.Term("q")])) for _ in range(rng.choice((1, 1, 2)))]
        value = tree.Bin(rng.choice("+*"), *straight) if len(straight) > 1 else straight[0]
        if rng.random() < 0.6:
            value = tree.Bin(rng.choice("+-*"), value, body.expression(carrier, 1))
        step = tree.Acc("along", value)
        if rng.random() < 0.3:
            step = tree.If("<", straight[0], rng.choice((tree.Const(rng.randrange(60)), tree.Var("along"))), [step], [])
        body.inner, body.locals = [], ["along"]
        region.before = []
        region.body = [tree.Let("along", carrier, tree.Const(rng.randrange(3))), tree.For(one, [step])]
        if rng.random() < 0.3:
            again = tree.Bin(rng.choice("+-*"), tree.Load(rng.choice(arrays).name, tree.Index("affine", [tree.Term("q")])), tree.Var("along"))
            region.body.append(tree.For(one, [tree.Acc("along", again)]))
        for slot in region.slots:
            region.body += body.store(slot)

    def _product(self, region, body):
        """Instead of all else: each iteration of two loops adds up products along a row and a column, or two rows, of arrays of one type or two,
        in whole blocks with tiles and without. Drawn apart from the rest."""
        rng = random.Random(f"product {self.seed} {region.name}")
        arrays = [a for a in body.readable if a.elem in (F32, F64, I32, U32) and a.fill != "rows"]
        if region.inner or region.reductions or region.lasts or len(region.loops) != 2 or not arrays or rng.random() < 0.7:
            return
        (row, column), longest = region.loops, 70
        if column.form != "triangular":
            row.trips, column.trips = rng.choice(((64, 128), (65, 130), (70, 66), (30, 30)))
            row.param = column.param = ""
        one = bodies.sequential(rng, "e", region.params, trips=(15, 16, 17, 33, 64, longest), variable=0.5)
        self._instead(region, body, rng, "sum", inner=one)
        carrier = rng.choice((bodies.INT, bodies.FLOAT, bodies.FLOAT))
        down = [tree.Term("e", column.trips), tree.Term(column.var)] if rng.random() < 0.6 else [tree.Term(column.var, longest), tree.Term("e")]
        factors = [tree.Load(rng.choice(arrays).name, tree.Index("affine", terms)) for terms in ([tree.Term(row.var, longest), tree.Term("e")], down)]
        product = tree.Bin(rng.choice("***-"), *factors)
        if rng.random() < 0.3:
            product = tree.Bin("*", product, product)
        body.inner = []
        if rng.random() < 0.8:
            region.clauses = [c for c in region.clauses if c.name not in ("schedule", "dist_schedule")]
        region.before, region.slots = [], region.slots[:1]
        region.body = [tree.Let("sum", carrier, tree.Const(0)), tree.For(one, [tree.Acc("sum", product)])]
        for slot in region.slots:
            region.body += body.store(slot)

    def _columns(self, region, body):
        """Instead of all else: each iteration replaces what it finds along a column of its own, by way of what it made of the element
        before, downwards or upwards. Drawn apart from the rest."""
        rng = random.Random(f"columns {self.seed} {region.name}")
        elems = {a.name: a.elem for a in self.arrays}
        slots = [s for s in region.slots if not s.through and elems[s.array] in (F32, F64, I32, U32)]
        if region.inner or region.reductions or region.lasts or not slots or rng.random() < 0.75:
            return
        iterations = math.prod(one.trips for one in region.loops)
        one = bodies.sequential(rng, "q", region.params, trips=bodies.LONG if iterations <= 300 else (9, 17, 20), variable=0.7)
        region.params.append(tree.Param("pitch", rng.choice(("int", "long", "short")), rng.choice(([1], [1, 0], [2, 1], [0, 1]))))
        slot, carrier = slots[0], bodies.carriers_of(elems[slots[0].array])[0]
        slot.order = [v for v in slot.order if any(v == loop.var for loop in region.loops)]
        slot.along, slot.pitch = "q", "pitch"
        self._instead(region, body, rng, "last", inner=one)
        here = tree.Load(slot.array, tree.Index("slot"))
        value = tree.Bin(rng.choice("+-*"), here, tree.Var("last"))
        if rng.random() < 0.5:
            value = tree.Bin(rng.choice("+-"), value, body.expression(carrier, 1))
        body.inner = []
        region.slots, region.before = [slot], []
        region.body = [tree.Let("last", bodies.INT, tree.Const(1)),
                       tree.For(one, [tree.Store(slot.name, carrier, value), tree.Acc("last", here)])]

    def _exchange(self, region, body):
        """Besides all else, an element that is a structure changes for one that nothing writes, and maybe back. Drawn apart from the rest."""
        rng = random.Random(f"exchange {self.seed} {region.name}")
        elems, own = {a.name: a.elem for a in self.arrays}, {one.var for one in region.loops}
        slots = [s for s in region.slots if isinstance(elems[s.array], Compound) and not s.reverse and own.issuperset(s.order)]
        if region.inner or not slots or rng.random() < 0.4:
            return
        slot = rng.choice(slots)
        others = [a for a in body.readable if a.elem is elems[slot.array] and a.fill == "data"]
        if others and rng.random() < 0.5:
            value = accesses.load(rng, others[0], region.loops, [], region.params, [])
        else:
            value = tree.Load(slot.array, tree.Index("half", accesses.terms(rng, region.loops, []), rng.choice((0, 0, 1))))
        body.rng, body.inner, body.locals, body.own, saved = rng, [], [], [], (body.rng, body.own)
        region.body.append(tree.Exchange(slot.name, value, rng.choice("<>&"), body.leaf(), body.leaf()))
        body.rng, body.own = saved

    def _table(self, region, body):
        """Besides all else, a table of the team's, which its part fills, and iterations look at. Drawn apart from the rest."""
        rng = random.Random(f"table {self.seed} {region.name}")
        users = [n for n in walk(region.body) if isinstance(n, (tree.Store, tree.Reduce)) and getattr(n, "field", 0) >= 0]
        if not region.inner or not users or rng.random() < 0.3:
            return
        elem = rng.choice((I32, U32, F32, F64))
        body.rng, body.loops, body.inner, body.locals, body.own, saved = rng, region.loops[:1], [], [], [], (body.rng, body.loops, body.own)
        value = body.expression(bodies.carriers_of(elem)[0], 2)
        table = tree.Table("held", elem, rng.choice((3, 8, 16, 40)), value, rng.choice((0, 1, 1, 2)))
        body.rng, body.loops, body.own = saved
        region.before.append(table)
        user = rng.choice(users)
        user.value = tree.Bin("+", user.value, tree.Var("found"))
        region.body[:0] = [tree.Let("found", bodies.INT, tree.Const(0)), tree.Find(table, region.loops[-1].var, "found")]

    def _behind(self, region, along, reduction):
        """Now and then, of an element as above: that of the next round. Drawn apart from the rest."""
        rng = random.Random(f"behind {self.seed} {region.name} {reduction.name}")
        return [tree.Reduce(reduction.name, along)] if rng.random() < 0.2 else []

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


assert Compound
