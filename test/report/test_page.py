"""place-report --html in headless Chromium. SCREENSHOTS=FOLDER keeps pictures."""
import os
import re
import subprocess
import tempfile
import unittest

import chromium

SCENES, TOOL = os.environ["SCENES"], os.environ["PLACE_REPORT_TOOL"]
NAMES = ["whole", "ten", "forced", "trusted", "on_host", "loss", "sizes", "none", "odd_names", "hint", "advice", "no_device",
         "other_device", "far_longer", "trusted_loss"]


def text_of(dom):
    main = dom[dom.index('<main id="page">'):dom.index("</main>")]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", main)).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@unittest.skipUnless(chromium.CHROMIUM, chromium.MISSING)
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dom = chromium.dom(cls.page("whole"))

    @classmethod
    def page(cls, *scenes):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        files = []
        for scene in scenes:
            files.append(os.path.join(folder.name, scene + ".json"))
            with open(files[-1], "wb") as file:
                subprocess.run([SCENES, scene, "json"], check=True, stdout=file)
        page = os.path.join(folder.name, "page.html")
        subprocess.run([TOOL, "--html", page, *files], check=True)
        return page

    def test_content(self):
        dom, text = self.dom, text_of(self.dom)
        self.assertIn('data-ready="yes"', dom)
        for part in ("1.20 s gained (18% of the program's time), in multiply (mm.c:9)", "Regions by time", "5.61× faster", "fem::apply<float>",
                     "Decided by measurement: 550 µs → 320 µs a launch (1.72× faster); predicted: 560 µs → 310 µs a launch",
                     "Nearly a tie with: weight in shared memory", "not possible: larger than what a team has (4 MiB of 48 KiB)",
                     "310 µs predicted", "321 µs measured", "Timeline of decisions", "11 events as a table", "Not launched: never (never.c:5)"):
            self.assertIn(part, text)
        self.assertNotRegex(text, r"undefined|NaN|null|\[object")
        if os.environ.get("SCREENSHOTS"):
            page = self.page("whole")
            for dark in (False, True):
                chromium.screenshot(page, os.path.join(os.environ["SCREENSHOTS"], f"report-{'dark' if dark else 'light'}.png"), dark=dark)

    def test_every_scene(self):
        page = self.page(*NAMES)
        with open(page, "a", encoding="utf-8") as file:
            file.write("<script>for (let i = 0; i < reports.length; i++) { show(i); const all = document.createElement('pre'); "
                       "all.textContent = document.getElementById('page').innerText; document.body.append(all); }</script>")
        dom = chromium.dom(page)
        self.assertEqual(len(re.findall("<option", dom)), len(NAMES))
        self.assertIn("21.4 ms lost", text_of(dom))
        self.assertEqual(dom[dom.index("<h2>Processes"):dom.index("<h2>Regions")].count("<tr>"), len(NAMES) + 1)
        scenes = re.findall(r"<pre>(.*?)</pre>", dom, re.DOTALL)
        self.assertEqual(len(scenes), len(NAMES))
        for scene, text in zip(NAMES, scenes):
            self.assertIn("target regions took", text, scene)
            self.assertNotRegex(text, r"undefined|NaN|null|\[object", scene)
        self.assertNotIn("possible, not looked at", scenes[NAMES.index("forced")])
        self.assertIn("possible, not looked at", scenes[NAMES.index("whole")])
        self.assertIn("a device that is no NVIDIA GPU (", scenes[NAMES.index("other_device")])
        self.assertNotIn("H200", scenes[NAMES.index("other_device")])

    def test_accessible(self):
        dom = self.dom
        self.assertIn('<html lang="en">', dom)
        for svg in re.findall(r"<svg[^>]*>", dom):
            self.assertRegex(svg, r'role="img" aria-label="[^"]{20,}"')
        self.assertEqual(len(re.findall(r"<table>", dom)), len(re.findall(r"<caption>", dom)))
        self.assertGreater(len(re.findall(r'<th scope="(?:row|col)"', dom)), 30)
        headings = [int(level) for level in re.findall(r"<h([1-6])[ >]", dom)]
        self.assertEqual(headings[0], 1)
        self.assertTrue(all(b <= a + 1 for a, b in zip(headings, headings[1:])))
        ids = re.findall(r' id="([^"]*)"', dom)
        self.assertEqual(len(ids), len(set(ids)))
        for target in re.findall(r'href="#([^"]*)"', dom):
            self.assertIn(target, ids)


if __name__ == "__main__":
    unittest.main()
