"""Tests of place-train's parts: samples from a study's rows, trees and their text, programs held out."""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from trainlib import forest, samples, validate  # noqa: E402
from trainlib.forest import Shape  # noqa: E402
from trainlib.samples import Sample  # noqa: E402
from test_stored import CASE, ROWS  # noqa: E402

TREE = Shape("tree", 1, 4, 99, 1)


def sample(program, row, label, gain):
    excess = {letter: 0.0 if letter == label else 0.5 for letter in gain}
    return Sample(f"{program}-case", program, "a", row, gain, excess, label)


def striped(programs=6):
    """Shared where the second feature is above 5; the first says nothing."""
    return [sample(f"p{i % programs}", [(7 * i) % 5, float(i % 11)], "s" if i % 11 > 5 else "g",
                   {"g": 0.0, "s": -0.5 if i % 11 > 5 else 0.5}) for i in range(66)]


class Samples(unittest.TestCase):
    def test_times(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "conv1d.case")
            with open(path, "w", encoding="utf-8") as file:
                file.write(CASE)
            times = samples.times_of(path, {("conv1d", "convolve_l6"): ROWS})
            self.assertEqual(set(times), {"gg-", "gc-"})  # of special versions; the straight loop's instead of the base's
            self.assertEqual(samples.times_of(path, {("conv1d", "convolve_l7"): ROWS}), {})
            base = [row for row in ROWS if row["version"] != "gg"]
            self.assertEqual(samples.times_of(path, {("conv1d", "convolve_l6"): base})["gg-"], 4.2e6)

    def row(self):
        return {"case": "c", "source": "c.c", "array": "taps", "number": "1", "candidates": "gcs", "x": "3"}

    def test_label_and_gain(self):
        s = samples.sample_of(self.row(), ["x"], {"gg-": 200.0, "gc-": 101.0, "gs-": 100.0, "rg-": 199.0})
        self.assertEqual((s.label, s.program, s.row), ("c", "c", [3.0]))  # constant and shared are alike: the first
        self.assertEqual(s.excess, {"g": 0.99, "c": 0.0, "s": 0.0})       # the least with the other array anywhere
        self.assertAlmostEqual(s.gain["s"], -0.688, places=3)
        self.assertEqual(s.gain["g"], 0)

    def test_noise_and_most(self):
        s = samples.sample_of(self.row(), ["x"], {"gg-": 100.0, "gs-": 99.0, "gc-": 3000.0})
        self.assertEqual((s.label, s.gain["s"], s.gain["c"]), ("g", 0, samples.MOST))

    def test_nothing_to_tell(self):
        self.assertIsNone(samples.sample_of(self.row(), ["x"], {"gg-": 100.0, "rg-": 50.0}))
        self.assertIsNone(samples.sample_of(self.row(), ["x"], {"gc-": 100.0, "gs-": 50.0}))

    def test_forced_runs(self):
        self.assertNotIn("model-rules", {row["plan"] for rows in samples.forced_runs(self.csv()).values() for row in rows})

    def csv(self):
        from studylib.results import FIELDS
        folder = tempfile.mkdtemp()
        path = os.path.join(folder, "study.csv")
        lines = [",".join(FIELDS)]
        for plan, turn in (("special-1", 1), ("model-rules", 1), ("auto", 1), ("plain", 1), ("special-1", 101)):
            for region in ("f_l1", "*"):
                lines.append(",".join({"case": "c", "plan": plan, "round": str(turn), "region": region, "verdict": "PASS"}.get(f, "")
                                      for f in FIELDS))
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        self.assertEqual(len(samples.forced_runs(path)["c", "f_l1"]), 1)
        return path


class Trees(unittest.TestCase):
    def test_tree_finds_the_rule(self):
        trees, importance = forest.fit(striped(), TREE)
        self.assertEqual(trees[0][0][:3], ("split", 1, 5.5))
        self.assertEqual([node[0] for node in trees[0]], ["split", "leaf", "leaf"])
        self.assertEqual(importance, [0.0, 1.0])
        self.assertEqual(forest.choice_of(trees, [0, 6.0], "gs"), "s")
        self.assertEqual(forest.choice_of(trees, [0, 5.5], "gs"), "g")
        self.assertEqual(forest.choice_of(trees, [0, 6.0], "gr"), "g")

    def test_gini_split_against_all_splits(self):
        data = striped()[:20]

        def impurity(part):
            return sum(1 - sum(s.label == label for s in part) / len(part) for label in [t.label for t in part])

        best = max((impurity(data) - impurity([s for s in data if s.row[1] <= t]) - impurity([s for s in data if s.row[1] > t]), -t)
                   for t in [x + 0.5 for x in range(10)])
        found = forest.best_split(data, 1, 1)
        self.assertAlmostEqual(found[0], best[0], places=9)
        self.assertEqual(found[1], -best[1])

    def test_leaf_is_drawn_to_global_memory(self):
        leaf = forest.leaf_of([sample("p", [0], "s", {"g": 0.0, "s": -0.6}), sample("p", [0], "s", {"g": 0.0, "s": -0.3})])
        self.assertEqual(dict(zip(samples.LETTERS, leaf)), {"g": 0.0, "r": 0.0, "c": 0.0, "s": -0.3})

    def test_forest_is_the_same_each_time(self):
        shape = Shape("forest", 5, 4, 1, 1)
        texts = {forest.text_of(forest.fit(striped(), shape)[0], ["x", "y"], []) for _ in range(3)}
        self.assertEqual(len(texts), 1)

    def test_text(self):
        text = forest.text_of(forest.fit(striped(), TREE)[0], ["occupancy", "loads_executed"], ["of a test"])
        self.assertTrue(text.startswith("place-forest 1\n# of a test\nspaces global readonly constant shared\ntrees 1\ntree 3\n"
                                        "split loads_executed 5.5 1 2\nleaf 0 0 0 "))
        self.assertRegex(text, r"\nend [0-9a-f]{16}\n$")


class HeldOut(unittest.TestCase):
    def test_program_is_not_seen(self):
        data = striped() + [sample("odd", [0.0, 2.0], "s", {"g": 0.0, "s": -0.9})]  # against the rule of all others
        folds = validate.held_out(data, TREE)
        self.assertEqual(set(folds), {s.program for s in data})
        chosen = validate.choices(data, folds)
        self.assertEqual(chosen[-1], "g")
        met, _, over = validate.scores(data[-1:], chosen[-1:])
        self.assertEqual((met, over), (0.0, 0.5))

    def test_mixed_sees_the_program(self):
        data = striped(2)
        self.assertEqual(validate.mixed(data, TREE), [s.label for s in data])
        self.assertEqual(validate.mixed(data, TREE), validate.mixed(data, TREE))

    def test_arrays_with_copies(self):
        data = striped()[:3] + [sample("p", [0, 0], "g", {"g": 0.0, "r": 0.1})]
        self.assertEqual(validate.with_copies(data, ["s", "g", "s", "r"]), (data[:3], ["s", "g", "s"]))

    def test_majority_leaves_the_program_out(self):
        data = [sample("a", [0], "s", {"g": 0.0, "s": -1.0})] * 3 + [sample("b", [0], "g", {"g": 0.0, "s": 1.0})] * 2
        self.assertEqual(validate.majority(data), ["g"] * 3 + ["s"] * 2)


if __name__ == "__main__":
    unittest.main()
