# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on a GPU: through the driver library of test/support/cuda, which has the PTX machine."""

import os
import pathlib
import subprocess
import sys

import pytest
import tilewright

STAND_IN = pathlib.Path(tilewright.__file__).parents[2] / "test" / "gpu"

PROGRAM = '''
import threading
import numpy as np
import tilewright

TEXT = """cuda_tile.module @m {
  entry @add(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %n : tile<i32>
    %u = store_ptr_tko weak %at, %new token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @claim(%n: tile<i32>) {
    %1 = constant <i32: 1> : tile<i32>
    %is = cmpi equal %n, %1, signed : tile<i32> -> tile<i1>
    assert %is, "n is one" : tile<i1>
  }
}"""
module = tilewright.load(TEXT, name="k.mlir")
'''


def run(body, folder):
    return subprocess.run([sys.executable, "-c", PROGRAM + body], capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": str(folder)})


def results_of(body):
    if not (STAND_IN / "libcuda.so.1").exists():
        pytest.skip("the build has no test/gpu")
    ran = run(body, STAND_IN)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_values():
    assert results_of("""
for options in ({}, {"target": "sm_80"}):
    kernel = module["add"].compile("gpu", **options)
    x = np.arange(4, dtype=np.int32)
    kernel[4](x, 40)
    print(kernel.device, *x)
""") == ["gpu 40 41 42 43"] * 2


def test_other_threads_launch():
    assert results_of("""
kernel = module["add"].compile("gpu")
x = np.zeros((3, 4), dtype=np.int32)
threads = [threading.Thread(target=lambda row=row: kernel[4](row, 7)) for row in x]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print((x == 7).all())
""") == ["True"]


def test_parts_of_arrays():
    assert results_of("""
x = np.arange(5, dtype=np.int32)
module["add"].compile("gpu")[3](x[1:], 10)
print(*x)
""") == ["0 11 12 13 4"]


def test_a_failed_assertion_is_a_finding():
    assert results_of("""
try:
    module["claim"].compile("gpu")[1](2)
except tilewright.KernelError as error:
    print(error.findings[0].kind, error.findings[0].kernel)
""") == ["failed assert claim"]


@pytest.mark.parametrize("options, message", [
    ({"check": True}, "compiled code is not checked"),
    ({"seed": 1}, "a GPU has no seed"),
    ({"max_steps": 5}, "compiled code counts no steps"),
    ({"counters": True}, "only the PTX machine has counters"),
    ({"target": "sm_1"}, "sm_1"),
], ids=str)
def test_other_options_are_refused(options, message):
    entry = tilewright.load("cuda_tile.module @m { entry @k() {} }", name="k.mlir")["k"]
    with pytest.raises(ValueError, match=message):
        entry.compile("gpu", **options)


def test_without_a_driver(tmp_path):
    (tmp_path / "libcuda.so.1").write_text("no library")
    ran = run("module['add'].compile('gpu')", tmp_path)
    assert "CompileError: there is no driver of an NVIDIA GPU: " in ran.stderr
