# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests launches: grids, threads, interrupts, output of kernels, assertions and errors."""

import faulthandler
import pickle
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
import tilewright
from conftest import copy_kernel, endless_kernel, expect_interrupt


def numbering_kernel(**options):
    """Stores the index of each block: `number[grid](target, extent_x, extent_y)`."""
    return tilewright.load("""cuda_tile.module @m {
      entry @number(%t: tile<ptr<i32>>, %nx: tile<i32>, %ny: tile<i32>) {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %a = muli %z, %ny : tile<i32>
        %b = addi %a, %y : tile<i32>
        %c = muli %b, %nx : tile<i32>
        %i = addi %c, %x : tile<i32>
        %p = offset %t, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %u = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      }
    }""")["number"].compile(**options)


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("grid", [5, (5,), [5], (2, 3), (2, 3, 4), np.int64(7), (np.int32(2), 2)],
                         ids=str)
def test_every_block_runs_once(grid, device):
    extents = (*np.atleast_1d(grid), 1, 1)[:3]
    target = np.full(int(np.prod(extents)) + 1, -1, np.int32)
    numbering_kernel(device=device)[grid](target, extents[0], extents[1])
    assert target[:-1].tolist() == list(range(len(target) - 1)) and target[-1] == -1


@pytest.mark.parametrize("grid, error", [(0, ValueError), (-1, ValueError), (2**24, ValueError),
                                         (2**70, ValueError), ((), ValueError),
                                         ((1, 1, 1, 1), ValueError), (1.5, TypeError),
                                         ("1", TypeError), ((1, None), TypeError)], ids=str)
def test_grids_that_are_none(grid, error):
    with pytest.raises(error, match="grid"):
        numbering_kernel()[grid]


def test_a_quotient_is_no_extent_of_a_grid():
    with pytest.raises(TypeError, match="an extent of the grid must be an integer, but is 4.0"):
        numbering_kernel()[(1024 / 256, 1)]


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_threads_launch_the_same_kernel_at_once(device):
    kernel = copy_kernel("i32", 1024, device=device)
    rounds = 200 if device == "cpu" else 5
    wrong = []

    def launch(number):
        source = np.arange(number, number + 1024, dtype=np.int32)
        for _ in range(rounds):
            target = np.zeros(1024, np.int32)
            kernel[1](source, target)
            if (source != target).any():
                wrong.append(number)

    threads = [threading.Thread(target=launch, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_during_a_launch():
    flag = np.zeros(2, np.int32)
    timer = threading.Timer(0.1, lambda: flag.__setitem__(0, 1))
    timer.start()
    endless_kernel()[1](flag)  # returns after the timer has fired
    assert flag[0] == 1


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_ctrl_c_ends_a_launch(device, tmp_path):
    expect_interrupt(tmp_path / "wait.py", f"""
        import numpy as np
        from conftest import endless_kernel
        kernel = endless_kernel(device={device!r}, max_steps=2**62 if {device!r} == "reference" else 0)
        """, "kernel[2](np.zeros(2, np.int32))", seconds=0.3)


def printing_kernel(**options):
    return tilewright.load("""cuda_tile.module @m {
      entry @say() {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %t = print_tko "block %d\\n", %x : tile<i32> -> token
      }
    }""")["say"].compile(**options)


class Relaunching:
    """Receives a kernel's output, and launches the kernel again from there, `depth` levels deep."""

    def __init__(self, kernel, depth):
        self.kernel, self.depth, self.level, self.texts = kernel, depth, 0, []

    def write(self, text):
        self.texts.append((self.level, text))
        if self.level < self.depth:
            self.level += 1
            try:
                self.kernel[2]()
            finally:
                self.level -= 1


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_what_takes_prints_may_launch_the_kernel(device, monkeypatch):
    writer = Relaunching(printing_kernel(device=device, threads=1), depth=2)
    monkeypatch.setattr(sys, "stdout", writer)
    faulthandler.dump_traceback_later(60, exit=True)  # in case of a deadlock
    try:
        writer.kernel[2]()
        monkeypatch.undo()
        text = {level: "".join(text for at, text in writer.texts if at == level) for level in range(3)}
        pieces = sum(at == 0 for at, _ in writer.texts)  # in which a launch prints
        assert [text[level] for level in range(3)] == ["block 0\nblock 1\n" * pieces**level
                                                       for level in range(3)]
        writer = Relaunching(writer.kernel, depth=1 << 30)
        monkeypatch.setattr(sys, "stdout", writer)
        with pytest.raises(RecursionError):
            writer.kernel[2]()
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_prints_go_to_sys_stdout(device, capsys):
    printing_kernel(device=device)[3]()
    assert sorted(capsys.readouterr().out.splitlines()) == ["block 0", "block 1", "block 2"]


def test_a_stdout_that_fails(monkeypatch):
    class Full:
        def write(self, text):
            raise OSError("no space left")

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(OSError, match="no space left"):
        printing_kernel()[3]()


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_an_assertion_that_does_not_hold(device):
    kernel = tilewright.load("""cuda_tile.module @m {
      entry @check(%c: tile<i1>) {
        assert %c, "c must be true" : tile<i1>
      }
    }""", name="check.mlir")["check"].compile(device)
    kernel[2](True)
    with pytest.raises(tilewright.KernelAssertionError, match="c must be true") as caught:
        kernel[2](False)
    finding = caught.value.findings[0]
    assert finding.kind == "failed assert" and finding.block == (0, 0, 0)
    assert (finding.place.file, finding.place.line) == ("check.mlir", 3)
    assert isinstance(caught.value, AssertionError)


def test_a_launch_that_needs_too_many_steps():
    with pytest.raises(tilewright.KernelError, match="1000") as caught:
        endless_kernel(check=True, max_steps=1000)[1](np.zeros(2, np.int32))
    assert caught.value.findings[0].kind == "step limit"


def test_findings_travel_between_processes():
    with pytest.raises(tilewright.KernelError) as caught:
        copy_kernel("i32", check=True)[1](np.zeros(6, np.int32), np.zeros(8, np.int32))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.findings == caught.value.findings


def test_a_signal_that_came_before_the_launch_ends_it():
    class Interrupting:
        def __index__(self):
            signal.raise_signal(signal.SIGINT)
            return 1

    kernel = tilewright.load("""cuda_tile.module @m {
      entry @wait(%n: tile<i32>) {
        loop { continue }
      }
    }""")["wait"].compile()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            kernel[1](Interrupting())
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_thread_that_is_left_behind_ends_with_the_process(tmp_path):
    script = tmp_path / "left.py"
    script.write_text(textwrap.dedent(f"""
        import sys, threading, time
        sys.path.insert(0, {str(__file__).rsplit('/', 1)[0]!r})
        import numpy as np
        from conftest import copy_kernel
        kernel, x = copy_kernel("i32"), np.zeros(8, np.int32)
        def launch():
            while True:
                kernel[1](x, x)
        for _ in range(3):
            threading.Thread(target=launch, daemon=True).start()
        time.sleep(0.2)
    """))
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_race_is_found_under_any_order():
    kernel = tilewright.load("""cuda_tile.module @m {
      entry @race(%p: tile<ptr<i32>>) {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
      }
    }""")["race"]
    for seed in (None, 1, 2):
        with pytest.raises(tilewright.KernelError) as caught:
            kernel.compile(check="race", seed=seed)[2](np.zeros(1, np.int32))
        finding = caught.value.findings[0]
        assert finding.rule == "race" and finding.severity == "error"
        assert finding.array == "parameter 1 (1xi32)" and finding.array_element == 0
    kernel.compile(check="no-race")[2](np.zeros(1, np.int32))


def test_the_origin_of_a_nan_is_found():
    kernel = tilewright.load("""cuda_tile.module @m {
      entry @root(%p: tile<ptr<f32>>) {
        %x = constant <f32: -1.0> : tile<f32>
        %r = sqrt %x : tile<f32>
        %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
      }
    }""")["root"]
    with pytest.warns(tilewright.TilewrightWarning, match="sqrt: of -1 the result is NaN"):
        kernel.compile(check="origin")[1](np.zeros(1, np.float32))
    kernel.compile(check="all")[1](np.zeros(1, np.float32))
