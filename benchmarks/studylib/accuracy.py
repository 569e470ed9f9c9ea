"""Figures of the models' accuracy, as paper 001's Figures 5 and 6 show them, from what place-models --csv prints."""

import csv
import os
from collections import defaultdict

from . import svg

TIMED = ("place", "huang", "porple")  # the models whose predictions are times
COMPARED = ("neuralnet", "conv1d-256", "particles-1024", "raytrace-1000")  # the first is the kernel of the paper's Figure 6


def read(path):
    """{case: [(plan, measured, {model: predicted})]}"""
    cases = defaultdict(list)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            predicted = {model: float(row[model]) for model in TIMED}
            cases[row["case"]].append((row["plan"], float(row["measured_ns"]), predicted))
    return cases


def normalised(cases):
    """Rows of Figure 5: what each model predicts of every plan, over what was measured; case by case."""
    def of(plans, model):
        return [p[model] / measured for _, measured, p in plans if 0 < p[model] < float("inf")] or None
    return [(case, [of(plans, model) for model in TIMED]) for case, plans in sorted(cases.items())]


def compared(cases, names=COMPARED):
    """Rows of Figure 6: each plan's time over that of everything in global memory, measured and as each model has it; the plan
    that was fastest comes first."""
    rows = []
    for name in names:
        plans = sorted(cases.get(name, []), key=lambda plan: plan[1])
        base = next((plan for plan in plans if set(plan[0].split("_")[0]) <= set("g-")), None)
        for plan, measured, predicted in plans if base else []:
            ratios = [predicted[model] / base[2][model] for model in TIMED]
            rows.append((f"{name} {plan}", [measured / base[1]] + [r if r < float("inf") else None for r in ratios]))
    return rows


def write(path, out):
    """accuracy.svg and ranks.svg of the CSV at `path`, into the folder `out`."""
    cases = read(path)
    charts = {"accuracy": svg.chart("Predicted time over measured time, every plan", [(m, "dot") for m in TIMED],
                                    normalised(cases), "1: as measured"),
              "ranks": svg.chart("Time over that of everything in global memory",
                                 [("measured", "bar"), ("place", "dot"), ("huang", "diamond"), ("porple", "line")],
                                 compared(cases), "left of 1: faster than global memory")}
    os.makedirs(out, exist_ok=True)
    for name, text in charts.items():
        with open(os.path.join(out, f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(text)
