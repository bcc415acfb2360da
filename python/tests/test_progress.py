# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the progress bar of reference-machine launches: on terminals and in notebooks, and nowhere else."""

import io
import sys
import time
import types

import pytest
import tilewright
from tilewright import _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Slow(io.StringIO):
    """Receives the output of kernels slowly, so that a launch takes as long as a test needs."""

    def write(self, text):
        time.sleep(0.05)
        return super().write(text)


def on_terminal(monkeypatch):
    """Called by the test itself: pytest replaces both streams between a fixture and its test."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(sys, "stdout", Slow())
    monkeypatch.setattr(_progress, "_FIRST", 0.02)
    monkeypatch.setattr(_progress, "_BETWEEN", 0.01)
    return stream


def slow_kernel(**options):
    """Each block prints its index, and then asserts that it is below the limit."""
    return tilewright.load("""cuda_tile.module @m {
      entry @slow(%limit: tile<i32>) {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %t = print_tko "block %d\\n", %x : tile<i32> -> token
        %is = cmpi less_than %x, %limit, signed : tile<i32> -> tile<i1>
        assert %is, "the block is below the limit" : tile<i1>
      }
    }""")["slow"].compile(**options)


ERASED = "\r\033[K"


def test_a_bar_on_a_terminal(monkeypatch):
    terminal = on_terminal(monkeypatch)
    slow_kernel(device="reference")[8](9)
    assert sys.stdout.getvalue() == "".join(f"block {i}\n" for i in range(8))
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


# Kernels print a line in pieces. The bar is erased before, and not drawn within the line.
def test_prints_and_the_bar_on_one_terminal(monkeypatch):
    terminal = on_terminal(monkeypatch)

    class Both(Slow):
        def write(self, text):
            super().write(text)
            return terminal.write(text)

    monkeypatch.setattr(sys, "stdout", Both())
    sys.stdout.write("before\n")
    slow_kernel(device="reference")[4](9)
    lines = [line.split(ERASED)[-1] for line in terminal.getvalue().split("\n")]
    assert lines == ["before"] + [f"block {i}" for i in range(4)] + [""]


# A nested launch shows no bar, and its output is handled like the outer one's.
def test_a_launch_within_a_print(monkeypatch):
    terminal = on_terminal(monkeypatch)
    kernel = slow_kernel(device="reference")

    class Relaunching(Slow):
        def write(self, text):
            is_first = not self.getvalue()
            super().write(text)
            if is_first:
                kernel[2](9)

    monkeypatch.setattr(sys, "stdout", Relaunching())
    kernel[3](9)
    assert sorted(sys.stdout.getvalue().split()) == sorted(["block"] * 5 + list("01012"))
    assert "of 3 blocks" in terminal.getvalue() and "of 2 blocks" not in terminal.getvalue()


@pytest.mark.parametrize("prepare", [
    lambda patch: patch.setattr(sys, "stderr", io.StringIO()),
    lambda patch: patch.setattr(sys, "stderr", None),
    lambda patch: patch.setenv("TILEWRIGHT_PROGRESS", "0")], ids=["file", "none", "off"])
def test_nothing_elsewhere(prepare, monkeypatch):
    terminal = on_terminal(monkeypatch)
    prepare(monkeypatch)
    slow_kernel(device="reference")[2](9)
    assert not terminal.getvalue()
    assert not isinstance(sys.stderr, io.StringIO) or not sys.stderr.getvalue()


def test_nothing_of_compiled_code_and_of_short_launches(monkeypatch):
    terminal = on_terminal(monkeypatch)
    slow_kernel(device="cpu")[2](9)
    monkeypatch.setattr(_progress, "_FIRST", 60)
    slow_kernel(device="reference")[1](9)
    assert not terminal.getvalue()


# The terminal is closed while the launch runs.
def test_a_terminal_that_fails(monkeypatch):
    terminal = on_terminal(monkeypatch)
    def fail(text):
        raise OSError("no such device")

    monkeypatch.setattr(terminal, "write", fail, raising=False)
    slow_kernel(device="reference")[2](9)


def test_a_launch_that_fails_leaves_no_bar(monkeypatch):
    terminal = on_terminal(monkeypatch)
    with pytest.raises(tilewright.KernelAssertionError):
        slow_kernel(device="reference")[4](2)
    assert "of 4 blocks" in terminal.getvalue() and terminal.getvalue().endswith(ERASED)
    assert not _progress._shown.locked()


def test_the_cell_of_a_notebook(monkeypatch):
    terminal = on_terminal(monkeypatch)
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
    slow_kernel(device="reference")[8](9)
    assert shown[-1] == "" and not terminal.getvalue()
    assert {text for text in shown if text} <= {_progress.bar(done, 8) for done in range(9)}
    assert any(shown)
