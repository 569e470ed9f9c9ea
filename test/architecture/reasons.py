"""Whether every reason that the runtime gives is in its list: python3 reasons.py [ROOT]; prints what is not, status 1 then.

No reason may be written out where the runtime gives one, and each of the list must be given somewhere."""

import os
import re
import sys

from architecture import main, read

LIST = "include/place/launch_reason.def"
RUNTIME = "omptarget-plugin"
FOLDERS = ("launch", "learn", "dispatch", "libomptarget")
FILES = ("report/report.c",)  # what else gives reasons only
USERS = ("report/report_json_class.c", "image/module.c")
GIVES = re.compile(r"(?:\b(?:why_global|why_constant|unstable|unsettled|refused|dropped|unusable|why)\s*=(?!=)"
                   r"|\b(?:class_keep_original|refuse|set_unstable|ext_escaped|finish|place_diag_set)\(|\breturn\b)"
                   r'(?:[^;{}"]|"[^"\n]*")*?"([a-z%][^"\n]* [^"\n]* [^"\n]*[^" \n])"')
OTHERS = ("verdict.c", "elf_image.c", "offload_library.c")  # their messages are about files
LINE = re.compile(r"^PLACE_LAUNCH_REASON\((\w+)", re.MULTILINE)


def sources(root):
    top = os.path.join(root, RUNTIME)
    found = [os.path.join(folder, name) for folder in FOLDERS for name in sorted(os.listdir(os.path.join(top, folder)))]
    return {name: read(os.path.join(top, name)) for name in [*found, *FILES] if name.endswith(".c") and not name.endswith(OTHERS)}


def complaints(root):
    texts = sources(root)
    out = [f"{RUNTIME}/{name}: a reason that is not in {LIST}: {match.group(1)}"
           for name, text in texts.items() for match in GIVES.finditer(text)]
    given = " ".join([*texts.values(), *(read(os.path.join(root, RUNTIME, name)) for name in USERS)])
    used = set(re.findall(r"\bWHY_(\w+)", given))
    out += [f"{LIST}: nobody gives {name}" for name in LINE.findall(read(os.path.join(root, LIST))) if name not in used]
    return out


if __name__ == "__main__":
    sys.exit(main(complaints))
