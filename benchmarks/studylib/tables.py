"""Region tables of a program, read from its executable: which arrays and which versions its kernels have.

The form is described in include/place/region.h and version.h; only what a study needs is taken, and lines it does not know are left out.
"""

import re
from collections import namedtuple
from pathlib import Path

Array = namedtuple("Array", "arg name placeable spaces")
Version = namedtuple("Version", "entry kind letters shape", defaults=("",))  # shape: of a block version, in short
Region = namedtuple("Region", "entry name arrays versions")

LIST = Path(__file__).resolve().parents[2] / "include" / "place" / "space.def"
LISTED = re.findall(r'^PLACE_SPACE\(\w+, "(\w+)", \'(\w)\', (\w+),', LIST.read_text(encoding="utf-8"), re.MULTILINE)
SPACES = {letter: name for name, letter, _ in LISTED}
ON_REQUEST = {letter for _, letter, home in LISTED if home == "TEXTURE"}  # versions have arrays there only where they are asked to
PLACED = dict(list(SPACES.items())[1:])  # without the first, where libomptarget puts arrays
TABLE = re.compile(rb"place-table \d+\n(.*?)\nend [0-9a-f]{16}\n", re.DOTALL)
PREFIX = re.compile(r"__omp_offloading_[0-9a-f]+_[0-9a-f]+_")


def short(entry):
    """A region's name without what differs from one machine to the next: "convolve_l6"."""
    return PREFIX.sub("", entry)


def split_kernel(name):
    """Name of a region and what a version adds to it: ("convolve_l6", "gc"); ("convolve_l6", "") is the original kernel."""
    region, _, version = short(name).partition("_place_")
    return region, version


def shape_of(record):
    """A block version's shape as place_version_shape prints it: "64x64t256k16p"; "" without blocks."""
    if "block" not in record:
        return ""
    strip = "k" + record["strip"] + ("p" if "pipelined" in record else "") if "strip" in record else ""
    adjacent = record.get("adjacent", "0").endswith("1")
    return f"{record['block']}t{record['threads']}{strip}{'c' if 'turned' in record else ''}{'a' if adjacent else ''}"


def parse_version(words):
    """The words of a version's line; kind: base, profile, agnostic (leaves spaces open), block, or special."""
    record = dict(word.split("=", 1) for word in words[2:] if "=" in word)
    letters = record.get("space", "").replace(",", "")
    kind = record.get("role", "")
    if kind == "plan":
        kind = "block" if "block" in record else "agnostic" if "*" in letters else "special"
    return Version(words[1], kind, letters, shape_of(record))


def parse_table(text):
    regions = []
    for line in text.split("\n"):
        words = line.split(" ")
        if words[0] == "region":
            regions.append(Region(words[1], short(words[1]), [], []))
        elif words[0] == "array" and len(words) > 7:
            regions[-1].arrays.append(Array(int(words[2]), words[3], int(words[6]), words[7].split(",")))
        elif words[0] == "version" and len(words) > 3:
            regions[-1].versions.append(parse_version(words))
    return regions


def read_tables(path):
    """All regions of the program at `path`; none if it was compiled without the plugin."""
    with open(path, "rb") as file:
        content = file.read()
    return [region for match in TABLE.finditer(content) for region in parse_table(match.group(1).decode("utf-8", "replace"))]


def describe(region, suffix):
    """What a version does, from its suffix: "taps constant, blocks 512t128"; "original" for the kernel as clang made it."""
    if not suffix:
        return "original"
    version = next((v for v in region.versions if split_kernel(v.entry)[1] == suffix), None) if region else None
    if version is None:
        return suffix
    if version.kind in ("base", "agnostic", "profile"):
        return version.kind
    parts = [f"{a.name} {SPACES[letter]}" for a, letter in zip(region.arrays, version.letters) if letter in PLACED]
    if version.kind == "block":
        parts.append("blocks " + version.shape)
    return ", ".join(parts) or "straight loop"
