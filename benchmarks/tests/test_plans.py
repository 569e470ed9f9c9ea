"""Tests of what study.py decides before and between runs: which regions and plans a program has, and which are confirmed."""

import os
import tempfile
import unittest

from support import first_pass_rows, regions  # noqa: I001 (sets the path of what follows)

import study  # noqa: E402
from studylib import confirm, phases, plans, run, tables, timers  # noqa: E402


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


    def test_kinds_and_counterparts(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cases.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write("# no case\na | daily | p | paper x | small | -\nb | sweep | p | large | - | x y+z\n")
            first, second = plans.read_cases(path, on_cpu=False)
            self.assertEqual(("daily", []), (first.kind, first.cuda))
            self.assertEqual(["a"], [c.name for c in plans.read_cases(path, on_cpu=True)])
            with open(path, "a", encoding="utf-8") as file:
                file.write("c | weekly | p | | small |\n")
            with self.assertRaisesRegex(ValueError, "weekly"):
                plans.read_cases(path, on_cpu=False)
        # a word that the case has already is not said twice
        self.assertEqual([["x"], ["y", "z"]], [p.words for p in plans.cuda_plans(second._replace(cuda=["x", "y+z"]), 1, 1, 1)])
        self.assertEqual([[], ["y", "z"]],
                         [p.words for p in plans.cuda_plans(first._replace(cuda=["x", "y+z"]), 1, 1, 1)])

    def test_what_varies_one_input_has_few_plans(self):
        case = plans.Case("a", "sweep", "p", ["paper"], ["tile"])
        self.assertEqual(["plain", "auto", "all-global", "all-readonly", "all-constant", "all-shared", "agnostic-global",
                          "cuda-tile"],
                         [p.name for p in plans.plans_of(case, regions(), "full", 1, False)])

    def test_plain_and_automatic_are_launched_alike(self):
        for arguments, launches in ((["paper"], plans.SETTLE), (["--launches", "231"], 231)):
            case = plans.Case("a", "full", "p", arguments, [])
            plain, auto = plans.plans_of(case, regions(), "subset", 1, False)[:2]
            self.assertEqual(("plain", "auto", launches), (plain.name, auto.name, plain.launches))
            self.assertEqual((plain.launches, plain.counted), (auto.launches, auto.counted))


class Phases(unittest.TestCase):
    def test_settled(self):
        trial = ["profile", "base", "gs", "base", "gs"]
        self.assertEqual(5, phases.settled_at(trial + ["gg"] * 16 + ["base"] * 3))  # measured again later
        self.assertEqual(5, phases.settled_at(trial + ["gg"] * 8))
        self.assertEqual(4, phases.settled_at(trial + ["gs"] * 16))  # its last launch in the trial is the first of many
        self.assertEqual(0, phases.settled_at([""] * 16))
        self.assertEqual(45, phases.settled_at([""] * 40 + trial + [""] * 16))  # waits, tries, keeps the original
        self.assertEqual(23, phases.settled_at([" ; "] * 20 + trial[:3] + ["gg ;gr"] * 16))
        self.assertIsNone(phases.settled_at(trial + ["gg"] * 7))
        self.assertIsNone(phases.settled_at(["base", "gs"] * 40))

    def test_what_trials_take_more(self):
        self.assertEqual(5 + 1, phases.extra_ns([7, 3, 2, 2, 2, 9], 2))
        self.assertEqual({"settled": 1, "extra_ms": "0.000003"}, run.steady_of([5] + [2] * 16, ["base"] + ["gs"] * 16))
        self.assertEqual({}, run.steady_of([1, 2], ["a", "b"]))

    def test_phases_of_a_program_that_changes(self):
        self.assertEqual([(0, 150), (150, 190), (190, 231)], phases.phases_of("paper --grow 151 --back 191".split(), 231))
        self.assertEqual([], phases.phases_of(["paper", "--grow", "3"], 9))

    def test_what_ran_is_written_and_read(self):
        text = phases.run_lengths(["base", "", "", "gs"])
        self.assertEqual("base*1 original*2 gs*1", text)
        self.assertEqual([("base", 1), ("original", 2), ("gs", 1)], phases.read_run_lengths(text))

    def test_rows_by_phase(self):
        runner = run.Runner(".", ".", timers.Cupti("x"), {}, 1, {})
        first, _ = regions()
        ran = ["base"] * 2 + ["gc"] * 38 + [""] * 20
        rows = runner.parts([(0, 40), (40, 60)], {"counted": 5}, first, None, ("convolve_l6", [9e6] * 2 + [1e6] * 58, "", ran))
        self.assertEqual([("convolve_l6 1-40", 2, "taps constant", "base*2 gc*38", "1.000000", 40),
                          ("convolve_l6 41-60", 0, "original", "original*20", "1.000000", 20)],
                         [(r["region"], r["settled"], r["placement"], r["note"], r["median_ms"], r["launches"]) for r in rows])


class Confirm(unittest.TestCase):
    def test_launches(self):
        self.assertEqual((400, 80), confirm.launches_for(0.01))
        self.assertEqual((200, 40), confirm.launches_for(1.0))
        self.assertEqual((110, 22), confirm.launches_for(70.0))
        self.assertEqual((plans.SETTLE, plans.SETTLE // 5), confirm.launches_for(None))

    def test_the_few_best_that_run_other_code(self):
        times = {"plain": 4.0, "auto": 2.0, "special-1": 2.0, "special-2": 2.05, "special-3": 2.04, "block-1": 2.06,
                 "base": 3.9,
                 "cuda-tile": 0.5, "cuda-direct": 0.7}
        rows = first_pass_rows({p: {"r": t} for p, t in times.items()},
                               {"special-1": {"r": "auto"}, "special-3": {"r": "special-2"}})
        known = confirm.FirstPass(rows)
        self.assertEqual(["special-3", "block-1"], list(known.worth_running()))  # special-1 is what the automatic choice ran
        self.assertEqual((4.0, "cuda-tile"), (known.kernel_ms(), known.best_cuda()))
        late = {**rows[-1], "plan": "base", "round": "101", "median_ms": "0.1"}
        self.assertEqual(["special-3", "block-1"], list(confirm.FirstPass(rows + [late]).worth_running()))

    def test_the_best_of_each_region(self):
        times = {"plain": {"f": 2.0, "g": 2.0}, "auto": {"f": 1.0, "g": 1.0}, "special-1": {"f": 0.9, "g": 1.0},
                 "special-2": {"f": 5.0, "g": 0.5}, "special-3": {"f": 0.89, "g": 5.0}}
        self.assertEqual(["special-1", "special-2"], list(confirm.FirstPass(first_pass_rows(times, {})).worth_running()))

    def test_a_round_is_planned_by_what_came_before_it(self):
        times = {"plain": 4.0, "auto": 2.0, "special-1": 2.0}
        rows = first_pass_rows({p: {"r": t} for p, t in times.items()}, {"special-1": {"r": "auto"}})
        late = [{**r, "round": "101", "version": r["version"] and "other"} for r in rows if r["plan"] == "auto"]
        case = plans.Case("c", "full", "p", [], [])

        def names(stage):
            return [p.name for p in confirm.plans_to_confirm(case, regions(), rows + late, stage, False)]

        self.assertEqual((["plain", "auto"], ["plain", "auto", "special-1"]), (names(1), names(2)))

    def test_numbers_of_another_build(self):
        found = [confirm.name_in_this_build(plan, {"convolve_l6": {"version": version}}, regions())
                 for plan, version in (("special-7", "gc"), ("block-2", "gc_512t128"), ("special-7", "cc"),
                                       ("all-shared", "gc"))]
        self.assertEqual(["special-2", "block-1", "special-7", "all-shared"], found)

    def test_rules_are_run_where_nothing_else_is_their_code(self):
        times = {"plain": {"r": 4.0}, "auto": {"r": 2.0}, "special-1": {"r": 1.0}, "model-rules": {"r": 3.0}}
        self.assertTrue(confirm.FirstPass(first_pass_rows(times, {})).rules_alone())
        self.assertFalse(confirm.FirstPass(first_pass_rows(times, {"model-rules": {"r": "plain"}})).rules_alone())

    def test_slow_kernels_are_not_launched_more_than_trials_need(self):
        rows = first_pass_rows({"plain": {"r": 70.0}, "auto": {"r": 60.0}, "base": {"r": 65.0}}, {})
        case = plans.Case("c", "full", "p", ["paper"], [])
        confirmed = confirm.plans_to_confirm(case, regions(), rows, 1, False)
        self.assertEqual([("plain", 24), ("auto", 110), ("base", 24)], [(p.name, p.launches) for p in confirmed])
        self.assertEqual({22}, {p.counted for p in confirmed})
        self.assertEqual([{}, {}], [p.environment for p in confirmed[:2]])  # as any program here is run


if __name__ == "__main__":
    unittest.main()
