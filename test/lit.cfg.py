"""lit's configuration for every suite below test/ (pass, acc, programs, simt/tests, runtime, package).

Substitutions
  %clang, %clangxx      clang 19 for one NVIDIA GPU: -fopenmp --offload-arch=sm_90 --cuda-path=...
  %clang_cpu, %clangxx_cpu
                        the same for libomptarget's x86-64 device; programs built so run here
  %clang_far            %clang without the run path by which programs find libplacert.so
  %cc1, %cxx1           clang 19 without any flag
  %plugin               path of libplace.so           %rt    path of libplacert.so
  %opt                  opt 19 with the plugin loaded as a pass plugin
  %ptxas, %nvdisasm     of the CUDA toolkit           %llc, %llvm-dis, %FileCheck, %not   of LLVM 19
  %simt_cc              test/simt's compiler driver: runs device code on the CPU
  %place_source, %place_build    roots of the source and the build tree
Features: plugin, runtime, cuda, simt (each: is it there?), glpk (libglpk.so.40 is installed), root (the tests run as root).
"""

import ctypes
import os
import re
import shutil
import sys

import lit.formats

config.name = "place"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs", "inputs", "CMakeLists.txt", "unit", "gpu"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.place_build, "test")

llvm_bin = os.environ.get("PLACE_LLVM_BIN", config.place_llvm_bin)  # of tools that wait for calls (test/warm), where they do
llvm_libdir, cuda = config.place_llvm_libdir, config.place_cuda
plugin = os.path.join(config.place_library_dir, "libplace.so")
runtime = os.path.join(config.place_library_dir, "libplacert.so")


def tool(name):
    return os.path.join(llvm_bin, name)


simt_cc = os.path.join(config.place_build, "test", "simt", "bin", "simt-cc")
if not os.path.exists(simt_cc):
    simt_cc = ""

# -L and the run path stand in for an installation whose libraries are on the system's own paths. What libomptarget's own needs, all of LLVM
# among them, may lack is not looked for: half of a small program's whole build.
link_flags = f"-L{llvm_libdir} -Wl,-rpath,{llvm_libdir} -Wl,--allow-shlib-undefined"
far_flags = f"-fopenmp --offload-arch=sm_90 --cuda-path={cuda} --libomptarget-nvptx-bc-path={llvm_libdir} {link_flags}"
link_flags += f" -Wl,-rpath,{config.place_library_dir}"
gpu_flags = f"{far_flags} -Wl,-rpath,{config.place_library_dir}"
cpu_flags = f"-fopenmp -fopenmp-targets=x86_64-pc-linux-gnu {link_flags}"

# The longer of two names that begin alike comes first.
for name, value in [
    ("%clangxx_cpu", f"{tool('clang++')} {cpu_flags}"),
    ("%clang_cpu", f"{tool('clang')} {cpu_flags}"),
    ("%clang_far", f"{tool('clang')} {far_flags}"),
    ("%clangxx", f"{tool('clang++')} {gpu_flags}"),
    ("%clang", f"{tool('clang')} {gpu_flags}"),
    ("%cc1", tool("clang")),
    ("%cxx1", tool("clang++")),
    ("%plugin", plugin),
    ("%opt", f"{tool('opt')} -load-pass-plugin={plugin}"),
    ("%llvm-dis", tool("llvm-dis")),
    ("%llc", tool("llc")),
    ("%FileCheck", tool("FileCheck")),
    ("%not", tool("not")),
    ("%ptxas", f"{cuda}/bin/ptxas"),
    ("%nvdisasm", f"{cuda}/bin/nvdisasm"),
    ("%cuobjdump", f"{cuda}/bin/cuobjdump"),
    ("%simt_cc", simt_cc),
    ("%rt", runtime),
    ("%place_source", config.place_source),
    ("%place_build", config.place_build),
    ("%place_cmake", config.place_cmake),
    ("%place_version", config.place_version),
    ("%place_cuda", cuda),
    ("%python", sys.executable),
]:
    config.substitutions.append((re.escape(name) + r"(?![\w-])", value))

if os.path.exists(plugin):
    config.available_features.add("plugin")
if os.path.exists(runtime):
    config.available_features.add("runtime")
if cuda:
    config.available_features.add("cuda")
if simt_cc:
    config.available_features.add("simt")
try:
    ctypes.CDLL("libglpk.so.40")
    config.available_features.add("glpk")
except OSError:
    pass
if shutil.which("mpicc") and shutil.which("mpirun"):
    config.available_features.add("mpi")
if os.geteuid() == 0:
    config.available_features.add("root")

# Tools that the compiler looks up by name, and libraries that programs load by name. The CUDA toolkit comes first: the
# machine's own may be one that libomptarget cannot work with.
path = [llvm_bin] + ([os.path.join(cuda, "bin")] if cuda else []) + os.environ["PATH"].split(os.pathsep)
config.environment["PATH"] = os.pathsep.join(path)
config.environment["HOME"] = config.test_exec_root  # a plan store of the user's own has no business in tests
config.environment["LIBRARY_PATH"] = llvm_libdir
config.environment["LD_LIBRARY_PATH"] = llvm_libdir
config.environment["PLACE_LLVM_BIN"] = llvm_bin
config.environment["PLACE_LLVM_LIBDIR"] = llvm_libdir
config.environment["PLACE_CUDA_PATH"] = cuda
config.environment["PLACE_PLUGIN"] = plugin if os.path.exists(plugin) else ""
config.environment["PLACE_RUNTIME"] = runtime if os.path.exists(runtime) else ""
config.environment["PLACE_SIMT_CC"] = simt_cc
config.environment.update({name: os.environ[name] for name in ("SIMT_LLVM", "SIMT_LOWER") if name in os.environ})
# Two tests may run at once on two cores; a program's own threads need no more than that.
config.environment["OMP_NUM_THREADS"] = "2"
config.environment["KMP_BLOCKTIME"] = "0"  # what waits leaves its core to the other test, where libomp would turn round for 200 ms
config.environment["PLACE_PATIENCE"] = "0"  # what is launched must not depend on how fast the machine is
