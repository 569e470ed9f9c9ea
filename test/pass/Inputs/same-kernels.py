"""same-kernels.py PLAIN OTHER: the PTX of every function in PLAIN is the same in OTHER."""
import re
import sys


def functions(name):
    text = re.sub(r"//.*", "", open(name).read())
    return {m.group(2): m.group(0) for m in re.finditer(r"^\.(visible|weak)? ?\.?(?:entry|func)[^\n]* (\w+)\(.*?^}", text, re.S | re.M)}


plain, other = functions(sys.argv[1]), functions(sys.argv[2])
assert plain, "no function found"
for name, text in plain.items():
    assert other.get(name) == text, f"{name} differs"
