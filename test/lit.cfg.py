# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configures lit for the files under test/, which list their commands in `// RUN:` lines.

    %s %t %S              the file, a temporary path of its own, its folder
    %tilewright           build/bin/tilewright (tilewright-opt is found by its name)
    %programs             the folder of that program
    %libraries            build/lib, where libtilewright-runtime.so and libtilewright.so are
    %examples             the folder examples/
    %check                runs the CASE lines of a case file (case_runner.py)
    %gpu                  sets up the driver of test/support/cuda for the command that follows
    %tileiras %tileirdisasm %nvidia-smi   Tilewright's programs with these names
    %cutile               Python, configured to find that tileiras and our libcuda.so.1
    %endless              succeeds if the command that follows does not end within 3 seconds
    FileCheck not split-file count llc opt   LLVM's test helpers and programs

`%if nvidia %{ ... %}` runs a command only where that executor exists.
"""

import os
import platform
import shlex
import shutil
import subprocess

import lit.formats

config.name = "tilewright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(config.source_root, "test")
config.test_exec_root = os.path.join(config.build_root, "test")

programs = os.path.join(config.build_root, "bin")
# --param tilewright=FILE: another program, for instance one with a planted mistake.
tilewright = lit_config.params.get("tilewright", os.path.join(programs, "tilewright"))

# The case runner needs NumPy, which ./dev installs into .venv.
venv_python = os.path.join(config.source_root, ".venv", "bin", "python")
python = venv_python if os.path.exists(venv_python) else config.python

case_runner = os.path.join(config.test_source_root, "case_runner.py")
config.substitutions += [
    (r"%tilewright\b", shlex.quote(tilewright)),
    (r"%programs\b", shlex.quote(os.path.dirname(tilewright))),
    (r"%check\b", shlex.join([python, case_runner, "--tilewright", tilewright])),
    (r"%python\b", shlex.quote(python)),
    (r"%libraries\b", shlex.quote(os.path.join(config.build_root, "lib"))),
    (r"%gpu\b", shlex.join(["env", f"LD_LIBRARY_PATH={config.build_root}/test/gpu"])),
    (r"%endless\b", """sh -c 'timeout 3 "$@"; test $? = 124' --"""),
    (r"%examples\b", shlex.quote(os.path.join(config.source_root, "examples"))),
]

# The client `cuda-tile`: the one in .venv, or another release, unpacked in a folder that is given
# with --param cuda_tile=FOLDER.
cuda_folder = os.path.join(config.build_root, "libexec", "tilewright", "cuda")
cuda_tile = lit_config.params.get("cuda_tile", "")
cutile_environment = {
    "PATH": os.pathsep.join([os.path.join(cuda_folder, "bin"), os.environ["PATH"]]),
    "LD_LIBRARY_PATH": os.path.join(cuda_folder, "lib"),
    "CUDA_TILE_CACHE_DIR": os.path.join(config.test_exec_root, "cuda", "cache"),
    "PYTHONPATH": cuda_tile,
}
config.substitutions += [
    *((rf"%{name}\b", shlex.quote(os.path.join(cuda_folder, folder, name)))
      for folder, name in (("bin", "tileiras"), ("bin", "tileirdisasm"), ("management", "nvidia-smi"))),
    (r"%cutile\b", "env " + " ".join(
        f"{name}={shlex.quote(value)}" for name, value in cutile_environment.items() if value)
     + " " + shlex.quote(python)),
]
if cuda_tile or subprocess.run(
        [python, "-c", "import importlib.util as u, sys; sys.exit(not u.find_spec('cuda.tile'))"],
        stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("cuda-tile")

config.environment["PATH"] = os.pathsep.join(  # tests may call `tilewright` without a path, too
    [os.path.dirname(tilewright), programs, config.llvm_programs, config.environment["PATH"]])
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# The compile cache is kept between runs; a new build of Tilewright does not use old entries.
config.environment["TILEWRIGHT_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Tests that need a program which some machines lack require it by name.
for program in ("gdb", "qemu-aarch64", "aarch64-linux-gnu-g++", "cargo", "julia", "ptxas", "nvcc"):
    if shutil.which(program):
        config.available_features.add(program)

# Or they require the processor, to run code for it.
config.available_features.add(platform.machine())

# Tests that must not run under a sanitizer, or only there, refer to these features.
for sanitizer in filter(None, config.sanitizers.split(",")):
    config.available_features.add(sanitizer)
