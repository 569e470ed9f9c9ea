#!/usr/bin/env python3
"""Runs a suite of OpenMP programs that others wrote, each in every mode of place, on the CPU runner, and compares exit statuses, and
with --output what it prints, with the program's without the plugin. See docs/fuzz.md.

    suite.py FOLDER --out FOLDER [--include FOLDER]... [--only REGEX] [--output] [--seconds N] [--jobs N]

Programs are the files of C and C++ below FOLDER, each a program of its own. Goes on where it was stopped. Exit status: 1 if a program
that ends the same twice without the plugin ends otherwise with it, or only one of the two builds fails."""

import argparse
import hashlib
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from fuzzlib.judge import Judge, Version, forces_of, run_together  # noqa: E402
from fuzzlib.tools import find_tools, limited  # noqa: E402

COMPILE_S = 120


class Suite:
    def __init__(self, options):
        self.options, self.tools = options, find_tools()
        self.environment = Judge(self.tools, options.out).base_environment() | {"OMP_NUM_THREADS": "4"}
        del self.environment["SIMT_CHECK_BUILD"]  # many tests of the language race on purpose

    def build(self, file, program, plugin):
        includes = [f"-I{folder.resolve()}" for folder in [*self.options.include, file.parent]]
        language = ["-std=c++17", "-lstdc++"] if file.suffix != ".c" else []
        place = [f"-fplugin={self.tools.plugin}", "-fplugin-arg-place-effort=3"] if plugin else []
        command = [self.tools.simt, "-O3", "-w", *includes, *place, str(file), *language, "-lm", "-o", str(program)]
        return limited(command, self.environment, COMPILE_S, 3 * COMPILE_S, self.options.out).status

    def run(self, program, extra):
        """How a run ends: its exit status; with --output followed by a digest of what it prints, but for addresses and place's own words."""
        ended = limited([str(program)], self.environment | extra, self.options.seconds, 2 * self.options.seconds, self.options.out)
        return self.told(ended.status, ended.output)

    def told(self, status, output):
        if not self.options.output:
            return status
        printed = re.sub(r"^place: .*\n", "", re.sub(r"0x[0-9a-fA-F]+", "#", output), flags=re.MULTILINE)
        return f"{status} {hashlib.sha256(printed.encode()).hexdigest()[:8]}"

    def runs(self, program, modes):
        """How it ends in each mode, by name: in one process as far as that comes, which is not behind a run that hangs or crashes."""
        seconds = self.options.seconds
        together = run_together(program, list(modes.values()), self.environment, seconds, 2 * seconds)
        return {name: self.told(ended.status, ended.output) if ended else self.run(program, modes[name]) for name, ended in zip(modes, together)}

    def differing(self, plain, placed):
        """Modes in which the program with the plugin ends otherwise, and how; None: it ends otherwise by itself."""
        usual = self.run(plain, {})
        lines = re.findall(rb"version [^ \n]+ role=[^\n]*", placed.read_bytes())
        versions = [Version(line.decode()) for line in lines]
        if is_late(usual):
            return len(versions), usual, {}
        modes = {"off": {"PLACE": "off"}, "chosen": {}, "unmeasured": {"PLACE_TRIALS": "0"}}
        modes |= {force: {"PLACE_FORCE": force} for force in (forces_of(versions) if versions else [])}
        found = {name: status for name, status in self.runs(placed, modes).items() if status != usual}
        found = {name: status for name, status in found.items() if self.run(placed, modes[name]) == status}
        return len(versions), usual, found if not found or self.run(plain, {}) == usual else None

    def judge(self, file):
        result = {"program": str(file.relative_to(self.options.folder))}
        stem = self.options.out / re.sub(r"\W", "_", result["program"])
        plain, placed = Path(f"{stem}.plain"), Path(f"{stem}.place")
        result["build"] = [self.build(file, plain, False), self.build(file, placed, True)]
        if result["build"] == [0, 0]:
            result["versions"], result["status"], result["differing"] = self.differing(plain, placed)
        for program in (plain, placed):
            program.unlink(missing_ok=True)
        return result


def is_late(told):
    """Of Suite.told: the run went past its limit."""
    return str(told).startswith(str(None))


def fails(result):
    plain, place = result["build"]
    return (plain == 0) != (place == 0) or bool(result.get("differing"))


def summary(results):
    built = [r for r in results if r["build"] == [0, 0]]
    return (f"{len(results)} programs, {len(built)} build; {sum(r['versions'] > 0 for r in built)} have versions; "
            f"{sum(is_late(r['status']) for r in built)} take too long, "
            f"{sum(r['differing'] is None for r in built)} end differently by themselves; {sum(map(fails, results))} differ with place")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--include", type=Path, action="append", default=[])
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    parser.add_argument("--output", action="store_true")
    parser.add_argument("--seconds", type=int, default=60, help="that a run may take")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.folder, options.out = options.folder.resolve(), options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    files = sorted(f for f in options.folder.rglob("*") if f.suffix in (".c", ".cpp", ".cc") and options.only.search(str(f)))
    log = options.out / "results.jsonl"
    results = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    known = {r["program"] for r in results}
    suite = Suite(options)
    with log.open("a") as out, ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(suite.judge, [f for f in files if str(f.relative_to(options.folder)) not in known]):
            results.append(result)
            out.write(json.dumps(result) + "\n")
            out.flush()
            if fails(result):
                print(f"{result['program']}: build {result['build']}, {result.get('differing')}, without place {result.get('status')}", flush=True)
    print(summary(results))
    return 1 if any(map(fails, results)) else 0


if __name__ == "__main__":
    sys.exit(main())
