"""The page of place-msl edit: its reader against place-msl, by node or Chromium, and the page itself in headless Chromium.
SCREENSHOTS=FOLDER keeps pictures."""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import chromium

SOURCE, TOOL, PAGE = os.environ["PLACE_SOURCE"], os.environ["PLACE_MSL"], os.environ["PLACE_MSL_PAGE"]
NODE = shutil.which("node")
BROKEN = sorted(glob.glob(os.path.join(SOURCE, "test/unit/msl/broken/*.msl")))
MACHINES = sorted(glob.glob(os.path.join(SOURCE, "msl/machines/*.msl")))


def content(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def read_by_page(files):
    """{name: what the page's reader says}"""
    if NODE:
        reader = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reader.js")
        return json.loads(subprocess.run([NODE, reader, PAGE], input=json.dumps(files), check=True, capture_output=True, text=True).stdout)
    return in_page("const said = {}; for (const [name, text] of Object.entries(" + json.dumps(files) + ")) said[name] = checker.read(text, name); return said;")


def in_page(script, page=PAGE, **options):
    """What a script says that runs in the page after its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(content(page))
            file.write("<script>{ const run = () => {" + script.replace("</", "<\\/") + "}; const said = document.createElement('pre'); said.id = 'said'; "
                       "try { said.textContent = JSON.stringify(run()); } catch (error) { said.textContent = JSON.stringify({error: String(error.stack)}); } "
                       "document.body.append(said); }</script>")
        dom = chromium.dom(path, **options)
    text = re.search(r'<pre id="said">(.*?)</pre>', dom, re.DOTALL).group(1)
    if 'data-ready="yes"' not in dom:
        raise AssertionError("the page's own script did not run to its end")
    said = json.loads(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    if isinstance(said, dict) and "error" in said:
        raise AssertionError(said["error"])
    return said


@unittest.skipUnless(NODE or chromium.CHROMIUM, "neither node nor Chromium is installed")
class Reader(unittest.TestCase):
    maxDiff = None

    def test_same_messages_as_the_tool(self):
        files = {os.path.basename(path): content(path) for path in BROKEN}
        self.assertGreater(len(files), 40)
        said = read_by_page(files)
        for path in BROKEN:
            name = os.path.basename(path)
            if "\ufffd" in files[name]:
                continue  # no UTF-8: a browser cannot hand that on
            ran = subprocess.run([TOOL, "check", name], cwd=os.path.dirname(path), capture_output=True, text=True)
            self.assertEqual(ran.returncode, 1)
            self.assertEqual(said[name]["text"], ran.stderr, name)
            self.assertGreaterEqual(said[name]["count"], len(said[name]["errors"]))
            self.assertNotIn("machine", said[name])

    def test_same_machines_as_the_tool(self):
        said = read_by_page({path: content(path) for path in MACHINES})
        for path in MACHINES:
            self.assertEqual((said[path]["count"], said[path]["text"]), (0, ""))
            for key, command in (("canonical", ["print"]), ("svg", ["draw", "--svg"])):
                self.assertEqual(said[path][key], subprocess.run([TOOL, *command, path], check=True, capture_output=True, text=True).stdout)

    def test_values_stand_where_it_says(self):
        for path, said in read_by_page({path: content(path) for path in MACHINES}).items():
            text = content(path).encode()
            names = [text[start:end].decode() for memory, field, start, end in said["spans"] if memory >= 0 and field == 0]
            self.assertEqual(names, [memory["name"] for memory in said["machine"]["memories"]])
            for _, _, start, end in said["spans"]:
                self.assertRegex(text[start:end].decode(), r"^\S(.*\S)?$")


@unittest.skipUnless(chromium.CHROMIUM, chromium.MISSING)
class Page(unittest.TestCase):
    maxDiff = None

    def opened(self, text, name="some machine.msl"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        ran = subprocess.run([TOOL, "edit", path], check=True, capture_output=True, text=True,
                             env={"PATH": os.environ["PATH"], "TMPDIR": folder.name})
        page = ran.stdout.strip()
        self.assertEqual((os.path.dirname(page), os.stat(page).st_mode & 0o777), (folder.name, 0o600))
        return page

    def test_a_new_machine(self):
        ran = subprocess.run([TOOL, "edit"], check=True, capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
        self.addCleanup(os.unlink, ran.stdout.strip())
        said = in_page("return [byId('status').textContent, state.name, byId('text').value, byId('example').options.length]", ran.stdout.strip())
        self.assertEqual(said[:2], ["No errors: My GPU, 3 memories", "machine.msl"])
        self.assertTrue(said[2].startswith("Mem spec of My GPU:"))
        self.assertEqual(said[3], len(MACHINES) + 2)

    def test_a_file_is_opened_and_drawn(self):
        path = next(path for path in MACHINES if path.endswith("h200.msl"))
        page = self.opened(content(path))
        said = in_page("""return {text: state.text, name: state.name, status: byId('status').textContent, curves: document.querySelectorAll('#curves svg').length,
            bars: document.querySelectorAll('#latencies rect').length, boxes: document.querySelectorAll('#picture svg rect').length,
            ends: [...document.querySelectorAll('#curves svg')].map((svg) => [...svg.querySelectorAll('text.end')].map((text) => +text.getAttribute('y')).sort((a, b) => a - b)),
            labels: [...document.querySelectorAll('svg')].map((svg) => svg.getAttribute('aria-label').length), inputs: document.querySelectorAll('#fields input').length,
            unlabelled: [...document.querySelectorAll('input, select, textarea')].filter((node) => !node.labels.length && !node.getAttribute('aria-label')).length}""", page)
        self.assertEqual((said["text"], said["name"]), (content(path), "some machine.msl"))
        self.assertEqual((said["status"], said["unlabelled"]), ("No errors: NVIDIA H200, 10 memories", 0))
        self.assertTrue(said["curves"] >= 9 and said["bars"] == 7 and said["boxes"] >= 10 and min(said["labels"]) > 20 and said["inputs"] > 180, said)
        for ends in said["ends"]:  # the names at the curves' ends: none below the axis, none over another
            self.assertTrue(ends and ends[-1] <= 176 and all(b - a >= 12.9 for a, b in zip(ends, ends[1:])), ends)
        if os.environ.get("SCREENSHOTS"):
            for dark in (False, True):
                chromium.screenshot(page, os.path.join(os.environ["SCREENSHOTS"], f"msl-{'dark' if dark else 'light'}.png"), "1320,2400", dark=dark)

    def test_text_of_any_kind_is_shown_and_not_run(self):
        text = "// </script><script>document.title = 'run'</script> \"\\ \u00e9 \u230a\t\n" + "Mem spec of <b>&amp;</b>:\n"
        said = in_page("return [state.text, document.title, byId('picture').innerHTML.length, byId('status').className]", self.opened(text))
        self.assertEqual(said[0], text)
        self.assertNotEqual(said[1], "run")
        self.assertEqual(said[3], "bad")

    def test_fields(self):
        said = in_page("""
            const input = (memory, field) => byId('field-' + state.fields.findIndex((f) => f.memory === memory && f.field === field));
            const type = (node, value) => { node.value = value; node.dispatchEvent(new Event('input')); };
            const at = (memory, field) => { const node = input(memory, field); return [node.value, node.getAttribute('aria-invalid'), byId(node.id + '-error').textContent]; };
            const said = {};
            setText(template.replace('sharedMem', '// kept\\nsharedMem'));
            type(input(0, 5), '5Q');
            said.unit = [at(0, 5), byId('status').textContent, byId('messages').textContent];
            type(input(2, 7), '33');                       // another field while the first is wrong
            type(input(0, 5), '5G');
            said.mended = [at(0, 5), at(2, 7), byId('status').className, state.text];
            type(input(1, 10), '<nobody>');
            said.level = at(1, 10);
            type(input(1, 10), '<globalMem>');
            type(input(2, 13), 'block{word1 != }');
            said.condition = at(2, 13);
            type(input(2, 13), 'warp{address1 != address2}');
            said.again = byId('status').className;
            type(input(0, 0), 'vram');
            said.renamed = [byId('messages').textContent.includes('globalMem'), document.querySelector('#fields details[data-memory="0"] summary').textContent];
            type(input(0, 0), 'globalMem');
            const add = byId('add-2');
            add.value = [...add.options].find((option) => option.textContent === 'workingSet').value;
            add.dispatchEvent(new Event('change'));
            const last = state.fields.filter((f) => f.memory === 2).pop().field;
            type(input(2, last), '<<256B 0.3ns> <48K 1.5ns>>');
            said.curve = [state.text.includes('workingSet = <<256B 0.3ns> <48K 1.5ns>>'), document.querySelectorAll('#curves svg').length, byId('status').className];
            removeField(state.fields.filter((f) => f.memory === 2).pop());
            said.removed = [state.text.includes('workingSet'), byId('status').className];
            addMemory();
            said.added = [byId('status').textContent, document.querySelectorAll('#fields details').length];
            const clock = byId('add--1');
            clock.value = [...clock.options].find((option) => option.textContent.startsWith('arch')).value;
            clock.dispatchEvent(new Event('change'));
            said.item = [state.text.includes('arch = ?;'), byId('status').className];
            byId('text').value = state.text.replace('die = 1 tpc;', 'die = tpc;');
            byId('text').dispatchEvent(new Event('input'));
            said.stale = [byId('stale').hidden, input(0, 5).disabled, byId('status').className];
            byId('text').value = byId('text').value.replace('die = tpc;', 'die = 1 tpc;');
            byId('text').dispatchEvent(new Event('input'));
            said.fresh = [byId('stale').hidden, input(0, 5).disabled, byId('status').className, state.text.includes('// kept')];
            return said;""")
        self.assertEqual(said["unit"][0][:2], ["5Q", "true"])
        self.assertIn("'Q' is not a unit of size", said["unit"][0][2])
        self.assertEqual(said["unit"][1], "1 error: place does not read this file")
        self.assertIn("(globalMem, size): 'Q' is not a unit of size: expected K, M, G or T, then B or E", said["unit"][2])
        self.assertEqual(said["mended"][:3], [["5G", "false", ""], ["33", "false", ""], "good"])
        self.assertIn("// kept\nsharedMem 3 Y RW na 48K ? 33 ?", said["mended"][3])
        self.assertEqual(said["level"][1], "true")
        self.assertIn("nobody", said["level"][2])
        self.assertEqual(said["condition"][1], "true")
        self.assertEqual(said["again"], "good")
        self.assertEqual(said["renamed"], [True, "vram"])
        self.assertEqual(said["curve"], [True, 1, "good"])
        self.assertEqual(said["removed"], [False, "good"])
        self.assertEqual(said["added"], ["No errors: My GPU, 4 memories", 5])
        self.assertEqual(said["item"], [True, "good"])
        self.assertEqual(said["stale"], [False, True, "bad"])
        self.assertEqual(said["fresh"], [True, False, "good", True])

    def test_every_broken_file_is_told_at_its_place(self):
        files = {os.path.basename(path): content(path) for path in BROKEN}
        said = in_page("const said = {}; for (const [name, text] of Object.entries(" + json.dumps(files) + ")) { open(name, text); said[name] = "
                       "[byId('status').className, document.querySelectorAll('#messages li').length, state.result.errors.map((e) => placeOf(state.text, e.line || 1, e.column || 1))]; } return said;")
        for name, (status, items, places) in said.items():
            self.assertEqual(status, "bad", name)
            self.assertGreater(items, 0)
            self.assertTrue(all(0 <= place <= len(files[name].encode("utf-16-le")) // 2 for place in places), name)

    def test_needs_nothing_else(self):
        text = content(PAGE)
        self.assertEqual(re.findall(r"(?:src|href)=[\"'](?!data:|#)", text), [])
        self.assertEqual(set(re.findall(r"https?://[^\"' )]*", re.sub(r'<script id="machines".*?</script>', "", text))), {"http://www.w3.org/2000/svg"})


class Edit(unittest.TestCase):
    def edit(self, *arguments, **environment):
        return subprocess.run([TOOL, "edit", *arguments], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **environment})

    def test_errors(self):
        ran = self.edit("/nowhere/machine.msl")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (1, "", "place-msl: /nowhere/machine.msl: No such file or directory\n"))
        ran = self.edit(TMPDIR="/nowhere")
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertRegex(ran.stderr, r"^place-msl: /nowhere/place-msl-\S+\.html: No such file or directory\n$")

    def test_full_output(self):
        with tempfile.TemporaryDirectory() as folder, open("/dev/full", "w", encoding="utf-8") as full:
            ran = subprocess.run([TOOL, "edit"], stdout=full, stderr=subprocess.PIPE, text=True, env={"TMPDIR": folder})
        self.assertEqual((ran.returncode, ran.stderr), (1, "place-msl: cannot write the output: some of it is lost\n"))

    def test_opens_it_where_there_is_a_desktop(self):
        with tempfile.TemporaryDirectory() as folder:
            opener = os.path.join(folder, "xdg-open")
            with open(opener, "w", encoding="utf-8") as file:
                file.write('#!/bin/sh\necho "$1" > "$TMPDIR/opened"\n')
            os.chmod(opener, 0o755)
            for desktop in ({}, {"DISPLAY": ":0"}):
                ran = self.edit(PATH=folder + ":/usr/bin:/bin", TMPDIR=folder, **desktop)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                for _ in range(50 if desktop else 1):
                    if os.path.exists(os.path.join(folder, "opened")) and content(os.path.join(folder, "opened")):
                        break
                    subprocess.run(["sleep", "0.1"], check=True)
                self.assertEqual(os.path.exists(os.path.join(folder, "opened")), bool(desktop))
            self.assertEqual(content(os.path.join(folder, "opened")), ran.stdout)


if __name__ == "__main__":
    unittest.main()
