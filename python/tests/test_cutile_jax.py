# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.tile.jax` under `tilewright exec`: launches in JAX programs on the CPU."""

import subprocess
import sys
import textwrap

import pytest

PRELUDE = """
import cuda.tile as ct, jax, jax.numpy as jnp, numpy as np
from cuda.tile.jax import InputOutput, OutputPlaceholder, cutile_call

def like(x):
    return OutputPlaceholder(x.shape, x.dtype)

@ct.kernel
def scale(x, y, factor: ct.Constant, tile: ct.Constant):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (tile,)) * factor)

x = jnp.arange(37, dtype=jnp.float32)
"""


def run(tmp_path, script, *options):
    path = tmp_path / "script.py"
    path.write_text(PRELUDE + textwrap.dedent(script))
    ended = subprocess.run([sys.executable, "-m", "tilewright", *options, str(path)],
                           capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended


@pytest.mark.parametrize("options", [[], ["--check=all"], ["--arrays=none"]], ids=str)
def test_a_graph_of_launches(options, tmp_path):
    run(tmp_path, """
        @ct.kernel
        def halve(x, tile: ct.Constant):
            i = ct.bid(0)
            ct.store(x, (i,), ct.load(x, (i,), (tile,)) / 2)

        @ct.kernel
        def both(x, y, z, tile: ct.Constant):
            i = ct.bid(0)
            ct.store(y, (i,), ct.load(x, (i,), (tile,)) + 1)
            ct.store(z, (i,), ct.load(x, (i,), (tile,)) - 1)

        @jax.jit(static_argnums=[1, 2])
        def program(x, factor, tile):
            grid = (ct.cdiv(x.shape[0], tile),)
            y = cutile_call(grid, scale, (x, like(x), factor, tile))
            y = cutile_call(grid, halve, (InputOutput(y), tile))
            more, less = cutile_call(grid, both, (y, like(y), like(y), tile))
            return y, more * less

        y, product = program(x, 3.0, 8)
        expected = np.arange(37, dtype=np.float32) * 1.5
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(product, (expected + 1) * (expected - 1))
        np.testing.assert_array_equal(x, np.arange(37))
        # The argument in whose place a result is stays as it is; without jit.
        np.testing.assert_array_equal(cutile_call((5,), halve, (InputOutput(x), 8)), np.arange(37) / 2)
        np.testing.assert_array_equal(x, np.arange(37))
        """, *options)


def test_arguments_of_all_kinds(tmp_path):
    run(tmp_path, """
        @ct.kernel
        def combine(arrays: tuple[ct.Array, ct.Array], y, count, factor: float, wide: ct.ScalarInt64):
            i = ct.bid(0)
            a, b = arrays
            sum = ct.load(a, (i,), (8,)) + ct.load(b, (i,), (8,)) * factor
            ct.store(y, (i,), sum + count + ct.astype(wide >> 32, ct.float32))

        y = cutile_call((5,), combine, ((x, x), like(x), 7, 0.5, 3 << 32))
        np.testing.assert_array_equal(y, np.arange(37) * 1.5 + 10)

        @ct.kernel
        def transpose(x, y):
            i, j = ct.bid(0), ct.bid(1)
            ct.store(y, (j, i), ct.transpose(ct.load(x, (i, j), (4, 8))))

        for dtype in (jnp.int8, jnp.int32, jnp.uint16, jnp.float16, jnp.bfloat16, jnp.float8_e4m3fn,
                      jnp.float8_e5m2):
            matrix = jnp.arange(60).reshape(6, 10).astype(dtype)
            turned = cutile_call((2, 2), transpose, (matrix, OutputPlaceholder((10, 6), dtype)))
            assert turned.dtype == dtype
            np.testing.assert_array_equal(np.asarray(turned, np.float32), np.asarray(matrix, np.float32).T)
        """)


def test_what_a_kernel_does_wrong_is_an_error_of_the_call(tmp_path):
    ended = run(tmp_path, """
        program = jax.jit(lambda x: cutile_call((6,), scale, (x, like(x), 2.0, 8)) + 1)
        try:
            program(x).block_until_ready()
        except jax.errors.JaxRuntimeError as error:
            assert "CUDA error: unspecified launch failure" in str(error), error
        else:
            raise AssertionError("no error")
        # It is told once.
        right = jax.jit(lambda x: cutile_call((5,), scale, (x, like(x), 2.0, 8)))
        np.testing.assert_array_equal(right(x), 2 * np.arange(37))
        """, "--check=all")
    assert "block (5, 0, 0)" in ended.stderr and "[index-space]" in ended.stderr


def test_many_launches_at_once(tmp_path):
    """XLA runs independent parts of a program on several threads."""
    run(tmp_path, """
        @jax.jit
        def program(xs):
            return sum(cutile_call((5,), scale, (x, like(x), float(i), 8)) for i, x in enumerate(xs))

        for _ in range(20):
            np.testing.assert_array_equal(program([x + i for i in range(8)]),
                                          sum(i * (np.arange(37) + i) for i in range(8)))
        """)


def test_in_a_suite(tmp_path):
    (tmp_path / "test_jax.py").write_text(PRELUDE + textwrap.dedent("""
        def test_right():
            np.testing.assert_array_equal(cutile_call((5,), scale, (x, like(x), 2.0, 8)), 2 * np.arange(37))

        def test_wrong():
            cutile_call((6,), scale, (x, like(x), 2.0, 8)).block_until_ready()
        """))
    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                            "tilewright.pytest_plugin", "-p", "tilewright.cutile", "--tile-check", "test_jax.py"],
                           cwd=tmp_path, capture_output=True, text=True)
    assert "1 failed, 1 passed" in ended.stdout, ended.stdout + ended.stderr
    assert "[index-space]" in ended.stdout.split("= kernels =")[1]
