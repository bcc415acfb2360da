# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows the progress of a long launch on the reference machine. After two seconds, a bar appears on
standard error, if that is a terminal, or below the notebook cell:

    [########------------] 12 of 30 blocks

It is redrawn continuously and erased at the end. $TILEWRIGHT_PROGRESS=0 disables it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

_FIRST, _BETWEEN = 2.0, 0.2  # seconds
_WIDTH = 20

# Only one launch is shown at a time; nested launches and those of other threads are not shown.
_shown = threading.Lock()


def watch(blocks_done: Callable[[], int], block_count: int) -> Progress | None:
    """Shows a launch until `end` is called; None if there is nowhere to show it."""
    display = _display()
    if display is None or not _shown.acquire(blocking=False):
        return None
    return Progress(display, blocks_done, block_count)


def bar(done: int, count: int) -> str:
    filled = done * _WIDTH // count
    blocks = "block" if count == 1 else "blocks"
    return f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {done} of {count} {blocks}"


class Progress:
    """Draws the bar, on its own thread."""

    def __init__(self, display, blocks_done, block_count):
        self._display = display
        self._blocks_done = blocks_done
        self._block_count = block_count
        self._ended = threading.Event()
        # A terminal may show both the kernel's output and the bar: never draw the bar within a line.
        self._drawing = threading.Lock()
        self._is_within_line = False
        self._thread = threading.Thread(target=self._run, name="tilewright progress", daemon=True)
        self._thread.start()

    def print(self, output, text: str) -> None:
        """Writes the kernel's output."""
        with self._drawing:
            self._display.erase()
            self._is_within_line = not text.endswith("\n")
            output.write(text)

    def end(self) -> None:
        self._ended.set()
        try:
            self._thread.join()
            self._display.erase()
        finally:
            _shown.release()

    def _run(self) -> None:
        wait = _FIRST
        while not self._ended.wait(wait):
            wait = _BETWEEN
            with self._drawing:
                if not self._is_within_line:
                    self._display.draw(bar(self._blocks_done(), self._block_count))


# --- Where it is drawn --------------------------------------------------------------------------


def _display():
    if os.environ.get("TILEWRIGHT_PROGRESS") == "0":
        return None
    if _is_notebook():
        return _Cell()
    stream = sys.stderr
    try:
        return _Terminal(stream) if stream.isatty() else None
    except (AttributeError, ValueError):  # there is no stream, or it is closed
        return None


def _is_notebook() -> bool:
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return get_shell is not None and getattr(get_shell(), "kernel", None) is not None


class _Terminal:
    def __init__(self, stream):
        self._stream = stream
        self._is_drawn = False

    def draw(self, text: str) -> None:
        self._write(f"\r\033[K{text}")
        self._is_drawn = True

    def erase(self) -> None:
        if self._is_drawn:
            self._write("\r\033[K")  # go to the first column and clear the line
        self._is_drawn = False

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            pass  # a launch does not fail because its progress cannot be shown


class _Cell:
    """Output below a cell, created on first use. The kernel's own output is displayed separately."""

    def __init__(self):
        self._handle = None
        self._is_drawn = False

    def draw(self, text: str) -> None:
        from IPython.display import display
        content = {"text/plain": text}
        if self._handle is None:
            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)
        self._is_drawn = True

    def erase(self) -> None:
        if self._is_drawn:
            self._handle.update({"text/plain": ""}, raw=True)
        self._is_drawn = False
