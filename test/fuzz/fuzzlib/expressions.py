"""Writes expressions out. Each comes with a bound of its absolute value, so that no operation overflows or rounds."""

from fuzzlib import tree
from fuzzlib.indices import index_text
from fuzzlib.types import Compound

COMPARISONS = {"<": "<", ">": ">", "==": "==", "!=": "!="}


def reduced(text, bound, wanted, carrier):
    """The value, brought to at most `wanted` in absolute value."""
    if bound is None or bound <= wanted:
        return text, bound
    if carrier.real:
        wide = "int64_t" if carrier.limit > 1 << 30 else "int"
        return f"({carrier.c})(({wide}){text} % {wanted + 1})", wanted
    return f"({text} % {wanted + 1})", wanted


def converted(text, elem, carrier):
    """An element or variable of type elem in a carrier: text and bound."""
    if carrier.limit is None:
        return (f"({carrier.c})(int){text}" if elem.real else f"({carrier.c}){text}"), None
    bound = elem.bound
    if bound is None or bound * 4 > carrier.limit:
        mask = 127 if carrier.limit <= 1024 else 1023
        return f"({carrier.c})({text} & {mask})", mask
    return f"({carrier.c}){text}", bound


class Expressions:
    """Mixed into the printer of a region, which has: ranges, params, locals, arrays, extents, functions."""

    def expression(self, node, carrier):
        """Text, in parentheses where needed, and bound (None where arithmetic wraps around)."""
        if isinstance(node, tree.Const):
            value = abs(node.value) % 50
            suffix = "u" if carrier.limit is None else ""
            return (f"({carrier.c}){value}" if carrier.real else f"{value}{suffix}"), value if carrier.limit else None
        if isinstance(node, tree.Var):
            return self._variable(node.name, carrier)
        if isinstance(node, tree.Load):
            return self._load(node, carrier)
        if isinstance(node, tree.Select):
            yes, no = self.expression(node.yes, carrier), self.expression(node.no, carrier)
            bound = None if carrier.limit is None else max(yes[1], no[1])
            return f"({self.condition(node)} ? {yes[0]} : {no[0]})", bound
        if isinstance(node, tree.Call):
            return self._call(node, carrier)
        return self._binary(node, carrier)

    def condition(self, node):
        """node.left op node.right, compared as ints."""
        from fuzzlib.types import INT

        left, right = self.expression(node.left, INT)[0], self.expression(node.right, INT)[0]
        if node.op == "&":
            return f"(({left}) & 1) != 0"
        return f"{left} {COMPARISONS.get(node.op, '<')} {right}"

    def _variable(self, name, carrier):
        if name in self.locals:
            local, bound = self.locals[name]
            if local is carrier:
                return name, bound
            if local.limit is None:
                text, bound = f"({name} & 127)", 127
            else:
                text, bound = reduced(name, bound, min(local.limit, 200), local)
            if carrier.limit is None:
                return f"({carrier.c})(int){text}", None
            return reduced(f"({carrier.c}){text}", bound, carrier.limit // 4, carrier)
        if name in self.ranges:
            bound = max(abs(self.ranges[name].low), abs(self.ranges[name].high))
        elif name in self.params:
            bound = max(self.params[name].values)
        else:
            return ("1u" if carrier.limit is None else f"({carrier.c})1"), 1 if carrier.limit else None
        if carrier.limit is None:
            return f"({carrier.c}){name}", None
        if bound * 4 > carrier.limit:
            return f"({carrier.c})((int){name} % 100)", 99
        return f"({carrier.c}){name}", bound

    def _load(self, node, carrier):
        array = self.arrays.get(node.array)
        if array is None or not self.reachable(node):
            return ("1u" if carrier.limit is None else f"({carrier.c})1"), 1 if carrier.limit else None
        elem, accessor = array.elem, ""
        if isinstance(elem, Compound):
            accessor, elem = elem.fields[node.field % len(elem.fields)]
        where = self.element(node.array)
        if array.fill == "rows":
            column = index_text(node.index, array.target + "_row", self)
            text, bound = converted(f"{where}[{(node.field * 7 + 1) % 4}][{column}]", elem, carrier)
            return text, bound
        guarded = node.how == "guarded" and node.index.form == "affine"
        index = index_text(node.index, node.array, self, guarded)
        if guarded:
            text, bound = converted(f"{where}[{index}]{accessor}", elem, carrier)
            zero = "0u" if carrier.limit is None else f"({carrier.c})0"
            return f"({index} >= 0 && {index} < {node.array}_len ? {text} : {zero})", bound
        if node.how == "pointer" and not accessor:  # clang 19 refuses (p + i)->field in target regions now and then
            return converted(f"(*({where} + ({index})))", elem, carrier)
        if node.how == "aligned" and array.fill == "data" and not accessor:
            c = self.element_type(array)
            return converted(f"(*({c} *)__builtin_align_down({where} + ({index}), 16))", elem, carrier)
        return converted(f"{where}[{index}]{accessor}", elem, carrier)

    def reachable(self, load):
        """Whether the element that this iteration writes is known here, where the load refers to it."""
        if load.index.form not in ("slot", "half"):
            return True
        slot = self.slot_of(load.array)
        return slot is not None and all(v in self.ranges for v in slot.order)

    def _call(self, node, carrier):
        from fuzzlib.types import UNSIGNED

        if node.function not in self.functions:
            return self.expression(node.left, carrier)
        arguments = [self.expression(part, UNSIGNED)[0] for part in (node.left, node.right)]
        call = f"{node.function}({', '.join(arguments)})"
        if carrier.limit is None:
            return f"({carrier.c}){call}", None
        return f"({carrier.c})(int)({call} & 127)", 127

    def _binary(self, node, carrier):
        left, a = self.expression(node.left, carrier)
        right, b = self.expression(node.right, carrier)
        if carrier.limit is None:
            return self._wrapping(node.op, left, right, carrier)
        room = carrier.limit // 4
        op = node.op if not carrier.real or node.op in ("-", "*", "min", "max") else "+"
        if op in ("min", "max"):
            return f"{op}_{carrier.name}({left}, {right})", max(a, b)
        if op == "*":
            if a * b > room:
                small = 30
                left, a = reduced(left, a, small, carrier)
                right, b = reduced(right, b, small, carrier)
            return f"({left} * {right})", a * b
        if op in ("/", "%"):
            divisor = f"(({right} & 7) + 1)"
            return f"({left} {op} {divisor})", a
        if op in ("&", "|", "^"):
            return f"({left} {op} {right})", 2 * max(a, b, 1)
        if op == "<<":
            left, a = reduced(left, a, 4000, carrier)
            return f"({left} * (1 << ({right} & 3)))", a * 8
        if op == ">>":
            return f"({left} >> ({right} & 3))", max(a, 1)
        if a + b > room:
            left, a = reduced(left, a, room // 4, carrier)
            right, b = reduced(right, b, room // 4, carrier)
        return f"({left} {'-' if op == '-' else '+'} {right})", a + b

    def _wrapping(self, op, left, right, carrier):
        if op in ("min", "max"):
            return f"{op}_{carrier.name}({left}, {right})", None
        if op in ("/", "%"):
            return f"({left} {op} (({right} & 7) + 1))", None
        if op in ("<<", ">>"):
            return f"({left} {op} ({right} & 15))", None
        return f"({left} {op} {right})", None
