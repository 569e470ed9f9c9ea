"""Random OpenACC programs that know their own answers.

Each program has REGIONS functions, each written twice: with directives, and without for the host. Both run on the same data; main compares
every array and scalar, and returns 1 with the number of each region that differs. Unsigned integers only, so that any order gives the same.

  generate.py --seed N --regions 25 > program.c
"""

import argparse
import random

SIZES = (13, 9, 7)  # of loops, from the outermost on
VARIABLES = "ijk"


class Region:
    """One function: directives (lines that begin with #) and code."""

    def __init__(self, rng, number):
        self.rng, self.number, self.lines = rng, number, []
        self.depth = rng.randint(1, 3)
        self.kind = rng.choice(["parallel", "parallel", "kernels", "serial"])
        self.temporary = rng.random() < 0.5  # a scalar of outside that each iteration writes first
        self.sum = rng.random() < 0.4        # a reduction over the whole nest
        self.bins = rng.random() < 0.3       # an atomic histogram
        self.local = rng.random() < 0.4      # a sum over the innermost loop, kept in an array
        self.between, self.sums = [], False  # names declared between loops; whether the innermost loop adds to total

    def emit(self, text, indent=1):
        self.lines.append("  " * indent + text if not text.startswith("#") else text)

    def expression(self, names):
        rng = self.rng
        terms = [rng.choice(names + [f"in[({rng.choice(names)} * {rng.randint(1, 5)} + {rng.randint(0, 9)}) & 63]", "base",
                                     str(rng.randint(1, 9))]) for _ in range(rng.randint(1, 3))]
        return rng.choice([" + ", " * ", " - "]).join(terms)

    def levels(self):
        """The clause of each loop's level; None: no directive at all. Tight ones may be collapsed."""
        rng, depth = self.rng, self.depth
        if depth == 1:
            return [rng.choice(["gang vector", "gang", "", "gang worker vector"])]
        if depth == 2:
            return rng.choice([["gang", "vector"], ["gang", "worker vector"], ["", ""], ["gang vector", None], ["gang", "seq"],
                               ["collapse(2)", None], ["tile(4, 2)", None], ["gang", None]])
        return rng.choice([["gang", "worker", "vector"], ["gang", "", "vector"], ["gang", "vector", None], ["collapse(3)", None, None],
                           ["gang worker", "vector", None], ["collapse(2) gang", None, "vector"], ["gang", "seq", "vector"], ["", "", ""]])

    def header(self, depth, triangular):
        v = VARIABLES[depth]
        bound = f"{VARIABLES[depth - 1]} % {SIZES[depth]} + 1" if triangular else str(SIZES[depth])
        return f"for (int {v} = 0; {v} < {bound}; {v}++)"

    def nest(self, depth, levels, indent):
        rng, names = self.rng, list(VARIABLES[: depth + 1])
        innermost = depth + 1 == self.depth
        level = levels[depth]
        collapsed = any(l and ("collapse" in l or "tile" in l) for l in levels[:depth])
        self.emit(self.header(depth, depth > 0 and not collapsed and level is not None and rng.random() < 0.3), indent)
        if not innermost:
            next_level = levels[depth + 1]
            tight = ("collapse" in (level or "") or "tile" in (level or "") or rng.random() < 0.5)
            if "collapse(3)" in levels[0]:
                tight = True
            if collapsed and next_level is None:
                tight = True
            sums = self.local and depth + 2 == self.depth and not tight
            self.emit("{", indent)
            if not tight:
                self.emit(f"unsigned before{depth} = {self.expression(names)};", indent + 1)
            if sums:
                self.emit("unsigned total = 0;", indent + 1)
            if next_level is not None and self.kind != "serial":
                clauses = f" {next_level}" if next_level else ""
                if self.kind == "kernels" and next_level != "seq":
                    clauses += " independent"
                if sums:
                    clauses += " reduction(+ : total)"
                self.emit(f"#pragma acc loop{clauses}")
            self.between += [] if tight else [f"before{depth}"]
            self.sums = sums
            self.nest(depth + 1, levels, indent + 1)
            if sums:
                index = "[i]" if self.depth == 2 else "[i][j]"
                self.emit(f"sums{self.depth - 1}{index} = total;", indent + 1)
            self.emit("}", indent)
            return
        values = names + self.between
        self.emit("{", indent)
        inner = indent + 1
        result = self.expression(values)
        if self.temporary:
            self.emit(f"temporary = {result};", inner)
            self.emit(f"temporary += {self.expression(values)};", inner)
            result = "temporary"
        self.emit(f"out{self.depth}" + "".join(f"[{v}]" for v in names) + f" = {result};", inner)
        if self.sums:
            self.emit(f"total += {self.expression(values)};", inner)
        if self.sum:
            self.emit(f"sum += {self.expression(values)};", inner)
        if self.bins:
            if self.kind != "serial":
                self.emit("#pragma acc atomic update")
            self.emit(f"bins[({' + '.join(names)}) % 8] += 1;", inner)
        self.emit("}", indent)

    def build(self):
        levels = self.levels()
        out = f"out{self.depth}"
        clauses = " ".join(f"copy({name})" for name in [out, "bins", "sums1", "sums2"]) + " copyin(in)"
        first = levels[0] + (" independent" if self.kind == "kernels" else "")
        if self.sum:
            first += " reduction(+ : sum)"
        style = self.rng.choice(["combined", "inside", "data", "enter"])
        if style == "data":
            self.emit(f"#pragma acc data {clauses}")
            self.emit("{")
            clauses = ""
        if style == "enter":
            self.emit(f"#pragma acc enter data copyin({out}, bins, sums1, sums2, in)")
            clauses = f"present({out}, in) default(present)"
        sizes = self.rng.choice(["", "", " num_gangs(3)", " vector_length(32)", " num_gangs(5) num_workers(2) vector_length(32)"])
        extra = sizes if self.kind != "serial" else ""
        if style == "combined" or self.kind == "serial":
            self.emit(f"#pragma acc {self.kind} loop {first if self.kind != 'serial' else ('reduction(+ : sum)' if self.sum else '')} {clauses}{extra}")
            self.nest(0, levels, 1)
        else:
            self.emit(f"#pragma acc {self.kind} {clauses}{extra}")
            self.emit("{")
            self.emit(f"#pragma acc loop {first}")
            self.nest(0, levels, 2)
            self.emit("}")
        if style == "data":
            self.emit("}")
        if style == "enter":
            self.emit(f"#pragma acc exit data copyout({out}, bins, sums1, sums2) delete (in)")
        return self

    def function(self, name, directives):
        body = [line for line in self.lines if directives or not line.startswith("#")]
        head = f"static unsigned {name}(unsigned base) {{\n  unsigned sum = base, temporary = 77;\n  (void)temporary;"
        return "\n".join([head] + body + ["  return sum;", "}"])


def program(rng, count):
    dims = "".join
    declare = [f"static unsigned out{d}{dims(f'[{n}]' for n in SIZES[:d])};" for d in (1, 2, 3)]
    parts = ["#include <stdio.h>", "#include <string.h>", *declare,
             f"static unsigned bins[8], sums1[{SIZES[0]}], sums2[{SIZES[0]}][{SIZES[1]}], in[64];"]
    regions = [Region(rng, number).build() for number in range(count)]
    for r in regions:
        parts += [r.function(f"acc{r.number}", True), r.function(f"host{r.number}", False)]
    arrays = ["out1", "out2", "out3", "bins", "sums1", "sums2"]
    parts.append("static void reset(void) {")
    parts += [f"  memset({a}, 0, sizeof {a});" for a in arrays] + ["  for (int i = 0; i < 64; i++) in[i] = (unsigned)(i * 7 % 31 - 9);", "}"]
    parts.append("static unsigned hash(void) {\n  unsigned h = 2166136261u;")
    for a in arrays:
        parts.append(f"  for (size_t i = 0; i < sizeof {a} / sizeof(unsigned); i++) h = (h ^ ((unsigned *){a})[i]) * 16777619u;")
    parts.append("  return h;\n}")
    parts.append("int main(void) {\n  int bad = 0;\n  unsigned got, want, h;")
    for r in regions:
        n = r.number
        parts.append(f"  reset(); got = acc{n}({n}); h = hash(); reset(); want = host{n}({n});\n"
                     f'  if (got != want || h != hash()) printf("region {n} differs\\n"), bad = 1;')
    parts.append("  return bad;\n}")
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--regions", type=int, default=25)
    arguments = parser.parse_args()
    print(program(random.Random(arguments.seed), arguments.regions), end="")


if __name__ == "__main__":
    main()
