# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in JAX programs."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import tilewright

jax = pytest.importorskip("jax", reason="JAX is not installed")
ct = pytest.importorskip("cuda.tile", reason="cuda-tile is not installed")
jax.config.update("jax_num_cpu_devices", 4)

import jax.numpy as jnp
import tilewright.jax
from jax.sharding import PartitionSpec as P
from tilewright.jax import call, inout

ROOT = pathlib.Path(__file__).resolve().parents[3]


@ct.kernel
def double(x, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (8,)) * 2)


@ct.kernel
def axpy(x, y, factor: float):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (8,)) * factor + ct.load(y, (i,), (8,)))


@ct.kernel
def split(pair, low, high, offset: int, tile: ct.Constant[int]):
    i = ct.bid(0)
    left, right = ct.load(pair[0], (i,), (tile,)), ct.load(pair[1], (i,), (tile,))
    ct.store(low, (i,), ct.minimum(left, right) + offset)
    ct.store(high, (i,), ct.maximum(left, right) + offset)


@ct.kernel
def transpose(x, y):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (j, i), ct.transpose(ct.load(x, (i, j), (4, 8))))


def like(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def doubled(x):
    return call(double, ct.cdiv(x.size, 8), x, out=like(x))


def axpyed(x, y, factor):
    return call(axpy, ct.cdiv(x.size, 8), x, inout(y), factor)


def iota(*shape, dtype=np.float32):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


# --- jit ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 8, 20, 1000])
def test_with_and_without_jit(n):
    x = iota(n)
    if not n:
        with pytest.raises(ValueError, match="an extent of the grid must be in 1..16777215, but is 0"):
            doubled(x)
        return
    np.testing.assert_array_equal(doubled(x), 2 * x)
    np.testing.assert_array_equal(jax.jit(lambda x: doubled(x + 1) - 3)(x), 2 * (x + 1) - 3)


def test_the_buffers_of_xla_are_not_copied():
    """A donated argument's memory is reused for the result."""
    y = jnp.asarray(iota(1000))
    place = y.unsafe_buffer_pointer()
    sums = jax.jit(axpyed, donate_argnums=1)(jnp.ones(1000), y, 2.0)
    np.testing.assert_array_equal(sums, iota(1000) + 2)
    assert sums.unsafe_buffer_pointer() == place


def test_an_inout_argument_stays_as_it_is():
    x, y = jnp.ones(20), jnp.asarray(iota(20))
    np.testing.assert_array_equal(axpyed(x, y, 3.0), iota(20) + 3)
    np.testing.assert_array_equal(y, iota(20))
    # Also if the same array is both.
    np.testing.assert_array_equal(jax.jit(lambda y: axpyed(y, y, 1.0) + y)(y), 3 * iota(20))


def test_numbers_constants_tuples_and_places_of_results():
    a, b = iota(20, dtype=np.int32), iota(20, dtype=np.int32)[::-1].copy()
    program = jax.jit(lambda a, b, offset: call(split, 5, (a, b), like(a), like(a), offset, 4))
    low, high = program(a, b, jnp.int32(7))
    np.testing.assert_array_equal(low, np.minimum(a, b) + 7)
    np.testing.assert_array_equal(high, np.maximum(a, b) + 7)
    low, high = call(split, 5, (a, b), like(a), like(a), -1, 4)
    np.testing.assert_array_equal(low, np.minimum(a, b) - 1)


def test_a_sequence_of_results_comes_as_a_tuple():
    x = iota(8)
    [y] = call(double, 1, x, out=[like(x)])
    np.testing.assert_array_equal(y, 2 * x)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "float16", "bfloat16", "float32",
                                   "float8_e4m3fn", "float8_e5m2"])
def test_element_types(dtype):
    import ml_dtypes
    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))

    @ct.kernel
    def copy(x, y):
        ct.store(y, (0,), ct.load(x, (0,), (16,)))

    x = jnp.arange(16).astype(dtype)
    np.testing.assert_array_equal(np.asarray(call(copy, 1, x, out=like(x))).view(np.uint8),
                                  np.asarray(x).view(np.uint8))


def test_an_entry_of_tile_ir():
    add = tilewright.load(ROOT / "examples/vector_add.mlir")["vector_add"]
    a, b, n = iota(20), np.full(20, 3, np.float32), 20
    program = jax.jit(lambda a, b, n: call(add, 1, a, n, 1, b, 20, 1, like(a), 20, 1))
    np.testing.assert_array_equal(program(a, b, jnp.int32(n)), a + b)
    # The extent of the first array is a number that is only known at launch.
    np.testing.assert_array_equal(program(a, b, jnp.int32(20)), a + b)


def test_custom_derivatives():
    @jax.custom_vjp
    def f(x):
        return doubled(x)

    f.defvjp(lambda x: (f(x), None), lambda _, y: (doubled(y),))
    x = iota(12)
    np.testing.assert_array_equal(jax.grad(lambda x: (f(x) ** 2).sum())(x), 8 * x)


# --- vmap ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [8, 20, 5], ids=["aligned", "aligned-ragged", "any address"])
def test_vmap_over_the_leading_axis(n):
    x = iota(3, n)
    np.testing.assert_array_equal(jax.vmap(doubled)(x), 2 * x)
    np.testing.assert_array_equal(jax.jit(jax.vmap(doubled))(x), 2 * x)


def test_vmap_over_other_axes_and_twice():
    x = iota(3, 2, 5)
    np.testing.assert_array_equal(jax.jit(jax.vmap(jax.vmap(doubled)))(x), 2 * x)
    np.testing.assert_array_equal(jax.vmap(doubled, in_axes=1, out_axes=1)(x[0]), 2 * x[0])
    # All elements of the outer batch share the inner batch.
    f = jax.vmap(jax.vmap(lambda x, a: call(split, 2, (x, x), like(x), like(x), a, 4)[0],
                          in_axes=(0, None)), in_axes=(None, 0))
    numbers = np.array([10, 20, 30], np.int32)
    y = iota(2, 5, dtype=np.int32)
    np.testing.assert_array_equal(f(y, numbers), y + numbers[:, None, None])


def test_vmap_of_some_arguments():
    x, y, factors = iota(20), iota(3, 20), np.array([1, 2, 3], np.float32)
    run = jax.jit(jax.vmap(axpyed, in_axes=(None, 0, 0)))
    np.testing.assert_array_equal(run(x, y, factors), x * factors[:, None] + y)
    # Also if it is written.
    run = jax.vmap(axpyed, in_axes=(0, None, None))
    np.testing.assert_array_equal(run(y, x, 2.0), 2 * y + x)


def test_vmap_of_matrices():
    x = iota(3, 8, 16)
    run = jax.vmap(lambda x: call(transpose, (2, 2), x, out=jax.ShapeDtypeStruct((16, 8), x.dtype)))
    np.testing.assert_array_equal(run(x), x.transpose(0, 2, 1))


# --- shard_map ----------------------------------------------------------------------------------


@pytest.mark.parametrize("check_vma", [True, False])
@pytest.mark.parametrize("count", [2, 4])
def test_shard_map(count, check_vma):
    mesh = jax.make_mesh((count,), ("i",), devices=jax.devices()[:count])
    x = iota(count * 20)

    def shard(x, y):
        z = axpyed(x, y, 2.0)
        return z, jax.lax.psum(z.sum(), "i")

    run = jax.jit(jax.shard_map(shard, mesh=mesh, in_specs=(P("i"), P()), out_specs=(P("i"), P()),
                                check_vma=check_vma))
    z, total = run(jax.device_put(x, jax.NamedSharding(mesh, P("i"))),
                   jax.device_put(iota(20), jax.NamedSharding(mesh, P())))
    expected = 2 * x + np.tile(iota(20), count)
    np.testing.assert_array_equal(z, expected)
    assert total == expected.sum()


# --- Other processes ----------------------------------------------------------------------------


def test_an_exported_program_runs_in_another_process(tmp_path):
    """The exported program contains everything: neither the kernel nor cuda-tile are needed."""
    x = iota(3, 5)
    safe = jax.export.DisabledSafetyCheck.custom_call("tilewright_launch")
    exported = jax.export.export(jax.jit(jax.vmap(doubled)), disabled_checks=[safe])(x)
    (tmp_path / "program").write_bytes(exported.serialize())
    np.save(tmp_path / "x.npy", x)
    script = """if True:
        import sys
        sys.modules["cuda.tile"] = None
        import jax, numpy as np, tilewright.jax
        tilewright.jax.register()
        program = jax.export.deserialize(bytearray(open("program", "rb").read()))
        np.save("y.npy", program.call(np.load("x.npy")))
    """
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True, timeout=120,
                   env={**os.environ, "JAX_NUM_CPU_DEVICES": "1"})
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), 2 * x)


# --- What is wrong ------------------------------------------------------------------------------


def test_findings_arrive_as_an_error_of_jax():
    x = jnp.asarray(iota(16))
    with pytest.raises(jax.errors.JaxRuntimeError) as raised:
        jax.block_until_ready(call(double, 3, x, out=like(x), check=True))
    assert "test_jax.py" in str(raised.value) and "[index-space]" in str(raised.value)


def test_a_result_has_no_value_before_it_is_written():
    """The kernel reads it first."""
    x = jnp.asarray(iota(8))
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"\[undefined\]"):
        jax.block_until_ready(call(axpy, 1, x, like(x), 1.0, check=True))


def test_the_environment_decides_what_is_checked(monkeypatch):
    monkeypatch.setenv("TILEWRIGHT_CHECK", "all")
    x = jnp.asarray(iota(16))
    with pytest.raises(jax.errors.JaxRuntimeError, match="index-space"):
        jax.block_until_ready(call(double, 3, x, out=like(x)))


WRONG = {
    "no result": (lambda x: call(double, 1, x, x), ValueError, "the call has no result"),
    "number": (lambda x: call(double, 1, x), ValueError, "the call has no result"),
    "count": (lambda x: call(double, 1, out=like(x)), TypeError,
              r"the kernel takes 2 arguments \(x, y\), but got 1"),
    "written": (lambda x: call(axpy, 1, x, x, 1.0, like(x)), TypeError, "takes 3 arguments"),
    "writes to an argument": (
        lambda x: call(split, 1, (x, x), x, like(x), 0, 8), ValueError,
        "argument 7 of type .* the kernel writes to this array; pass it as tilewright.jax.inout"),
    "never written": (
        lambda x: call(axpy, 1, inout(x), inout(x), 1.0), ValueError,
        "argument 1 of type .* the kernel never writes to this array, which is a result"),
    "constant": (lambda x: call(split, 1, (x, x), like(x), like(x), 0, jnp.int32(8)), TypeError,
                 "parameter tile: expected a bool, an int or a float for a constant, but got TracedArray"),
    "type of a number": (lambda x: call(axpy, 1, x, inout(x), jnp.float16(1)), TypeError,
                         "parameter factor: expected a number of type bool, int32 or float32"),
    "list": (lambda x: call(double, 1, [x], out=like(x)), TypeError, "lists of arrays"),
    "grid": (lambda x: call(double, (1, 1, 1, 1), x, out=like(x)), ValueError, "1 to 3 extents"),
    "no kernel": (lambda x: call(len, 1, x, out=like(x)), TypeError, "expected a kernel"),
    "device": (lambda x: call(double, 1, x, out=like(x), device="tpu"), ValueError, "device must be"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_calls(case):
    run, error, message = WRONG[case]
    with pytest.raises(error, match=message):
        run(jnp.asarray(iota(8, dtype=np.float32 if "split" not in case else np.int32)))


ENTRY_WRONG = {
    "array": ((1, 20, 1, "a", 20, 1, "out", 20, 1), "argument 1 of type .* expected an array"),
    "number": (("a", "a", 1, "a", 20, 1, "out", 20, 1),
               r"argument 2 of type .* expected a number, but got an array of shape \(20,\)"),
    "range": (("a", 1 << 40, 1, "a", 20, 1, "out", 20, 1), "argument 2 .* does not fit into i32"),
    "dtype": (("i", 20, 1, "a", 20, 1, "out", 20, 1),
              "argument 1 .* expected an array of float32, but got one of int32"),
    "count": (("a", "out"), "takes 9 arguments, but got 2"),
}


@pytest.mark.parametrize("case", ENTRY_WRONG)
def test_wrong_calls_of_an_entry(case):
    add = tilewright.load(ROOT / "examples/vector_add.mlir")["vector_add"]
    arrays = {"a": iota(20), "i": iota(20, dtype=np.int32), "out": like(iota(20))}
    args, message = ENTRY_WRONG[case]
    with pytest.raises((TypeError, ValueError), match=message):
        call(add, 1, *(arrays.get(arg, arg) for arg in args))


def test_a_grid_that_depends_on_values_is_refused():
    with pytest.raises(TypeError, match="known while JAX traces"):
        jax.jit(lambda x, n: call(double, n, x, out=like(x)))(iota(8), 1)
