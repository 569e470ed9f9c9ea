"""Writes indices out, and finds how long arrays must be.

A Range is the least and the greatest value of a loop variable over all rounds. An index that could be negative is shifted up;
the greatest index decides the array's length. Guarded, clamped and wrapped indices use the length by its name instead.
"""

import math
from dataclasses import dataclass


@dataclass
class Range:
    low: int
    high: int


class Extents:
    """Lengths that arrays need, in elements, collected while all regions are printed. NAME_len stands for the length, NAME_own
    for the part that is written where a region reads the rest of the same array."""

    def __init__(self):
        self.length = {}
        self.own = {}
        self.above = {}

    def need(self, array, elements):
        self.length[array] = max(self.length.get(array, 1), elements)

    def writes(self, array, elements):
        self.own[array] = max(self.own.get(array, 1), elements)
        self.need(array, elements)


def affine(terms, offset, scope, signed=False):
    """Text and Range of offset + sum of terms; terms of variables that no longer exist are left out."""
    text, low, high = [], offset, offset
    signed = signed or offset < 0 or any(term.factor < 0 for term in terms)
    for term in terms:
        if term.var not in scope.ranges:
            continue
        span, factor = scope.ranges[term.var], term.factor
        name = scope.signed(term.var) if signed else term.var
        if term.param:
            param = scope.params.get(term.param)
            if param is None:
                continue
            products = [span.low * v * factor for v in param.values] + [span.high * v * factor for v in param.values]
            text.append(f"{name} * {scope.signed(term.param)}" + (f" * {factor}" if factor != 1 else ""))
        else:
            products = [span.low * factor, span.high * factor]
            text.append(name if factor == 1 else f"{factor} * {name}" if factor > 0 else f"{name} * ({factor})")
        low, high = low + min(products), high + max(products)
    return text, Range(low, high)


def index_text(index, array, scope, guarded=False):
    """The index expression; asks for the elements that it needs. Loads with form slot or half only come with a slot."""
    extents = scope.extents
    slot = scope.slot_of(array)
    if index.form == "slot":
        return slot_text(slot, scope)
    text, span = affine(index.terms, index.offset, scope, guarded or index.form == "clamp")
    if index.narrow in scope.params:
        text.append(f"{index.narrow} / {index.narrow_by}")
        span = Range(span.low, span.high + max(scope.params[index.narrow].values) // index.narrow_by)
    shift = index.offset
    if not guarded and index.form != "clamp" and span.low < 0:
        shift, span = shift - span.low, Range(0, span.high - span.low)
    joined = " + ".join(text)
    if shift or not text:
        joined = f"{joined} {'-' if shift < 0 else '+'} {abs(shift)}" if text else str(shift)
    if index.form == "half":
        extents.above[array] = max(extents.above.get(array, 1), span.high + 1)
        return f"{array}_own + {joined}"
    return _shaped(index, array, joined, span, scope, extents, guarded)


def _shaped(index, array, joined, span, scope, extents, guarded):
    operand = max(1, index.operand)
    if guarded:
        extents.need(array, max(1, (span.high * 3) // 4))
        return joined
    if index.form == "modulo":
        extents.need(array, min(operand, span.high + 1))
        return f"({joined}) % {operand}"
    if index.form == "divide":
        extents.need(array, span.high // operand + 1)
        return f"({joined}) / {operand}"
    if index.form == "mask":
        mask = (1 << operand.bit_length()) - 1
        extents.need(array, mask + 1)
        return f"({joined}) & {mask}"
    if index.form == "clamp":
        extents.need(array, max(1, span.high - 2))
        return f"max_int(0, min_int({joined}, {array}_len - 1))"
    if index.form == "gather" and index.through in scope.arrays:
        extents.need(index.through, span.high + 1)
        extents.need(array, operand)
        return f"{scope.element(index.through)}[{joined}]"
    extents.need(array, span.high + 1)
    return joined


def slot_text(slot, scope):
    """Where this iteration writes: injective, since each variable's stride is the extent of all faster ones."""
    stride, terms, span = 1, [], 0
    for name in reversed(slot.order):
        if name not in scope.ranges:
            continue
        terms.append(name if stride == 1 else f"{name} * {stride}")
        span += scope.ranges[name].high * stride
        stride *= scope.ranges[name].high + 1
    text = " + ".join(reversed(terms)) or "0"
    if slot.through in scope.arrays:
        size = 1 << span.bit_length()
        scope.extents.need(slot.through, size)
        scope.extents.writes(slot.array, size)
        return f"{scope.element(slot.through)}[{text}]"
    if slot.reverse:
        text = f"{span} - ({text})"
    if slot.factor != 1:
        text = f"({text}) * {slot.factor}"
    if slot.offset:
        text = f"{text} + {slot.offset}"
    extent, columns = span * slot.factor + slot.offset + 1, 1
    if slot.along in scope.ranges and slot.pitch in scope.params:
        text = f"{text} + {slot.along} * ({slot.pitch} * {extent})"
        columns += scope.ranges[slot.along].high * max(scope.params[slot.pitch].values)
    scope.extents.writes(slot.array, extent * columns)
    return text


def permutation_factor(size):
    """An odd factor, far from 1, that permutes the numbers below a power of two."""
    factor = size * 5 // 8 | 1
    assert math.gcd(factor, size) == 1
    return factor
