# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests reports about kernels in notebook cells. examples/python/tilewright.ipynb has real ones."""

import sys
import types

from tilewright import _cells

REPORT = """/tmp/ipykernel_7/12.py:5:22: error: block (4, 0, 0): load_view_tko: index 0 is 4
other.py:8:4: note: the earlier access: a/b.py:3:1: c
help: race: order the two"""


def test_without_a_notebook_nothing_changes(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert _cells.named(REPORT) == REPORT


def test_cells_have_the_names_that_a_reader_sees(monkeypatch):
    cells = {"/tmp/ipykernel_7/12.py": ("Cell", "In[3]")}
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(format_code_name=cells.get))
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    first, *others = _cells.named(REPORT).splitlines()
    assert first.startswith("Cell In[3]:5:22: error: block (4, 0, 0)")
    assert others == REPORT.splitlines()[1:]


def test_a_shell_that_names_no_cells(monkeypatch):
    for shell in (None, types.SimpleNamespace(compile=object())):
        monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
        assert _cells.named(REPORT) == REPORT
