"""The grammar of what an iteration does."""

from fuzzlib import accesses, tree
from fuzzlib.loops import LONG, sequential
from fuzzlib.types import COMPOUNDS, FLOAT, INT, UNSIGNED, Compound, carriers_of

INTEGER_OPS = ("+", "+", "-", "*", "*", "min", "max", "/", "%", "&", "|", "^", "<<", ">>")
REAL_OPS = ("+", "+", "-", "*", "*", "min", "max")


class Body:
    """Makes the statements of a region. rng: the program's; readable: arrays that this region only reads."""

    def __init__(self, rng, loops, params, readable, arrays, functions):
        self.rng, self.loops, self.params, self.readable = rng, loops, params, readable
        self.arrays, self.functions = arrays, functions
        self.inner, self.locals, self.numbers = [], [], 0
        self.slots, self.own = [], []

    def name(self, letter):
        self.numbers += 1
        return f"{letter}{self.numbers}"

    # expressions

    def load(self):
        rng = self.rng
        if self.own and rng.random() < 0.15:
            slot = rng.choice(self.own)
            index = tree.Index("slot")
            if rng.random() < 0.5 and slot.array in self.halved:
                index = tree.Index("half", accesses.terms(rng, self.loops, self.inner), rng.choice((0, 0, 1, -2)))
            return tree.Load(slot.array, index, rng.randrange(8))
        array = rng.choice(self.readable)
        through = [a.name for a in self.arrays if a.fill == "index" and a.target == array.name]
        return accesses.load(rng, array, self.loops, self.inner, self.params, through)

    def leaf(self):
        rng, pick = self.rng, self.rng.random()
        if pick < 0.62 and self.readable:
            return self.load()
        if pick < 0.8 and self.locals:
            return tree.Var(rng.choice(self.locals))
        if pick < 0.95:
            return tree.Var(rng.choice([one.var for one in self.loops + self.inner] + [p.name for p in self.params]))
        return tree.Const(rng.randrange(50))

    def expression(self, carrier, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            return self.leaf()
        if rng.random() < 0.08:
            return tree.Select(rng.choice("<>=&").replace("=", "=="), self.leaf(), self.leaf(), self.leaf(),
                               self.expression(carrier, depth - 1))
        if rng.random() < 0.05 and self.functions:
            return tree.Call(rng.choice(self.functions), self.expression(carrier, depth - 1), self.leaf())
        op = rng.choice(REAL_OPS if carrier.real else INTEGER_OPS)
        return tree.Bin(op, self.expression(carrier, depth - 1), self.expression(carrier, depth - 1))

    # statements

    def accumulation(self, carrier):
        """acc = ...; for (...) acc += ...; the usual inner loop, sometimes two deep."""
        rng, name = self.rng, self.name("acc")
        first = self.expression(carrier, 1) if rng.random() < 0.4 else tree.Const(0)
        out = [tree.Let(name, carrier, first)]
        depth, loops = rng.choice((1, 1, 2)), []
        for _ in range(depth):
            longer = {"trips": LONG} if depth == 1 and rng.random() < 0.1 else {}
            loops.append(sequential(rng, self.name("k"), self.params, self.loops[0].var, **longer))
            if depth == 2:
                loops[-1].trips = min(loops[-1].trips, 5)
                for p in self.params:
                    if p.name == loops[-1].param:
                        p.values = [min(v, 5) for v in p.values]
            self.inner.append(loops[-1])
        body = [tree.Acc(name, self.expression(carrier, rng.choice((1, 1, 2))))]
        if rng.random() < 0.12:
            body.insert(rng.randrange(2), tree.Jump(rng.choice(("break", "continue")), rng.choice("<>"), self.leaf(), self.leaf()))
        if rng.random() < 0.1:
            body = [tree.If(rng.choice("<>&"), self.leaf(), self.leaf(), body, [])]
        for one in reversed(loops):
            body = [tree.For(one, body)]
            self.inner.pop()
        self.locals.append(name)
        return out + body

    def search(self, name):
        """A loop along an array that ends where a value is found, and counts or adds up until then."""
        rng, one = self.rng, sequential(self.rng, self.name("k"), self.params, trips=(7, 16, 17, 33, 40), variable=0.9)
        array = rng.choice([a for a in self.readable if not isinstance(a.elem, Compound) and a.fill != "rows"] or [None])
        if not array:
            return []
        found = tree.Load(array.name, tree.Index("affine", [tree.Term(one.var, rng.choice((1, 1, 1, 2)))], rng.choice((0, 0, 1))), 0)
        self.inner.append(one)
        end = tree.Jump("break", rng.choice("<>"), found, self.leaf() if rng.random() < 0.5 else tree.Const(rng.randrange(60)))
        add = tree.Acc(name, rng.choice((tree.Const(1), tree.Var(one.var), found)))
        self.inner.pop()
        return [tree.For(one, [end, add] if rng.random() < 0.7 else [add, end])]

    def tally(self, name, other):
        """A long loop that adds to one of two, as what it loads decides: by a switch, or one condition after the other."""
        rng, one = self.rng, sequential(self.rng, self.name("k"), self.params, trips=LONG, variable=0.7)
        self.inner.append(one)
        decides, add, least = self.load(), tree.Acc(name, self.leaf()), tree.Const(rng.randrange(40))
        if rng.random() < 0.6:
            body = tree.Switch(decides, [[add], [tree.Acc(other, tree.Const(1))], [], [tree.Acc(name, tree.Const(3))]])
        else:
            body = tree.If(rng.choice("<>"), decides, least, [add], [tree.If(rng.choice("<>&"), decides, self.leaf(), [tree.Acc(other, tree.Const(1))], [])])
        self.inner.pop()
        return [tree.For(one, [body])]

    def control(self, carrier):
        """while, switch, if, a private array, a search, a tally: each adds to a local"""
        rng, name = self.rng, self.name("v")
        out = [tree.Let(name, carrier, self.expression(carrier, 1))]
        kind = rng.choice(("while", "switch", "if", "scratch", "search", "search") + ("tally", "tally") * bool(self.readable))

        def acc():
            return tree.Acc(name, self.expression(carrier, 1))

        if kind == "while":
            out.append(tree.While(self.name("w"), self.leaf(), [acc()]))
            if rng.random() < 0.3:
                out[-1].body.append(tree.Jump("break", ">", self.leaf(), self.leaf()))
        elif kind == "switch":
            out.append(tree.Switch(self.leaf(), [[acc()], [acc()], [], [acc()]]))
        elif kind == "if":
            out.append(tree.If(rng.choice("<>&"), self.leaf(), self.leaf(), [acc()], [acc()] if rng.random() < 0.5 else []))
        elif kind == "search":
            out += self.search(name)
        elif kind == "tally":
            other = self.name("v")
            out.append(tree.Let(other, carrier, tree.Const(rng.randrange(3))))
            out += self.tally(name, other)
            self.locals.append(other)
        else:
            elem = rng.choice([a.elem for a in self.readable if not isinstance(a.elem, Compound)] or [None])
            if elem:
                out.append(tree.Scratch(self.name("t"), elem, rng.choice((3, 8, 16)), self.expression(carriers_of(elem)[0], 1), name))
        self.locals.append(name)
        return out

    def store(self, slot):
        """The statement that writes a slot, after what it needs."""
        rng, array = self.rng, next(a for a in self.arrays if a.name == slot.array)
        field, elem, out = 0, array.elem, []
        if isinstance(elem, Compound):
            same = [a for a in self.readable if a.elem is elem]
            if same and rng.random() < 0.4:
                return [tree.Store(slot.name, INT, accesses.load(rng, rng.choice(same), self.loops, self.inner, self.params, []), -1)]
            field = rng.randrange(len(elem.fields))
            elem = elem.fields[field][1]
        carrier = rng.choice(carriers_of(elem))
        wide = carrier if carrier.limit is None or carrier.limit > 2000 else FLOAT
        if rng.random() < 0.55:
            out += self.accumulation(wide)
        if rng.random() < 0.2:
            out += self.control(wide)
        value = self.expression(carrier, rng.choice((1, 2, 2, 3)))
        if self.locals and rng.random() < 0.8:
            value = tree.Bin("+", tree.Var(self.locals[-1]), value)
        made = [tree.Store(slot.name, carrier, value, field)]
        if rng.random() < 0.1:
            made = [tree.If(rng.choice("<>&"), self.leaf(), self.leaf(), made, [])]
        return out + made

    def uses(self, reductions, lasts, atomics, inner=0.2):
        """Statements that add to reductions (a share of them in an inner loop), set lastprivates, and count in arrays atomically."""
        rng, out = self.rng, []
        for r in reductions:
            made = [tree.Reduce(r.name, self.expression(r.carrier, 2))]
            if rng.random() < inner:
                one = sequential(rng, self.name("k"), self.params)
                one.trips = min(one.trips, 4)
                self.inner.append(one)
                made = [tree.For(one, [tree.Reduce(r.name, self.expression(r.carrier, 1))])]
                self.inner.pop()
            out += made
        out += [tree.Last(name, self.expression(INT, 1)) for name in lasts]
        for array in atomics:
            index = tree.Index("modulo", accesses.terms(rng, self.loops, []), 0, rng.choice((1, 7, 64)))
            out.append(tree.Atomic(array.name, index, self.expression(UNSIGNED, 1)))
        return out


assert COMPOUNDS
