# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pytest -p tilewright.cutile`: runs test suites that call `ct.launch`, unmodified.

This does in the current process what `tilewright exec` does for another one: tests find Tilewright's
`tileiras` and `libcuda.so.1`, and "cuda" arrays of PyTorch and CuPy are in host memory
($TILEWRIGHT_ARRAYS). With `--tile-check`, every launch runs on the reference machine. A kernel error
fails the test, even if the test never synchronises.
"""

from __future__ import annotations

import ctypes
import os

import pytest

from tilewright import _cuda, _exec, pytest_plugin
from tilewright._cuda import _driver


def begin(config) -> None:
    """Called before a suite's `conftest.py` is imported."""
    if os.environ.get("TILEWRIGHT_DEVICE") == "gpu":
        raise pytest.UsageError("-p tilewright.cutile: TILEWRIGHT_DEVICE=gpu needs `tilewright exec "
                                "--device=gpu pytest` instead")
    if _driver.is_loaded():
        raise pytest.UsageError("-p tilewright.cutile: this process has loaded a libcuda.so.1 "
                                "already; start it with `tilewright exec` instead")
    checks = getattr(config.known_args_namespace, "tile_checks", None)
    arrays = os.environ.get("TILEWRIGHT_ARRAYS")
    try:
        libraries = _cuda.LIBRARIES if arrays is None else _cuda.libraries_of(arrays)
    except ValueError as error:
        raise pytest.UsageError(f"TILEWRIGHT_ARRAYS: {error}") from None
    os.environ.update(_exec.environment(check=checks, arrays=arrays))
    # Later lookups of this library name find this library. Its symbols, and LLVM's, stay local: Triton,
    # which PyTorch imports, has another LLVM.
    ctypes.CDLL(str(_exec.driver()))
    _driver.findings()  # starts the recording
    _cuda.serve(libraries)
    config.pluginmanager.register(_Synchronised(), "tilewright-synchronised")


class _Synchronised:
    """Synchronises at the end of each test, so that an error is reported by the test that caused it."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        try:
            result = yield
        except BaseException:
            _left_behind()
            raise
        if error := _left_behind():
            pytest.fail(error, pytrace=False)
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item):
        """Also collects findings of setups and teardowns, and of tests that have synchronised themselves."""
        if found := _driver.findings():
            pytest_plugin.note([found.rstrip("\n")])


def _left_behind() -> str:
    """Returns the kernel error that is still pending, if any, and clears it, so that the next test does
    not report it."""
    try:
        _driver.synchronise()
    except RuntimeError as error:
        return f"{error}; see standard error for the findings"
    return ""
