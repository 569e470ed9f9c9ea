"""Writes loops and statements out."""

from fuzzlib import openacc, tree
from fuzzlib.expressions import Expressions, converted, reduced
from fuzzlib.indices import Range, index_text, slot_text
from fuzzlib.types import FLOAT_VALUE, INT, UNSIGNED, Compound, carriers_of

# Where range i begins: of lengths 0 to 6, but for a long one. Below the second for i + 1.
START = "i * 3 + hash(i, seed) % 4 + (i > 40 ? 300 : 0)"
LONGEST_RANGE = 310


def end_of_ranges(i):
    return i * 3 + 3 + LONGEST_RANGE


UNSIGNED_TYPES = ("unsigned", "size_t", "uint32_t", "unsigned char", "unsigned short", "_Bool")


def walk(node):
    """All parts of a tree, itself included, in a fixed order."""
    yield node
    if isinstance(node, (list, tuple)):
        for part in node:
            yield from walk(part)
    elif hasattr(node, "__dataclass_fields__") and type(node).__module__.endswith("tree"):
        for name in node.__dataclass_fields__:
            value = getattr(node, name)
            if isinstance(value, (list, tuple)) or hasattr(value, "__dataclass_fields__"):
                yield from walk(value)


def loop_range(loop, params):
    """Values of the loop's variable over all rounds."""
    trips = max(params[loop.param].values) if loop.param in params else loop.trips
    return Range(loop.start, loop.start + max(0, trips - 1) * loop.step)


class Statements(Expressions):
    """Needs, beside what expressions need: lines, depth, multiplicity, accumulations, iterations, slots, privates."""

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def loop_header(self, loop, within):
        """`for (...)`; in a nest that is collapsed, types and forms are those that OpenMP allows."""
        v, s, lo = loop.var, loop.step, loop.start
        c = loop.c
        if self._goes_by_ranges(loop):
            return self.range_header(loop)
        form = loop.form if not (c in UNSIGNED_TYPES and loop.form in ("down", "upto")) else "up"
        count = loop.param if loop.param in self.params else str(loop.trips)
        if count.isdigit():
            end, last = str(lo + int(count) * s), str(lo + (int(count) - 1) * s)
        else:
            # clang 19 collapses loops wrongly whose variable is unsigned, and whose bound is long
            count = f"(int){count}" if c == "unsigned" and self.params[count].c == "long" else self.signed(count)
            scaled = count if s == 1 else f"{count} * {s}"
            end = scaled if lo == 0 else f"{lo} + {scaled}"
            last = f"{end} - {s}"
        if form == "triangular" and loop.outer in within and s == 1:
            return f"for ({c} {v} = {loop.outer}; {v} < {end}; {v}++)"
        if form == "down":
            return f"for ({c} {v} = {last}; {v} >= {lo}; {v} -= {s})" if s != 1 else f"for ({c} {v} = {last}; {v} >= {lo}; {v}--)"
        step = f"{v} += {s}" if s != 1 else f"{v}++"
        if form == "upto":
            return f"for ({c} {v} = {lo}; {v} <= {last}; {step})"
        return f"for ({c} {v} = {lo}; {v} {'!=' if form == 'until' and s == 1 else '<'} {end}; {step})"

    def _goes_by_ranges(self, loop):
        return loop.through in self.arrays and loop.outer in self.ranges

    def range_header(self, loop):
        begin, outer = self.element(loop.through), self.signed(loop.outer)
        self.extents.need(loop.through, self.ranges[loop.outer].high + 2)
        end = {"next": f"{begin}[{outer} + 1]", "gap": f"{begin}[{outer} + 1] - 1"}.get(loop.form, f"{begin}[{outer}] + 5")
        return f"for ({loop.c} {loop.var} = {begin}[{outer}]; {loop.var} < {end}; {loop.var}++)"

    def enter_loop(self, loop):
        if self._goes_by_ranges(loop):
            self.ranges[loop.var], self.types[loop.var] = Range(0, end_of_ranges(self.ranges[loop.outer].high)), loop.c
            return LONGEST_RANGE
        span = loop_range(loop, self.params)
        self.ranges[loop.var] = span
        self.types[loop.var] = loop.c
        return (span.high - span.low) // loop.step + 1

    def block(self, body, multiplicity=1, loop=""):
        """The statements in braces, with names of their own."""
        kept, outer, looping = dict(self.locals), self.multiplicity, self.looping
        self.multiplicity *= multiplicity
        self.looping = loop or looping
        self.depth += 1
        for statement in body:
            self.statement(statement)
        self.depth -= 1
        self.locals, self.multiplicity, self.looping = kept, outer, looping

    def statement(self, node):
        getattr(self, "_" + type(node).__name__.lower())(node)

    def _let(self, node):
        text, bound = self.expression(node.value, node.carrier)
        if bound is not None and node.name in self.accumulations:
            text, _ = reduced(text, bound, node.carrier.limit // 32, node.carrier)
            bound = node.carrier.limit // 16
        declares = node.name not in self.privates or self.multiplicity > 1
        self.line(f"{node.carrier.c + ' ' if declares else ''}{node.name} = {text};")
        self.locals[node.name] = (node.carrier, bound)

    def _acc(self, node):
        if node.name not in self.locals:
            return
        carrier = self.locals[node.name][0]
        text, bound = self.expression(node.value, carrier)
        if bound is not None:
            room = carrier.limit // 32 // self.accumulations[node.name] // self.multiplicity
            text, _ = reduced(text, bound, max(1, room), carrier)
        self.line(f"{node.name} += {text};")

    def _slot(self, name):
        """The slot of that name, if it can be written here."""
        slot = self.slots.get(name)
        return slot if slot and slot.array in self.arrays and all(v in self.ranges for v in slot.order) else None

    def _target(self, slot):
        self.written.add(slot.array)
        return f"{self.element(slot.array)}[{slot_text(slot, self)}]"

    def _whole(self, load, elem):
        """An element that is loaded as it is; empty: it is of another type."""
        array = self.arrays.get(load.array)
        if not array or array.elem is not elem or array.fill != "data":
            return ""
        return f"{self.element(array.name)}[{index_text(load.index, array.name, self)}]"

    def _store(self, node):
        slot = self._slot(node.slot)
        if slot is None:
            return
        elem, target = self.arrays[slot.array].elem, self._target(slot)
        if isinstance(elem, Compound):
            whole = self._whole(node.value, elem) if node.field < 0 and isinstance(node.value, tree.Load) else ""
            if whole:
                self.line(f"{target} = {whole};")
                return
            accessor, elem = elem.fields[node.field % len(elem.fields)]
            target += accessor
        self.line(f"{target} = {self._stored(node, elem)};")

    def _exchange(self, node):
        slot = self._slot(node.slot)
        elem = self.arrays[slot.array].elem if slot else None
        source = self._whole(node.value, elem) if isinstance(elem, Compound) else ""
        if not source:
            return
        target = self._target(slot)
        self.line(f"{{ {elem.c} kept = {target}; {target} = {source}; if ({self.condition(node)}) {target} = kept; }}")

    def _stored(self, node, elem):
        carrier = node.carrier if node.carrier in carriers_of(elem) else carriers_of(elem)[0]
        text, bound = self.expression(node.value, carrier)
        if elem.real:
            return f"({elem.c}){reduced(text, bound, FLOAT_VALUE, carrier)[0]}"
        return f"(_Bool)({text} & 1)" if elem.name == "bool" else f"({elem.c}){text}"

    def _for(self, node):
        if node.behind:
            self._counted(node)
            return
        trips = self.enter_loop(node.loop)
        if node.pragma:
            self.line(f"#pragma {node.pragma}")
        self.line(self.loop_header(node.loop, self.ranges) + " {")
        self.block(node.body, max(1, trips), "for")
        self.line("}")
        del self.ranges[node.loop.var]

    def _counted(self, node):
        """A loop from 0 up by 1 that counts in its body."""
        trips, name = self.enter_loop(node.loop), node.loop.var
        self.line(f"for ({node.loop.c} {name} = 0; {name} < {trips};) {{")
        self.block(node.body, max(1, trips), "for")
        self.line(f"  {name}++;")
        self.ranges[name] = Range(1, trips)
        self.block(node.behind, max(1, trips), "for")
        self.line("}")
        del self.ranges[name]

    def _while(self, node):
        text, _ = self.expression(node.start, UNSIGNED)
        self.line(f"uint32_t {node.name} = {text} & 255;")
        self.line(f"while ({node.name} > 2) {{")
        self.locals[node.name] = (UNSIGNED, None)
        self.depth += 1
        self.line(f"{node.name} >>= 1;")
        self.depth -= 1
        self.block(node.body, 7, "while")
        self.line("}")

    def _if(self, node):
        self.line(f"if ({self.condition(node)}) {{")
        self.block(node.then)
        if node.orelse:
            self.line("} else {")
            self.block(node.orelse)
        self.line("}")

    def _switch(self, node):
        text, _ = self.expression(node.value, UNSIGNED)
        self.line(f"switch ({text} & 3) {{")
        for number, case in enumerate(node.cases[:4]):
            self.line(f"case {number}: {{" if number < 3 else "default: {")
            self.block(case, 1, "switch")
            self.line("} break;")
        self.line("}")

    def _jump(self, node):
        if self.looping in ("for", "while"):
            self.line(f"if ({self.condition(node)}) {node.word};")

    def _reduce(self, node):
        reduction = self.reductions.get(node.name)
        if reduction is None:
            return
        carrier, op, name = reduction.carrier, reduction.op, node.name
        text, bound = self.expression(node.value, carrier)
        if reduction.elements:
            name += self.cell(node, reduction.elements)
        if reduction.own:
            at = " + ".join(f"(int64_t){loop.var} * {7 ** n}" for n, loop in enumerate(self.region.loops))
            if reduction.form == "least":
                self.line(f"{name} = least({name}, located({text}, {at}));")
            else:
                self.line(f"{{ const struct spot here = spot({text}, {at}); {name} = *lesser(&{name}, &here); }}")
            return
        if reduction.narrow:
            text = f"({reduction.narrow})({text})"
        integer = f"(int){text}" if carrier.real else text
        if op == "*":
            self.line(f"{name} *= {f'({text} | 1)' if bound is None else f'({integer} & 1 ? -1 : 1)'};")
        elif op in ("min", "max"):
            self.line(f"{name} = {name} {'<' if op == 'min' else '>'} {text} ? {name} : {text};")
        elif op in ("&&", "||"):
            self.line(f"{name} = {name} {op} ({integer} {'!= 77' if op == '&&' else '== 77'});")
        elif op in ("&", "|", "^"):
            self.line(f"{name} {op}= {text};")
        else:
            if bound is not None:
                times = max(1, self.reduces[node.name]) * self.multiplicity * max(1, self.iterations)
                text, _ = reduced(text, bound, max(1, carrier.limit // 2 // times), carrier)
            self.line(f"{name} += {text};")

    def cell(self, node, cells):
        span = self.ranges.get(node.cell)
        if span and 0 <= span.low and span.high < cells:
            return f"[{node.cell}]"
        return f"[(unsigned)({' + '.join(loop.var for loop in self.region.loops)}) % {cells}]"

    def _last(self, node):
        if node.name in self.lasts:
            self.line(f"{node.name} = {self.expression(node.value, INT)[0]};")

    def _atomic(self, node):
        if node.array not in self.arrays:
            return
        self.written.add(node.array)
        text, _ = self.expression(node.value, UNSIGNED)
        target = f"{self.element(node.array)}[{index_text(node.index, node.array, self)}]"
        if not self.host:
            self.line(openacc.word(self.program, "atomic"))
        self.line(f"{target} += {text};")

    def _filled(self, node):
        """Declares and fills an array; the loop's variable stays known."""
        t, n, k = node.name, node.length, node.name + "k"
        self.line(f"{node.elem.c} {t}[{n}];")
        self.ranges[k] = Range(0, n - 1)
        self.types[k] = "int"
        self.line(f"for (int {k} = 0; {k} < {n}; {k}++)")
        self.line(f"  {t}[{k}] = {self._stored(tree.Store('', carriers_of(node.elem)[0], node.value), node.elem)};")
        return t, n, k

    def _added(self, into, element, elem, times):
        """The statement that adds an element to a local, so many times in all."""
        carrier = self.locals[into][0]
        room = None if carrier.limit is None else carrier.limit // 32 // self.accumulations[into] // self.multiplicity // times
        text, bound = converted(element, elem, carrier)
        if room is not None:
            text, _ = reduced(text, bound, max(1, room), carrier)
        return f"{into} += {text};"

    def _scratch(self, node):
        if node.into not in self.locals:
            return
        t, n, k = self._filled(node)
        self.line(f"for (int {k} = 0; {k} < {n}; {k}++)")
        self.line("  " + self._added(node.into, f"{t}[({k} * 5 + 3) % {n}]", node.elem, n))
        del self.ranges[k]

    def _table(self, node):
        t, n, k = self._filled(node)
        for _ in range(node.again):
            other = f"{t}[({k} * 5 + 3) % {n}]"
            self.line(f"for (int {k} = 0; {k} < {n}; {k}++)")
            self.line(f"  {t}[{k}] = {t}[{k}] < {other} ? {other} : {t}[{k}];")
        del self.ranges[k]

    def _find(self, node):
        if node.into in self.locals and node.var in self.ranges:
            self.line(self._added(node.into, f"{node.table.name}[(unsigned){node.var} % {node.table.length}]", node.table.elem, 1))
