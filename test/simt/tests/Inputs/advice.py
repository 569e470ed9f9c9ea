"""advice.py REPORT.json: the advice of the test advice.c, and that its figures fit together."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    classes = {region["name"]: region["classes"][0] for region in json.load(file)["regions"] if region["classes"]}
for region, array in (("mark_one", "mark"), ("mark_two", "seen")):
    (advice,) = classes[region]["advice"]
    assert advice["copy_of"] == array and advice["space"] == "shared" and advice["read_line"] > 0, advice
    assert 0 < advice["copy_ns"] < advice["predicted_ns"] < advice["predicted_base_ns"], advice
    assert (advice["written_line"] > advice["read_line"]) == (array == "mark"), advice
assert classes["add"]["advice"] == [], classes["add"]["advice"]
