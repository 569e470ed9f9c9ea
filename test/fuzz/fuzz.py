#!/usr/bin/env python3
"""Generates OpenMP programs, runs them in every mode of place, and reduces those that fail. See docs/fuzz.md."""

import argparse
import multiprocessing
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from fuzzlib import gpu, pack  # noqa: E402
from fuzzlib.campaign import Campaign, reduce_seed, source_of  # noqa: E402
from fuzzlib.generate import generated  # noqa: E402
from fuzzlib.judge import Judge, source_from_file  # noqa: E402
from fuzzlib.tools import ROOT, find_tools  # noqa: E402


def say(text):
    print(text, flush=True)


def seed_range(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def generate(options):
    for seed in options.seeds:
        source = source_of(generated(seed))
        if not options.out:
            say(source.text)
            continue
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / f"{source.name}.{source.language}").write_text(source.text)
        if source.other:
            (options.out / f"{source.name}.elsewhere.c").write_text(source.other)
    return 0


def run(options):
    campaign = Campaign(options.folder, options.arch_share, say)
    failures = campaign.run(options.seeds, options.jobs, options.minutes)
    if options.reduce:
        campaign.reduce(failures, options.jobs, options.reduce)
    if campaign.verdict():
        say(f"error: {campaign.verdict()}")
    return 1 if campaign.verdict() else 0


def reduce(options):
    for seed in options.seeds:
        say(reduce_seed((seed, str(options.folder), options.arch_share, options.seconds)))
    return 0


def judged(job):
    """One file, in a process of its own: (its name, its failure or None)."""
    file, folder = job
    source, arches = source_from_file(file)
    return file.name, Judge(find_tools(), folder / "replay" / file.stem, arches).failure(source)


def replay(options):
    failed = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for name, failure in pool.imap(judged, [(file, options.folder) for file in options.files]):
            failed += failure is not None
            say(f"{name}: " + (f"{failure.kind} ({failure.mode}): {failure.detail}\n{failure.output[:1500]}" if failure else "ok"))
    say(f"{len(options.files) - failed} passed, {failed} failed")
    return 1 if failed or not options.files else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "fuzz", help="results and work (build/fuzz)")
    commands = parser.add_subparsers(required=True)

    def command(name, action, text, seeds=True):
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(action=action)
        if seeds:
            made.add_argument("seeds", type=seed_range, metavar="SEED[-SEED]")
            made.add_argument("--arch-share", type=int, default=12, metavar="N",
                              help="every N-th program is also compiled for a GPU, sm_60 to sm_90 in turn (0: none)")
        return made

    one = command("generate", generate, "prints programs, or writes them to a folder")
    one.add_argument("--out", type=Path)
    one = command("run", run, "runs programs in every mode; goes on where it was stopped")
    one.add_argument("--minutes", type=float, default=0, help="starts no further program after that (0: all seeds)")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one.add_argument("--reduce", type=int, default=0, metavar="SECONDS", help="reduces one failure of each kind, for at most so long")
    one = command("reduce", reduce, "reduces failing programs")
    one.add_argument("--seconds", type=int, default=300)
    one = command("replay", replay, "runs source files in every mode", seeds=False)
    one.add_argument("files", type=Path, nargs="*")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one = command("pack", pack.pack, "compiles programs for sm_90, with a script that runs them on a machine with a GPU")
    one.add_argument("--out", type=Path, default=ROOT / "build" / "fuzz-gpu")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one = command("gpu", gpu.gpu, "runs a pack on this machine's GPU, for a limited time", seeds=False)
    one.add_argument("pack", type=Path)
    one.add_argument("--seconds", type=float, default=3600, help="no run is started after that (3600)")
    one.add_argument("--racecheck", type=int, default=50, metavar="N", help="so many programs also run under racecheck (50)")
    one.add_argument("--only", default="", metavar="WORDS", help="only the stages whose names have these words, as racecheck")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    return options.action(options)


if __name__ == "__main__":
    sys.exit(main())
