"""The OpenACC face: the same programs with `#pragma acc`, from seed FIRST_SEED on. What OpenACC has no words for is left out."""

FIRST_SEED = 10_000_000
# directives of a region, outermost first, of which the last one carries the loops; how often
FORMS = (
    (["parallel loop"], 5),
    (["parallel loop gang vector"], 3),
    (["parallel loop gang worker vector"], 1),
    (["kernels loop independent"], 3),
    (["kernels loop"], 2),
    (["kernels loop gang vector"], 1),
    (["serial loop"], 1),
    (["parallel", "loop"], 2),
    (["parallel", "loop gang vector"], 2),
    (["kernels", "loop independent"], 1),
)
SPLIT_FORMS = (["parallel loop gang"], ["parallel", "loop gang"])
# What the host does with data, as the printer asks for it.
WORDS = {
    "omp": {"to": "omp target update to({})", "from": "omp target update from({})", "enter": "omp target enter data map(to : {})",
            "exit": "omp target exit data map(delete : {})", "atomic": "omp atomic update"},
    "acc": {"to": "acc update device({})", "from": "acc update self({})", "enter": "acc enter data copyin({})",
            "exit": "acc exit data delete({}) finalize", "atomic": "acc atomic update"},
}


def word(program, what, text=""):
    return "#pragma " + WORDS[program.face][what].format(text)


def adapt(program, rng):
    """Makes an OpenACC program of an OpenMP one."""
    program.face, program.neighbours = "acc", []
    program.functions = [f for f in program.functions if f != "elsewhere"]
    for array in program.arrays:
        array.storage = "heap" if array.storage == "named" else array.storage
    for region in program.regions:
        if region.inner:
            region.directives, region.inner = list(rng.choice(SPLIT_FORMS)), rng.choice(("loop vector", "loop worker vector", "loop worker"))
        else:
            forms, weights = zip(*FORMS)
            region.directives = list(rng.choices(forms, weights)[0])
        region.lasts, region.maps, region.mapped = [], {}, []
        region.reductions = [r for r in region.reductions if r.form == "scalar" and not region.inner]
        if any(loop.form == "triangular" for loop in region.loops):
            region.collapsed = 1  # OpenACC: the loops of `collapse` are a rectangle
        region.queue = rng.randrange(4) if rng.random() < 0.3 else -1
    return program


# clauses of OpenMP that OpenACC has under another name
SIZES = {"num_teams": "num_gangs", "thread_limit": "vector_length"}


def _construct_clauses(printer):
    out, region = [], printer.region
    for clause in region.clauses:
        text = printer.clause_text(clause)
        if not text:
            continue
        if clause.name in SIZES and not region.directives[0].startswith("serial"):
            out.append(f"{SIZES[clause.name]}({clause.value})")
        elif clause.name == "if" and clause.at == "target":
            out.append(f"if({clause.value} & 1)")
    if region.queue >= 0:
        out.append(f"async({region.queue})")
    return list(dict.fromkeys(out)) + _data(printer)


def _data(printer):
    out = []
    for name in printer.used:
        array = printer.arrays[name]
        if array.residence == "device":
            out.append(f"deviceptr({name})")
        elif array.residence == "data" and printer.region.name[-1] in "02468":
            out.append(f"present({name})")
        elif array.residence == "clause":
            section = f"{name}[0 : {'4' if array.fill == 'rows' else name + '_len'}]" if array.storage == "heap" else name
            out.append(f"{'copy' if name in printer.written else 'copyin'}({section})")
    return out


def _loop_clauses(printer, inner):
    region, out = printer.region, []
    loops = len(region.loops) - 1 if inner else 1 if region.inner else len(region.loops)
    collapsed = min(region.collapsed, loops)
    if collapsed > 1:
        out.append(f"collapse({collapsed})")
    if not region.inner:
        out += [f"reduction({r.op} : {r.name})" for r in region.reductions]
    if inner or not region.inner:
        out += [f"private({name})" for name in printer.privates]
    return out


def directive_lines(printer):
    lines, last = [], len(printer.region.directives) - 1
    for number, directive in enumerate(printer.region.directives):
        clauses = (_construct_clauses(printer) if number == 0 else []) + (_loop_clauses(printer, False) if number == last else [])
        lines.append(" ".join([f"#pragma acc {directive}"] + clauses))
    return lines


def inner_line(printer):
    return " ".join([f"#pragma acc {printer.region.inner}"] + _loop_clauses(printer, True))


def wait_line(region):
    return f"#pragma acc wait({region.queue})" if region.queue >= 0 else ""
