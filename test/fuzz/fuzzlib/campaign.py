"""Runs many seeds on several processes; resumable: a seed that has a result in the folder is not run again."""

import hashlib
import json
import multiprocessing
import os
import shutil
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from fuzzlib.generate import generated
from fuzzlib.judge import ARCHITECTURES, Judge, Source
from fuzzlib.printer import printed
from fuzzlib.reduce import Reducer
from fuzzlib.tools import find_tools


LINK_TIME_SHARE = 10  # every so many-th program is optimised at link time


def source_of(program):
    text, other = printed(program)
    flags = ("-foffload-lto",) if program.seed % LINK_TIME_SHARE == LINK_TIME_SHARE - 1 else ()
    return Source(f"fuzz{program.seed}", text, other, program.language, program.teams, program.face == "acc", flags)


def arches_of(seed, share):
    """Every `share`-th program is also compiled for a GPU, for all in turn."""
    return (ARCHITECTURES[seed // share % len(ARCHITECTURES)],) if share and seed % share == 0 else ()


def judge_seed(job):
    """One seed: its record. Runs in a process of its own."""
    seed, folder, share = job
    started, work = time.monotonic(), Path(folder) / "work" / str(seed)
    judge = Judge(find_tools(), work, arches_of(seed, share) if find_tools().cuda else ())
    record = {"seed": seed}
    try:
        failure = judge.failure(source_of(generated(seed)))
        if failure:
            record["failure"] = asdict(failure)
    except Exception as error:  # a fault of the generator must not end the campaign
        record["failure"] = {"kind": "generator", "mode": "", "detail": f"{type(error).__name__}: {error}", "output": ""}
    record |= {"regions": judge.regions, "versioned": judge.versioned, "seconds": round(time.monotonic() - started, 2)}
    shutil.rmtree(work, ignore_errors=True)
    return record


def reduce_seed(job):
    """Reduces one seed and writes it to the folder `reduced`. Returns a line that says what became of it."""
    seed, folder, share, seconds = job
    work = Path(folder) / "work" / f"reduce{seed}"
    judge = Judge(find_tools(), work, arches_of(seed, share) if find_tools().cuda else ())
    program = generated(seed)
    first = judge.failure(source_of(program))
    if first is None:
        return f"seed {seed}: does not fail"
    message = []

    def fails(candidate):
        failure = judge.failure(source_of(candidate), (first.kind, first.mode))
        same = failure is not None and failure.kind == first.kind
        return same and (failure.detail == first.detail or not first.kind.startswith("compile"))

    program = Reducer(fails, seconds, message.append).run(program, first.output)
    source = source_of(program)
    target = Path(folder) / "reduced" / f"{first.kind.replace(':', '-')}-{seed}.{source.language}"
    target.parent.mkdir(parents=True, exist_ok=True)
    arches = f" ARCHITECTURES={first.mode.split()[1]}" if first.mode.startswith("compile sm_") else ""
    flags = f" FLAGS={','.join(source.flags)}" if source.flags else ""
    target.write_text(f"// {first.kind} in mode {first.mode}: {first.detail}{arches}{flags}\n{source.text}")
    shutil.rmtree(work, ignore_errors=True)
    return f"seed {seed}: {first.kind} ({first.mode}), {message[0]}: {target}"


def stamp():
    """What results depend on: the generator, the plugin, the runtime, the CPU runner."""
    digest = hashlib.sha256()
    tools = find_tools()
    lower = Path(tools.simt).with_name("simt-lower")
    for file in [*sorted(Path(__file__).parent.glob("*.py")), tools.plugin, tools.runtime, lower]:
        digest.update(Path(file).read_bytes() if Path(file).exists() else b"")
    return digest.hexdigest()[:16]


class Campaign:
    """folder: results-STAMP.jsonl, failing programs and their reduced forms; say: prints a line."""

    def __init__(self, folder, share, say=print):
        self.folder, self.share, self.say = Path(folder), share, say
        self.folder.mkdir(parents=True, exist_ok=True)
        self.results = self.folder / f"results-{stamp()}.jsonl"
        self.kinds, self.done, self.failed = Counter(), 0, []
        self.regions = self.versioned = 0

    def known(self):
        if not self.results.exists():
            return []
        return [json.loads(line) for line in self.results.read_text().splitlines() if line.endswith("}")]

    def run(self, seeds, jobs, minutes):
        """Judges the seeds that have no result yet, until the time is up. Returns the records of failures."""
        known = {r["seed"]: r for r in self.known()}
        for seed in seeds:
            if seed in known:
                self._count(known[seed])
        waiting = ((s, str(self.folder), self.share) for s in seeds if s not in known)
        started = last = time.monotonic()
        fresh = 0
        with multiprocessing.Pool(jobs, initializer=os.nice, initargs=(5,)) as pool, self.results.open("a") as out:
            for record in pool.imap_unordered(judge_seed, self._until(waiting, started, minutes), chunksize=1):
                out.write(json.dumps(record) + "\n")
                out.flush()
                fresh += 1
                self._count(record)
                self._tell(record)
                if time.monotonic() - last > 30:
                    last = time.monotonic()
                    self.say(self.summary(fresh, last - started))
        self.say(self.summary(fresh, time.monotonic() - started))
        return self.failed

    def verdict(self):
        """What is wrong with the campaign as a whole, or ''. Programs that fail without the plugin, too, are not place's; were they
        many, little would be tested."""
        control = sum(count for kind, count in self.kinds.items() if kind.startswith("control:"))
        if len(self.failed) > control:
            return f"{len(self.failed) - control} programs failed"
        if control > self.done // 10:
            return f"{control} of {self.done} programs fail without the plugin, too"
        if self.done >= 10 and not self.versioned:
            return "no region of any program has a version: the plugin, or what reads its tables here (judge.py), is broken"
        return ""

    def reduce(self, failures, jobs, seconds):
        """Reduces the first failure of each cause."""
        causes = {}
        for record in failures:
            f = record["failure"]
            if not f["kind"].startswith("control:"):
                causes.setdefault((f["kind"], f["detail"]), record["seed"])
        with multiprocessing.Pool(jobs, initializer=os.nice, initargs=(5,)) as pool:
            for line in pool.imap_unordered(reduce_seed, [(s, str(self.folder), self.share, seconds) for s in causes.values()]):
                self.say(line)

    @staticmethod
    def _until(waiting, started, minutes):
        """Jobs, a few ahead of what runs, while there is time."""
        for job in waiting:
            if minutes and time.monotonic() - started > minutes * 60:
                return
            yield job

    def _count(self, record):
        self.done += 1
        self.regions += record.get("regions", 0)
        self.versioned += record.get("versioned", 0)
        if "failure" in record:
            self.kinds[record["failure"]["kind"]] += 1
            self.failed.append(record)

    def _tell(self, record):
        if "failure" in record:
            f = record["failure"]
            self.say(f"seed {record['seed']}: {f['kind']} ({f['mode']}): {f['detail']}")

    def summary(self, fresh, seconds):
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.kinds.items())) or "no failure"
        return (f"{self.done} programs ({fresh} now, {fresh / max(seconds, 1) * 3600:.0f} an hour), {self.regions} regions, "
                f"{self.versioned} of them with versions: {kinds}")
