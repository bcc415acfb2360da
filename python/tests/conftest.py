# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the tests: kernels as text, compiled with a separate compile cache."""

import signal
import subprocess
import sys
import textwrap
import threading

import pytest
import tilewright

ADD = """cuda_tile.module @m {
  entry @add(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %n : tile<i32>
    %u = store_ptr_tko weak %at, %new token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
}"""
"""Each block adds a number to its element."""


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def copy_kernel(element: str, extent: int = 8, **options):
    """Copies `extent` elements, one by one: `copy[1](source, target)`."""
    view = f"tensor_view<{extent}x{element}, strides=[1]>"
    part = f"partition_view<tile=({extent}), {view}>"
    return tilewright.load(f"""cuda_tile.module @m {{
      entry @copy(%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>) {{
        %i = constant <i32: 0> : tile<i32>
        %xv = make_tensor_view %x, shape = [{extent}], strides = [1] : {view}
        %yv = make_tensor_view %y, shape = [{extent}], strides = [1] : {view}
        %xp = make_partition_view %xv : {part}
        %yp = make_partition_view %yv : {part}
        %v, %t = load_view_tko weak %xp[%i] : {part}, tile<i32> -> tile<{extent}x{element}>, token
        %u = store_view_tko weak %v, %yp[%i] : tile<{extent}x{element}>, {part}, tile<i32> -> token
      }}
    }}""")["copy"].compile(**options)


def store_scalar_kernel(element: str, **options):
    """Stores its argument: `store[1](target, value)`."""
    return tilewright.load(f"""cuda_tile.module @m {{
      entry @store(%y: tile<ptr<{element}>>, %v: tile<{element}>) {{
        %t = store_ptr_tko weak %y, %v : tile<ptr<{element}>>, tile<{element}> -> token
      }}
    }}""")["store"].compile(**options)


def endless_kernel(**options):
    """Waits until element 0 is nonzero, and writes element 1 meanwhile."""
    return tilewright.load("""cuda_tile.module @m {
      entry @wait(%x: tile<ptr<i32>>) {
        %zero = constant <i32: 0> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        %y = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        loop {
          %u = store_ptr_tko relaxed sys %y, %one : tile<ptr<i32>>, tile<i32> -> token
          %v, %t = load_ptr_tko relaxed sys %x : tile<ptr<i32>> -> tile<i32>, token
          %done = cmpi not_equal %v, %zero, signed : tile<i32> -> tile<i1>
          if %done { break }
          continue
        }
      }
    }""")["wait"].compile(**options)


def expect_interrupt(script, prepare: str, call: str, seconds: float) -> None:
    """Runs `call` in a program at the path `script`, which Ctrl-C shall end by a KeyboardInterrupt after as many seconds."""
    script.write_text(f"""
import signal, sys
# Where the tests run in the background, the signal is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {str(__file__).rsplit('/', 1)[0]!r})
{textwrap.dedent(prepare)}
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
""")
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    # Before the call has begun, Python itself would end the main thread in the same way.
    threading.Event().wait(seconds)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"
    assert process.returncode == 0
