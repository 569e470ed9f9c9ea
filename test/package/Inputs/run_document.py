"""run_document.py PREFIX SOURCE FOLDER FILE...: runs the commands of documents in an empty folder each.

A fenced block after a line `<!-- run -->` is run by bash, <prefix> standing for PREFIX and <source> for SOURCE; it must succeed, and print what a line
`<!-- prints: TEXT -->` after the block says. Blocks of one document share a folder, and run in order."""
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"<!-- run -->\n```sh\n(.*?)```\n((?:<!-- prints: .*? -->\n)*)", re.S)


def filled(block, places):
    """What a block says of places that are the reader's own, put in."""
    for name, place in places.items():
        block = block.replace(f"<{name}>", place)
    return block


def run(document, places, folder):
    folder.mkdir(parents=True)
    blocks = BLOCK.findall(document.read_text())
    if not blocks:
        sys.exit(f"{document}: no block is marked to be run")
    for block, wanted in blocks:
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", filled(block, places)], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        missing = [text for text in re.findall(r"prints: (.*?) -->", wanted) if text not in done.stdout]
        if done.returncode or missing:
            sys.exit(f"{document}: status {done.returncode}, not printed: {missing}\n{block}\n{done.stdout}")
    print(f"{document.name}: {len(blocks)} blocks")


places, folder = {"prefix": sys.argv[1], "source": sys.argv[2], "toolkit": f"{sys.argv[1]}/share/place/cuda"}, Path(sys.argv[3])
for number, document in enumerate(sys.argv[4:]):
    run(Path(document), places, folder / str(number))
