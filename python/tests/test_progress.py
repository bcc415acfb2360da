# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far a long launch on the reference machine is: on terminals and in notebooks, and nowhere else."""

import io
import sys
import types

import pytest
import tilewright
from tilewright import _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(_progress, "_FIRST", 0.02)
    monkeypatch.setattr(_progress, "_BETWEEN", 0.01)
    return stream


def slow_kernel(**options):
    """Each block prints its number, after some 20 ms."""
    return tilewright.load("""cuda_tile.module @m {
      entry @slow() {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %0 = constant <i32: 0> : tile<i32>
        %1 = constant <i32: 1> : tile<i32>
        %n = constant <i32: 20000> : tile<i32>
        %s = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%v = %0) -> (tile<i32>) {
          %next = addi %v, %1 : tile<i32>
          continue %next : tile<i32>
        }
        %t = print_tko "block %d\\n", %x : tile<i32> -> token
      }
    }""")["slow"].compile(**options)


ERASED = "\r\033[K"


def test_a_bar_on_a_terminal(terminal, capsys):
    slow_kernel(device="reference")[8]()
    assert capsys.readouterr().out == "".join(f"block {i}\n" for i in range(8))
    drawn = terminal.getvalue().split(ERASED)
    assert drawn[0] == "" and drawn[-1] == "", "it is gone in the end"
    bars = [bar for bar in drawn if bar]
    assert bars and set(bars) <= {_progress.bar(done, 8) for done in range(9)}
    assert bars == sorted(bars, key=lambda bar: int(bar.split()[1]))
    assert not _progress._shown.locked()


def test_the_text_of_a_bar():
    assert _progress.bar(0, 1) == "[--------------------] 0 of 1 block"
    assert _progress.bar(12, 30) == "[########------------] 12 of 30 blocks"
    assert _progress.bar(1 << 24, 1 << 24) == f"[{'#' * 20}] 16777216 of 16777216 blocks"


# What a kernel prints starts a line of its own: the bar is erased before.
def test_prints_and_the_bar_on_one_terminal(terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdout", terminal)
    slow_kernel(device="reference")[4]()
    lines = [line.rsplit(ERASED)[-1] for line in terminal.getvalue().split("\n")]
    assert lines == [f"block {i}" for i in range(4)] + [""]


@pytest.mark.parametrize("prepare", [
    lambda patch: patch.setattr(sys, "stderr", io.StringIO()),
    lambda patch: patch.setattr(sys, "stderr", None),
    lambda patch: patch.setenv("TILEWRIGHT_PROGRESS", "0")], ids=["file", "none", "off"])
def test_nothing_elsewhere(prepare, terminal, monkeypatch):
    prepare(monkeypatch)
    slow_kernel(device="reference")[2]()
    assert not terminal.getvalue() and not (sys.stderr and sys.stderr.getvalue())


def test_nothing_of_compiled_code_and_of_short_launches(terminal, monkeypatch):
    slow_kernel(device="cpu")[2]()
    monkeypatch.setattr(_progress, "_FIRST", 60)
    slow_kernel(device="reference")[1]()
    assert not terminal.getvalue()


# The terminal is gone while the launch runs.
def test_a_terminal_that_fails(terminal, monkeypatch):
    def fail(text):
        raise OSError("no such device")

    monkeypatch.setattr(terminal, "write", fail, raising=False)
    slow_kernel(device="reference")[2]()


def test_a_launch_that_fails_leaves_no_bar(terminal):
    kernel = tilewright.load("""cuda_tile.module @m {
      entry @endless() {
        loop { continue }
      }
    }""")["endless"].compile("reference", max_steps=300_000)
    with pytest.raises(tilewright.TilewrightError):
        kernel[1]()
    assert terminal.getvalue().endswith(ERASED) and not _progress._shown.locked()


def test_the_cell_of_a_notebook(terminal, monkeypatch):
    shown = []

    class Handle:
        def update(self, content, raw):
            assert raw
            shown.append(content["text/plain"])

    def display(content, raw, display_id):
        assert raw and display_id
        shown.append(content["text/plain"])
        return Handle()

    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    ipython.display = types.ModuleType("IPython.display")
    ipython.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    slow_kernel(device="reference")[8]()
    assert shown[-1] == "" and not terminal.getvalue()
    assert {text for text in shown if text} <= {_progress.bar(done, 8) for done in range(9)}
    assert any(shown)
