# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`import cupy` under `tilewright exec`: arrays on "cuda" in host memory, with NumPy's functions."""

import pathlib
import subprocess
import sys
import textwrap

import pytest

SIGNATURES = pathlib.Path(__file__).parent / "cupy_signatures.txt"
"""By scripts/cupy_signatures.py."""
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


def test_arguments_are_those_of_cupy(tmp_path):
    """For each function of CuPy 14.2.0: it is served with CuPy's parameters, in their order, or refused by name."""
    run(tmp_path, f"""
        import inspect
        from tilewright._cuda import _cupy_calls as calls
        drawn = {{"random.RandomState": cp.random.RandomState(0), "random.Generator": cp.random.default_rng(0)}}
        refused, number = set(), 0
        for line in open({str(SIGNATURES)!r}):
            name, _, names = line.strip().removeprefix("cupy.").partition(":")
            owner, _, member = name.rpartition(".")
            try:
                found = drawn.get(owner, cp)
                for part in [member] if owner in drawn else name.split("."):
                    found = getattr(found, part)
            except AttributeError as error:
                assert name in str(error) and "host memory" in str(error) or owner == "ndarray", error
                refused.add(name)
                continue
            number += 1
            try:
                mine = inspect.signature(found).parameters
            except ValueError:  # a ufunc, or compiled
                assert callable(found) and names.strip() in ("ufunc", "*args **kwargs"), line
                continue
            if any(one.kind == one.VAR_KEYWORD for one in mine.values()) or names.strip() == "ufunc":
                continue
            mine = ["start" if one == "start_or_stop" else one for one in mine if one != "self"]  # of arange
            taken = [calls.parameter_of_numpy(name, one) for one in names.split() if not one.startswith("*")]
            missing = [one for one in taken if one is not None and one not in mine]
            assert not missing, (name, missing, mine)
            places = [mine.index(one) for one in dict.fromkeys(taken) if one is not None]
            assert places == sorted(places) or "*" in names or name in calls.ORDER, (name, taken, mine)
        assert refused == calls.REFUSED, refused ^ calls.REFUSED
        assert number > 500, number
        """)


def test_random_numbers_have_a_type(tmp_path):
    run(tmp_path, """
        from tilewright._cuda import _cupy_calls as calls
        given = {"dirichlet": ([1.0, 2.0],), "hypergeometric": (3, 3, 3), "multivariate_normal": ([0.0], [[1.0]]),
                 "triangular": (0.0, 1.0, 2.0), "binomial": (3, 0.5), "negative_binomial": (3, 0.5),
                 "geometric": (0.5,), "logseries": (0.5,), "noncentral_f": (2.0, 2.0, 1.0), "zipf": (2.0,),
                 "randn": (7,), "rand": (7,)}
        given |= dict.fromkeys("beta f noncentral_chisquare vonmises wald".split(), (1.0, 2.0))
        given |= dict.fromkeys("chisquare gamma pareto power standard_gamma standard_t weibull".split(), (1.5,))
        for whole, at in calls.CAST.items():
            if not whole.startswith("random.") or "Generator" in whole:
                continue
            name = whole.removeprefix("random.")
            for source in (cp.random, cp.random.RandomState(1)):
                if name in ("ranf", "sample", "random") and source is not cp.random:
                    continue
                found = getattr(source, name)(*given.get(name, ()), dtype=cp.float32)
                assert isinstance(found, cp.ndarray) and found.dtype == cp.float32, name
        assert cp.random.randn(2048, dtype=cp.float32).shape == (2048,) and cp.random.rand(3).dtype == cp.float64
        assert cp.random.uniform(0, 1, 10, cp.float32).dtype == cp.float32
        assert cp.random.default_rng(0).beta(1, 2, 10, cp.float32).dtype == cp.float32
        assert cp.random.default_rng(0).standard_normal(4, dtype=cp.float32).dtype == cp.float32
        """)


def test_functions_take_what_numpy_lacks(tmp_path):
    run(tmp_path, """
        m = cp.arange(12.0).reshape(3, 4)
        assert cp.argmax(m, 1, cp.int32).dtype == cp.int32 and cp.argmax(m, axis=1).tolist() == [3, 3, 3]
        assert m.argmin(0, dtype=cp.int16).dtype == cp.int16 and int(m.ptp()) == 11
        assert cp.flip(a=m, axis=0)[0].tolist() == [8, 9, 10, 11] and cp.concatenate(tup=[m, m]).shape == (6, 4)
        assert float(cp.percentile(m, 50, interpolation="lower")) == 5
        assert cp.array(obj=[1], dtype="f4", blocking=True).dtype == cp.float32
        assert cp.asarray(a=[1], dtype="f4", order="C", blocking=True).dtype == cp.float32
        assert cp.where(condition=m > 5, x=m, y=0)[0].tolist() == [0] * 4 and cp.arange(start=1, stop=3)[1] == 2
        weights = cp.array([2.0, 1.0])
        counts, _, _ = cp.histogram2d(cp.array([0.0, 1.0]), cp.array([0.0, 1.0]), 2, None, weights)
        assert counts.tolist() == [[2, 0], [0, 1]]
        m.scatter_add(([0, 0], [0, 0]), 1.0)
        assert m[0, 0] == 2
        assert isinstance(cp.trapz(m), cp.ndarray) and bool(cp.alltrue(m > -1))
        assert cp.from_dlpack(m, copy=True).data.ptr != m.data.ptr
        """)


def test_another_sitecustomize_runs(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.customized = 'yes'")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    assert run(tmp_path, "print(customized)").stdout == "yes\n"
