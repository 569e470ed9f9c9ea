"""reasons.py REASONS FOLDER COMPILER...: what is said of the regions in FOLDER against what they are made to have.

A function named has_X must get the reason X, one named lacks_X must not, as `-fplugin-arg-place-dump=access` tells; a reason's name has
hyphens where a function's has underscores. Every reason of the list REASONS (include/place/reason.def) must have both, but for those
that depend on the whole file: WHOLE_FILE. A file's first line may name flags (// FLAGS: ...), or ask for the sentences of the region
table in place of the names (// DUMP: table).
"""

import os
import re
import subprocess
import sys

# Each with the flags that make it so of flags.c.
WHOLE_FILE = {"no-optimisation": ["-O0"], "no-device-runtime": ["-nogpulib"]}


def summaries(compiler, path, flags, dump="access"):
    """The text of each region by its function."""
    command = [*compiler, f"-fplugin-arg-place-dump={dump}", *flags, "-w", "-c", path, "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    blocks = re.split(r"^(?:kernel|region) .*\n", done.stderr, flags=re.M)[1:]
    return {re.search(r"at (?:\d+ )?([\w:]+)", b).group(1).split("::")[-1]: b for b in blocks}


def said(block, names):
    named = set(re.findall(r"\[([a-z-]+)\]$", block, flags=re.M))
    return named | {name for name, sentence in names.items() if re.search(rf"^(?:kind|array) .*{sentence}$", block, flags=re.M)}


def options_of(path):
    """Flags, and the dump, that a file asks for."""
    with open(path, encoding="utf-8") as f:
        first = f.readline()
    return (first.removeprefix("// FLAGS:").split() if first.startswith("// FLAGS:") else [],
            "table" if first.startswith("// DUMP: table") else "access")


def check_file(compiler, path, names, seen):
    wrong = []
    for function, block in summaries(compiler, path, *options_of(path)).items():
        kind, _, name = function.partition("_")
        if kind not in ("has", "lacks"):
            continue
        name = name.replace("_", "-")
        seen.setdefault(name, set()).add(kind)
        if (name in said(block, names)) != (kind == "has"):
            wrong.append(f"{path}: {function} says {sorted(said(block, names))}\n{block}")
    return wrong


def main():
    reasons, folder, *compiler = sys.argv[1:]
    with open(reasons, encoding="utf-8") as f:
        lines = re.findall(r'^PLACE_REASON\(\w+, "([a-z-]+)", "[^"]*",\s*"([^"]*)"', f.read(), flags=re.M)
    names = {name: re.escape(sentence).replace("%s", ".*") for name, sentence in lines}
    seen, wrong = {}, []
    for file in sorted(os.listdir(folder)):
        path = os.path.join(folder, file)
        if file != "flags.c":
            wrong += check_file(compiler, path, names, seen)
    for name, flags in WHOLE_FILE.items():
        path = os.path.join(folder, "flags.c")
        for extra, expected in ((flags, True), ([], False)):
            block = summaries(compiler, path, extra)["scale"]
            if (name in said(block, names)) != expected:
                wrong.append(f"{path} with {extra}: {name} expected: {expected}\n{block}")
    for name in sorted(set(names) - set(WHOLE_FILE)):
        if seen.get(name) != {"has", "lacks"}:
            wrong.append(f"{name}: no pair of regions")
    wrong += [f"{name}: not in {reasons}" for name in sorted((set(seen) | set(WHOLE_FILE)) - set(names))]
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


main()
