"""Tests of study.py: tables and kernel times are read right, a stopped run goes on, wrong results are found, and the report
says what the CSV says. The numbers of golden.csv are made up so that every figure can be worked out by hand."""

import contextlib
import io
import os
import shutil
import stat
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import study  # noqa: E402
from studylib import analysis, plans, report, run, tables, timers  # noqa: E402
from studylib.results import TOTAL, Results, read_rows  # noqa: E402

TABLE = """place-table 1
region __omp_offloading_fe00_51_convolve_l6
at 6 convolve benchmarks/conv1d.c
kind spmd
array 0 2 signal 4 r 0 global,readonly,constant - -
array 1 3 taps 4 r 1 global,constant,shared - -
array 2 4 out 4 w -1 global - written
version __omp_offloading_fe00_51_convolve_l6_place_base base gg-
version __omp_offloading_fe00_51_convolve_l6_place_gg special gg-
version __omp_offloading_fe00_51_convolve_l6_place_gc special gc-
version __omp_offloading_fe00_51_convolve_l6_place_gc_512t128 block gc- 128 1
version __omp_offloading_fe00_51_convolve_l6_place_agnostic agnostic **-
region __omp_offloading_fe00_51_second_l9
kind spmd
array 0 1 u 4 r 0 global,readonly - -
version __omp_offloading_fe00_51_second_l9_place_base base g
version __omp_offloading_fe00_51_second_l9_place_r special r
end 0123456789abcdef
"""


def text_of(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def regions():
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"\x7fELF\0place-table without an end\0" + TABLE.encode() + b"\0more")
        file.flush()
        return tables.read_tables(file.name)


class Tables(unittest.TestCase):
    def test_reads_regions_out_of_a_binary(self):
        first, second = regions()
        self.assertEqual(("convolve_l6", "second_l9"), (first.name, second.name))
        self.assertEqual([("signal", 2, 0), ("taps", 3, 1), ("out", 4, -1)],
                         [(a.name, a.arg, a.placeable) for a in first.arrays])
        self.assertEqual(["base", "special", "special", "block", "agnostic"], [v.kind for v in first.versions])

    def test_describes_versions(self):
        first, _ = regions()
        described = {s: tables.describe(first, s) for s in ("", "base", "gg", "gc", "gc_512t128", "agnostic", "zz")}
        self.assertEqual({"": "original", "base": "base", "gg": "straight loop", "gc": "taps constant",
                          "gc_512t128": "taps constant, blocks 512t128", "agnostic": "agnostic", "zz": "zz"}, described)

    def test_kernel_names(self):
        name = "__omp_offloading_ab_1f_convolve_l6_place_gc_512t128"
        self.assertEqual(("convolve_l6", "gc_512t128"), tables.split_kernel(name))
        self.assertEqual(("convolve_l6", ""), tables.split_kernel("__omp_offloading_ab_1f_convolve_l6"))


class Plans(unittest.TestCase):
    def test_every_version_is_forced_once(self):
        forced = dict(plans.forced_plans(regions(), "subset"))
        first, second = "__omp_offloading_fe00_51_convolve_l6", "__omp_offloading_fe00_51_second_l9"
        self.assertEqual({"base": "*:version=base", "special-1": f"{first}:arg2=global,arg3=global;{second}:arg1=readonly",
                          "special-2": f"{first}:arg2=global,arg3=constant;{second}:version=base",
                          "block-1": "*:version=block1"}, forced)

    def test_exhaustive_has_every_plan_once(self):
        first, _ = regions()
        others = plans.other_plans(first)
        self.assertEqual(9 - 2, len(set(others)))
        self.assertEqual(set(), set(others) & set(plans.specials(first)))

    def test_too_many_plans_are_sampled_alike_each_time(self):
        arrays = [tables.Array(i, f"a{i}", i, ["global", "readonly", "constant", "shared"]) for i in range(8)]
        region = tables.Region("e", "e", arrays, [tables.Version("e_place_agnostic", "agnostic", "*" * 8)])
        chosen = plans.other_plans(region)
        self.assertEqual(chosen, plans.other_plans(region))
        self.assertTrue(plans.MOST_PLANS / 2 < len(chosen) <= plans.MOST_PLANS)

    def test_all_cases_name_a_program(self):
        for on_cpu in (False, True):
            cases = plans.read_cases(os.path.join(study.HERE, "study-cases.txt"), on_cpu)
            self.assertEqual(len(cases), len({c.name for c in cases}))
            self.assertLessEqual({c.program for c in cases}, {f[:-2] for f in os.listdir(study.HERE) if f.endswith(".c")})
            counterparts = {f[:-3] for f in os.listdir(os.path.join(study.HERE, "cuda"))}
            self.assertLessEqual({c.program for c in cases if c.cuda}, counterparts)
        programs = {f[:-2] for f in os.listdir(study.HERE) if f.endswith(".c")} - {"empty"}
        self.assertEqual(programs, {c.program for c in cases})


class KernelTimes(unittest.TestCase):
    PREFIX = "__omp_offloading_a_b_"

    def test_kernels_are_shared_out_among_launches(self):
        # a warm-up, then two launches of f twice and g once; one kernel that is no part of a launch
        kernels = [("setup", 7), ("f", 99), ("f", 1), ("f_place_gc", 2), ("g", 10), ("f", 3), ("f_place_gc", 4), ("g", 20)]
        shared = run.launches_of([(self.PREFIX + name, ns) for name, ns in kernels], 2)
        self.assertEqual({"f": ([3, 7], "gc"), "g": ([10, 20], "")}, shared)

    def test_ncu_units(self):
        head = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
        text = "\n".join(["==PROF== x", head, '"0","k","t","us","1,234.5"', '"1","k","t","nsecond","7"', "k PASS"])
        self.assertEqual([("k", 1234500.0), ("k", 7.0)], timers.NsightCompute().read("", text))
        self.assertIsNone(timers.NsightCompute().read("", "==ERROR== no permission"))

    def test_verdicts(self):
        line = "x n=1 launches=2 median=1.5 best=1.0 ms checksum=0123456789abcdef error=0.0e+00 "
        good, bad = run.LINE.search(line + "PASS"), run.LINE.search(line + "FAIL")
        self.assertEqual(["PASS", "FAIL", "EXIT1", "TIMEOUT", "EXIT-11", "SILENT"],
                         [run.verdict_of(*a) for a in ((good, 0), (bad, 1), (good, 1), (good, None), (None, -11), (None, 0))])


# A program that prints what a benchmark prints, says what it "ran" where a timer would, and counts its starts.
PROGRAM = """#!/bin/sh
echo x >>"$(dirname "$0")/starts"
i=0; while [ $i -lt 90 ]; do echo "{ns} {prefix}k_l1{version}"; i=$((i + 1)); done >"${{KERNEL_TIMES:-/dev/null}}"
sum=00000000000000aa; [ -z "$PLACE_FORCE" ] || sum={forced}
echo "conv1d n=1 launches=9 median=2.5 best=2.0 ms checksum=$sum error=0.0e+00 PASS"
"""


class Study(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.csv = os.path.join(self.folder, "study.csv")
        for sub in ("bin", "lib"):
            os.mkdir(os.path.join(self.folder, sub))
        open(os.path.join(self.folder, "lib", timers.LIBRARY), "w", encoding="utf-8").close()
        self.program("conv1d.plain", ns=4000000, version="")
        self.program("triad.plain", ns=1, version="")
        self.program("conv1d.place", ns=2000000, version="_place_gc")
        kept = study.gpus, study.prepare
        self.addCleanup(lambda: (setattr(study, "gpus", kept[0]), setattr(study, "prepare", kept[1])))
        study.gpus, study.prepare = (lambda: [("Example GPU", "1.2")]), (lambda folder, renew: None)

    def program(self, name, forced="00000000000000aa", **values):
        path = os.path.join(self.folder, "bin", name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(prefix="__omp_offloading_fe00_51_", forced=forced, **values))
            if name.endswith(".place"):
                file.write("exit 0\n" + TABLE)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def study(self, *words):
        silent = io.StringIO()
        with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            status = study.main([self.folder, "--csv", self.csv, "--cases", "conv1d-64", "--subset", *words])
        return status, silent.getvalue()

    def starts(self):
        with open(os.path.join(self.folder, "bin", "starts"), encoding="utf-8") as file:
            return len(file.readlines())

    def totals(self):
        return [r for r in read_rows(self.csv) if r["region"] == TOTAL]

    def test_runs_everything_once_and_times_it(self):
        status, text = self.study()
        self.assertEqual(0, status, text)
        names = [(r["plan"], r["round"]) for r in self.totals()]
        first = ["plain", "auto", "model-rules", "base", "special-1", "special-2", "block-1"]
        self.assertEqual([(plan, "1") for plan in first] + [("plain", "2"), ("auto", "2")], names)
        medians = {r["plan"]: r["median_ms"] for r in self.totals()}
        self.assertEqual(("20.000000", "2.000000"), (medians["plain"], medians["auto"]))  # five kernels a launch; one
        part = next(r for r in read_rows(self.csv) if r["plan"] == "auto" and r["region"] == "k_l1")
        self.assertEqual(("gc", "2.000000", "cupti"), (part["version"], part["median_ms"], part["timer"]))
        self.assertEqual("Example GPU", self.totals()[0]["gpu"])

    def test_goes_on_where_it_stopped(self):
        self.assertEqual(3, self.study("--seconds", "0")[0])
        self.assertEqual([], self.totals())
        self.study()
        whole = self.starts()
        with open(self.csv, encoding="utf-8") as file:
            text = file.read()
        with open(self.csv, "w", encoding="utf-8") as file:
            file.write(text[:text.rindex("conv1d-64,auto,2,*") + 30])  # killed while it wrote the last row
        self.assertEqual(0, self.study()[0])
        self.assertEqual(whole + 4, self.starts())  # a try with and without the timer, the warm-up, the lost run
        self.assertEqual(9, len(self.totals()))
        self.assertEqual(9, len({(r["plan"], r["round"]) for r in self.totals()}))

    def test_finds_other_bits(self):
        self.program("conv1d.place", forced="00000000000000bb", ns=1, version="")
        status, text = self.study("--jobs", "2")
        self.assertEqual(1, status)
        self.assertIn("5 passed, 4 failed", text)
        self.assertIn("special-1 #1: DIFFERENT", text)

    def test_says_what_is_not_built(self):
        os.remove(os.path.join(self.folder, "bin", "conv1d.place"))
        status, text = self.study()
        self.assertEqual(1, status)
        self.assertIn("not built, so not run: conv1d-64", text)

    def test_finds_a_program_that_fails(self):
        with open(os.path.join(self.folder, "bin", "conv1d.place"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 7\n" + TABLE)
        status, text = self.study()
        self.assertEqual(1, status)
        self.assertIn("auto #1: EXIT7", text)
        self.program("conv1d.place", ns=1, version="")
        self.assertEqual(1, self.study()[0])
        self.assertEqual((0, 9), (self.study("--retry")[0], len(self.totals())))

    def test_does_not_start_where_nothing_runs(self):
        with open(os.path.join(self.folder, "bin", "triad.plain"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho no device\nexit 1\n")
        with self.assertRaisesRegex(SystemExit, "no device"):
            self.study()
        self.assertEqual([], self.totals())


class Report(unittest.TestCase):
    def setUp(self):
        self.rows = read_rows(os.path.join(HERE, "golden.csv"))
        self.cases = {c.name: c for c in analysis.cases_of(self.rows)}

    def test_figures_worked_out_by_hand(self):
        alpha, beta, gamma = (self.cases[n] for n in ("alpha-1", "beta", "gamma"))
        self.assertAlmostEqual(2.0, alpha.speedup())  # median of 4.0 and 4.2, over 2.05
        self.assertAlmostEqual(0.8, alpha.share())  # 1.64 / 2.05
        self.assertEqual((1.64, "special-1"), alpha.best())
        self.assertEqual((1.025, "tile"), alpha.best_cuda())
        self.assertAlmostEqual(4 / 2, beta.speedup())
        self.assertEqual((1.0, "special-1 + block-1"), beta.best())  # 0.5 of one region's best, 0.5 of the other's
        self.assertAlmostEqual(0.97, gamma.speedup())  # by the wall clock
        self.assertEqual(0.97, gamma.best()[0])  # the plan with other bits, 0.1, does not count
        self.assertAlmostEqual(50 * 4.1 / (150 + 3), alpha.speedup_of_launches(50))
        self.assertAlmostEqual(1496 * 4.1 / (240 + 3 + (1496 - 90) * 2.05), alpha.speedup_of_launches(1496))
        self.assertIsNone(gamma.speedup_of_launches(50))

    def test_failures(self):
        self.assertEqual([("special-1", "DIFFERENT"), ("block-1", "TIMEOUT")],
                         [(r["plan"], why) for r, why in analysis.failures(self.rows)])

    def test_report_is_the_golden_one(self):
        with tempfile.TemporaryDirectory() as out:
            report.write(self.rows, out, "golden.csv", ["alpha-1", "beta", "gamma", "delta"])
            self.assertEqual(text_of(HERE, "golden.md"), text_of(out, "STUDY.md"))
            self.assertEqual(text_of(HERE, "golden.svg"), text_of(out, "plots", "speedup.svg"))
            for name in os.listdir(os.path.join(out, "plots")):
                drawn = xml.etree.ElementTree.parse(os.path.join(out, "plots", name)).getroot()
                texts = {e.text for e in drawn.iter("{http://www.w3.org/2000/svg}text")}
                self.assertIn("alpha-1", texts, name)

    def test_small_sizes_give_no_figures(self):
        with tempfile.TemporaryDirectory() as out:
            report.write([{**r, "size": "small"} for r in self.rows], out, "golden.csv")
            self.assertIn("18 of 20 runs passed", text_of(out, "STUDY.md"))
            self.assertNotIn("speedup", text_of(out, "STUDY.md"))

    def test_half_a_run_is_none(self):
        with tempfile.TemporaryDirectory() as out:
            path = os.path.join(out, "x.csv")
            with open(os.path.join(HERE, "golden.csv"), encoding="utf-8") as whole, open(path, "w", encoding="utf-8") as part:
                part.write("".join(whole.readlines()[:3]))  # head, a run's region, its total
                part.write("alpha-1,auto,1,k_l1,gs")
            self.assertEqual([("plain", "1")], [key[1:] for key in Results(path).done])
            self.assertEqual(2, len(read_rows(path)))


if __name__ == "__main__":
    unittest.main()
