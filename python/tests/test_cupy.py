# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`import cupy` under `tilewright exec`: arrays on "cuda" in host memory, with NumPy's functions."""

import subprocess
import sys
import textwrap

import pytest

PRELUDE = """
import cuda.tile as ct, cupy as cp, numpy as np

@ct.kernel
def add(x, y, z):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (16,)) + ct.load(y, (i,), (16,)))

x = cp.arange(64, dtype=cp.float32)
y = cp.random.default_rng(1).random(64, dtype=cp.float32)
z = cp.zeros_like(x)
"""


def run(tmp_path, script, *options):
    path = tmp_path / "script.py"
    path.write_text(PRELUDE + textwrap.dedent(script))
    ended = subprocess.run([sys.executable, "-m", "tilewright", *options, str(path)],
                           capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended


@pytest.mark.parametrize("options", [[], ["--check=all"], ["--arrays=cupy"]], ids=str)
def test_launch(options, tmp_path):
    ended = run(tmp_path, """
        ct.launch(cp.cuda.get_current_stream(), (4,), add, (x, y, z))
        twice = cp.zeros_like(x)
        with cp.cuda.Stream() as stream:
            ct.launch(cp.cuda.get_current_stream(), (4,), add, (z, y, twice))
        stream.synchronize()
        expected = cp.asnumpy(x) + cp.asnumpy(y) + cp.asnumpy(y)
        assert type(expected) is np.ndarray
        np.testing.assert_array_equal(twice.get(), expected)
        cp.testing.assert_array_equal(twice, x + y + y)
        """, *options)
    assert (ended.stdout, ended.stderr) == ("", "")


def test_memory_has_a_limit(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWRIGHT_MEMORY", "64M")
    run(tmp_path, """
        MIB = 1 << 20

        def refuse(call):
            try:
                call()
            except cp.cuda.memory.OutOfMemoryError as error:
                assert "TILEWRIGHT_MEMORY" in str(error)
            else:
                raise AssertionError("no OutOfMemoryError")

        column, row = cp.ones((MIB // 16, 1), cp.uint8), cp.ones((1, 2048), cp.uint8)
        for make in (lambda: cp.zeros(65 * MIB, cp.uint8), lambda: cp.empty(1 << 45), lambda: column * row,
                     lambda: cp.array(np.empty(65 * MIB, np.uint8)), lambda: column @ row,
                     lambda: cp.asarray(np.empty(65 * MIB, np.uint8)),
                     lambda: cp.broadcast_to(column[:1], (1 << 25, 1 << 20)) + cp.uint8(1)):
            refuse(make)
        free, total = cp.cuda.Device().mem_info
        assert total == 64 * MIB and 0 < total - free < MIB
        kept = cp.zeros(60 * MIB, cp.uint8)
        view, other = kept[5:], cp.asarray(kept)
        refuse(lambda: cp.zeros(10 * MIB, cp.uint8))
        del kept, view
        refuse(lambda: cp.zeros(10 * MIB, cp.uint8))
        del other
        assert cp.cuda.Device().mem_info == (free, total)
        cp.zeros(60 * MIB, cp.uint8)
        np.zeros(65 * MIB, np.uint8)  # of the host
        """)


def test_results_are_arrays_on_the_device(tmp_path):
    run(tmp_path, """
        m = cp.ones((4, 4), dtype=cp.float16)
        for found in (x + 1, 1 - x, -x, cp.exp(x), x.sum(), cp.sum(x), x[0], x[2:], x[x > 3], m @ m,
                      cp.linalg.norm(x), cp.fft.fft(x), cp.where(x > 0, x, y), cp.asarray(np.ones(3)),
                      x.astype(cp.float16), m.T, cp.concatenate([x, y]), cp.split(x, 2)[0],
                      cp.random.rand(3), cp.random.RandomState(0).rand(3), cp.full((2,), 7)):
            assert isinstance(found, cp.ndarray), type(found)
            assert found.__cuda_array_interface__["data"][0] == found.data.ptr
        assert m.T.__cuda_array_interface__["strides"] == (2, 8)
        assert float(x.sum()) == 2016 and bool((x == x).all()) and x[3].item() == 3
        assert cp.newaxis is None and cp.float32 is np.float32
        """)


def test_copies(tmp_path):
    run(tmp_path, """
        host = np.arange(4)
        device = cp.asarray(host)
        back = device.get()
        device[0] = 9
        assert host[0] == 0 and back[0] == 0
        assert cp.from_dlpack(device).data.ptr == device.data.ptr
        taken = cp.from_dlpack(device)
        taken[0] = 3
        assert device[0] == 3
        assert cp.get_array_module(device) is cp and cp.get_array_module(host) is np
        """)


def test_errors_of_kernels_are_told_when_values_are_read(tmp_path):
    run(tmp_path, """
        for read in (z.get, z.tolist, lambda: float(z[0]), lambda: repr(z), cp.cuda.Device().synchronize):
            ct.launch(0, (5,), add, (x, y, z))
            try:
                read()
            except RuntimeError as error:
                assert "CUDA error" in str(error)
            else:
                raise AssertionError(read)
        z.get()
        """, "--check=all")


def test_what_is_not_there_says_its_name(tmp_path):
    run(tmp_path, """
        for use, name in ((lambda: cp.RawKernel, "cupy.RawKernel"),
                          (lambda: cp.cuda.Graph, "cupy.cuda.Graph")):
            try:
                use()
            except AttributeError as error:
                assert f"{name} is not supported in host memory" in str(error)
            else:
                raise AssertionError(name)
        try:
            cp.cuda.Device(1)
        except RuntimeError as error:
            assert "invalid device ordinal" in str(error)
        else:
            raise AssertionError
        """)


def test_another_sitecustomize_runs(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.customized = 'yes'")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    assert run(tmp_path, "print(customized)").stdout == "yes\n"
