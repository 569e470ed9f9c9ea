"""What a program is made of: a small tree, made by the generators, cut down by the reducer, written out by the printer.

Every part of a tree may be dropped by the reducer, so the printer must make a valid program, without undefined
behaviour and without races, of any subtree: bounds of indices, of values and of divisors are settled when it is printed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fuzzlib.types import Carrier, Compound, Elem

# ---------------------------------------------------------------- expressions


@dataclass
class Const:
    value: int


@dataclass
class Var:
    """A loop variable, a parameter or a local; what no longer exists is printed as 1."""

    name: str


@dataclass
class Bin:
    op: str
    left: object
    right: object


@dataclass
class Select:
    op: str  # < > == & of left and right decides
    left: object
    right: object
    yes: object
    no: object


@dataclass
class Call:
    """A call of a helper function of the program, of two arguments."""

    function: str
    left: object
    right: object


@dataclass
class Load:
    array: str
    index: Index
    field: int = 0  # of a compound element
    how: str = "plain"  # plain, guarded, pointer, aligned


# ---------------------------------------------------------------- indices


@dataclass
class Term:
    """factor * variable, or parameter * variable."""

    var: str
    factor: int = 1
    param: str = ""


@dataclass
class Index:
    """form: affine, modulo, divide, mask, clamp, gather, slot (where this iteration writes), half (above what is written)"""

    form: str
    terms: list[Term] = field(default_factory=list)
    offset: int = 0
    operand: int = 1
    through: str = ""  # index array of a gather
    narrow: str = ""  # a parameter narrower than 32 bits that shifts the index
    narrow_by: int = 1


# ---------------------------------------------------------------- loops and statements


@dataclass
class Loop:
    """trips iterations, or as many as the parameter `param` says; form: up, down, until (!=), upto (<=), triangular (below outer), or what ranges end
    by: next (where the array `through` has the next of outer begin), gap (one before that), over (five behind their begin)"""

    var: str
    trips: int
    param: str = ""
    start: int = 0
    step: int = 1
    form: str = "up"
    c: str = "int"
    outer: str = ""
    through: str = ""
    columns: bool = False  # of the outer of two: most arrays lie so that it is the one which walks along memory


@dataclass
class Let:
    name: str
    carrier: Carrier
    value: object


@dataclass
class Acc:
    name: str
    value: object


@dataclass
class Store:
    slot: str
    carrier: Carrier
    value: object
    field: int = 0


@dataclass
class Exchange:
    """An element, a structure, becomes another one, and on a condition what it was again, which a variable has kept"""

    slot: str
    value: Load
    op: str
    left: object
    right: object


@dataclass
class For:
    """behind: what a round does after it has counted its variable on"""

    loop: Loop
    body: list
    pragma: str = ""
    behind: list = field(default_factory=list)


@dataclass
class While:
    name: str
    start: object
    body: list


@dataclass
class If:
    op: str
    left: object
    right: object
    then: list
    orelse: list


@dataclass
class Switch:
    value: object
    cases: list  # of lists of statements


@dataclass
class Jump:
    """break or continue in the innermost sequential loop, if the condition holds"""

    word: str
    op: str
    left: object
    right: object


@dataclass
class Reduce:
    """cell: the variable of the loop around it that names the cell; else the iteration does"""

    name: str
    value: object
    cell: str = ""


@dataclass
class Last:
    name: str
    value: object


@dataclass
class Atomic:
    array: str
    index: Index
    value: object


@dataclass
class Scratch:
    """a private array, filled in a loop and read in another order into an accumulator"""

    name: str
    elem: Elem
    length: int
    value: object
    into: str


@dataclass
class Table:
    """an array of the team's, which loops before an inner parallel region fill, and change `again` times by what it holds"""

    name: str
    elem: Elem
    length: int
    value: object
    again: int


@dataclass
class Find:
    """an element of such an array is added to a local"""

    table: Table
    var: str  # of the loop that says which
    into: str


# ---------------------------------------------------------------- regions and programs


@dataclass
class Param:
    """a parameter of a region; round r gets values[r % len(values)]"""

    name: str
    c: str
    values: list[int]


@dataclass
class Reduction:
    """form: scalar; cells (an array section of so many); least, lesser (the program's own: a value, and where it is;
    by value, or by a pointer to one of two). section: of the program's own, an array section of so many; 0: a variable.
    narrow: the variable's type where it has fewer bits than what is computed in"""

    name: str
    op: str
    carrier: Carrier
    form: str = "scalar"
    cells: int = 5
    narrow: str = ""
    section: int = 0

    @property
    def elements(self):
        """Of the array section; 0: it is of a variable."""
        return self.cells if self.form == "cells" else self.section

    @property
    def c(self):
        return self.narrow or self.carrier.c

    @property
    def own(self):
        """Whether it is an operator of the program's, on a structure."""
        return self.form in ("least", "lesser")


@dataclass
class Clause:
    """name(value) on the directive that has the word `at`; value is a number or the name of a parameter"""

    name: str
    value: str
    at: str


@dataclass
class Slot:
    """Where a region writes: the element of its parallel loops' linear index; one element for each iteration."""

    name: str
    array: str
    order: list[str]  # loop variables, slowest first
    factor: int = 1
    offset: int = 0
    reverse: bool = False
    through: str = ""  # a permutation
    along: str = ""  # a sequential loop that goes along a column of the iteration's own
    pitch: str = ""  # a parameter: how many times the extent of all others lies between two elements of a column; 0: it has one


@dataclass
class Region:
    name: str
    directives: list[str]  # outermost first
    loops: list[Loop]  # the first `collapsed` belong to the innermost directive of the list
    collapsed: int
    clauses: list[Clause]
    params: list[Param]
    reductions: list[Reduction]
    slots: list[Slot]
    body: list
    before: list = field(default_factory=list)  # statements between distribute and an inner parallel for
    inner: str = ""  # that inner directive
    lasts: list[str] = field(default_factory=list)
    maps: dict = field(default_factory=dict)  # array -> map type that is not the usual one
    mapped: list[str] = field(default_factory=list)  # parameters in a map clause, which come by reference
    queue: int = -1  # OpenACC: of async; -1: none
    looks: bool = False  # asks for its thread's number, where it may: then numbers of threads are no mere wishes
    records: bool = False  # and notes which team and thread had each iteration, and how many there were


@dataclass
class Array:
    """storage: heap, static, named (a pointer in declare target, mapped with what it points to); residence: clause, data (target enter data), device (omp_target_alloc), implicit.
    fill: data, index (of array `target`), permutation, starts (where ranges begin, one behind the
    other), rows (pointers to device rows of `target`)"""

    name: str
    elem: Elem | Compound
    storage: str = "heap"
    residence: str = "clause"
    fill: str = "data"
    target: str = ""
    dynamic: bool = False  # its length is a run-time value in the program
    narrow: bool = False  # index arrays: 16 bits instead of 32
    slack: int = 0


@dataclass
class Step:
    """kind: launch (region), refill, move (array), neighbour; every `every`-th round"""

    kind: str
    what: str
    every: int = 1
    around: list[str] = field(default_factory=list)  # of a launch: arrays mapped by a data environment of its own then
    other: bool = False  # and memory that the launch has nothing to do with
    around_every: int = 1  # in which of its rounds


@dataclass
class Program:
    seed: int
    language: str
    arrays: list[Array]
    regions: list[Region]
    neighbours: list[str]
    functions: list[str]
    steps: list[Step]
    threads: int
    teams: int  # SIMT_TEAMS of the runs: the grid's size where the program names none
    flags: list[str]
    face: str = "omp"  # or acc: OpenACC
