"""Writes a program out in C or C++."""

from fuzzlib import openacc, tree
from fuzzlib.indices import Extents
from fuzzlib.prelude import ALIGN_DOWN, ELSEWHERE, FUNCTIONS, HEAD, NEIGHBOURS, OWN_REDUCTIONS, WHO, min_max, permutation, typed_helpers
from fuzzlib.regions import RegionPrinter, plain, results
from fuzzlib.statements import START, walk
from fuzzlib.types import Compound

ROWS = 4
INDICES = ("index", "permutation", "starts")


def index_type(array):
    return "uint16_t" if array.narrow else "int32_t"


class ElementNames(RegionPrinter):
    """Regions see index arrays and permutations as integers, whatever `elem` says."""

    def element_type(self, array):
        return index_type(array) if array.fill in INDICES else array.elem.c


class ProgramPrinter:
    def __init__(self, program):
        self.p = program
        self.extents = Extents()
        self.regions = []
        written = {}
        for region in program.regions:
            device = ElementNames(program, region, self.extents, host=False)
            host = ElementNames(program, region, self.extents, host=True)
            # LLVM mistakes the builtin (found/align_down.c), and what is computed on the host is to be right.
            self.regions.append((region, device, device.text(), host.text().replace(ALIGN_DOWN, "exact_align_down")))
        used = {name for _, device, _, _ in self.regions for name in device.used}
        used |= {a.target for a in program.arrays if a.name in used and a.target}
        self.arrays = [a for a in program.arrays if a.name in used]
        self.lengths = {a.name: self._length(a) for a in self.arrays}

    def _length(self, array):
        extents, name = self.extents, array.name
        if array.fill == "rows":
            return ROWS
        rows = extents.length.get(name + "_row", 0)
        above = extents.own.get(name, 1) + extents.above[name] if name in extents.above else 0
        return max(extents.length.get(name, 1), above, rows * ROWS)

    def c_type(self, array):
        if array.fill == "rows":
            return array.elem.c + " *"
        return index_type(array) if array.fill in INDICES else array.elem.c

    # sections of the file

    def text(self):
        p = self.p
        lines = [f"// A generated program: test/fuzz, seed {p.seed}. SIMT_TEAMS={p.teams}", HEAD]
        compounds = {a.elem.name: a.elem for a in p.arrays if isinstance(a.elem, Compound)}
        lines += [c.declaration for c in compounds.values()]
        lines.append(min_max())
        external = "external" in p.neighbours or "elsewhere" in p.functions
        functions = p.functions + (["elsewhere"] if external and "elsewhere" not in p.functions else [])
        used = {n.function for r in p.regions for n in walk(r) if isinstance(n, tree.Call)}
        extern = 'extern "C" ' if p.language == "cpp" else ""
        lines += [FUNCTIONS[f].replace("{extern}", extern) for f in functions if f in used or f == "elsewhere"]
        if any(device.records() for _, device, _, _ in self.regions):
            lines.append(WHO)
        forms = {r.form for region in p.regions for r in region.reductions}
        lines += [text for form, text in OWN_REDUCTIONS.items() if form in forms]
        elems = {a.elem.name: a.elem for a in self.arrays if a.fill == "data"}
        lines += [typed_helpers(e) for e in elems.values()]
        lines += self._declarations() + self._set_up()
        for _, _, device, host in self.regions:
            lines += [device, host]
        lines += self._steps() + self._neighbours() + [self._main()]
        return "\n".join(lines) + "\n"

    def other_file(self):
        """Text of the second file, or ''."""
        return ELSEWHERE if "external" in self.p.neighbours or "elsewhere" in self.p.functions else ""

    def _declarations(self):
        out = []
        for a in self.arrays:
            out.append(f"enum {{ {a.name}_len_ = {self.lengths[a.name]} }};")
            if not a.dynamic:
                out.append(f"enum {{ {a.name}_len = {a.name}_len_ }};")
            if a.name in self.extents.above:
                out.append(f"enum {{ {a.name}_own = {self.extents.own.get(a.name, 1)} }};")
            c = self.c_type(a)
            if a.storage == "static":
                out.append(f"static {c} {a.name}[{a.name}_len_] __attribute__((aligned(256))), {a.name}_h[{a.name}_len_];")
            elif a.storage == "named":
                out += ["#pragma omp declare target", f"{c} *{a.name};", "#pragma omp end declare target", f"static {c} *{a.name}_h;"]
        for region, device, _, _ in self.regions:
            if device.records():
                out.append(f"static uint64_t {region.name}_who[{device.iterations}], {region.name}_seen[PERIOD][{device.iterations}];")
        for region in self.p.regions:
            for param in region.params:
                out.append(f"static int {region.name}_{param.name}[] = {{{', '.join(map(str, param.values))}}};")
        out += ["struct data {", "  int set, device;"]
        for a in self.arrays:
            c = self.c_type(a)
            if a.storage == "heap":
                out += [f"  {c} *{a.name};", f"  {c} *{a.name}_h;", f"  {c} *{a.name}_d;"]
            if a.dynamic:
                out.append(f"  int {a.name}_length;")
        for region, device, _, _ in self.regions:
            for r in region.reductions:
                out += [f"  {r.c} {region.name}_{plain(name)}, {region.name}_{plain(name)}_h;" for name in results(r)]
            for name in device.lasts:
                out.append(f"  int {region.name}_{name}, {region.name}_{name}_h;")
        return out + ["};", f"static struct data sets[{self.p.threads}];"]

    def member(self, array, suffix=""):
        return ("d->" if array.storage == "heap" else "") + array.name + suffix

    def _fill(self, a):
        """Statements that fill an array and its counterpart on the host."""
        here, there, n = self.member(a), self.member(a, "_h"), f"{a.name}_len_"
        if a.fill == "rows":
            base = f"(char *)omp_get_mapped_ptr(d->{a.target}, d->device)"
            step = f"k * ({a.target}_len_ / {ROWS})"
            return [f"for (int k = 0; k < {ROWS}; k++) {{",
                    f"  {here}[k] = ({a.elem.c} *)({base}) + {step};", f"  {there}[k] = d->{a.target}_h + {step};", "}"]
        if a.fill == "data":
            out = [f"fill_{a.elem.name}({here}, {n}, seed);"]
        else:
            value = {"index": f"hash(i, seed) % {a.target}_len_", "starts": START}.get(a.fill) or permutation(self.lengths[a.name])
            out = [f"for (uint64_t i = 0; i < {n}; i++) {here}[i] = ({index_type(a)})({value});"]
        out.append(f"memcpy({there}, {here}, sizeof(*{here}) * {n});")
        return out

    def _publish(self, a):
        """Makes the device see what the host wrote."""
        if a.residence == "data":
            here = self.member(a)
            if a.slack % 2 == 0:
                return [openacc.word(self.p, "to", self.section(a))]
            return [f"omp_target_memcpy(omp_get_mapped_ptr({here}, d->device), {here}, sizeof(*{here}) * {a.name}_len_, 0, 0, d->device,",
                    "                  omp_get_initial_device());"]
        if a.residence == "device":
            return [f"omp_target_memcpy(d->{a.name}_d, d->{a.name}, sizeof(*d->{a.name}) * {a.name}_len_, 0, 0, d->device,"
                    " omp_get_initial_device());"]
        return []

    def section(self, a):
        return f"{self.member(a)}[0 : {a.name}_len_]" if a.storage == "heap" else a.name

    def _allocate(self, a, side=""):
        c = self.c_type(a)
        return f"{self.member(a, side)} = ({c} *)aligned(sizeof({c}) * ({a.name}_len_ + {a.slack})) + {a.slack};"

    def _set_up(self):
        out = ["static void set_up(struct data *d, int set) {", "  uint64_t seed = 7 + (uint64_t)set;", "  (void)seed;",
               "  d->set = set, d->device = omp_get_default_device();"]
        for a in sorted(self.arrays, key=lambda a: a.fill == "rows"):
            if a.storage != "static":
                out += ["  " + self._allocate(a), "  " + self._allocate(a, "_h")]
            if a.dynamic:
                out.append(f"  d->{a.name}_length = {a.name}_len_ + zero;")
            if a.residence == "device":
                c = self.c_type(a)
                out.append(f"  d->{a.name}_d = ({c} *)omp_target_alloc(sizeof({c}) * {a.name}_len_, d->device);")
            out += ["  " + line for line in self._fill(a)]
            if a.residence == "data":
                out.append(openacc.word(self.p, "enter", self.section(a)))
            if a.residence == "device":
                out += ["  " + line for line in self._publish(a)]
        return out + ["}"]

    def _steps(self):
        out = ["static void run(struct data *d, int rounds) {", "  for (int round = 0; round < rounds; round++) {",
               "    uint64_t seed = (uint64_t)round * 31 + (uint64_t)d->set;", "    (void)seed;"]
        names = {region.name: (region, device) for region, device, _, _ in self.regions}
        arrays = {a.name: a for a in self.arrays}
        for step in self.p.steps:
            body = []
            if step.kind == "launch" and step.what in names:
                body = self._launch(*names[step.what], step)
            elif step.kind == "refill" and step.what in arrays and arrays[step.what].fill != "rows":
                body = self._fill(arrays[step.what]) + self._publish(arrays[step.what])
            elif step.kind == "move" and step.what in arrays:
                body = self._move(arrays[step.what])
            if body:
                out.append(f"    if (round % {step.every} == {step.every - 1}) {{" if step.every > 1 else "    {")
                out += ["      " + line if not line.startswith("#") else line for line in body] + ["    }"]
        return out + ["  }", "}"]

    def _around(self, step):
        """What comes before and behind a launch with data environments of its own around it."""
        held = [self.section(a) for a in self.arrays if a.name in step.around] + ["other"] * step.other
        if not held:
            return [], []
        when = f"if (round % {step.around_every} == 0) {{"
        return (["int other[24] = {round};", "(void)other;", when, *(openacc.word(self.p, "enter", text) for text in held), "}"],
                [when, *(openacc.word(self.p, word, text) for text in held for word in ("from", "exit")), "}"])

    def _launch(self, region, device, step):
        before, behind = self._around(step)
        out = [*before, f"{region.name}(d, round);", *behind, f"{region.name}_host(d, round);"]
        if device.records():
            name = region.name
            out = [f"memset({name}_who, 0, sizeof {name}_who);", *out,
                   f'same_who("{name}", {name}_who, {name}_seen[round % PERIOD], sizeof {name}_who / 8, round);']
        for name in sorted(device.written):
            a = next(a for a in self.arrays if a.name == name)
            here, there = self.member(a), self.member(a, "_h")
            if a.residence == "data":
                out.append(openacc.word(self.p, "from", self.section(a)))
            if a.residence == "device":
                out.append(f"omp_target_memcpy({here}, d->{name}_d, sizeof(*{here}) * {name}_len_, 0, 0, omp_get_initial_device(), d->device);")
            out.append(f'same_{a.elem.name}("{region.name}: {name}", {here}, {there}, {name}_len_, round);')
        for name in [name for r in region.reductions for name in results(r)] + device.compared_lasts():
            value = f"d->{region.name}_{plain(name)}"
            out.append(f'if ({value} != {value}_h) differs("{region.name}: {name}", 0, (double){value}, (double){value}_h, round);')
        return out

    def _move(self, a):
        targeted = any(b.target == a.name and b.fill == "rows" for b in self.arrays)
        if a.storage != "heap" or targeted or a.residence == "device" or a.fill == "rows":
            return []
        c = self.c_type(a)
        out = [f"{c} *from = d->{a.name};"]
        if a.residence == "data":
            out.append(openacc.word(self.p, "exit", self.section(a)))
        out += [self._allocate(a), f"memcpy(d->{a.name}, from, sizeof(*from) * {a.name}_len_);", f"free(from - {a.slack});"]
        if a.residence == "data":
            out.append(openacc.word(self.p, "enter", self.section(a)))
        return out

    def _neighbours(self):
        out = ["static void neighbours(void) {", "  static int cells[64];", "  for (int i = 0; i < 64; i++) cells[i] = i;"]
        for name in self.p.neighbours:
            out += ["  {", NEIGHBOURS[name], "  }"]
        return out + ["  if (cells[0] < -1000) printf(\"cells\\n\");", "}"]

    def _main(self):
        n = self.p.threads
        who = [region.name for region, device, _, _ in self.regions if device.records()]
        before, after = ("".join(f"  seen_{verb}(\"{name}\", {name}_seen, sizeof {name}_seen);\n" for name in who) for verb in ("before", "now"))
        loop = "#pragma omp parallel for num_threads(2) schedule(static, 1)\n" if n > 1 else ""
        return f"""int main(void) {{
  const char *text = getenv("PLACE_TEST_ROUNDS");
  int rounds = text ? atoi(text) : 40;
{before}  for (int s = 0; s < {n}; s++) set_up(&sets[s], s);
  neighbours();
{loop}  for (int s = 0; s < {n}; s++) run(&sets[s], rounds);
{after}  printf("%s %s %016llx\\n", failures ? "FAIL" : "PASS", "fuzz{self.p.seed}", (unsigned long long)digest);
  return failures != 0;
}}"""


def printed(program):
    """The program's text, and that of its second file ('' if it has none)."""
    printer = ProgramPrinter(program)
    return printer.text(), printer.other_file()
