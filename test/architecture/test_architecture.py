"""The test of the architecture, on small trees that keep to their map or do not."""

import os
import shutil
import tempfile
import unittest

import architecture
import scripts
import spaces

PAGE = """# Architecture
| folder | what is in it | includes of |
|---|---|---|
| `include/place/` | lists | |
| `msl/` | low | `include/place/` |
| `llvm-pass/` | top | all of `llvm-pass/` |
| `llvm-pass/facts/` | facts | `include/place/` |

See `msl/a.c` and llvm-pass/facts/F.h.
"""
TREE = {
    "docs/architecture.md": PAGE,
    "include/place/list.h": "",
    "msl/a.c": '#include "a.h"\n#include "place/list.h"\n#include <stdio.h>\n',
    "msl/a.h": "",
    "msl/b.h": '#include "a.h"\n',
    "msl/machines/gpu.msl": "",
    "llvm-pass/Top.cpp": '#include "F.h"\n#include "llvm/IR/Module.h"\n',
    "llvm-pass/facts/F.h": '#include "place/list.h"\n',
}

# What is changed in the tree, and what is then said; "": nothing.
CASES = [
    ({}, ""),
    ({"llvm-pass/new/N.h": ""}, "llvm-pass/new/ is not in the map of docs/architecture.md"),
    ({"msl/a.c": None}, "docs/architecture.md names msl/a.c, which is not there"),
    ({"llvm-pass/facts/F.h": None}, "docs/architecture.md names llvm-pass/facts/F.h, which is not there"),
    ({"llvm-pass/facts/G.h": '#include "a.h"\n'},
     "llvm-pass/facts/G.h includes msl/a.h: llvm-pass/facts/ may not include of msl/ (docs/architecture.md)"),
    ({"msl/a.h": ' #  include "F.h"\n'}, "msl/a.h includes llvm-pass/facts/F.h: msl/ may not include of llvm-pass/facts/ (docs/architecture.md)"),
    ({"msl/a.h": '#include "b.h"\n'}, "a circle: msl/a msl/b"),
    ({"msl/a.h": '#include "c.h"\n', "msl/c.h": '#include "b.h"\n'}, "a circle: msl/a msl/b msl/c"),
    ({"msl/a.c": '#include "b.h"\n', "msl/a.h": ""}, "a circle: msl/a msl/b"),  # by its other half
    ({"msl/a.h": '// #include "b.h"\n'}, ""),
    ({"msl/a.h": '#include "nowhere.h"\n'}, ""),  # a system's
    ({"llvm-pass/facts/F.h": "struct S {\n  int size() const;\n};\n", "llvm-pass/Top.cpp": "int S::size() const { return 1; }\n"},
     "llvm-pass/facts/F.h declares S::size, which llvm-pass/Top.cpp defines: llvm-pass/facts/ may not include of llvm-pass/ (docs/architecture.md)"),
    ({"llvm-pass/facts/F.h": "int size(int);\n", "llvm-pass/Top.cpp": "int size(int N) {\n  return N;\n}\n"},
     "llvm-pass/facts/F.h declares size, which llvm-pass/Top.cpp defines: llvm-pass/facts/ may not include of llvm-pass/ (docs/architecture.md)"),
    ({"llvm-pass/facts/F.h": "int size(int);\n", "llvm-pass/facts/F.cpp": "int size(int N) { return N; }\n", "llvm-pass/Top.cpp": "int size(int N) { return N; }\n"},
     ""),  # another one of the name
    ({"llvm-pass/facts/F.h": "int size(int);\n", "llvm-pass/Top.cpp": "static int size(int N) { return N; }\n"}, ""),
    ({"llvm-pass/Top.h": "int size(int);\n", "llvm-pass/facts/F.cpp": "int size(int N) { return N; }\n"}, ""),  # downwards
]


class Trees(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, tree):
        for path, text in tree.items():
            place = os.path.join(self.root, path)
            if text is None:
                os.remove(place)
                continue
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(text)

    def test_cases(self):
        for change, said in CASES:
            with self.subTest(change=change):
                shutil.rmtree(self.root)
                self.write(TREE)
                self.write(change)
                self.assertEqual("\n".join(architecture.complaints(self.root)), said)


class Parts(unittest.TestCase):
    def test_map(self):
        self.assertEqual(architecture.map_of(PAGE), {
            "include/place": set(), "msl": {"include/place"}, "llvm-pass": {"llvm-pass", "llvm-pass/facts"}, "llvm-pass/facts": {"include/place"}})

    def test_named_paths(self):
        for text, paths in (("`docs/a.md`, (msl/b.c)", ["docs/a.md", "msl/b.c"]), ("a/docs/x", []), ("test/", ["test/"]),
                            ("-> llvm-pass/Make.cpp   text", ["llvm-pass/Make.cpp"]), ("include/place/abi.h.", ["include/place/abi.h"])):
            with self.subTest(text=text):
                self.assertEqual(architecture.named_paths(text), paths)

    def test_resolve(self):
        files = {"a/x.h", "b/x.h", "b/y.h", "include/place/z.h"}
        for includer, target, found in (("a/m.c", "x.h", "a/x.h"), ("b/m.c", "x.h", "b/x.h"), ("a/m.c", "y.h", "b/y.h"),
                                        ("a/m.c", "place/z.h", "include/place/z.h"), ("a/m.c", "w.h", None), ("b/m.c", "../a/x.h", "a/x.h")):
            with self.subTest(target=target):
                self.assertEqual(architecture.resolve(includer, target, files), found)


class Scripts(unittest.TestCase):
    def test_early_readers(self):
        for line, early in (("a | head -n 1", "head"), ("x=$(a | sed -n 1p)", None), ("a | grep -q b", "grep -q"), ("a | grep -F -m1 b", "grep -F -m"),
                            ("a || head b", None), ("a | sed '1{p;q}'", "sed '1{p;q}"), ("# a | head", None), ("head -n 1 a | b", None),
                            ("a | awk 'NR == 1 { print; exit }'", "awk 'NR == 1 { print; exit")):
            for head in ("set -euo pipefail", "set -eu"):
                with self.subTest(line=line, head=head), tempfile.TemporaryDirectory() as root:
                    with open(os.path.join(root, "a.sh"), "w", encoding="utf-8") as file:
                        file.write(f"{head}\n{line}\n")
                    found = scripts.complaints(root)
                    self.assertEqual([text.split("`")[1] for text in found], [early] if early and "pipefail" in head else [])


class Spaces(unittest.TestCase):
    def test_named(self):
        for path, text, names in (("omptarget-plugin/report/report.schema.json", '"space": {"enum": ["global", "far"]}', ["global", "far"]),
                                  ("omptarget-plugin/report/report.schema.json", '"space": {"$ref": "#/x"}', None),
                                  ("omptarget-plugin/settings/config.c", '"Space: `global`, `a`, "\n   "`far`. `x` instead"', ["global", "a", "far"]),
                                  ("docs/environment.md", "`argN`. Space: `global`. `x`", ["global"]), ("docs/environment.md", "Space: `a` or so.", None),
                                  ("docs/troubleshooting.md", "...there are global, near and far`", ["global", "near", "far"])):
            with self.subTest(text=text):
                self.assertEqual(spaces.named(text, spaces.PLACES[path]), names)

    def test_complaints(self):
        texts = ['"space": {"enum": ["global", "far"]}', '"Space: `global`, `far`. "', "Space: `global`, `far`.", "there are global, near and far`"]
        with tempfile.TemporaryDirectory() as root:
            for path, text in zip([*spaces.PLACES, spaces.LIST], [*texts, 'PLACE_SPACE(GLOBAL, "global", 1)\nPLACE_SPACE(FAR, "far", 2)\n']):
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(spaces.complaints(root), [f"docs/troubleshooting.md names global, near, far; {spaces.LIST} has global, far"])


if __name__ == "__main__":
    unittest.main()
