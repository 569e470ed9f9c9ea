"""place-report: text, merged processes, two runs, one region, the page as a file, and what it says of files that are none."""
import importlib.machinery
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # the tool is loaded as a module, and lies where programs do
SCENES, TOOL = os.environ["SCENES"], os.environ["PLACE_REPORT_TOOL"]


def mutated_bytes(text, chance):
    at = chance.randrange(len(text))
    return chance.choice((text[:at], text[:at] + bytes([chance.randrange(256)]) + text[at + 1:], text[:at] + text[at + 1:], text[:at] + text[at:] * 2))


def mutated_values(text, chance):
    report = json.loads(text)
    node = report
    while True:
        key = chance.choice(list(node) if isinstance(node, dict) else range(len(node)))
        if isinstance(node[key], (dict, list)) and node[key] and chance.random() < 0.8:
            node = node[key]
            continue
        if chance.random() < 0.2:
            del node[key]
        else:
            node[key] = chance.choice((None, True, -1, 0, 1e-9, 1e308, 10**400, "", "\x1b[2J\n", "\ud800", "</script>", [], {}, [None], {"a": 1}, node[key]))
        return json.dumps(report).encode()


class PlaceReport(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, scene, change=None):
        path = os.path.join(self.folder, scene + ".json")
        text = subprocess.run([SCENES, scene, "json"], check=True, capture_output=True).stdout
        with open(path, "wb") as file:
            file.write(change(text) if change else text)
        return path

    def run_tool(self, *arguments, code=0):
        ran = subprocess.run([TOOL, *arguments], capture_output=True, timeout=30)
        self.assertEqual(ran.returncode, code, ran.stderr.decode())
        return (ran.stderr if code else ran.stdout).decode()

    def test_text_is_what_the_program_prints(self):
        for scene in ("whole", "ten", "forced", "on_host", "none"):
            printed = subprocess.run([SCENES, scene, "text"], check=True, capture_output=True).stdout.decode()
            self.assertEqual(self.run_tool(self.file(scene)), printed)

    def test_processes_are_merged(self):
        text = self.run_tool(self.file("whole"), self.file("loss"), self.file("sizes"))
        self.assertIn("place: 3 processes: 1.19 s gained together\n", text)
        self.assertRegex(text, r"\n\d+ +21\.4 ms lost +5\.60 s  \S*loss\.json\n")
        self.assertRegex(text, r"\nconvolve \(conv\.c:14\) +3 +189  20\.0 ms  22\.3 ms  27\.0 ms  +38\.6 ms  "
                               r"weight in constant memory \(in 3\); as compiled \(in 1\)\n")
        ranks = [self.file(scene, lambda text, rank=rank: text.replace(b'"rank":null', b'"rank":%d' % rank)) for rank, scene in ((10, "loss"), (2, "whole"))]
        self.assertRegex(self.run_tool(*ranks), r"\nrank 2 .*whole\.json\nrank 10 .*loss\.json\n")
        self.assertIn("(1 of them not measured)", self.run_tool(self.file("whole"), self.file("forced")))

    def test_two_runs(self):
        def slower(text):
            report = json.loads(text)
            report["elapsed_ns"] *= 2
            for region in report["regions"]:
                for c in region["classes"]:
                    c["chosen"], c["kernel_ns"] = None, None
            return json.dumps(report).encode()
        text = self.run_tool("--compare", self.file("loss"), self.file("whole", slower))
        self.assertIn("program: A 5.60 s, B 11.2 s: 2.00x slower\n", text)
        self.assertRegex(text, r"convolve \(conv\.c:14\) +60 +60 +320 us +550 us  1\.72x slower")
        self.assertIn("  convolve (conv.c:14): A weight in constant memory; B as compiled\n", text)
        self.assertIn("  multiply (mm.c:9): A not launched; B as compiled\n", text)
        self.assertIn("\nthe same runs in both\n", self.run_tool("--compare", self.file("loss"), self.file("loss")))

    def test_why(self):
        for name in ("convolve", "conv.c:14", "src/conv.c:14", "14"):
            text = self.run_tool("--why", name, self.file("whole"))
            self.assertIn("now: weight in constant memory; decided by measurement\n  nearly as fast: weight in shared memory", text)
            self.assertRegex(text, r"\n +constant +310 us +320 us  chosen\n")
            self.assertRegex(text, r"\n +57\.0 ms|\n +457 ms  chose +-  weight in constant memory\n")
        text = self.run_tool("--why", "fem::apply<float>", self.file("whole"))
        self.assertIn("as compiled: looking at it would have cost more than it may", text)
        text = self.run_tool("--why", "multiply", self.file("whole"))
        self.assertRegex(text, r"\n +global +500 us +656 us  chosen\n")

    def test_why_has_first_launches(self):
        self.assertRegex(self.run_tool("--why", "scan", self.file("far_longer")), r"one iteration per thread +- +19\.0 ms +- +0\n")

    def test_no_such_region(self):
        self.assertEqual(self.run_tool("--why", "convolv", self.file("loss"), code=1),
                         "place-report: no region 'convolv' in the report; near it: convolve (conv.c:14)\n")

    def test_files_that_are_none(self):
        def path(name, content):
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(content)
            return file.name
        whole = self.file("whole")
        with open(whole, "rb") as file:
            text = file.read()
        for name, content, message in (
                ("empty", b"", "no JSON"), ("cut", text[:-300], "no JSON"), ("bytes", b"\xff\xfe", "no JSON"), ("list", b"[]", "no report of place"),
                ("other", b'{"schema": {"name": "x"}}', "no report of place"), ("deep", b"[" * 100000, "nested too deeply"),
                ("newer", text.replace(b'"version":1', b'"version":7', 1), "of schema version 7"),
                ("damaged", text.replace(b'"classes":[{', b'"classes":[null,{', 1), "damaged"),
                ("nothing", b'{"schema":{"name":"place-report","version":1}}', "damaged")):
            said = self.run_tool(path(name, content), code=1)
            self.assertIn(message, said)
            self.assertEqual(said.count("\n"), 1)
        self.assertIn("No such file", self.run_tool("/nowhere/at/all", code=1))
        self.assertIn("Is a directory", self.run_tool(self.folder, code=1))

    def test_mutated_files(self):
        """Whatever a file has: a page and all texts, or one line that says what is wrong."""
        tool = importlib.machinery.SourceFileLoader("place_report", TOOL).load_module()
        with open(self.file("sizes"), "rb") as file:
            original = file.read()
        chance, refused = random.Random(22), 0
        turns = int(os.environ.get("MUTATIONS", 1500))
        for turn in range(turns):
            path = os.path.join(self.folder, "mutated")
            with open(path, "wb") as file:
                file.write(mutated_bytes(original, chance) if turn % 3 == 0 else mutated_values(original, chance))
            try:
                report = tool.read(path)
            except tool.Problem as problem:
                refused += 1
                self.assertNotIn("\n", tool.plain(str(problem)))
                continue
            for lines in (report["text"], tool.merged([report, report]), tool.compared(report, report)):
                self.assertNotRegex("".join(tool.plain(line) for line in lines), r"[\x00-\x1f]")
            for region in report["regions"]:
                self.assertTrue(list(tool.why([report], region["entry"])))
            tool.write_page([report], os.path.join(self.folder, "page"))
        self.assertGreater(refused, 0.4 * turns)
        self.assertLess(refused, 0.97 * turns)

    def test_reports_of_an_older_place(self):
        """Without the keys that came later, each alone and all of them: read, with what they mean by default."""
        def without(names):
            return lambda text: json.dumps(leave_out(json.loads(text), names)).encode()

        def leave_out(value, names):
            if isinstance(value, dict):
                return {key: leave_out(item, names) for key, item in value.items() if key not in names}
            return [leave_out(item, names) for item in value] if isinstance(value, list) else value

        later = ["rank", "device_name", "launches_without_device", "looked_at", "advice", "route"]
        for names in [later] + [[name] for name in later]:
            path = self.file("sizes", without(names))
            self.assertIn("place: ", self.run_tool(path))
            self.run_tool("--html", os.path.join(self.folder, "page"), path)
            self.run_tool(path, path)
        needed = self.file("sizes", without(["elapsed_ns"]))
        self.assertIn("damaged at report.elapsed_ns", self.run_tool(needed, code=1))

    def test_arguments(self):
        self.assertRegex(self.run_tool("--version"), r"^place-report \d+\.\d+\.\d+\n$")
        self.assertIn("--why REGION", self.run_tool("--help"))
        for wrong in ((), ("--compare", "a"), ("--bogus", "a"), ("--html", "o", "--why", "r", "a")):
            self.assertRegex(self.run_tool(*wrong, code=2), r"^place-report: .*; place-report --help says what it takes\n$")
        with open("/dev/full", "wb") as full:
            ran = subprocess.run([TOOL, self.file("whole")], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"cannot be written", ran.stderr)

    def test_page_needs_nothing_else(self):
        page = os.path.join(self.folder, "page.html")
        self.run_tool("--html", page, self.file("whole"), self.file("odd_names", lambda text: text.replace(b"caf", b"</script><b>")))
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(re.findall(r"(?:src|href)=[\"'](?!data:|#)", text), [])
        self.assertEqual(set(re.findall(r"https?://[^\"' ]*", text)), {"http://www.w3.org/2000/svg"})
        self.assertEqual(text.count("</script>"), 2)
        self.assertIn("/nowhere/page.html", self.run_tool("--html", "/nowhere/page.html", self.file("none"), code=1))


if __name__ == "__main__":
    unittest.main()
