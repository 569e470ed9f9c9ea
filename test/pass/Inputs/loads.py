#!/usr/bin/env python3
"""loads.py OPERATOR PTX: whether the versions' loads of the arrays of routes.c have the operator, of each width, and no other kernel's has one."""
import re
import sys

EXPECTED = {"u8", "b16", "b32", "b64", "f32", "f64", "v4.f32", "v2.f64", "v2.f32"}

operator, path = sys.argv[1:]
kernels = re.split(r"^\.(?:visible|weak) \.entry ", open(path).read(), flags=re.M)[1:]
versions = [k for k in kernels if re.match(r"\S*_types_l\d+_place_(natural|g)", k)]
others = [k for k in kernels if re.match(r"\S*_l\d+(_place_base)?\(", k) or "_updated_" in k.split("(")[0]]
if not versions or not others:
    sys.exit("loads.py: the kernels that are looked at are missing")
for kernel in versions:
    found = {t for t in re.findall(r"ld\.global" + re.escape(operator) + r"\.((?:v[24]\.)?[fbu]\d+)\s", kernel)}
    if found != EXPECTED:
        sys.exit(f"loads.py: {kernel.split('(')[0]}: loads with {operator} of {sorted(found)}, not {sorted(EXPECTED)}")
    plain = re.findall(r"ld\.global(?:\.nc)?\.(?:v[24]\.)?[fbus]\d+\s", kernel)
    if plain:
        sys.exit(f"loads.py: {kernel.split('(')[0]}: {len(plain)} loads without it")
for kernel in others:
    if "ld.global" + operator + "." in kernel:
        sys.exit(f"loads.py: {kernel.split('(')[0]} has loads with {operator}")
