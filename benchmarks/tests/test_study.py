"""Tests of study.py: tables and kernel times are read right, a stopped run goes on, wrong results are found, and the report
says what the CSV says. The numbers of golden.csv are made up so that every figure can be worked out by hand."""

import contextlib
import io
import os
import shutil
import stat
import tempfile
import unittest
import xml.etree.ElementTree

from support import HERE, TABLE, first_pass_rows, text_of  # noqa: I001 (sets the path of what follows)

import study  # noqa: E402
from studylib import analysis, confirm, costs, plans, report, run, sensitivity, svg, timers  # noqa: E402
from studylib.results import TOTAL, Results, read_rows  # noqa: E402


class KernelTimes(unittest.TestCase):
    PREFIX = "__omp_offloading_a_b_"

    def test_kernels_are_shared_out_among_launches(self):
        # a warm-up, then two launches of f twice and g once; one kernel that is no part of a launch
        kernels = [("setup", 7), ("f", 99), ("f", 1), ("f_place_gc", 2), ("g", 10), ("f", 3), ("f_place_gc", 4), ("g", 20)]
        shared = run.launches_of([(self.PREFIX + name, ns) for name, ns in kernels], 2)
        self.assertEqual({"f": ([3, 7], "gc", [" gc", " gc"]), "g": ([10, 20], "", ["", ""])}, shared)
        self.assertEqual([2, 1, 2], [run.kernels_of(versions) for versions in (" gc", "", " ")])

    def test_ncu_units(self):
        head = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
        text = "\n".join(["==PROF== x", head, '"0","k","t","us","1,234.5"', '"1","k","t","nsecond","7"', "k PASS"])
        self.assertEqual([("k", 1234500.0), ("k", 7.0)], timers.NsightCompute().read("", text))
        self.assertIsNone(timers.NsightCompute().read("", "==ERROR== no permission"))

    def test_what_runs_get_in_their_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            runner = run.Runner(folder, folder, timers.Cupti("/x.so"), {}, 1, {}, folder)
            case = plans.Case("c", "full", "p", [], [])
            forced = plans.Plan("special-1", "place", {"PLACE_FORCE": "x"}, [], 16, 12, 1)
            names = {"PLACE_FORCE", "PLACE_REPORT", "CUDA_INJECTION64_PATH", "KERNEL_TIMES"}
            self.assertEqual(names | {"PLACE_CASE"}, set(runner.environment_of(case, forced, 1, "s")))
            self.assertEqual(names, set(runner.environment_of(case, forced, 101, "s")))
            self.assertEqual([{}, {}], [runner.environment_of(case, plan, 101, "s") for plan in confirm.once_plans(case)])

    def test_verdicts(self):
        line = "x n=1 launches=2 median=1.5 best=1.0 ms checksum=0123456789abcdef error=0.0e+00 "
        good, bad = run.LINE.search(line + "PASS"), run.LINE.search(line + "FAIL")
        self.assertEqual(["PASS", "FAIL", "EXIT1", "TIMEOUT", "EXIT-11", "SILENT"],
                         [run.verdict_of(*a) for a in ((good, 0), (bad, 1), (good, 1), (good, None), (None, -11), (None, 0))])


# A program that prints what a benchmark prints, says what it "ran" where a timer would, and notes its starts.
PROGRAM = """#!/bin/sh
seen="${{KERNEL_TIMES:+timed}} ${{PLACE_REPORT:+report}} ${{BENCH_GATE:+gated}} gpu$CUDA_VISIBLE_DEVICES"
echo "$(basename "$0") $* $seen" >>"$(dirname "$0")/starts"
i=0; while [ $i -lt 120 ]; do echo "{ns} {prefix}k_l1{version}"; i=$((i + 1)); done >"${{KERNEL_TIMES:-/dev/null}}"
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
            cases = [] if "--cases" in words else ["--cases", "conv1d-64"]
            status = study.main([self.folder, "--csv", self.csv, "--subset", *cases, *words])
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
        self.assertEqual(("4.000000", "2.000000", "14.000000"),  # 120 launches; of 16, seven kernels each
                         (medians["plain"], medians["auto"], medians["base"]))
        part = next(r for r in read_rows(self.csv) if r["plan"] == "auto" and r["region"] == "k_l1")
        self.assertEqual(("gc", "2.000000", "cupti", "1"),
                         tuple(part[k] for k in ("version", "median_ms", "timer", "kernels")))
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

    def test_confirms(self):
        with open(os.path.join(self.folder, "build.csv"), "w", encoding="utf-8") as file:
            file.write("program,build,compile_s,program_bytes,device_bytes\nconv1d,plain,1.5,100,20\n")
        status, text = self.study("--confirm", "--jobs", "3")
        self.assertEqual(0, status, text)
        late = [(r["plan"], r["round"], r["launches"], r["timer"]) for r in self.totals() if int(r["round"]) > 100]
        # everything ran the same code, so nothing is worth running besides plain and automatic
        self.assertEqual([("plain", "101", "110", "cupti"), ("auto", "101", "110", "cupti")], late[:2])
        rounds, turns = confirm.ONCE_ROUNDS, (("plain", "auto"), ("auto", "plain"))
        self.assertEqual([(f"once-{p}", str(101 + i), "1", "wall") for i in range(rounds) for p in turns[i % 2]],
                         late[2:2 + 2 * rounds])
        self.assertEqual([("plain", "102", "110", "cupti"), ("auto", "102", "110", "cupti")], late[2 + 2 * rounds:])
        with open(os.path.join(self.folder, "bin", "starts"), encoding="utf-8") as file:
            starts = [line.split() for line in file.readlines()[-4 - 2 * rounds:]]
        self.assertFalse(any("gated" in words for words in starts))
        self.assertEqual([False] * 2 * rounds, [bool({"timed", "report"} & set(words)) for words in starts if "1" in words])
        built = {r["plan"]: (r["compile_s"], r["device_bytes"]) for r in self.totals()}
        self.assertEqual((("1.5", "20"), ("", "")), (built["plain"], built["auto"]))
        self.assertTrue(all(float(r["memory_mb"]) > 0 for r in self.totals()))
        whole = self.starts()
        self.assertEqual(0, self.study("--confirm")[0])
        self.assertEqual(whole + 2, self.starts())  # only whether it runs, with and without the timer

    def test_a_case_stays_on_its_device(self):
        study.gpus = lambda: [("Example GPU", "1.2")] * 2
        self.assertEqual(0, self.study("--cases", "conv1d-*", "--confirm")[0])
        with open(os.path.join(self.folder, "bin", "starts"), encoding="utf-8") as file:
            starts = [line.split() for line in file if "--taps" in line]
        devices = {taps: {words[-1] for words in starts if words[3] == taps} for taps in ("64", "256")}
        self.assertEqual({"64": {"gpu0"}, "256": {"gpu1"}}, devices)

    def test_a_program_that_hangs_is_stopped(self):
        with open(os.path.join(self.folder, "bin", "conv1d.plain"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec sleep 1000\n")
        status, text = self.study("--limit", "2")
        self.assertEqual(1, status)
        self.assertIn("plain #1: TIMEOUT", text)

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
        self.assertEqual((2.0, "auto"), beta.best())
        self.assertEqual(1.0, beta.bound())  # 0.5 of one region's best, 0.5 of the other's
        self.assertAlmostEqual(0.97, gamma.speedup())  # by the wall clock
        self.assertEqual(0.97, gamma.best()[0])  # the plan with other bits, 0.1, does not count
        self.assertAlmostEqual(50 * 4.1 / (150 + 3), alpha.speedup_of_launches(50))
        self.assertAlmostEqual(1496 * 4.1 / (240 + 3 + (1496 - 90) * 2.05), alpha.speedup_of_launches(1496))
        self.assertIsNone(gamma.speedup_of_launches(50))

    def test_confirmed_runs_count_alone(self):
        delta = self.cases["delta"]
        self.assertAlmostEqual(2.1 / 1.0, delta.speedup())  # medians of 2.0 and 2.2, of 1.0 and 1.0
        self.assertEqual((0.95, "special-1"), delta.best())
        self.assertAlmostEqual(0.35 + 0.45, delta.bound())
        self.assertAlmostEqual(1.6, delta.time("model-rules"))  # its code was not confirmed
        codes = {"model-rules": "special-1"}
        rows = [{**r, "version": "c", "placement": "u constant"} if (r["plan"], r["region"]) == ("model-rules", "q_l7") else r
                for r in self.rows]
        same = {c.name: c for c in analysis.cases_of(rows)}["delta"]
        self.assertEqual((codes, 0.95), (same.same, same.time("model-rules")))

    def test_half_a_confirming_pass_counts_not_at_all(self):
        rows = [r for r in self.rows if (r["case"], r["plan"]) != ("delta", "auto") or int(r["round"]) < 100]
        delta = {c.name: c for c in analysis.cases_of(rows)}["delta"]
        self.assertAlmostEqual(2.6 / 1.4, delta.speedup())
        self.assertFalse(delta.confirmed)
        self.assertEqual(3, len(delta.rows["once-auto", TOTAL]))

    def test_programs_that_launch_a_region_again_are_told_apart(self):
        delta = self.cases["delta"]
        self.assertEqual(1, delta.kernels)
        rows = [{**r, "kernels": "4"} if (r["plan"], r["region"]) == ("plain", "q_l7") else r for r in self.rows]
        again = {c.name: c for c in analysis.cases_of(rows)}["delta"]
        self.assertEqual(4, again.kernels)
        with tempfile.TemporaryDirectory() as out:
            os.mkdir(os.path.join(out, "plots"))
            self.assertIn("launched once (programs: 1): not slower", costs.launched_once([delta], out))
            self.assertNotIn("launched again", costs.launched_once([delta], out))
            self.assertIn("second launch on (programs: 1): not slower", costs.launched_once([delta, again], out))
            again.kernels = None
            self.assertIn("is not known (programs: 1): not slower", costs.launched_once([again], out))
            again.kind = "once"
            self.assertIn("launched once (programs: 1): not slower", costs.launched_once([again], out))

    def test_costs(self):
        delta = self.cases["delta"]
        self.assertEqual((0.2, 0.3, 4.5, 0.005), costs.cost_of(delta, "p_l3"))
        self.assertAlmostEqual(5.0 / (1.05 - 0.5 - 0.005), costs.even_after(delta, "p_l3", (0.2, 0.3, 4.5, 0.005)))
        self.assertIsNone(costs.even_after(delta, "p_l3", (0.2, 0.3, 4.5, 0.6)))
        self.assertAlmostEqual(100 * (6.0 + 1496 * 0.01) / (1496 * 2.1), sum(costs.long_run_share(delta)))
        self.assertIsNone(costs.cost_of(self.cases["alpha-1"], "k_l1"))
        for more, verdict in ((50, "yes"), (51, "no")):
            line = costs.once_line(delta, ([1000] * 3, [5] * 3), ([1000 + more] * 3, [5] * 3))
            self.assertEqual((f"+{more}", verdict, f"+{more}", ""), line[4:5] + line[6:9])
        disturbed = costs.once_more(([200, 210, 220, 500, 900], []), ([230, 240, 600, 610, 620], []), costs.lower_quartile)
        self.assertEqual((30, True), disturbed)
        for rounds, verdict in (([160, 161, 162, 163], "no"), ([149, 150, 151, 152], "not told"), ([140, 141, 159, 190], "yes")):
            self.assertEqual(verdict, costs.once_verdict(([99, 100, 100, 101], []), (rounds, [])))
        self.assertFalse(costs.is_greater([1] * 5, [1] * 5))
        self.assertTrue(costs.is_greater([4, 5, 6], [1, 2, 3]))

    def test_means_leave_out_what_only_varies_an_input(self):
        every = analysis.cases_of(self.rows, {"flip-x": "flip", "delta": "sweep"})
        self.assertEqual(["flip-x", "delta", "alpha-1", "beta", "gamma"], [c.name for c in every])
        self.assertEqual(["alpha-1", "beta", "gamma"], [c.name for c in analysis.counted(every)])

    def test_spaces_of_placements(self):
        expected = {"straight loop": set(), "t constant": {"constant"},
                    "agnostic: a shared, b readonly": {"shared", "readonly"},
                    "agnostic: all global": set(), "original": None, "t constant, blocks 64t64": None, "base": None}
        self.assertEqual(expected, {text: sensitivity.spaces_of(text) for text in expected})

    def test_every_case_of_a_figure_is_listed(self):
        listed = {c.name for c in plans.read_cases(os.path.join(study.HERE, "study-cases.txt"), on_cpu=False)}
        named = {name for group in sensitivity.GROUPS for name, _ in group.cases}
        named |= {name for size in (4, 45, 90) for name, _ in sensitivity.lulesh_cases(size)}
        self.assertLessEqual(named, listed)

    def test_gains_of_spaces(self):
        alpha = self.cases["alpha-1"]
        self.assertEqual((1.64, "b constant"), sensitivity.in_space(alpha, "constant"))
        self.assertIsNone(sensitivity.gain(alpha, "constant"))  # no straight loop to compare with
        straight = [{**r, "plan": "all-global", "placement": "straight loop"} for r in self.rows
                    if (r["case"], r["plan"]) == ("alpha-1", "base")]
        alpha = {c.name: c for c in analysis.cases_of(self.rows + straight)}["alpha-1"]
        self.assertEqual((2.5, 2.0), (sensitivity.gain(alpha, "constant"), sensitivity.gain(alpha, "shared")))

    def test_figures_of_sizes_and_memories(self):
        straight = {"all-global": {"r": "straight loop"}}
        rows = []
        for n, plain, constant, by_hand in ((200, 2.0, 2.5, 2.0), (1000, 9.0, 20.0, 20.0)):
            times = {"plain": plain, "auto": plain / 2, "all-global": 2.0, "all-constant": constant, "cuda-direct": 1.0,
                     "cuda-constant": by_hand}
            rows += first_pass_rows({p: {"r": t} for p, t in times.items()},
                                    {**straight, "all-constant": {"r": "sphere constant"}}, f"raytrace-{n}")
        versions = {"special-1": {"r": "a readonly"}, "special-2": {"r": "b shared"}, "special-3": {"r": "agnostic: a shared"}}
        times = {"plain": 1.0, "auto": 1.0, "all-global": 0.9, "special-1": 1.0, "special-2": 0.6, "special-3": 0.1}
        rows += first_pass_rows({p: {"r": t} for p, t in times.items()}, {**straight, **versions}, "cfd")
        times = {"plain": 1.0, "auto": 1.0, "all-global": 0.5, "agnostic-global": 2.0, "all-readonly": 1.6}
        rows += first_pass_rows({p: {"r": t} for p, t in times.items()},
                                {**straight, "all-readonly": {"r": "agnostic: x readonly"}}, "monotonic-q-90")
        times = {"plain": 0.3, "auto": 0.2}
        rows += first_pass_rows({p: {"r": t} for p, t in times.items()}, {}, "micro-stream-64m")
        cases = analysis.cases_of(rows)
        with tempfile.TemporaryDirectory() as out:
            os.mkdir(os.path.join(out, "plots"))
            text = sensitivity.paper_004(cases, out)
            self.assertIn("compiler 0.10 to 0.80, CUDA 0.05 to 0.50", text)
            self.assertIn("| 11: CFD, eight versions | best 1.08 on Kepler, worst 0.86 on Maxwell, worst about 0.90 on Volta |"
                          " 0.90 to 1.50 |", text)  # the agnostic one is not among them
            self.assertIn("| read-only 1.25 |", text)  # the agnostic version over itself
            self.assertIn(f"| 191 | 750 | {2 * 4 * 2 ** 26 / 0.2 / 1e6:.0f} |", text)
            self.assertIn("plots/cfd-versions.svg", text)
            self.assertNotIn("plots/mm-versions.svg", text)
            text = sensitivity.inputs(cases, out)
            self.assertIn("| 200 spheres | 2.0000 | 1.0000 | **2.00** | - | 2.00 | 1.00 | auto |", text)
            self.assertNotIn("particles", text)
            self.assertLessEqual({"200 spheres", "1,000 spheres"}, self.texts_of(text_of(out, "plots", "spheres.svg")))

    def test_what_an_older_study_did_not_have_is_empty(self):
        with tempfile.TemporaryDirectory() as out:
            path = os.path.join(out, "old.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("case,plan,round,region,median_ms,verdict\na,plain,1,*,2.5,PASS\na,plain,2,*,2.5\n")
            rows = read_rows(path)
            self.assertEqual([("2.5", "", "")], [(r["median_ms"], r["settled"], r["command"]) for r in rows])

    def test_failures(self):
        self.assertEqual([("special-1", "DIFFERENT"), ("block-1", "TIMEOUT")],
                         [(r["plan"], why) for r, why in analysis.failures(self.rows)])

    def test_report_is_the_golden_one(self):
        self.maxDiff = None
        with tempfile.TemporaryDirectory() as out:
            kinds = {"alpha-1": "daily", "beta": "full", "gamma": "full", "delta": "daily", "flip-x": "flip",
                     "epsilon": "daily"}
            report.write(self.rows, out, "golden.csv", [plans.Case(n, kind, n, [], []) for n, kind in kinds.items()])
            self.assertEqual(text_of(HERE, "golden.md"), text_of(out, "STUDY.md"))
            self.assertEqual(text_of(HERE, "golden.svg"), text_of(out, "plots", "speedup.svg"))
            plots = os.listdir(os.path.join(out, "plots"))
            self.assertLessEqual({"overhead.svg", "once.svg", "changes.svg", "compiling.svg"}, set(plots))
            for name in plots:
                texts = self.texts_of(text_of(out, "plots", name))
                self.assertTrue({"alpha-1", "delta", "flip-x 61-100"} & texts, name)

    @staticmethod
    def texts_of(drawing):
        return {e.text for e in xml.etree.ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")}

    def test_bars_on_one_another_and_strips(self):
        drawing = svg.stacked("Title", ["a", "b"], [("x", [1.0, 2.5]), ("y", [0.0, 0.25])], "axis")
        self.assertLessEqual({"Title", "a", "b", "x", "y", "3.5%", "0.25%", "axis"}, self.texts_of(drawing))
        drawing = svg.strips("Title", [("first", ["base", "gs", "gs"])], 2, "axis")
        self.assertLessEqual({"first", "base", "gs"}, self.texts_of(drawing))
        self.assertEqual(2 + 2, drawing.count("<rect"))  # two launches fit, two names

    def test_small_sizes_give_no_figures(self):
        with tempfile.TemporaryDirectory() as out:
            report.write([{**r, "size": "small"} for r in self.rows], out, "golden.csv")
            self.assertIn("39 of 41 runs passed", text_of(out, "STUDY.md"))
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
