"""Writes a region out: a function that launches it, and one that computes the same on the host without OpenMP."""

from fuzzlib import openacc, tree
from fuzzlib.statements import UNSIGNED_TYPES, Statements, loop_range, walk

STARTS = {"+": "3", "*": "1", "min": "1000", "max": "-1000", "&": "-1", "|": "0", "^": "5", "&&": "1", "||": "0"}


def results(reduction):
    """What a reduction leaves to be compared, as expressions of the function."""
    members = {"least": (".value", ".at"), "lesser": (".value", ".at", ".twice", ".odd", ".low[1]")}
    variables = [f"{reduction.name}[{cell}]" for cell in range(reduction.elements)] or [reduction.name]
    return [variable + member for variable in variables for member in members.get(reduction.form, ("",))]


def plain(result):
    """The same as part of a member's name."""
    return result.replace("[", "_").replace("]", "").replace(".", "_")


class RegionPrinter(Statements):
    """Prints one region of a program once. `host`: the reference."""

    def __init__(self, program, region, extents, host):
        self.program, self.region, self.extents, self.host = program, region, extents, host
        self.arrays = {a.name: a for a in program.arrays}
        self.params = {p.name: p for p in region.params}
        self.types = {p.name: p.c for p in region.params}
        self.reductions = {r.name: r for r in region.reductions}
        self.slots = {s.name: s for s in region.slots}
        self.functions = set(program.functions)
        self.ranges, self.locals, self.lines = {}, {}, []
        self.depth, self.multiplicity, self.looping = 1, 1, ""
        self.used, self.written = [], set()
        body = region.before + region.body
        self.accumulations, self.reduces = {}, {}
        for node in walk(body):
            name = node.name if isinstance(node, tree.Acc) else node.into if isinstance(node, (tree.Scratch, tree.Find)) else None
            if name:
                self.accumulations[name] = self.accumulations.get(name, 0) + 1
            if isinstance(node, tree.Reduce):
                self.reduces[node.name] = self.reduces.get(node.name, 0) + 1
        self.lasts = [n for n in region.lasts if any(isinstance(s, tree.Last) and s.name == n for s in region.body)]
        lets = {s.name: s.carrier for s in region.body if isinstance(s, tree.Let)}
        wanted = [c.value for c in region.clauses if c.name == "private"]
        self.privates = {n: lets[n] for n in wanted if n in lets}
        self.iterations = 1
        for loop in region.loops:
            span = loop_range(loop, self.params)
            self.iterations *= (span.high - span.low) // loop.step + 1

    # names

    def signed(self, name):
        return f"(int){name}" if self.types.get(name) in UNSIGNED_TYPES else name

    def slot_of(self, array):
        return next((s for s in self.region.slots if s.array == array), None)

    def element(self, array):
        """The name by which the function knows the array."""
        if array not in self.used:
            self.used.append(array)
        return array + "_h" if self.host and self.arrays[array].storage in ("static", "named") else array

    def element_type(self, array):
        return array.elem.c

    def compared_lasts(self):
        """lastprivates whose values mean something: clang 19 copies none out of `distribute parallel for` for NVIDIA GPUs."""
        return [] if any("distribute parallel" in d for d in self.region.directives) else self.lasts

    # the function

    def text(self):
        region = self.region
        self._nest()
        inside, self.lines, self.depth = self.lines, [], 1
        suffix = "_host" if self.host else ""
        generic = self.program.language == "cpp"
        head = ["template <typename Data>"] if generic else []
        head.append(f"static void {region.name}{suffix}({'Data' if generic else 'struct data'} *d, int round) {{")
        self._bindings()
        directives = [] if self.host else self._directive_lines()
        bindings, self.lines, self.depth = self.lines, [], 1
        out = head + bindings
        inner = "" if self.host or not region.inner else self._inner_line()
        for line in inside:
            if line == "@outer":
                out += directives
            elif line == "@inner":
                out += [inner] if inner else []
            else:
                out.append(line)
        out += [line for line in [self._wait_line()] if line and not self.host]
        for name in [name for r in region.reductions for name in results(r)] + self.compared_lasts():
            out.append(f"  d->{region.name}_{plain(name)}{'_h' if self.host else ''} = {name};")
        return "\n".join(out + ["}"])

    def _bindings(self):
        region = self.region
        self.line("(void)d, (void)round;")
        for p in region.params:
            count = len(p.values)
            self.line(f"const {p.c} {p.name} = ({p.c})({region.name}_{p.name}[round % {count}] + zero);")
            self.line(f"(void){p.name};")
        for name in self.used:
            array = self.arrays[name]
            if array.storage == "heap":
                side = "_h" if self.host else "_d" if array.residence == "device" else ""
                self.line(f"{self.pointer(array)}{name} = d->{name}{side};")
            if array.dynamic:
                self.line(f"const int {name}_len = d->{name}_length;")
        for r in region.reductions:
            self._start(r)
        for name in self.lasts:
            self.line(f"int {name} = -1;")
        for name, carrier in self.privates.items():
            self.line(f"{carrier.c} {name} = ({carrier.c})0;")
            self.line(f"(void){name};")

    def _start(self, r):
        made = {"least": ("struct located", "located(1000, -1)"), "lesser": ("struct spot", "spot(1000, -1)")}
        c, start = made.get(r.form, (r.c, f"({r.c}){STARTS.get(r.op)}"))
        if r.elements:
            self.line(f"{c} {r.name}[{r.elements}] = {{{', '.join([start] * r.elements)}}};")
        else:
            self.line(f"{c} {r.name} = {start};")

    def pointer(self, array):
        return f"{self.element_type(array)} *" + ("*" if array.fill == "rows" else "")

    def _nest(self):
        """The loops and the body; @outer and @inner stand where directives belong."""
        region = self.region
        self.lines.append("@outer")
        opened = 0
        for number, loop in enumerate(region.loops):
            if region.inner and number == 1:
                for statement in region.before:
                    self.statement(statement)
                self.lines.append("@inner")
            self.enter_loop(loop)
            last = number == len(region.loops) - 1
            split = region.inner and number == 0
            self.line(self.loop_header(loop, self.ranges) + (" {" if last or split else ""))
            opened += 1 if last or split else 0
            self.depth += 1 if last or split else 0
        if not self.host and self._looks():
            self.line("(void)omp_get_thread_num();")
            if self.records():
                team, thread = self._told()
                self.line(f"{region.name}_who[{self._number()}] = who({team}, {thread});")
        for statement in region.body:
            self.statement(statement)
        while opened:
            self.depth -= 1
            opened -= 1
            self.line("}")

    def _looks(self):
        region = self.region
        words = " ".join([*region.directives, region.inner]).split()
        forbidden = {"loop", "simd"} & set(words) or any(c.name == "order" for c in region.clauses)
        return region.looks and self.program.face != "acc" and "parallel" in words and not forbidden

    def records(self):
        """Whether the same inputs must be carried out by the same teams and threads in each mode."""
        words = ("dynamic", "guided", "auto")
        open_to_chance = any(c.name == "if" or (c.name == "schedule" and c.value.startswith(words)) for c in self.region.clauses)
        return self.region.records and self._looks() and not open_to_chance

    def _told(self):
        """1 where schedules say which team, and which thread, has an iteration; else it is the implementation's choice."""
        chunks = {c.name for c in self.region.clauses if c.name in ("schedule", "dist_schedule") and "," in self.clause_text(c)}
        distributes = "distribute" in " ".join(self.region.directives)
        team = "dist_schedule" in chunks
        return int(team), int("schedule" in chunks and (team or not distributes))

    def _number(self):
        """Which of the loops' iterations this is, in an order of its own."""
        text = "0"
        for loop in self.region.loops:
            span = loop_range(loop, self.params)
            text = f"({text}) * {(span.high - span.low) // loop.step + 1} + ({self.signed(loop.var)} - {span.low}) / {loop.step}"
        return text

    # directives

    def _inner_line(self):
        if self.program.face == "acc":
            return openacc.inner_line(self)
        return f"#pragma omp {self.region.inner}{self._clauses(self.region.inner, inner=True)}"

    def _wait_line(self):
        if self.program.face == "acc":
            return openacc.wait_line(self.region)
        return "#pragma omp taskwait" if any(c.name == "nowait" for c in self.region.clauses) else ""

    def _directive_lines(self):
        if self.program.face == "acc":
            return openacc.directive_lines(self)
        out = []
        for number, directive in enumerate(self.region.directives):
            text = f"#pragma omp {directive}{self._clauses(directive, last=number == len(self.region.directives) - 1)}"
            if "target" in directive.split():
                text += self._maps()
            out.append(text)
        return out

    def _clauses(self, directive, inner=False, last=True):
        words, out, region = directive.split(), [], self.region
        collapsed = min(region.collapsed, len(region.loops) - (1 if region.inner else 0))
        if collapsed > 1 and (inner or (last and not region.inner)):
            out.append(f"collapse({collapsed})")
        for clause in region.clauses:
            text = self.clause_text(clause) if clause.at in words else ""
            if text and text not in out:
                out.append(text)
        loops = last and not region.inner
        if set(words) & {"teams", "parallel", "for", "loop", "simd"} and words != ["for"]:  # whose parallel region has them
            out += [f"reduction({r.op} : {r.name}{f'[0 : {r.elements}]' if r.elements else ''})" for r in region.reductions]
        if loops and "loop" not in words:
            out += [f"lastprivate({name})" for name in self.lasts]
            out += [f"private({name})" for name in self.privates]
        elif loops or inner:
            out += [f"private({name})" for name in self.privates]
        return " " + " ".join(out) if out else ""

    def clause_text(self, clause):
        name, value = clause.name, clause.value
        if name == "order" and any(isinstance(n, tree.Atomic) for n in walk(self.region.body)):
            return ""
        if name == "private" or (value and value.isidentifier() and value not in self.params and name not in ("schedule", "dist_schedule",
                                                                                                              "order", "map")):
            return ""
        if name == "if" and clause.at == "parallel" and (len(self.region.directives) > 1 or self.region.inner):
            return ""  # where it is false, all threads of the team run the whole loop: clang 19's, found/serialized_parallel.c
        if name == "num_threads" and self.region.inner and self.region.reductions:
            return ""  # clang 19's device runtime waits there for threads that take no part
        if name == "schedule" and self.region.inner and not value.startswith("static"):
            return ""  # clang 19's device runtime waits for all of the team there: found/dispatch_in_generic.c
        if name == "if":
            if clause.at == "target" and any(self.arrays[a].residence in ("data", "device") or self.arrays[a].fill == "rows"
                                             for a in self.used):
                return ""
            return f"if({clause.at} : {value} & 1)"
        if name in ("schedule", "dist_schedule"):
            chunk = value.partition(",")[2].strip()
            if chunk and not chunk.isdigit() and chunk not in self.params:
                value = value.partition(",")[0]
        return f"{name}({value})" if value else name

    def _maps(self):
        out = []
        for name in self.used:
            array = self.arrays[name]
            kind = self.region.maps.get(name) or ("tofrom" if name in self.written else "to")
            if array.residence == "device":
                out.append(f"is_device_ptr({name})")
            elif array.storage == "named":
                out.append(f"map({kind} : {name}, {name}[0 : {name}_len])")
            elif array.residence == "clause" and array.storage == "heap":
                out.append(f"map({kind} : {name}[0 : {'4' if array.fill == 'rows' else name + '_len'}])")
            elif array.residence == "clause":
                out.append(f"map({kind} : {name})")
        out += [f"map(to : {name})" for name in self._by_reference()]
        split = len(self.region.directives) > 1
        out += [f"map(tofrom : {r.name})" for r in self.region.reductions if split]
        out += [f"map(tofrom : {name})" for name in self.lasts]
        return " " + " ".join(out) if out else ""

    def _by_reference(self):
        """Parameters in map clauses: of a task that outlives the function that they are of, none."""
        clauses = self.region.clauses
        if any(c.name == "nowait" for c in clauses):
            return []
        own = {c.value for c in clauses if c.name == "firstprivate"}
        return [name for name in self.region.mapped if name in self.params and name not in own]
