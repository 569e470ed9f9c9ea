"""Tests of kernel_times.c on a fake CUPTI: what it writes when a program ends, and when the time limit ends the program."""

import os
import subprocess
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE = os.path.join(HERE, "fake_cupti")
SOURCE = os.path.join(os.path.dirname(HERE), "studylib", "kernel_times.c")
BOTH, ONE = "500 first kernel\n700 second\n", "700 second\n"


class KernelTimes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.library, cls.program = (os.path.join(cls.folder.name, name) for name in ("libkernel_times.so", "program"))
        warnings = ["-O2", "-Wall", "-Wextra", "-Werror"]
        subprocess.run(["gcc", *warnings, "-shared", "-fPIC", f"-I{FAKE}", "-DKERNEL_RECORD=FakeKernel", "-Dflock=fake_flock",
                        SOURCE, f"{FAKE}/cupti.c", "-o", cls.library], check=True)
        subprocess.run(["gcc", *warnings, f"{FAKE}/program.c", "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_program(self, how, limit=None, flush=None):
        """(status, seconds, what was written or None)"""
        times = os.path.join(self.folder.name, "times")
        if os.path.exists(times):
            os.remove(times)
        environment = dict(os.environ, KERNEL_TIMES=times)
        for name, value in (("KERNEL_TIMES_SECONDS", limit), ("FAKE_FLUSH", flush)):
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        start = time.monotonic()
        status = subprocess.run([self.program, self.library, how], env=environment, timeout=30, check=False).returncode
        seconds = time.monotonic() - start
        if not os.path.exists(times):
            return status, seconds, None
        with open(times, encoding="utf-8") as file:
            return status, seconds, file.read()

    def test_end_of_program(self):
        for limit in (None, "20"):
            status, seconds, text = self.run_program("", limit)
            self.assertEqual((status, text), (7, BOTH))
            self.assertLess(seconds, 10)

    def test_limit_ends_program(self):
        status, seconds, text = self.run_program("run", "0.5")
        self.assertEqual((status, text), (124, BOTH))
        self.assertGreaterEqual(seconds, 0.5)

    def test_limit_where_the_driver_hangs(self):
        self.assertEqual(self.run_program("run", "0.5", "hang")[::2], (124, ONE))

    def test_limit_where_the_end_hangs(self):
        self.assertEqual(self.run_program("linger", "0.5")[::2], (124, BOTH))
        self.assertEqual(self.run_program("", "0.5", "hang")[::2], (124, ONE))

    def test_limit_lets_the_program_report(self):
        with self.start("report", "0.2", "times") as program:
            self.assertEqual((program.communicate(timeout=30)[0], program.returncode), ("aborted\n", 124))

    def start(self, how, limit, name, **others):
        environment = dict(os.environ, KERNEL_TIMES=os.path.join(self.folder.name, name), KERNEL_TIMES_SECONDS=limit, **others)
        return subprocess.Popen([self.program, self.library, how], env=environment, stdout=subprocess.PIPE, text=True)

    def test_one_program_at_a_time(self):
        lock = os.path.join(self.folder.name, "lock")
        start = time.monotonic()
        programs = [self.start("launch", "0.5", f"times{n}", KERNEL_TIMES_LOCK=lock) for n in range(3)]
        for program in programs:
            with program:
                self.assertEqual(program.wait(timeout=30), 124)
        self.assertGreaterEqual(time.monotonic() - start, 1.5)
        for n in range(3):
            with open(os.path.join(self.folder.name, f"times{n}"), encoding="utf-8") as file:
                self.assertEqual(file.read(), BOTH)

    def test_program_without_kernels_needs_no_lock(self):
        lock = os.path.join(self.folder.name, "lock")
        with self.start("launch", "2", "held", KERNEL_TIMES_LOCK=lock) as holder:
            time.sleep(0.3)
            with self.start("", "2", "free", KERNEL_TIMES_LOCK=lock) as program:
                self.assertEqual(program.wait(timeout=1), 7)
            self.assertIsNone(holder.poll())
            holder.wait(timeout=30)

    def test_file_system_without_locks(self):
        with self.start("launch", "0.5", "unlocked", KERNEL_TIMES_LOCK=os.path.join(self.folder.name, "lock"), FAKE_NO_LOCKS="1") as program:
            try:
                self.assertEqual(program.wait(timeout=10), 124)
            finally:
                program.kill()

    def test_values_that_are_no_limit(self):
        for limit in ("", "0", "-1", "x", "5x", "nan", "inf"):
            self.assertEqual(self.run_program("", limit)[::2], (7, BOTH))


if __name__ == "__main__":
    unittest.main()
