#!/usr/bin/env python3
"""Generates OpenMP programs, runs them in every mode of place, and reduces those that fail. See docs/fuzz.md."""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from fuzzlib.campaign import Campaign, source_of  # noqa: E402
from fuzzlib.generate import generated  # noqa: E402

p = argparse.ArgumentParser()
s = p.add_subparsers(dest="what")
g = s.add_parser("generate"); g.add_argument("seed", type=int)
g = s.add_parser("run"); g.add_argument("seeds"); g.add_argument("--minutes", type=float, default=0); g.add_argument("--folder", default="build/fuzz")
a = p.parse_args()
if a.what == "generate":
    print(source_of(generated(a.seed)).text)
else:
    lo, hi = map(int, a.seeds.split("-"))
    Campaign(a.folder, 20, lambda t: print(t, flush=True)).run(range(lo, hi + 1), 2, a.minutes)
