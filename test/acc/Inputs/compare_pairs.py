"""compare_pairs.py IR TABLE: kernels *_acc and *_omp of a unit must agree in mode, launch bounds and versions; all must be SPMD."""

import re
import sys

KERNEL = r"__omp_offloading_\w+?_(\w+)_(acc|omp)_l\d+"
SPMD = {"2", "3"}


def environments(ir):
    """{(kernel, language): numbers of its kernel environment}"""
    found = {}
    for name, language, text in re.findall(rf"^@{KERNEL}_kernel_environment = .*?ConfigurationEnvironmentTy {{(.*?)}}", ir, re.M):
        found[name, language] = re.findall(r"i\d+ (-?\d+)", text)
    return found


def versions(table):
    """{(kernel, language): its versions' kinds, sorted}"""
    found = {}
    for name, language, rest in re.findall(rf"^version .*?{KERNEL}_place_?(.*)$", table, re.M):
        found.setdefault((name, language), []).append(re.sub(r" kernel=\S+_place_", " kernel=", rest))
    return {key: sorted(value) for key, value in found.items()}


def main():
    with open(sys.argv[1]) as file:
        modes = environments(file.read())
    with open(sys.argv[2]) as file:
        made = versions(file.read())
    names = sorted({name for name, _ in modes})
    bad = [] if len(names) == 5 else [f"kernels found: {names}"]
    for name in names:
        acc, omp = (name, "acc"), (name, "omp")
        if modes.get(acc) != modes.get(omp):
            bad.append(f"{name}: environment {modes.get(acc)} in OpenACC, {modes.get(omp)} in OpenMP")
        elif modes[acc][2] not in SPMD:
            bad.append(f"{name}: execution mode {modes[acc][2]}")
        if made.get(acc) != made.get(omp):
            bad.append(f"{name}: versions {made.get(acc)} in OpenACC, {made.get(omp)} in OpenMP")
    if not made:
        bad.append("no version in the table")
    print("\n".join(bad) if bad else f"{len(names)} pairs agree, {sum(map(len, made.values()))} versions")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
