"""What PLACE_REPORT writes: text against golden/, JSON against the schema, both against each other.

UPDATE=1 writes golden/ anew."""
import json
import os
import re
import subprocess
import unittest

try:
    import jsonschema
except ImportError:
    raise SystemExit("python3-jsonschema is not installed: run tools/setup.sh") from None

HERE = os.path.dirname(os.path.abspath(__file__))
SCENES = os.environ["SCENES"]
SOURCE = os.environ["PLACE_SOURCE"]
NAMES = ["whole", "ten", "forced", "trusted", "on_host", "loss", "sizes", "none", "odd_names", "hint", "advice", "no_device",
         "other_device", "far_longer", "trusted_loss", "remedy"]
PRIVATE = ["agnostic", " lap", " arm ", "straight chunk", "threads part", "paper 0", "region table", "decisions reused", "constant copies",
           "__omp_offloading", "t256", "0.000000", " 0.0%", "nan", "inf"]


def written(scene, form):
    return subprocess.run([SCENES, scene, form], check=True, capture_output=True, env={}).stdout


def schema():
    with open(os.path.join(SOURCE, "omptarget-plugin", "report", "report.schema.json"), encoding="utf-8") as file:
        return json.load(file)


def report_of(scene):
    return json.loads(written(scene, "json").decode("utf-8"))


class Text(unittest.TestCase):
    maxDiff = None

    def test_golden(self):
        for name in NAMES:
            with self.subTest(scene=name):
                text, path = written(name, "text").decode("utf-8", "backslashreplace"), os.path.join(HERE, "golden", name + ".txt")
                if os.environ.get("UPDATE"):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), text)

    def test_no_private_words(self):
        for name in NAMES:
            text = written(name, "text").decode("utf-8", "replace")
            for word in PRIVATE:
                self.assertNotIn(word, text.lower(), name)

    def test_every_figure_has_a_unit(self):
        for name in NAMES:
            text = written(name, "text").decode("utf-8", "replace")
            for figure in re.findall(r"(?<![\w.])\d+\.\d+.{0,5}", text):
                self.assertRegex(figure, r"^[\d.]+( (ns|us|ms|s|KiB|MiB|GiB)\b|x |x$|%)", name)

    def test_lines_fit_a_terminal(self):
        for name in NAMES:
            blocks = written(name, "text").decode("utf-8", "replace").split("\n\n")
            for line in "\n".join(blocks[1:2]).splitlines():
                self.assertLessEqual(len(line), 120)
            for line in "\n".join(blocks[2:]).splitlines():
                if not line.startswith(("  now:", "  as compiled:", "  decided")):
                    self.assertLessEqual(len(line), 160, line)  # one reason is not broken

    def test_document_shows_what_is_printed(self):
        with open(os.path.join(SOURCE, "docs", "report.md"), encoding="utf-8") as file:
            document = file.read()
        printed = "".join(written(name, "text").decode() for name in ("whole", "advice"))
        shown = re.findall("^    (.*)$", document[document.index("## Reading it"):document.index("## JSON")], re.MULTILINE)
        self.assertGreater(len(shown), 8)
        for line in shown:
            self.assertIn("\n" + line.removesuffix("..."), "\n" + printed)

    def test_ten_regions_fit_a_screen(self):
        table = written("ten", "text").decode().split("\n\n")[1]
        self.assertLessEqual(len(table.splitlines()), 12)
        self.assertEqual(len(set(line.index(" ms ") for line in table.splitlines()[2:11])) <= 2, True)


class Json(unittest.TestCase):
    def test_schema(self):
        jsonschema.Draft7Validator.check_schema(schema())
        for name in NAMES:
            jsonschema.validate(report_of(name), schema())

    def test_schema_refuses(self):
        for change in ({"schema": {"name": "place-report", "version": 2}}, {"more": 1}, {"machine": 0}, {"text": None}):
            report = {**report_of("whole"), **change}
            self.assertRaises(jsonschema.ValidationError, jsonschema.validate, report, schema())

    def test_text_is_what_is_printed(self):
        for name in NAMES:
            printed, told = written(name, "text").decode("utf-8", "replace").rstrip("\n"), "\n".join(report_of(name)["text"])
            self.assertEqual(*(re.sub("\ufffd+", "?", text).replace("\r", "") for text in (told, printed)))

    def test_names_of_any_bytes(self):
        raw = written("odd_names", "json")
        report = json.loads(raw.decode("utf-8"))  # valid UTF-8, or this raises
        region = report["regions"][0]
        self.assertEqual(region["function"], 'quote"back\\slash\ttab\x01')
        self.assertEqual(region["file"], "caf\u00e9/broken\ufffd\ufffd(.c")
        self.assertIn("\u20ac and \ufffd", report["messages"][0])

    def test_unknown_is_null(self):
        [c] = report_of("forced")["regions"][0]["classes"]
        self.assertIsNone(c["base_kernel_ns"])
        self.assertIsNone(c["predicted_ns"])
        self.assertEqual(c["kernel_ns"], 320000)
        self.assertIsNone(report_of("forced")["summary"]["gained_ns"])
        self.assertIsNone(report_of("none")["machine"])
        self.assertIsNone(report_of("none")["device_name"])

    def test_names_the_device_that_was_used(self):
        report = report_of("other_device")
        self.assertEqual((report["device_name"], report["machine"]), ("a device that is no NVIDIA GPU", "NVIDIA H200"))
        self.assertIn(report["device_name"], "\n".join(report["text"]))

    def test_launches_without_a_device(self):
        self.assertEqual(report_of("no_device")["summary"]["launches_without_device"], 1)
        self.assertEqual(report_of("none")["summary"]["launches_without_device"], 0)

    def test_possible_only_where_looked_at(self):
        [c] = report_of("forced")["regions"][0]["classes"]
        self.assertFalse(c["looked_at"])
        self.assertIsNone(c["arrays"][0]["spaces"]["shared"]["excluded"])  # 4 MiB: nobody has asked whether they fit
        self.assertNotRegex(written("forced", "text").decode(), r"(?<!not )possible")
        self.assertIn("not looked at", written("forced", "text").decode())

    def test_no_contradictions(self):
        for name in NAMES:
            for region in report_of(name)["regions"]:
                for c in region["classes"]:
                    self.assertEqual(c["chosen"] is None, c["left_alone"] is not None, name)
                    self.assertEqual(c["chosen"] is None, c["decided_by"] is None, name)
                    if c["block"]:
                        self.assertEqual(c["block"]["predicted_ns"], c["predicted_ns"])
                    chosen = [t for t in c["trials"] if t["chosen"]]
                    self.assertLessEqual(len(chosen), 1)
                    for trial in chosen:
                        self.assertEqual(trial["plan"], c["chosen"])
                        self.assertEqual(trial["median_ns"], c["kernel_ns"])
                    self.assertLessEqual(sum(t["baseline"] for t in c["trials"]), 1)

    def test_host_fallback_says_so(self):
        [c] = report_of("on_host")["regions"][0]["classes"]
        self.assertEqual((c["phase"], c["left_alone"]), ("host", "it ran on the host"))
        self.assertEqual(c["arrays"][0]["spaces"]["constant"]["excluded"], "it ran on the host")
        self.assertNotIn("not mapped", written("on_host", "text").decode())

    def test_timeline(self):
        classes = {r["name"]: r["classes"][0] for r in report_of("whole")["regions"] if r["classes"]}
        events = classes["convolve"]["timeline"]
        self.assertEqual([e["event"] for e in events], ["looked at"] + 9 * ["tried"] + ["chose"])
        self.assertEqual(sorted(e["at_ns"] for e in events), [e["at_ns"] for e in events])
        self.assertEqual(events[-1]["plan"], "weight in constant memory")
        self.assertEqual(events[2]["took_ns"], 320000)
        self.assertEqual(classes["gather"]["timeline"][-1]["event"], "kept")

    def test_rank(self):
        self.assertIsNone(report_of("none")["rank"])
        ran = subprocess.run([SCENES, "none", "json"], check=True, capture_output=True, env={"PMI_RANK": "3", "SLURM_PROCID": "5"})
        self.assertEqual(json.loads(ran.stdout)["rank"], 3)
        ran = subprocess.run([SCENES, "none", "json"], check=True, capture_output=True, env={"PMI_RANK": "../7"})
        self.assertIsNone(json.loads(ran.stdout)["rank"])

    def test_names_of_the_source(self):
        region = next(r for r in report_of("whole")["regions"] if r["file"] == "src/fem.cpp")
        self.assertEqual(region["name"], "void fem::apply<float>(float const*, float*, int)")
        self.assertEqual(region["function"], "_ZN3fem5applyIfEEvPKT_PS1_i")


if __name__ == "__main__":
    unittest.main()
