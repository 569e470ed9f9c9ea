"""placed.py REPORT.json ARRAY SPACE N: whether N regions of a report have ARRAY in SPACE"""
import json
import sys


def spaces(value, array):
    """Of each array of that name below a value of JSON."""
    if isinstance(value, dict):
        found = [value["space"]] if value.get("name") == array and "space" in value else []
        return found + [s for child in value.values() for s in spaces(child, array)]
    return [s for child in value for s in spaces(child, array)] if isinstance(value, list) else []


file, array, space, count = sys.argv[1:]
report = json.load(open(file))
placed = [region for region in report["regions"] if space in spaces(region, array)]
if len(placed) != int(count):
    sys.exit(f"{len(placed)} regions with {array} in {space}, not {count}: {json.dumps(report['regions'], indent=1)}")
