"""Whether what names the spaces one by one names those of their list: python3 spaces.py [ROOT]; prints what does not, status 1 then.

What can read the list, reads it; here is what cannot."""

import os
import re
import sys

from architecture import main, read

LIST = "include/place/space.def"
NAME = re.compile(r'^PLACE_SPACE\(\w+, "(\w+)"', re.MULTILINE)
PLACES = {  # file: where in it they are named
    "omptarget-plugin/report/report.schema.json": r'"space": \{"enum": \[([^]]*)\]',
    "omptarget-plugin/settings/config.c": r'\bSpace: ((?:`\w+`[,\s"]*)+)\.',
    "docs/environment.md": r"\bSpace: ((?:`\w+`[,\s]*)+)\.",
    "docs/troubleshooting.md": r"there are ((?:\w+, )+\w+ and \w+)`",
}


def named(text, where):
    found = re.search(where, text)
    return [word for word in re.findall(r"\w+", found.group(1)) if word != "and"] if found else None


def complaints(root):
    names = NAME.findall(read(os.path.join(root, LIST)))
    out = [] if names else [f"{LIST} has no spaces"]
    for path, where in PLACES.items():
        found = named(read(os.path.join(root, path)), where)
        if found is None:
            out.append(f"{path}: no list of the spaces is found by /{where}/")
        elif found != names:
            out.append(f"{path} names {', '.join(found)}; {LIST} has {', '.join(names)}")
    return out


if __name__ == "__main__":
    sys.exit(main(complaints))
