"""flags.py SOURCE: whether docs/flags.md has each flag of the plugin and each place of the source, and no other, and docs/hints.md each route."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
document = (root / "docs" / "flags.md").read_text()
section = document.split("## Flags of the plugin")[1].split("## Pragmas")[0]
told = set(re.findall(r"^\| `([a-z-]+(?:=\w+)?)", section, re.M))
known = re.search(r"; known: ([^\"]*)\"", (root / "llvm-pass" / "front" / "Source.cpp").read_text()).group(1)
known = {re.match(r"[a-z-]+(?:=\w+)?", flag).group(0) for flag in known.split(", ")}
routes = {r for r in re.findall(r"^PLACE_ROUTE\(\w+, \"(\w+)", (root / "include" / "place" / "route.def").read_text(), re.M) if r != "default"}
in_hints = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| `ld\.", (root / "docs" / "hints.md").read_text(), re.M))))
places = set(re.findall(r"`#pragma place (\w+)\(", document)) - {"keep", "team", "assume"} - routes
spaces = set(re.findall(r"^PLACE_SPACE\(\w+, *\d*,? *\"?(\w+)", (root / "include" / "place" / "space.def").read_text(), re.M))
wrong = [f"flags: {sorted(told ^ known)}"] * (told != known) + [f"places: {sorted(places ^ spaces)}"] * (places != spaces)
wrong += [f"routes: {sorted(in_hints ^ (routes - {'nc'}))}"] * (in_hints != routes - {"nc"})
print("\n".join(wrong) or f"{len(known)} flags, {len(spaces)} places")
sys.exit(bool(wrong))
