"""The generator, the reducer and the judge's reading of outputs; nothing is compiled."""

import copy
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fuzzlib import gpu, judge, openacc, pack, tree, uniform  # noqa: E402
from fuzzlib.generate import generated  # noqa: E402
from fuzzlib.indices import permutation_factor  # noqa: E402
from fuzzlib.printer import printed  # noqa: E402
from fuzzlib.reduce import Reducer, edited, list_edits, value_edits  # noqa: E402
from fuzzlib.statements import walk  # noqa: E402
from fuzzlib.tools import Ended, normalized  # noqa: E402


class Generator(unittest.TestCase):
    def test_same_seed_same_program(self):
        for seed in range(20):
            self.assertEqual(printed(generated(seed)), printed(generated(seed)))
        self.assertNotEqual(printed(generated(1)), printed(generated(2)))

    def test_every_feature_is_made(self):
        text = "\n".join(printed(generated(seed))[0] for seed in range(400))
        for feature in ("num_teams(", "thread_limit(limit)", "num_threads(", "schedule(dynamic", "schedule(guided)", "schedule(static, ",
                        "dist_schedule(static, ", "collapse(2)", "collapse(4)", "reduction(min", "reduction(^", "[0 : 5])", "reduction(least", "reduction(lesser", "lastprivate(", "private(",
                        "firstprivate(", "if(target", "if(parallel", "nowait", "device(0)", "target teams loop", "target parallel for",
                        "while (", "break;", "continue;", "switch (", "_Float16", "vector_size(16)", "vector_size(32)", "struct wide", "is_device_ptr",
                        "omp_get_mapped_ptr", "target update to", "atomic update", "elsewhere(", "__builtin_align_down", "map(delete", "(void)omp_get_thread_num();",
                        "] = who(1, ", ";) {", "#pragma omp declare target\nfloat *a"):
            self.assertIn(feature, text)

    def test_what_clang_gets_wrong_is_not_made(self):
        """test/fuzz/found has a program for each."""
        for seed in range(600):
            program = generated(seed)
            split = [r for r in program.regions if len(r.directives) > 1 or r.inner]
            text = printed(program)[0] if split else ""
            for region in split:
                body = text.partition(f"static void {region.name}(")[2].partition("\n}")[0]
                self.assertNotIn("if(parallel", body)
                if region.inner:
                    self.assertNotRegex(body, r"schedule\((dynamic|guided|auto)")

    def test_openacc(self):
        text = "\n".join(printed(generated(seed))[0] for seed in range(openacc.FIRST_SEED, openacc.FIRST_SEED + 200))
        for feature in ("parallel loop gang vector", "kernels loop independent", "serial loop", "#pragma acc loop vector", "collapse(2)", "reduction(min",
                        "private(", "num_gangs(", "vector_length(", "if(", "async(1)", "wait(1)", "copyin(", "copy(", "present(", "deviceptr(",
                        "acc enter data", "acc exit data", "acc update self", "acc update device", "acc atomic"):
            self.assertIn(feature, text)
        self.assertNotIn("#pragma omp target", text)

    def test_permutations(self):
        for size in (1, 2, 4, 64, 1024):
            self.assertEqual(len({i * permutation_factor(size) % size for i in range(size)}), size)


class Reduction(unittest.TestCase):
    def test_any_edit_leaves_a_program(self):
        for seed in range(6):
            program = generated(seed)
            for edits in (list_edits, value_edits):
                for number, edit in enumerate(edits(program)):
                    made = edited(program, edit) if number % 5 == seed % 5 else None
                    if made is not None:
                        self.assertIn("int main(void)", printed(made)[0])

    def test_what_matters_is_kept(self):
        program = next(p for p in map(generated, range(1000)) if any(isinstance(n, tree.Switch) for n in walk(p)))
        before = copy.deepcopy(program)
        small = Reducer(lambda p: "switch (v" in printed(p)[0] or "switch (" in printed(p)[0].split("struct data {")[1], 60,
                        lambda text: None).run(program)
        self.assertEqual(program, before)
        self.assertLess(len(printed(small)[0]) * 2, len(printed(before)[0]))
        self.assertTrue(any(isinstance(n, tree.Switch) for n in walk(small)))


class Outputs(unittest.TestCase):
    def test_kinds(self):
        finding = "simt: shared-race: reads byte 4\n  kernel k, version {}, team 0, thread 1\nPASS fuzz1 0\n"
        for status, output, kind in (
                (0, "PASS fuzz1 0123456789abcdef\n", None), (0, "", "crash"), (1, "a[3] is 4\nFAIL fuzz1 0\n", "wrong"), (None, "", "hang"),
                (-11, "PASS fuzz1 0\n", "crash"), (70, finding.format("r"), "finding:shared-race"),
                (70, finding.format("original"), "finding:shared-race")):
            failure = judge.run_failure(Ended(status, output), "mode")
            self.assertEqual(failure and failure.kind, kind, output)
        team = finding.replace("byte 4", "byte 0 of shared _shared.0, which thread 0 writes").format("plain")
        self.assertEqual(judge.run_failure(Ended(70, team), "mode").kind, "finding:shared-race")
        self.assertEqual(judge.run_failure(Ended(70, team), "mode", {("shared-race", "other")}).kind, "finding:shared-race")
        self.assertIsNone(judge.run_failure(Ended(70, team), "mode", {("shared-race", "k")}))
        staged = finding.replace("byte 4", "byte 0 of shared place.window, which thread 0 writes").format("s")
        self.assertEqual(judge.run_failure(Ended(70, staged + team), "mode", {("shared-race", "k")}).kind, "finding:shared-race")
        self.assertIsNone(judge.run_failure(Ended(70, finding.format("original")), "mode", {"finding:shared-race"}))
        self.assertIsNone(judge.run_failure(Ended(70, finding.format("base")), "mode", {"finding:shared-race"}))
        self.assertIsNotNone(judge.run_failure(Ended(70, finding.format("r")), "mode", {"finding:shared-race"}))

    def test_versions(self):
        lines = ["version __omp_k_l1_place_base role=base loop=original space=g,-",
                 "version __omp_k_l1_place_r role=plan loop=straight space=r,- threads=7 needs=threads:7",
                 "version __omp_k_l1_place_g_512 role=plan loop=block space=g,- block=512", "version __omp_k_l1_place_s_8 role=plan loop=block "
                 "space=s,-", "version __omp_k_l1_place_agnostic role=plan loop=original space=*,-"]
        forces = judge.forces_of([judge.Version(line) for line in lines])
        self.assertEqual(forces, ["*:all=global", "*:all=readonly", "*:all=shared", "*:version=base", "*:version=agnostic,all=readonly",
                                  "*:version=agnostic,all=constant", "*:version=agnostic,all=shared", "*:version=agnostic,all=texture", "*:version=agnostic,all=texture2d",
                                  "*:version=block1", "*:version=block2", "*:version=straight1"])

    def test_compilers(self):
        crash = "PLEASE submit a bug report\nStack dump:\n #4 0x00007f place::Rebaser::rebase(llvm::Value*) (/lib/libplace.so+0x7)\n"
        failure = judge.compile_failure(Ended(139, crash), "compile")
        self.assertEqual((failure.kind, failure.detail), ("compile-crash", "place::Rebaser::rebase(llvm::Value*) ("))
        backend = "fatal error: error in backend: Cannot select: t12: i32 = truncate t3\nStack dump:\n"
        self.assertEqual(judge.compile_failure(Ended(1, backend), "compile").kind, "compile-error")
        self.assertEqual(judge.compile_failure(Ended(None, ""), "compile").kind, "compile-hang")

    def test_numbers_do_not_tell_causes_apart(self):
        self.assertEqual(normalized("t12: i32 at 0x7ffe"), normalized("t7: i32 at 0x1234"))


class Scripted(judge.Judge):
    """A judge of whose programs it is known which fail, as (builtin spelt out, mode)."""

    def __init__(self, wrong):
        super().__init__(None, tempfile.gettempdir())
        self.wrong = wrong

    def build(self, source, plugin=True, arch=""):
        return source.text, None

    def modes(self, program):
        return [("original", 6, {"PLACE": "off"}), ("chosen", 36, {})]

    def run(self, program, source, mode):
        return judge.Failure("wrong", mode[0], "") if (program.startswith(judge.SPELT_OUT), mode[0]) in self.wrong else None

    def failures(self, program, source, modes):
        return ((mode, self.run(program, source, mode)) for mode in modes)


class Together(unittest.TestCase):
    """Modes that one process runs."""

    PROGRAM = """#!/bin/sh
        [ -n "$SIMT_EACH" ] || { echo "PASS alone $MODE $PLACE_TEST_ROUNDS"; exit; }
        while read -r log settings; do
          case $settings in
            *MODE=right*) echo "PASS p" > $log; echo "0 $log" ;;
            *MODE=wrong*) echo FAIL > $log; echo "1 $log" ;;
            *MODE=long*) : > $log; echo "142 $log" ;;
            *MODE=crash*) echo oh > $log; echo "139 $log" ;;
            *MODE=flake*) echo "Assertion failure at kmp_tasking.cpp" > $log; echo "134 $log" ;;
          esac
        done < $SIMT_EACH"""

    def test_each_is_judged_by_its_own_output(self):
        tools = SimpleNamespace(libdir="", clang="", cuda="")
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            program.write_text(self.PROGRAM)
            program.chmod(0o755)
            modes = [(name, 4, {"MODE": name}) for name in ("right", "wrong", "long", "crash", "flake", "untold")]
            failures = judge.Judge(tools, folder).failures(program, judge.Source("p", "", "", "c", 3), modes)
            kinds = {mode[0]: failure and failure.kind for mode, failure in failures}
            self.assertEqual(kinds, {"right": None, "wrong": "wrong", "long": "hang", "crash": "crash", "flake": None, "untold": None})
            self.assertEqual(sorted(file.name for file in Path(folder).iterdir()), ["program"])


class AlignedAddresses(unittest.TestCase):
    """OpenACC programs whose original shows clang's mistake (found/align_down.c)."""

    def judged(self, wrong, text="*(int *)__builtin_align_down(p, 16)"):
        failure = Scripted(wrong).failure(judge.Source("p", text, "", "c", 3, acc=True))
        return failure and (failure.kind, failure.mode)

    def test_the_mistake_alone_is_clangs(self):
        self.assertIsNone(self.judged(set()))
        self.assertEqual(self.judged({(False, "original"), (False, "chosen")}), ("control:wrong", "original"))

    def test_it_hides_nothing_of_other_modes(self):
        self.assertEqual(self.judged({(False, "original"), (True, "chosen")}), ("wrong", "chosen"))

    def test_other_failures_count(self):
        self.assertEqual(self.judged({(False, "chosen")}), ("wrong", "chosen"))
        self.assertEqual(self.judged({(False, "original"), (True, "original")}), ("wrong", "original"))
        self.assertEqual(self.judged({(False, "original")}, "no builtin"), ("wrong", "original"))


class Packs(unittest.TestCase):
    def test_named_pointers_are_mapped_as_others_are(self):
        self.assertEqual(pack.for_gpus("map(to : a0, a0[0 : n]) map(to : a1, a2[0 : n])"), "map(to : a0[0 : n]) map(to : a1, a2[0 : n])")

    def test_a_pack_starts_without_the_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            pack._scripts(Path(folder) / "gpu")
            (Path(folder) / "gpu" / "run.sh").write_text(pack.SCRIPT)
            ended = subprocess.run(["bash", f"{folder}/gpu/run.sh", "-h"], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("--racecheck", ended.stdout)

    def test_stages_are_chosen_by_their_words(self):
        said = []
        with tempfile.TemporaryDirectory() as folder:
            session = gpu.Session(folder, 1, 10, said.append, "racecheck")
            for name in ("as chosen", "racecheck, as chosen", "forced modes"):
                session.stage(name, [])
        self.assertEqual((session.stages, [line.split(":")[0] for line in said]), (1, ["racecheck, as chosen"]))


class UniformRegisters(unittest.TestCase):
    # Some threads pass by from 0x20 to 0x50; behind it the warp comes together.
    CODE = """
		Function : __omp_k_l1_place_g
	.headerflags	@"EF_CUDA_SM90"
        /*0010*/                   ULDC.64 UR4, c[0x0][0x228] ;                      /* 0x0 */
                                                                                     /* 0x0 */
        /*0020*/               @P1 BRA 0x50 ;                                        /* 0x0 */
        /*0030*/                   %s ;                                              /* 0x0 */
        /*0040*/                   LDG.E R4, desc[UR6][R2.64] ;                      /* 0x0 */
        /*0050*/                   %s ;                                              /* 0x0 */
        /*0060*/                   WARPSYNC.ALL ;                                    /* 0x0 */
        /*0070*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;                     /* 0x0 */
"""

    def found(self, inside, behind, change=("NOP", "NOP")):
        (code,) = uniform.functions((self.CODE % (inside, behind)).replace(*change)).values()
        return [hex(i.address) for i in uniform.hazards(code)]

    def test_written_before_the_warp_is_together(self):
        self.assertEqual(self.found("ISETP.GT.AND P2, PT, R4, UR4, PT", "UMOV UR4, URZ"), ["0x30"])
        self.assertEqual(self.found("IADD3 R4, P0, R4, UR5, RZ", "UIMAD.WIDE.U32 UR4, UR9, 0x80, UR8"), ["0x30"])
        self.assertEqual(self.found("NOP", "S2UR UR7, SR_CTAID.X"), ["0x40"])  # desc[UR6] is UR6 and UR7

    def test_nothing_is_spoilt(self):
        read, write = "ISETP.GT.AND P2, PT, R4, UR4, PT", "UMOV UR4, URZ"
        self.assertEqual(self.found(read, "UMOV UR8, URZ"), [])
        self.assertEqual(self.found("UMOV UR4, 0x5", write), [])  # written anew in front of any use
        self.assertEqual(self.found(read, "IADD3 R4, R4, UR4, RZ"), [])  # only read
        self.assertEqual(self.found(read, write, ("@P1 BRA", "    BRA")), [])  # all threads go
        self.assertEqual(self.found(read, write, ("@P1 BRA", "@UP1 BRA")), [])
        self.assertEqual(self.found(read, write, ("WARPSYNC.ALL", "NOP")), [])


if __name__ == "__main__":
    unittest.main()
