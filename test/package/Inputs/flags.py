"""flags.py SOURCE: whether docs/flags.md has each flag of the plugin and each place of the source, and no other."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
document = (root / "docs" / "flags.md").read_text()
section = document.split("## Flags of the plugin")[1].split("## Pragmas")[0]
told = set(re.findall(r"^\| `([a-z-]+(?:=\w+)?)", section, re.M))
known = re.search(r"; known: ([^\"]*)\"", (root / "llvm-pass" / "front" / "Source.cpp").read_text()).group(1)
known = {re.match(r"[a-z-]+(?:=\w+)?", flag).group(0) for flag in known.split(", ")}
places = set(re.findall(r"`#pragma place (\w+)\(", document)) - {"keep", "team", "assume"}
spaces = set(re.findall(r"^PLACE_SPACE\(\w+, *\d*,? *\"?(\w+)", (root / "include" / "place" / "space.def").read_text(), re.M))
wrong = [f"flags: {sorted(told ^ known)}"] * (told != known) + [f"places: {sorted(places ^ spaces)}"] * (places != spaces)
print("\n".join(wrong) or f"{len(known)} flags, {len(spaces)} places")
sys.exit(bool(wrong))
