# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels compiled for a GPU, on the PTX machine."""

import subprocess
import sys

import cuda.tile as ct
import numpy as np
import pytest
import tilewright
from tilewright import cutile

TEXT = """cuda_tile.module @m {
  entry @add(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %n : tile<i32>
    %u = store_ptr_tko weak %at, %new token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @race(%x: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %u = store_ptr_tko weak %x, %b : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @claim(%n: tile<i32>) {
    %1 = constant <i32: 1> : tile<i32>
    %is = cmpi equal %n, %1, signed : tile<i32> -> tile<i1>
    assert %is, "n is one" : tile<i1>
    %t = print_tko "n = %d\\n", %n : tile<i32> -> token
  }
}"""


def compiled(name, **options):
    return tilewright.load(TEXT, name="k.mlir")[name].compile("ptx", **options)


@pytest.mark.parametrize("options", [{}, {"target": "sm_80"}, {"reverse": True}, {"seed": 3}], ids=str)
def test_values(options):
    x = np.arange(8, dtype=np.int32)
    kernel = compiled("add", **options)
    assert kernel.device == "ptx" and " on ptx>" in repr(kernel)
    assert kernel[8](x, 10) is None
    assert x.tolist() == list(range(10, 18))


def test_a_race_is_found_at_its_line():
    x = np.full(1, 7, np.int32)
    with pytest.raises(tilewright.KernelError) as caught:
        compiled("race")[2](x)
    finding = caught.value.findings[0]
    assert (finding.kind, finding.rule, finding.place.file, finding.place.line) == (
        "misbehaviour", "race", "k.mlir", 11)
    assert "<PTX of k.mlir>" in finding.text
    assert x.tolist() == [7]
    compiled("race", check="no-race")[2](x)


def test_prints_and_asserts(capsys):
    kernel = compiled("claim")
    kernel[2](1)
    assert capsys.readouterr().out == "n = 1\nn = 1\n"
    with pytest.raises(tilewright.KernelAssertionError, match="n is one") as caught:
        kernel[1](2)
    assert (caught.value.findings[0].place.line, caught.value.findings[0].rule) == (16, "assert")


def test_counters_are_a_dict():
    counters = compiled("add", counters=True)[4](np.zeros(4, np.int32), 1)
    assert counters["kernel"] == "add"
    assert {line["line"] for line in counters["source_lines"]} >= {5, 7}
    assert counters["global"]["accesses"] >= 8


def test_arguments_that_do_not_fit():
    with pytest.raises(TypeError):
        compiled("add")[1](np.zeros(4, np.float32), 1)


@pytest.mark.parametrize("device, options, message", [
    ("cpu", {"counters": True}, "counters needs device='ptx'"),
    ("reference", {"reverse": True}, "reverse needs device='ptx'"),
    ("ptx", {"reverse": True, "seed": 1}, "reverse and seed exclude each other"),
    ("ptx", {"target": "sm_1"}, "sm_1"), ("ptx", {"check": "luck"}, "no check 'luck'"),
    ("abacus", {}, "device must be 'cpu', 'reference', 'ptx' or 'gpu'")])
def test_options_that_do_not_exist(device, options, message):
    with pytest.raises(ValueError, match=message):
        tilewright.load(TEXT)["add"].compile(device, **options)


TARGETS = pytest.mark.parametrize("target", [None, "sm_75", "sm_80", "sm_90a", "sm_120"])


@ct.kernel
def matmul(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.cdiv(a.shape[1], tk)):
        left = ct.load(a, (i, k), (tm, tk), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, (k, j), (tk, tn), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total)


@TARGETS
def test_computes_what_numpy_computes(target):
    rng = np.random.default_rng(7)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((50, 70), (70, 40)))
    c = np.zeros((50, 40), np.float32)
    cutile.launch((2, 2), matmul, (a, b, c, 32, 32, 32), device="ptx", target=target)
    assert (c == a.astype(np.float32) @ b.astype(np.float32)).all()


SCRIPT = """
import cuda.tile as ct
import numpy as np

class OnDevice:
    def __init__(self, array):
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3)

@ct.kernel
def add(x, y):
    i = ct.bid(0)
    ct.store(y, (STRIDE * i,), ct.load(x, (i,), (16,)) + 1)

x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
ct.launch(0, (4,), add, (OnDevice(x), OnDevice(y)))
print((y == x + 1).all())
"""


@pytest.mark.parametrize("stride", [1, 0])
def test_exec_runs_a_script_on_it(tmp_path, stride):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("STRIDE", str(stride)))
    code = "import sys; from tilewright import _exec; sys.exit(_exec.main(sys.argv[1:]))"
    ended = subprocess.run([sys.executable, "-c", code, "--device=ptx", sys.executable, script],
                           capture_output=True, text=True)
    if stride:
        assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)
    else:
        assert "[race]" in ended.stderr and f"{script}:12" in ended.stderr
