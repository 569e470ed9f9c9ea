"""Whether no script can be ended by its own pipeline: python3 scripts.py [ROOT]; prints what is not, status 1 then.

Under pipefail a pipe's reader must read to the end. One that leaves early (head, grep -q) ends the writer by SIGPIPE when that has
more to say, and so the script, with status 141: now and then, as the two race. `sed -n 1p` is a first line that reads all."""

import os
import re
import subprocess
import sys

from architecture import main, read

PIPEFAIL = re.compile(r"^set -[a-z]*o pipefail\b", re.MULTILINE)
EARLY = re.compile(r"(?<!\|)\|\s*(head\b|grep\b[^|;&)]*\s(?:-[a-zA-Z]*q|-[a-zA-Z]*m|--quiet|--max-count)|sed\b[^|&)]*[;{'\"0-9]q['\"};]|awk\b[^|]*\bexit\b)")


def scripts(root):
    listed = subprocess.run(["git", "-C", root, "grep", "-lIE", "--untracked", "^set -[a-z]*o pipefail"], capture_output=True, text=True, check=False)
    if listed.returncode in (0, 1):
        return sorted(listed.stdout.split())
    everything = (os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names)
    return sorted(path for path in everything if path.endswith(".sh"))


def complaints(root):
    out = []
    for path in scripts(root):
        text = read(os.path.join(root, path))
        if not PIPEFAIL.search(text):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            found = None if line.lstrip().startswith("#") else EARLY.search(line)
            if found:
                out.append(f"{path}:{number}: `{found.group(1)}` may leave before the pipe's writer has ended, which ends the script under pipefail")
    return out


if __name__ == "__main__":
    sys.exit(main(complaints))
