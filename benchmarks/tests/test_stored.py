"""Tests of the cases that a study's CSV and its stored launches give: what realised a plan, how often a region ran, thinning;
and of the figures that are drawn from what place-models says of them."""

import os
import random
import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from studylib import accuracy, stored  # noqa: E402
from studylib.results import TOTAL  # noqa: E402

ENTRY = "__omp_offloading_fe00_51_convolve_l6"
OTHER = "__omp_offloading_fe00_51_second_l9"
CASE = f"""place-case 1
from Example GPU
region {ENTRY}
trip 4096
threads 128
teams 0
shared 0
arg 0 4096
extent 0 0 16384
log 0 5*32
log 4096 7+1*4 9
place-table 2
region {OTHER}
at 9 second /somewhere/else/conv1d.c
array 0 1 u 4 r 0 global,readonly - -
version {OTHER}_place_base role=base loop=original space=g
region {ENTRY}
at 6 convolve /somewhere/else/my conv1d.c
kind spmd
array 0 2 signal 4 r 0 global,readonly,constant - -
array 1 3 taps 4 r 1 global,constant,shared - -
array 2 4 out 4 w -1 global - written
version {ENTRY}_place_base role=base loop=original space=g,g,-
version {ENTRY}_place_gg role=plan loop=straight space=g,g,-
version {ENTRY}_place_gc role=plan loop=straight space=g,c,- needs=aligned:16
version {ENTRY}_place_gc_512t128 role=plan loop=block space=g,c,- block=512 team=128 adjacent=0 threads=128 teams=1 needs=open-teams,open-threads,reads-unwritten,writes-apart,aligned:16
version {ENTRY}_place_agnostic role=plan loop=original space=*,*,- needs=aligned:16
version {ENTRY}_place_profile role=profile loop=original space=g,g,-
end 0123456789abcdef
"""


def row(plan, version, ms, placement="", region="convolve_l6", **more):
    return {"case": "conv1d", "plan": plan, "round": "1", "region": region, "version": version, "placement": placement,
            "median_ms": str(ms), "launches": "16", "counted": "12", "verdict": "PASS", "timer": "cupti", "gpu": "Example GPU",
            "date": "2026-01-02T03:04:05Z", "versions": "clang 19", **more}


ROWS = [row("plain", "original", 4.0), row("base", "base", 4.2), row("model-rules", "original", 4.1),
        row("special-1", "gg", 4.4), row("all-global", "gg", 4.6), row("special-2", "gc", 2.0), row("auto", "gc", 9.0),
        row("block-1", "gc_512t128", 1.0), row("agnostic-shared", "agnostic", 8.0, "agnostic: taps shared"),
        row("agnostic-x", "agnostic", 7.0, "agnostic: all global"), row("profile", "profile", 6.0),
        row("base", "", 5.0, region=TOTAL)]


class Stored(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        os.makedirs(os.path.join(self.folder, "launches", "conv1d"))
        self.put("convolve-6-4096.case", CASE)

    def put(self, name, text):
        with open(os.path.join(self.folder, "launches", "conv1d", name), "w", encoding="utf-8") as file:
            file.write(text)

    def write(self, rows=None):
        """What became of each region, and the text of the case."""
        out = os.path.join(self.folder, "out")
        found = list(stored.write(rows or ROWS, os.path.join(self.folder, "launches"), out))
        path = os.path.join(out, "conv1d.case")
        if not os.path.exists(path):
            return found, ""
        with open(path, encoding="utf-8") as file:
            return found, file.read()

    def plans(self, text):
        return [line for line in text.split("\n") if line.startswith("plan ")]

    def test_plans_say_what_realised_them(self):
        found, text = self.write()
        self.assertEqual([("conv1d", "convolve_l6", "conv1d.case")], found)
        self.assertEqual(["plan gg-_original 24 4050000", "plan gg-_base 12 4200000", "plan gc- 12 2000000",
                          "plan gg- 24 4500000", "plan gc-_512t128 12 1000000", "plan gg-_agnostic 12 7000000",
                          "plan gs-_agnostic 12 8000000"], self.plans(text))

    def test_keeps_one_region_and_no_folders(self):
        text = self.write()[1]
        self.assertNotIn("second", text)
        self.assertIn("\nat 6 convolve my conv1d.c\n", text)
        table = text[text.index("place-table"):]
        body, end = table[:table.rindex("end ")], table[table.rindex("end "):]
        self.assertEqual(f"end {stored.fnv1a(body):016x}\n", end)
        self.assertEqual("cbf29ce484222325", f"{stored.fnv1a(''):016x}")
        self.assertEqual("af63dc4c8601ec8c", f"{stored.fnv1a('a'):016x}")  # published test vectors

    def test_how_often_a_region_ran(self):
        self.put("convolve-6-4096.plans", "plan gg-_base 64 2099000 10\nplan gc- 48 999000 9\n")
        self.assertIn("plan gc- 12 1000000", self.write()[1])  # saturated at 64: 4.2 ms are two kernels of 2.1
        self.put("convolve-6-4096.plans", "plan gg- 80 1099000 10\nplan gc- 80 499000 9\n")
        self.assertIn("plan gc- 12 400000", self.write()[1])  # 80 kernels in 16 launches
        self.put("convolve-6-4096.plans", "plan gg-_base 64 2099000 900000\nplan gc- 48 999000 900000\n")
        self.assertEqual("its kernels differ within a launch", self.write()[0][0][2])

    def test_more_sizes_than_one(self):
        self.put("convolve-6-77.plans", "plan gg-_base 16 5 1\n")
        self.assertEqual([("conv1d", "convolve_l6", "launched in more sizes than one")], self.write()[0])

    def test_what_cannot_be_told_apart(self):
        self.put("convolve-6-4096.case", CASE.replace("array 1 3 taps", "array 1 3 signal"))
        self.assertIn("cannot be told apart", self.write()[0][0][2])
        self.put("convolve-6-4096.case", CASE.replace("_convolve_l6", "_convolve_l7"))
        self.assertEqual("no launch of it was stored", self.write()[0][0][2])

    def test_failed_runs_do_not_count(self):
        text = self.write(ROWS + [row("special-2", "gc", 1.0, verdict="FAIL")])[1]
        self.assertIn("plan gc- 12 2000000", text)

    def test_logs_come_back(self):
        choose = random.Random(1)
        words = {}
        for at in range(0, 8000, 40):
            start, step = choose.randrange(1, 1 << 32), choose.choice((0, 1, -3, 4096, 1 << 31))
            for i in range(choose.randrange(40)):
                words[at + i] = (start + i * step) & 0xFFFFFFFF
        words = {at: value for at, value in words.items() if value}
        self.assertEqual(words, stored.read_log(stored.print_log(words)))
        self.assertEqual(["log 0 5*32", "log 4096 7+1*4 9"], stored.print_log(stored.read_log(["log 0 5*32", "log 4096 7 8 9 10 9"])))

    def test_thinned_until_it_fits(self):
        choose = random.Random(2)
        lines = []
        for slot in range(8):
            lines.append(f"log {slot * 512} 16*32")
            lines.append(f"log {4096 + slot * 16 * 512} " + " ".join(str(choose.randrange(1 << 32)) for _ in range(512)))
        self.put("convolve-6-4096.case", CASE.replace("log 0 5*32\nlog 4096 7+1*4 9\n", "\n".join(lines) + "\n"))
        text = self.write()[1]
        self.assertTrue(stored.MOST_BYTES - 6000 < len(text) <= stored.MOST_BYTES)
        known = stored.read_log([line for line in text.split("\n") if line.startswith("log ")])
        slots = {at // 512 for at in known if at < 4096}
        self.assertEqual({(at - 4096) // 8192 for at in known if at >= 4096}, slots)  # counts and entries of the same warps
        self.assertEqual(set(range(len(slots))), slots)


class Accuracy(unittest.TestCase):
    CSV = """case,plan,measured_ns,place,porple,huang,rules
one,g-,1000,500,20000,1500,1.5
one,s-,500,400,30000,2000,1
one,r-_agnostic,2000,inf,10000,3000,2
two,g,100,100,100,100,1
"""

    def test_figures_worked_out_by_hand(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plans.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.CSV)
            cases = accuracy.read(path)
            self.assertEqual([("one", [[0.5, 0.8], [1.5, 4.0, 1.5], [20.0, 60.0, 5.0]]), ("two", [[1.0], [1.0], [1.0]])],
                             accuracy.normalised(cases))
            self.assertEqual([("one s-", [0.5, 0.8, 2000 / 1500, 1.5]), ("one g-", [1, 1, 1, 1]),
                              ("one r-_agnostic", [2, None, 2, 0.5])], accuracy.compared(cases, ["one", "none"]))
            accuracy.write(path, folder)
            drawn = {name: xml.etree.ElementTree.parse(os.path.join(folder, f"{name}.svg")).getroot()
                     for name in ("accuracy", "ranks")}
        circles = [e for e in drawn["accuracy"].iter("{http://www.w3.org/2000/svg}circle")]
        self.assertEqual(3 + 8 + 3, len(circles))  # legend; place has no time for one plan


if __name__ == "__main__":
    unittest.main()
