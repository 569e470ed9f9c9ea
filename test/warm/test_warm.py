"""A tool that waits against the tool itself: what it prints, how it ends, where it reads and writes."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LLVM_BIN = os.environ["PLACE_LLVM_BIN_ITSELF"]
WAITING = os.environ["PLACE_LLVM_BIN"]


def run(folder, words, **options):
    done = subprocess.run([os.path.join(folder, words[0]), *words[1:]], capture_output=True, text=True, **options)
    return done.returncode, done.stdout, done.stderr


class Warm(unittest.TestCase):
    def same(self, words, **options):
        itself = run(LLVM_BIN, words, **options)
        self.assertEqual(run(WAITING, words, **options), itself)
        return itself

    def test_waits(self):
        for name in ("clang", "clang++", "opt", "clang-offload-packager", "clang-linker-wrapper"):
            self.assertFalse(os.path.islink(os.path.join(WAITING, name)), name)

    def test_prints(self):
        self.assertIn("clang version", self.same(["clang", "--version"])[1])
        self.assertIn('"-x" "c++"', self.same(["clang++", "-###", "-fsyntax-only", "-x", "c++", "-"], input="")[2])
        self.same(["opt", "--version"])

    def test_input_and_status(self):
        self.assertEqual(self.same(["clang", "-x", "c", "-fsyntax-only", "-"], input="int a;")[0], 0)
        status, _, errors = self.same(["clang", "-x", "c", "-fsyntax-only", "-"], input="int a")
        self.assertEqual(status, 1)
        self.assertIn("expected ';'", errors)

    def test_environment(self):
        options = {"env": {**os.environ, "CPATH": "/nowhere/at/all"}, "input": ""}
        self.assertIn("/nowhere/at/all", self.same(["clang", "-v", "-x", "c", "-fsyntax-only", "-"], **options)[2])

    def test_loaded_otherwise(self):
        """Whoever wants something preloaded has the tool itself started, whose loader says that it is not there."""
        env = {**os.environ, "LD_PRELOAD": "/nowhere/at/all.so"}
        status, output, errors = run(WAITING, ["clang", "--version"], env=env)
        self.assertEqual((status, output), run(LLVM_BIN, ["clang", "--version"])[:2])
        self.assertIn("/nowhere/at/all.so", errors)

    def test_folder_and_mask(self):
        for folder in (LLVM_BIN, WAITING):
            with tempfile.TemporaryDirectory() as work:
                words = ["clang", "-x", "c", "-c", "-o", "made.o", "-"]
                self.assertEqual(run(folder, words, cwd=work, input="int a;", umask=0o077)[0], 0)
                self.assertEqual(os.stat(os.path.join(work, "made.o")).st_mode & 0o777, 0o600)

    def test_signal(self):
        crash = "#pragma clang __debug crash\n"
        words = ["clang", "-cc1", "-fsyntax-only", "-x", "c", "-"]
        self.assertLess(run(WAITING, words, input=crash)[0], 0)
        self.assertEqual(run(WAITING, words, input=crash)[0], run(LLVM_BIN, words, input=crash)[0])

    def test_ended_caller(self):
        """What a caller that is ended has asked for ends, too: the pipe that it was to write to has no writer any more."""
        out, written = os.pipe()
        caller = subprocess.Popen([os.path.join(WAITING, "clang"), "-x", "c", "-E", "-"], stdin=subprocess.PIPE, stdout=written)
        os.close(written)
        time.sleep(0.5)  # it waits for its input
        caller.send_signal(signal.SIGKILL)
        caller.wait()
        os.set_blocking(out, False)
        for _ in range(100):
            time.sleep(0.1)
            try:
                if os.read(out, 1) == b"":
                    break
            except BlockingIOError:
                pass
        else:
            self.fail("it still runs")
        caller.stdin.close()
        os.close(out)


if __name__ == "__main__":
    sys.exit(unittest.main())
