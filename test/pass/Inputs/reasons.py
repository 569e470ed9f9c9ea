"""reasons.py REASONS FOLDER COMPILER...: what is said of the regions in FOLDER against what they are made to have.

A function named has_X must get the reason X, one named lacks_X must not, as `-fplugin-arg-place-dump=access` tells; a reason's name has
hyphens where a function's has underscores. Every reason of the list REASONS (include/place/reason.def) must have both, but for those
that depend on the whole file: WHOLE_FILE. A file's first line may name flags: // FLAGS: ...
"""

import os
import re
import subprocess
import sys

# Each with the flags that make it so of flags.c.
WHOLE_FILE = {"no-optimisation": ["-O0"], "no-device-runtime": ["-foffload-lto"]}
# Told of kernels that clang 19 makes of no source (opt.ll has one), or when parts are linked.
ELSEWHERE = {"unknown-form", "optimised-away", "size-at-launch"}


def summaries(compiler, path, flags):
    """The text of each region by its function."""
    command = [*compiler, "-fplugin-arg-place-dump=access", *flags, "-w", "-c", path, "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    blocks = re.split(r"^kernel .*\n", done.stderr, flags=re.M)[1:]
    return {re.search(r"at (\S+) line", b).group(1).split("::")[-1]: b for b in blocks}


def said(block):
    return set(re.findall(r"\[([a-z-]+)\]$", block, flags=re.M))


def flags_of(path):
    with open(path, encoding="utf-8") as f:
        first = f.readline()
    return first.removeprefix("// FLAGS:").split() if first.startswith("// FLAGS:") else []


def check_file(compiler, path, seen):
    wrong = []
    for function, block in summaries(compiler, path, flags_of(path)).items():
        kind, _, name = function.partition("_")
        if kind not in ("has", "lacks"):
            continue
        name = name.replace("_", "-")
        seen.setdefault(name, set()).add(kind)
        if (name in said(block)) != (kind == "has"):
            wrong.append(f"{path}: {function} says {sorted(said(block))}\n{block}")
    return wrong


def main():
    reasons, folder, *compiler = sys.argv[1:]
    with open(reasons, encoding="utf-8") as f:
        names = set(re.findall(r'^PLACE_REASON\(\w+, "([a-z-]+)"', f.read(), flags=re.M))
    seen, wrong = {}, []
    for file in sorted(os.listdir(folder)):
        path = os.path.join(folder, file)
        if file != "flags.c":
            wrong += check_file(compiler, path, seen)
    for name, flags in WHOLE_FILE.items():
        path = os.path.join(folder, "flags.c")
        for extra, expected in ((flags, True), ([], False)):
            block = summaries(compiler, path, extra)["scale"]
            if (name in said(block)) != expected:
                wrong.append(f"{path} with {extra}: {name} expected: {expected}\n{block}")
    for name in sorted(names - set(WHOLE_FILE) - ELSEWHERE):
        if seen.get(name) != {"has", "lacks"}:
            wrong.append(f"{name}: no pair of regions")
    wrong += [f"{name}: not in {reasons}" for name in sorted((set(seen) | set(WHOLE_FILE) | ELSEWHERE) - names)]
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


main()
