# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches from eight Python threads at once."""

import concurrent.futures
import signal
import sys
import threading
import warnings

import numpy as np
import pytest
import tilewright

from conftest import copy_kernel, endless_kernel

THREADS = 8


def all_at_once(work):
    """The results of `work(number)` in each thread. All threads start together; an exception in one is
    raised here."""
    together = threading.Barrier(THREADS)

    def start(number):
        together.wait(60)
        return work(number)

    with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(start, range(THREADS)))


@pytest.fixture(autouse=True)
def often():
    """Makes Python switch threads ten thousand times per second instead of two hundred."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def rounds(request):
    return 5 if request.node.callspec.params.get("device") == "reference" else 20


def numbered_module(factor: int) -> tilewright.Module:
    """`@scaled(x, y)`: y[i] = x[i] * factor + block, with one block per 8 elements."""
    return tilewright.load(f"""cuda_tile.module @m {{
      entry @scaled(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {{
        %b, %by, %bz = get_tile_block_id : tile<i32>
        %eight = constant <i32: 8> : tile<i32>
        %first = muli %b, %eight : tile<i32>
        %x0 = offset %x, %first : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %y0 = offset %y, %first : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %x1 = reshape %x0 : tile<ptr<i32>> -> tile<1xptr<i32>>
        %y1 = reshape %y0 : tile<ptr<i32>> -> tile<1xptr<i32>>
        %ids = iota : tile<8xi32>
        %x8 = broadcast %x1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
        %y8 = broadcast %y1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
        %from = offset %x8, %ids : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
        %to = offset %y8, %ids : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
        %v, %t = load_ptr_tko weak %from : tile<8xptr<i32>> -> tile<8xi32>, token
        %factor = constant <i32: {factor}> : tile<8xi32>
        %b1 = reshape %b : tile<i32> -> tile<1xi32>
        %b8 = broadcast %b1 : tile<1xi32> -> tile<8xi32>
        %product = muli %v, %factor : tile<8xi32>
        %sum = addi %product, %b8 : tile<8xi32>
        %u = store_ptr_tko weak %to, %sum : tile<8xptr<i32>>, tile<8xi32> -> token
      }}
    }}""")


BLOCKS = 16
SOURCE = np.arange(8 * BLOCKS, dtype=np.int32)


def expect_scaled(kernel, factor):
    target = np.zeros_like(SOURCE)
    kernel[BLOCKS](SOURCE, target)
    assert (target == SOURCE * factor + np.arange(8 * BLOCKS) // 8).all()


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_one_kernel(device, rounds):
    kernel = numbered_module(3)["scaled"].compile(device)
    all_at_once(lambda number: [expect_scaled(kernel, 3) for _ in range(rounds)])


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_a_kernel_for_each_thread(device, rounds):
    kernels = [numbered_module(n)["scaled"].compile(device) for n in range(THREADS)]
    all_at_once(lambda number: [expect_scaled(kernels[number], number) for _ in range(rounds)])


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_all_compile(device):
    """The same entry of one module, and one module per thread."""
    shared = numbered_module(5)

    def work(number):
        expect_scaled(shared["scaled"].compile(device), 5)
        expect_scaled(numbered_module(100 + number)["scaled"].compile(device), 100 + number)
        assert "muli" in shared.text and len(shared.bytecode()) > 100
        shared.verify()

    all_at_once(work)


def test_all_read_and_refuse():
    def work(number):
        with pytest.raises(tilewright.InvalidProgramError, match=f"unknown_{number}"):
            tilewright.load(f"cuda_tile.module @m {{ entry @e() {{ unknown_{number} }} }}")

    all_at_once(work)


def test_checked_launches_with_findings():
    """Each thread gets the findings of its own launch."""
    kernel = copy_kernel("i32", check=True)

    def work(number):
        for _ in range(3):
            short = np.zeros(number, np.int32)
            with pytest.raises(tilewright.KernelError) as caught:
                kernel[1](np.zeros(8, np.int32), short)
            assert {finding.array for finding in caught.value.findings} == {f"parameter 2 ({number}xi32)"}
            assert caught.value.findings[0].rule == "bounds"
            kernel[1](np.zeros(8, np.int32), np.zeros(8, np.int32))

    all_at_once(work)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_prints_and_assertions(device, capsys):
    kernel = tilewright.load("""cuda_tile.module @m {
      entry @say(%n: tile<i32>) {
        %t = print_tko "it is %d\\n", %n : tile<i32> -> token
        %seven = constant <i32: 7> : tile<i32>
        %other = cmpi not_equal %n, %seven, signed : tile<i32> -> tile<i1>
        assert %other, "seven" : tile<i1>
      }
    }""")["say"].compile(device)

    def work(number):
        for _ in range(10):
            if number == 7:
                with pytest.raises(tilewright.KernelAssertionError, match="seven"):
                    kernel[3](number)
            else:
                kernel[3](number)

    all_at_once(work)
    # The lines of different launches come in any order, but are not interleaved.
    printed = capsys.readouterr().out.splitlines()
    assert sorted(printed) == sorted(f"it is {n}" for n in range(THREADS) for _ in range(30))


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_a_launch_that_is_cancelled_beside_others(device, rounds):
    """The main thread waits in a kernel that Ctrl-C ends, while the others launch."""
    waiting = endless_kernel(device=device, max_steps=2**62 if device == "reference" else 0)
    kernel = numbered_module(3)["scaled"].compile(device)
    flag = np.zeros(2, np.int32)
    interrupted = threading.Event()

    def interrupt(number, frame):
        if not interrupted.is_set():
            interrupted.set()
            raise KeyboardInterrupt

    def others():
        all_at_once(lambda number: [expect_scaled(kernel, 3) for _ in range(rounds)])
        while not flag[1]:  # until the kernel has begun
            pass
        # While a block runs on its own stack, ThreadSanitizer defers signals until the block calls the
        # C library, which it may never do; so send several, of which one is delivered.
        while not interrupted.is_set():
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            interrupted.wait(0.1)

    before = signal.signal(signal.SIGINT, interrupt)
    beside = threading.Thread(target=others)
    try:
        beside.start()
        with pytest.raises(KeyboardInterrupt):
            waiting[2](flag)
    finally:
        beside.join()
        signal.signal(signal.SIGINT, before)


def test_kernels_of_cutile():
    """The same and different kernels, for the first time in all threads, compiled and checked."""
    ct = pytest.importorskip("cuda.tile")
    from tilewright import cutile

    def kernel_for(constant):
        @ct.kernel
        def shifted(x, y):
            i = ct.bid(0)
            ct.store(y, (i,), ct.load(x, (i,), (16,)) + constant)
        return shifted

    shared = kernel_for(1)

    def work(number):
        own = kernel_for(number)
        for constant, kernel in ((1, shared), (number, own)) * 2:
            for options in ({}, {"check": True}, {"threads": 2}):
                for dtype in (np.float32, np.int32):
                    x, y = np.arange(64, dtype=dtype), np.zeros(64, dtype)
                    cutile.launch((4,), kernel, (x, y), **options)
                    assert (y == x + dtype(constant)).all()
        with pytest.raises(tilewright.KernelError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cutile.launch((5,), shared, (x, y), check=True)

    all_at_once(work)
