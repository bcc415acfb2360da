# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tilewright exec` with programs in other languages that start `tileiras` and call the driver."""

import pathlib
import shutil
import subprocess
import sys

import pytest
import tilewright
from tilewright import _files

HERE = pathlib.Path(__file__).resolve().parent
EXEC = "import sys; from tilewright import _exec; sys.exit(_exec.main(sys.argv[1:]))"


@pytest.fixture
def bytecode(tmp_path):
    path = tmp_path / "vector_add.tileirbc"
    path.write_bytes(tilewright.load(HERE.parents[1] / "examples/vector_add.mlir").bytecode())
    return path


@pytest.fixture(scope="session", params=["rustc", "julia"])
def program(request, tmp_path_factory):
    """The command that runs driver.rs or driver.jl."""
    if shutil.which(request.param) is None:
        pytest.skip(f"there is no {request.param}")
    if request.param == "julia":
        return ["julia", "--startup-file=no", HERE / "driver.jl"]
    binary = tmp_path_factory.mktemp("rust") / "driver"
    # The file name that the linker searches for.
    stub = binary.parent / "libcuda.so"
    stub.symlink_to(_files.find("libexec/tilewright/cuda/lib/libcuda.so.1").resolve())
    subprocess.run(["rustc", "--edition=2021", f"-Lnative={stub.parent}", "-A", "non_snake_case",
                    HERE / "driver.rs", "-o", binary], check=True)
    return [binary]


def run(options, program, bytecode, extent):
    command = [sys.executable, "-c", EXEC, *options, "--", *program, bytecode,
               bytecode.with_suffix(".cubin"), extent]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def test_it_finds_the_compiler_and_the_driver(program, bytecode):
    ended = run(["--threads=2"], program, bytecode, 2500)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("right\n", "", 0)


def test_the_reference_machine_checks_what_the_driver_allocated(program, bytecode):
    """No symbol contains the extents of these arrays, but cuMemAlloc was given their sizes."""
    ended = run(["--check=all"], program, bytecode, 2500)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("right\n", "", 0)
