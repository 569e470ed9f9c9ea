"""Builds a program and runs it in every mode; says what failed, by kind.

Kinds: compile-error, compile-crash, compile-hang, uniform-registers (uniform.py), wrong, hang, crash, finding:KIND (of the CPU runner).
A program that fails without the plugin as well has `control:` before its kind: then it is the generator, the CPU runner or clang.
"""

import os
import re
import signal
import zlib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from fuzzlib.prelude import ALIGN_DOWN, ALIGN_DOWN_SPELT_OUT, ELSEWHERE
from fuzzlib.tools import Ended, limited, normalized
from fuzzlib.uniform import faulty_versions

SETTLING_ROUNDS = 36  # launches until the trials of most regions have ended
ROUNDS = 4
PERIOD = 6  # rounds after which a program's parameters repeat
ARCHITECTURES = ("sm_60", "sm_70", "sm_80", "sm_90")
COMPILE_CPU_S, COMPILE_WALL_S, RUN_CPU_S, RUN_WALL_S = 60, 240, 25, 150
# libomp 19's own, now and then, with nowait regions: says nothing about the program
ENDED = "threads that have ended"  # in Judge.tolerated
OPENACC = "kernels made of OpenACC"  # in Judge.tolerated: no compile without the plugin tells what is clang's
AS_COMPILED = ("original", "base")  # versions: clang's kernel, and the copy of it that has a timer
FINDING = re.compile(r"^simt: ([a-z-]+): (.*)\n  kernel (\S+), version ([^\s,]+)", re.M)
SPACES = Path(__file__).resolve().parents[3] / "include" / "place" / "space.def"
PLACED = dict(re.findall(r'^PLACE_SPACE\(\w+, "(\w+)", \'(\w)\'', SPACES.read_text(encoding="utf-8"), re.M)[1:])  # name: letter; not libomptarget's
SPELT_OUT = f"#define {ALIGN_DOWN}{ALIGN_DOWN_SPELT_OUT}\n"
FLAKE = "Assertion failure at kmp_tasking.cpp"


@dataclass
class Failure:
    kind: str
    mode: str
    detail: str  # a message in which numbers are N: failures of one cause read the same
    output: str = ""


@dataclass
class Source:
    """A program to be judged. teams: SIMT_TEAMS of its runs. flags: of the compiler, beside those of all."""

    name: str
    text: str
    other: str
    language: str
    teams: int
    acc: bool = False  # OpenACC: without the plugin nothing of it runs on a device
    flags: tuple = ()


def source_from_file(file):
    """(source, architectures) of a program in a file. Its comments say `SIMT_TEAMS=N`, `ARCHITECTURES=sm_60,...` and `FLAGS=...`,
    where that matters."""
    text = Path(file).read_text()
    teams, arches, flags = (re.search(rf"^//.*{name}=(\S+)", text, re.M) for name in ("SIMT_TEAMS", "ARCHITECTURES", "FLAGS"))
    other = ELSEWHERE if "elsewhere(" in text else ""
    source = Source(Path(file).stem, text, other, Path(file).suffix[1:], int(teams.group(1)) if teams else 3200, "#pragma acc" in text,
                    tuple(flags.group(1).split(",")) if flags else ())
    return source, tuple(arches.group(1).split(",")) if arches else ()


class Version:
    """A line of a region table: region, role (plan, base, profile), form of its loops, letters of its spaces; whether it can be launched in
    slices."""

    def __init__(self, line):
        words = line.split()
        values = dict(w.split("=", 1) for w in words[2:] if "=" in w)
        self.region = words[1].rpartition("_place_")[0]
        self.role, self.loop, self.spaces = values["role"], values.get("loop", "original"), set(values.get("space", ""))
        self.slices = "slice" in values


def forces_of(versions):
    """Each space, each role, and each version of each form of loops, as values of PLACE_FORCE."""
    spaces = {letter for v in versions if v.role == "plan" for letter in v.spaces}
    out = ["*:all=global"] + [f"*:all={space}" for space, letter in PLACED.items() if letter in spaces]
    roles = {"agnostic" if "*" in v.spaces else v.role for v in versions}
    out += [f"*:version={role}" for role in ("base", "profile") if role in roles]
    if "agnostic" in roles:
        out += [f"*:version=agnostic,all={space}" for space in PLACED]
    counts = Counter((v.region, v.loop) for v in versions if v.role == "plan")
    for loop in sorted({loop for _, loop in counts if loop != "original"}):
        most = max(count for (_, form), count in counts.items() if form == loop)
        out += [f"*:version={loop}{number + 1}" for number in range(most)]
    return out


class Judge:
    def __init__(self, tools, folder, arches=()):
        self.tools, self.folder, self.arches = tools, Path(folder), arches
        self.regions = self.versioned = 0
        self.tolerated = set()  # findings in the program's original kernels, and their copies, that the program has without the plugin, too

    def base_environment(self):
        out = {k: v for k, v in os.environ.items() if not k.startswith(("PLACE_", "SIMT_", "OMP_"))}
        out["PLACE_STORE"] = "off"  # what one program leaves must not decide for another
        out.update(SIMT_CHECK_BUILD="1", SIMT_OPTIMISE="-O0", SIMT_HOST_OPTIMISE="-O0", LIBRARY_PATH=self.tools.libdir, LD_LIBRARY_PATH=self.tools.libdir,
                   OMP_TARGET_OFFLOAD="MANDATORY", OMP_NUM_THREADS="2", SIMT_THREADS="1", PLACE_PATIENCE="0",
                   HOME=str(self.folder), TMPDIR=str(self.folder))
        out["PATH"] = os.pathsep.join([self.tools.clang] + ([self.tools.cuda + "/bin"] if self.tools.cuda else []) + [out["PATH"]])
        if self.tools.cuda:
            out["PLACE_CUDA_PATH"] = self.tools.cuda
        return out

    def write(self, source):
        """The source files in the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        main = self.folder / f"{source.name}.{source.language}"
        main.write_text(source.text)
        files = [str(main)]
        if source.other:
            other = self.folder / f"{source.name}.elsewhere.c"
            other.write_text(source.other)
            files.append(str(other))
        return files

    # building

    def build(self, source, plugin=True, arch=""):
        """(program, None) or (None, Failure). arch: only compiled, by clang and ptxas, for that GPU."""
        files = self.write(source)
        out = self.folder / (source.name + (".o" if arch else ".place" if plugin else ".plain"))
        flags = ["-O3", "-w", "-Wno-pass-failed", *source.flags]
        if plugin:
            flags += [f"-fplugin={self.tools.plugin}", "-fplugin-arg-place-effort=3", "-fplugin-arg-place-spaces=texture,texture2d"]
        if arch:
            flags += ["-fplugin-arg-place-one-image"] if plugin else []  # for uniform_failure to look into
            files = files[:1]
            compiler = f"{self.tools.clang}/clang{'++' if source.language == 'cpp' else ''}"
            command = [compiler, "-fopenmp", f"--offload-arch={arch}", f"--cuda-path={self.tools.cuda}",
                       f"--libomptarget-nvptx-bc-path={self.tools.libdir}", *flags, "-c", *files, "-o", str(out)]
        else:
            flags += ["-fsimt-own-image"] if plugin and has_own_image(source) else []
            command = [self.tools.simt, *flags, *files, "-lm", "-o", str(out)]
        ended = limited(command, self.base_environment(), COMPILE_CPU_S, COMPILE_WALL_S, self.folder)
        if ended.status == 0 and out.exists():
            return out, uniform_failure(out, self.tools.cuda, arch) if arch and plugin else None
        return None, compile_failure(ended, f"compile {arch}".strip())

    # running

    def environment_of(self, source, mode):
        _, rounds, extra = mode
        return {"SIMT_TEAMS": str(source.teams), "PLACE_TEST_ROUNDS": str(rounds), "FUZZ_SEEN": str(self.folder)} | extra

    def run(self, program, source, mode):
        """None, or what failed. mode: (name, rounds, environment)."""
        for _ in range(5):
            ended = limited([str(program)], self.base_environment() | self.environment_of(source, mode), RUN_CPU_S, RUN_WALL_S, self.folder)
            if FLAKE not in ended.output:
                break
        return self.judged(ended, mode)

    def judged(self, ended, mode):
        name = mode[0]
        if name == "original" and "have ended and never reach" in ended.output:
            self.tolerated.add(ENDED)
        if name == "original":
            self.tolerated |= {("shared-race", kernel) for kind, what, kernel, _ in FINDING.findall(ended.output) if team_variable(kind, what)}
        return run_failure(ended, name, self.tolerated)

    def failures(self, program, source, modes):
        """Of each mode, in turn: (mode, None or what failed). All are run by one process (SIMT_EACH, test/simt/README.md), for its start is a fifth
        of the time; what it has not come to, behind one that hangs or crashes, is run by itself."""
        extras = [self.environment_of(source, mode) for mode in modes]
        for mode, ended in zip(modes, run_together(program, extras, self.base_environment(), RUN_CPU_S, RUN_WALL_S)):
            alone = ended is None or FLAKE in ended.output
            yield mode, self.run(program, source, mode) if alone else self.judged(ended, mode)

    def modes(self, program):
        """All modes that mean something for the versions which the program's region tables name."""
        lines = set(re.findall(rb"(version [^ \n]+ role=[^\n]*|region __omp[^\n ]+)", Path(program).read_bytes()))
        versions = [Version(line.decode()) for line in lines if line.startswith(b"version")]
        self.regions = len(lines) - len(versions)
        self.versioned = len({v.region for v in versions})
        out = [("original", PERIOD, {"PLACE": "off"})]
        if not versions:
            return out + [("chosen", ROUNDS, {})]
        out += [("chosen", SETTLING_ROUNDS, {}), ("unmeasured", ROUNDS, {"PLACE_TRIALS": "0"})]
        if any(v.slices for v in versions):
            out.append(("slices", ROUNDS, {"PLACE_SLICES": "always"}))
        return out + [(force, ROUNDS, {"PLACE_FORCE": force}) for force in forces_of(versions)]

    def failure(self, source, only=None):
        """The first failure of a program, or None. only: (kind, mode) that is looked for."""
        for arch in self.arches if only is None else [only[1].partition(" ")[2]] if only[1].startswith("compile sm_") else []:
            _, failure = self.build(source, True, arch)
            if failure:
                _, control = self.build(source, False, arch)
                return controlled(failure, control)
        if only and only[1].startswith("compile sm_"):
            return None
        self.tolerated = {OPENACC} if source.acc else set()
        for seen in self.folder.glob("*.seen"):  # which the original leaves for other modes (WHO in prelude.py)
            seen.unlink()
        program, failure = self.build(source)
        if failure:
            _, control = self.build(source, False)
            return controlled(failure, control)
        modes = [mode for mode in self.modes(program) if only is None or mode[0] == only[1]]
        for mode, failure in self.failures(program, source, modes):
            if failure and not source.acc and failure.kind.startswith("finding:") and failure.detail.startswith(tuple(f"version {v}," for v in AS_COMPILED)):
                failure = self._tolerating(program, source, mode, failure)
            if failure:
                return self._with_control(source, failure, mode, only)
        return None

    def _tolerating(self, program, source, mode, failure):
        """A finding in an original kernel or its copy: not place's if the program has it without the plugin. Then the run is judged again."""
        plain, _ = self.build(source, False)
        control = plain and self.run(plain, source, ("control", mode[1], {"PLACE": "off"}))
        while failure and control and control.kind == failure.kind and failure.kind not in self.tolerated:
            self.tolerated.add(failure.kind)
            failure = self.run(program, source, mode)
            control = self.run(plain, source, ("control", mode[1], {"PLACE": "off"}))
        return failure

    def _with_control(self, source, failure, mode, only):
        off = ("original" if source.acc else "control", mode[1], {"PLACE": "off"})
        program, control = self.build(source, plugin=source.acc)
        if program:
            control = self.run(program, source, off)
        if source.acc:
            return self._past_align_down(source, failure, only) if control else failure
        return controlled(failure, control)

    def _past_align_down(self, source, failure, only):
        """Of an OpenACC program whose original fails: what it fails of in any mode with the builtin spelt out. If of nothing, it fails for
        found/align_down.c alone, which is clang's."""
        if ALIGN_DOWN not in source.text or source.text.startswith(SPELT_OUT):
            return failure
        rest = self.failure(replace(source, name=source.name + ".spelt", text=SPELT_OUT + source.text), only)
        return rest or controlled(failure, True)


def run_together(program, extras, environment, cpu_s, wall_s):
    """Of each of these settings beyond the environment: how the program ends with them, or None where the one process that runs it in all of them
    (SIMT_EACH, test/simt/README.md) has not come to it. Limits: of the processor time of a run, and its wall time."""
    program = Path(program)
    logs = [f"{program}.{number}.log" for number in range(len(extras))]
    each = Path(f"{program}.each")
    each.write_text("".join("\t".join([log] + [f"{k}={v}" for k, v in extra.items()]) + "\n" for log, extra in zip(logs, extras)))
    together = environment | {"SIMT_EACH": str(each), "SIMT_SECONDS": str(wall_s)}
    told = limited([str(program)], together, cpu_s, wall_s * len(extras), program.parent)
    statuses = {log: int(status) for status, log in re.findall(r"^(\d+) (.*)$", told.output, re.M)}
    ended = [Ended(told_status(statuses[log]), Path(log).read_text(errors="replace")) if log in statuses else None for log in logs]
    for file in (each, *map(Path, logs)):
        file.unlink(missing_ok=True)
    return ended


def told_status(status):
    """Of an exit status, or 128 and a signal: as in Ended."""
    return None if status in (128 + signal.SIGXCPU, 128 + signal.SIGALRM) else 128 - status if status > 128 else status


def controlled(failure, control):
    if control:
        failure.kind = "control:" + failure.kind
    return failure


def has_own_image(source):
    """Whether the program's versions are to be in a device image of their own, as a GPU compile has them: of one in four."""
    return zlib.crc32(source.name.encode()) % 4 == 0


def uniform_failure(program, cuda, arch):
    cuobjdump = Path(cuda, "bin", "cuobjdump")
    faulty = faulty_versions(program, cuobjdump) if cuobjdump.exists() else []
    return Failure("uniform-registers", f"compile {arch}", normalized(faulty[0].rpartition("_place_")[2]), "\n".join(faulty)) if faulty else None


def compile_failure(ended, mode):
    if ended.status is None:
        return Failure("compile-hang", mode, "", ended.output)
    crash = re.search(r"PLEASE submit|Stack dump|Segmentation|Assertion|UNREACHABLE", ended.output)
    message = next((m for m in re.findall(r"(?:error: |Assertion |ERROR).*", ended.output)), "")
    if "in backend" in message:
        message = re.search(r"error in backend: .*", ended.output).group(0)
    elif crash:
        frames = [f for f in re.findall(r"^ *#\d+ \S+ (.*)$", ended.output, re.M) if "libplace" in f or "place::" in f]
        message = frames[0].split("/")[0] if frames else message
    return Failure("compile-crash" if crash and "in backend" not in message else "compile-error", mode, normalized(message), ended.output)


def team_variable(kind, what):
    """A race of a variable of the team's that clang has moved to shared memory."""
    return kind == "shared-race" and " of shared _shared" in what


def expected(kind, what, kernel, version, tolerated):
    """What is clang's, not place's. clang 19's own kernels of `target teams distribute` meet barriers after some of their threads have
    ended, which GPUs allow; in a program that has such a kernel, its versions may, too. Where openmp-opt turns a generic kernel into
    an SPMD one, it drops the barrier behind which the team's variables change: versions of that kernel have its race
    (found/spmd_broadcast_race.c), and no other's."""
    if f"finding:{kind}" in tolerated and version in AS_COMPILED:
        return True
    if team_variable(kind, what) and ("shared-race", kernel) in tolerated and (version != "original" or OPENACC in tolerated):
        return True
    return kind == "barrier-divergence" and "have ended" in what and (version == "original" or ENDED in tolerated)


def run_failure(ended, mode, tolerated=()):
    passed = re.search(r"^PASS ", ended.output, re.M)
    if ended.status == 0 and passed:
        return None
    if ended.status is None:
        return Failure("hang", mode, "", ended.output)
    found = [f for f in FINDING.findall(ended.output) if not expected(*f, tolerated)]
    table = re.search(r"^simt: region-table: .*?line \d+: region \S+ (.*);", ended.output, re.M)
    if table:
        return Failure("finding:region-table", mode, normalized(table.group(1)), ended.output)
    if found and ended.status == 70:
        kind, what, _, version = found[0]
        return Failure(f"finding:{kind}", mode, normalized(f"version {version}, {what}"), ended.output)
    if ended.status == 70 and passed:
        return None
    if ended.status == 1 and "FAIL" in ended.output:
        return Failure("wrong", mode, normalized(ended.output.strip().splitlines()[0]), ended.output)
    last = ended.output.strip().splitlines()[-1:] or [""]
    return Failure("crash", mode, normalized(f"status {ended.status} {last[0]}"), ended.output)
