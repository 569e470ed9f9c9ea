#!/usr/bin/env bash
# Runs simt's own tests with lit against a build of simt alone.
#   test/simt/run-tests.sh BUILD [lit options]     BUILD: the folder that CMake configured for test/simt
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:?usage: run-tests.sh BUILD [lit options]}" && pwd)
shift
# shellcheck source=/dev/null
source "$build/bin/simt-cc.conf"
lit=$SIMT_LLVM_DEFAULT/../build/utils/lit/lit.py
mkdir -p "$build/test"
cat >"$build/test/lit.site.cfg.py" <<END
import os, lit.formats
config.name = "simt"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".cpp", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = "$here/tests"
config.test_exec_root = "$build/test"
config.available_features.add("simt")
config.environment["PATH"] = "$SIMT_LLVM_DEFAULT" + os.pathsep + os.environ["PATH"]
config.environment["OMP_TARGET_OFFLOAD"] = "MANDATORY"
for name in ["PLACE_CUDA_PATH", "LD_LIBRARY_PATH"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
for name, value in [("FileCheck", "$SIMT_LLVM_DEFAULT/FileCheck"), ("not", "$SIMT_LLVM_DEFAULT/not"),
                    ("simt_cc", "$build/bin/simt-cc"), ("cc1", "$SIMT_LLVM_DEFAULT/clang"), ("place_source", "$here/../..")]:
    config.substitutions.append(("%" + name + r"(?![\\w-])", value))
END
exec python3 "$lit" -j "${SIMT_TEST_JOBS:-1}" "$@" "$build/test"
