"""Shapes that versions of loops are made for, which statements drawn one by one rarely have: each takes the place of all that a region does, or
comes besides. All are drawn apart from the rest, so that programs made before a shape was are made still."""

import math
import random

from fuzzlib import accesses, bodies, tree
from fuzzlib.statements import walk
from fuzzlib.types import F32, F64, I32, U32, Compound


def instead(region, body, rng, *names, inner=None):
    """What follows takes the place of the region's statements, and knows of these locals and this inner loop alone."""
    body.rng, body.locals, body.own, body.inner = rng, list(names), [], [inner] if inner else []
    region.clauses = [c for c in region.clauses if c.name != "private"]


def numbers(body):
    """Arrays that may be read, of numbers of 32 bits and more."""
    return [a for a in body.readable if a.elem in (F32, F64, I32, U32) and a.fill != "rows"]


class Shapes:
    """Needs: seed, arrays."""

    def _along(self, region, body):
        """Instead of all else: loops whose iterations form a cell each of reductions."""
        rng = random.Random(f"along {self.seed} {region.name}")
        if region.inner or not region.reductions or rng.random() < 0.6:
            return
        cells = rng.choice((8, 16, 32, 32, 24, 64))
        instead(region, body, rng)
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

    def _behind(self, region, along, reduction):
        """Now and then, of an element as above: that of the next round."""
        rng = random.Random(f"behind {self.seed} {region.name} {reduction.name}")
        return [tree.Reduce(reduction.name, along)] if rng.random() < 0.2 else []

    def _rows(self, region, body):
        """Instead of all else: each iteration goes along a row of its own, longer than a strip or not."""
        rng = random.Random(f"rows {self.seed} {region.name}")
        arrays = numbers(body)
        if region.inner or region.reductions or region.lasts or len(region.loops) != 1 or not arrays or rng.random() < 0.7:
            return
        one = tree.Loop("q", rng.choice((31, 64, 65, 100, 129, 200, 260)))
        instead(region, body, rng, inner=one)
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
        """Instead of all else: each iteration goes along a range of its own, which begins where the one before it ends, or not."""
        rng = random.Random(f"ranges {self.seed} {region.name}")
        arrays = numbers(body)
        if region.inner or region.reductions or region.lasts or len(region.loops) != 1 or not arrays or rng.random() < 0.7:
            return
        starts = tree.Array(f"a{len(self.arrays)}", I32, fill="starts")
        self.arrays.append(starts)
        one = tree.Loop("q", 3, c=rng.choice(("int", "int", "long")), form=rng.choice(("next", "next", "next", "gap", "over")),
                        outer=region.loops[0].var, through=starts.name)
        instead(region, body, rng, "along", inner=one)
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
        in whole blocks with tiles and without."""
        rng = random.Random(f"product {self.seed} {region.name}")
        arrays = numbers(body)
        if region.inner or region.reductions or region.lasts or len(region.loops) != 2 or not arrays or rng.random() < 0.7:
            return
        (row, column), longest = region.loops, 70
        if column.form != "triangular":
            row.trips, column.trips = rng.choice(((64, 128), (65, 130), (70, 66), (30, 30)))
            row.param = column.param = ""
        one = bodies.sequential(rng, "e", region.params, trips=(15, 16, 17, 33, 64, longest), variable=0.5)
        instead(region, body, rng, "sum", inner=one)
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
        before, downwards or upwards."""
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
        instead(region, body, rng, "last", inner=one)
        here = tree.Load(slot.array, tree.Index("slot"))
        value = tree.Bin(rng.choice("+-*"), here, tree.Var("last"))
        if rng.random() < 0.5:
            value = tree.Bin(rng.choice("+-"), value, body.expression(carrier, 1))
        body.inner = []
        region.slots, region.before = [slot], []
        region.body = [tree.Let("last", bodies.INT, tree.Const(1)),
                       tree.For(one, [tree.Store(slot.name, carrier, value), tree.Acc("last", here)])]

    def _exchange(self, region, body):
        """Besides all else, an element that is a structure changes for one that nothing writes, and maybe back."""
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
        """Besides all else, a table of the team's, which its part fills, and iterations look at."""
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
