# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as PyTorch operators."""

import pathlib
import shutil

import numpy as np
import pytest
import tilewright

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed (./dev test frameworks installs it)")
ct = pytest.importorskip("cuda.tile", reason="cuda-tile is not installed")

from tilewright.torch import custom_op

ROOT = pathlib.Path(__file__).resolve().parents[3]
BACKENDS = pytest.mark.parametrize("backend", [
    "eager", "aot_eager",
    pytest.param("inductor", marks=pytest.mark.skipif(
        not shutil.which("g++"), reason="inductor needs g++"))])


@ct.kernel
def scale(x, factor: float, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (16,)) * factor)


@ct.kernel
def increase(x, amount: float):
    i = ct.bid(0)
    ct.store(x, (i,), ct.load(x, (i,), (16,)) + amount)


@ct.kernel
def split(x, low, high, tile: ct.Constant[int]):
    i = ct.bid(0)
    value = ct.load(x, (i,), (tile,))
    ct.store(low, (i,), ct.minimum(value, 0))
    ct.store(high, (i,), ct.maximum(value, 0))


@ct.kernel
def total(arrays, y):
    i = ct.bid(0)
    sums = ct.zeros((16,), ct.float32)
    for k in range(len(arrays)):
        sums += ct.load(arrays[k], (i,), (16,))
    ct.store(y, (i,), sums)


def like(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    return torch.empty_like(x)


def two_like(x: torch.Tensor, tile: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.empty_like(x), torch.empty_like(x)


def nothing(x: torch.Tensor, amount: float) -> None:
    pass


def first_like(arrays: list[torch.Tensor]) -> torch.Tensor:
    return torch.empty_like(arrays[0])


def keep_factor(ctx, inputs, output):
    ctx.factor = inputs[1]


scaled = custom_op("tilewright_tests::scaled", scale, out=like,
                   grid=lambda x, factor=2.0: ct.cdiv(x.numel(), 16),
                   backward=lambda ctx, y: (scaled(y, ctx.factor), None),
                   setup_context=keep_factor)
increased = custom_op("tilewright_tests::increased", increase, out=nothing, mutates_args=["x"],
                      grid=lambda x, amount: ct.cdiv(x.numel(), 16))
halves = custom_op("tilewright_tests::halves", split, out=two_like,
                   grid=lambda x, tile: ct.cdiv(x.numel(), tile),
                   args=lambda x, tile, low, high: (x, low, high, tile))
summed = custom_op("tilewright_tests::summed", total, out=first_like,
                   grid=lambda arrays: ct.cdiv(arrays[0].numel(), 16))


def iota(n):
    return torch.arange(n, dtype=torch.float32)


# --- Values -------------------------------------------------------------------------------------


def test_one_result_and_defaults():
    assert torch.equal(scaled(iota(50), 3.0), 3 * iota(50))
    assert torch.equal(scaled(iota(50)), 2 * iota(50))
    assert torch.equal(torch.ops.tilewright_tests.scaled(iota(50), factor=5.0), 5 * iota(50))


def test_two_results_and_another_order():
    x = iota(50) - 20
    low, high = halves(x, 8)
    assert torch.equal(low, x.clamp(max=0)) and torch.equal(high, x.clamp(min=0))


def test_an_argument_that_is_written():
    x = iota(50)
    assert increased(x, 1.5) is None
    assert torch.equal(x, iota(50) + 1.5)


def test_a_list_of_tensors():
    assert torch.equal(summed([iota(50), iota(50) * 2, torch.ones(50)]), 3 * iota(50) + 1)


def test_tensors_that_are_views():
    x = iota(100)
    assert torch.equal(scaled(x[1::2], 3.0), 3 * x[1::2])
    increased(x[50:], 1.0)
    assert torch.equal(x, torch.cat([iota(50), iota(100)[50:] + 1]))


def test_an_entry_of_tile_ir():
    add = tilewright.load(ROOT / "examples/vector_add.mlir")["vector_add"]

    def pair_like(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(a)

    def arguments(a, b, c):
        return a, len(a), 1, b, len(b), 1, c, len(c), 1

    added = custom_op("tilewright_tests::added", add, out=pair_like, args=arguments,
                      grid=lambda a, b: ct.cdiv(len(a), 1024))
    assert torch.equal(added(iota(2500), torch.ones(2500)), iota(2500) + 1)


# --- What torch.library asks of an operator -----------------------------------------------------


@pytest.mark.parametrize("operator, arguments", [
    (scaled, lambda: (iota(50), 3.0)),
    (scaled, lambda: (iota(50).requires_grad_(), 3.0)),
    (increased, lambda: (iota(50), 1.0)),
    (halves, lambda: (iota(50), 8)),
    (summed, lambda: ([iota(50), iota(50)],)),
], ids=["scaled", "scaled-grad", "increased", "halves", "summed"])
def test_opcheck(operator, arguments):
    torch.library.opcheck(operator, arguments())


def test_gradients():
    x = iota(20).requires_grad_()
    (scaled(x, 3.0) ** 2).sum().backward()
    assert torch.equal(x.grad, 18 * iota(20))
    with pytest.raises(RuntimeError, match="tilewright_tests.halves.*no autograd formula"):
        halves(iota(20).requires_grad_(), 8)[0].sum().backward()


@BACKENDS
def test_compiled_programs(backend):
    torch.compiler.reset()

    @torch.compile(backend=backend, fullgraph=True)
    def program(x):
        y = x + 1
        increased(y, 2.0)
        low, high = halves(scaled(y, 3.0) - 50, 8)
        return low + high * 2

    for n in 20, 37, 64:  # the later ones with dynamic extents
        y = 3 * (iota(n) + 3) - 50
        assert torch.equal(program(iota(n)), y.clamp(max=0) + 2 * y.clamp(min=0))


@BACKENDS
def test_compiled_gradients(backend):
    torch.compiler.reset()
    x = iota(20).requires_grad_()
    torch.compile(lambda x: (scaled(x.sin(), 3.0) ** 2).sum(), backend=backend, fullgraph=True)(x).backward()
    torch.testing.assert_close(x.grad, (18 * x.sin() * x.cos()).detach())


# --- What is wrong ------------------------------------------------------------------------------


def test_findings_arrive_as_they_are():
    operator = custom_op("tilewright_tests::too_many", scale, out=like, grid=100, check=True)
    with pytest.raises(tilewright.KernelError, match="index-space") as raised:
        operator(iota(50), 1.0)
    assert raised.value.findings[0].rule == "index-space"


def test_an_argument_that_is_not_said_to_be_written():
    operator = custom_op("tilewright_tests::secretly", increase, out=nothing, grid=1)
    x = iota(16)
    with pytest.raises(ValueError, match="the kernel writes to this array, and it is read-only"):
        operator(x, 1.0)
    assert torch.equal(x, iota(16))


def test_wrong_definitions():
    def unannotated(x):
        return torch.empty_like(x)

    with pytest.raises(TypeError, match="expected a kernel"):
        custom_op("tilewright_tests::a", len, out=like, grid=1)
    with pytest.raises(ValueError, match="annotation"):
        custom_op("tilewright_tests::b", scale, out=unannotated, grid=1)
    with pytest.raises(ValueError, match="setup_context needs backward"):
        custom_op("tilewright_tests::c", scale, out=like, grid=1, setup_context=keep_factor)


def test_tensors_that_have_no_elements_in_memory():
    with pytest.raises(NotImplementedError, match="tilewright_tests::scaled"):
        scaled(iota(8).to_sparse(), 1.0)
