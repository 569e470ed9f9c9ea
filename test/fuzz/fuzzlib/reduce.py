"""Reduces a failing program: drops and simplifies parts of its tree as long as it fails in the same way."""

import copy
import time

from fuzzlib import tree
from fuzzlib.clauses import COMBINED
from fuzzlib.statements import walk
from fuzzlib.types import FLOAT, I32, INT, Compound

# (node type, attribute): simpler values, simplest first
SIMPLER = {
    (tree.Program, "threads"): [1], (tree.Program, "language"): ["c"], (tree.Program, "teams"): [3200],
    (tree.Region, "directives"): [[COMBINED]], (tree.Region, "collapsed"): [1], (tree.Region, "maps"): [{}], (tree.Region, "inner"): [""],
    (tree.Loop, "form"): ["up"], (tree.Loop, "start"): [0], (tree.Loop, "step"): [1], (tree.Loop, "param"): [""],
    (tree.Loop, "c"): ["int"], (tree.Loop, "outer"): [""], (tree.Loop, "through"): [""], (tree.Loop, "trips"): [1, 2, 4, 40, 200],
    (tree.Array, "residence"): ["clause"], (tree.Array, "slack"): [0], (tree.Array, "dynamic"): [False], (tree.Array, "narrow"): [False],
    (tree.Array, "storage"): ["heap"], (tree.Array, "elem"): [I32],
    (tree.Slot, "reverse"): [False], (tree.Slot, "factor"): [1], (tree.Slot, "offset"): [0], (tree.Slot, "through"): [""],
    (tree.Index, "form"): ["affine"], (tree.Index, "offset"): [0], (tree.Index, "narrow"): [""], (tree.Index, "narrow_by"): [1],
    (tree.Term, "factor"): [1], (tree.Term, "param"): [""], (tree.Load, "how"): ["plain"], (tree.Load, "field"): [0],
    (tree.For, "pragma"): [""], (tree.Param, "c"): ["int"], (tree.Step, "every"): [1], (tree.Let, "carrier"): [INT, FLOAT],
}
EXPRESSIONS = (tree.Bin, tree.Select, tree.Call, tree.Load, tree.Var)
PARTS = {tree.Bin: ("left", "right"), tree.Select: ("yes", "no", "left", "right"), tree.Call: ("left", "right")}


def nodes(program):
    return [n for n in walk(program) if hasattr(n, "__dataclass_fields__")]


def list_edits(program):
    """Drops of parts of lists: halves first, then single elements."""
    for number, node in enumerate(nodes(program)):
        for name in node.__dataclass_fields__:
            value = getattr(node, name)
            if not isinstance(value, list) or not value or name in ("order", "directives", "values", "arrays") or \
                    (isinstance(node, tree.Region) and name == "loops" and len(value) == 1):
                continue
            size = len(value)
            while size >= 1:
                for start in range(0, len(value), size):
                    yield number, name, ("drop", start, start + size)
                size //= 2


def value_edits(program):
    """Simpler values of attributes, expressions replaced by their parts, parameters with one value."""
    for number, node in enumerate(nodes(program)):
        if isinstance(node, tree.Param) and len(node.values) > 1:
            for value in sorted(set(node.values), reverse=True):
                yield number, "values", ("set", [value])
        for name in node.__dataclass_fields__:
            value = getattr(node, name)
            for simpler in SIMPLER.get((type(node), name), ()):
                if value == simpler:
                    break
                if name == "elem" and isinstance(value, Compound) and node.fill != "data":
                    continue
                if name != "trips" or simpler < value:
                    yield number, name, ("set", simpler)
            if isinstance(value, EXPRESSIONS):
                yield number, name, ("set", tree.Const(1))
                for part in PARTS.get(type(value), ()):
                    yield number, name, ("part", part)
            if isinstance(node, tree.Clause) and name == "value" and value.isdigit() and value != "1":
                yield number, name, ("set", "1")


def edited(program, edit):
    """A copy with the edit made."""
    number, name, what = edit
    made = copy.deepcopy(program)
    node = nodes(made)[number]
    value = getattr(node, name)
    if what[0] == "set":
        setattr(node, name, copy.deepcopy(what[1]))
    elif what[0] == "part":
        setattr(node, name, getattr(value, what[1]))
    else:
        dropped = value[what[1]: what[2]]
        setattr(node, name, value[: what[1]] + value[what[2]:])
        if isinstance(node, tree.Region) and name == "loops":
            if not node.loops:
                return None
            for slot in node.slots:
                slot.order = [v for v in slot.order if all(v != loop.var for loop in dropped)]
    return made


class Reducer:
    """fails(program): whether it still fails in the same way. say: prints a line."""

    def __init__(self, fails, seconds, say):
        self.fails, self.end, self.say = fails, time.monotonic() + seconds, say
        self.tried = self.kept = 0

    def late(self):
        return time.monotonic() > self.end

    def attempt(self, program):
        self.tried += 1
        try:
            good = self.fails(program)
        except (KeyError, IndexError, ValueError, AssertionError, AttributeError, TypeError):
            good = False  # an edit that leaves no program
        self.kept += good
        return good

    def focus(self, program, message):
        """One region only, if one is enough; the one that the message names comes first."""
        names = sorted((r.name for r in program.regions), key=lambda n: f"{n}:" not in message)
        for name in names:
            made = copy.deepcopy(program)
            made.regions = [r for r in made.regions if r.name == name]
            made.neighbours, made.steps = [], [s for s in made.steps if s.kind != "launch" or s.what == name]
            if self.attempt(made):
                return made
        return program

    def sweep(self, program, edits):
        """Makes each edit that keeps the failure. Returns the program and whether anything changed."""
        changed, skip = False, 0
        while not self.late():
            for number, edit in enumerate(edits(program)):
                if number < skip:
                    continue
                made = edited(program, edit)
                if made is not None and self.attempt(made):
                    program, changed, skip = made, True, number
                    break
                if self.late():
                    return program, changed
            else:
                return program, changed
        return program, changed

    def run(self, program, message=""):
        program = self.focus(program, message)
        changed = True
        while changed and not self.late():
            program, a = self.sweep(program, list_edits)
            program, b = self.sweep(program, value_edits)
            changed = a or b
        self.say(f"reduced: {self.kept} of {self.tried} edits kept")
        return program
