# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What does this machine do at most? Small kernels in Tile IR, compiled as any other, move bytes and
multiply and add, on as many threads as a launch takes. Measured once per process, when it is asked
for; another program that runs at the same time takes its share of it."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

import numpy as np

from tilewright._module import Entry, load

_SECONDS = 0.3  # of each measurement
_BYTES = 1 << 27  # of an array: more than most caches hold


@functools.cache
def bytes_per_second() -> float:
    """To and from memory: the best of a copy, which reads and writes, of one around caches (NumPy's,
    on one thread), and of reading alone. Data that stays in caches may be faster."""
    source = np.ones(_BYTES // 4, np.float32)
    target = np.ones_like(source)
    copy, read = _mover("copy"), _mover("read")
    blocks = len(source) // _TILE
    return max(2 * _BYTES / _best(lambda: copy[blocks](source, target, len(source))),
               2 * _BYTES / _best(lambda: np.copyto(target, source)),
               _BYTES / _best(lambda: read[blocks](source, target, len(source))))


@functools.cache
def flops_per_second() -> float:
    """Multiply-adds of f32, each of which counts as two. Products of matrices of narrower types may
    be faster."""
    steps, blocks = 256, 64
    sums = np.empty(blocks, np.float32)
    kernel = _multiply_add()
    return 2 * _LANES * _CHAIN * steps * blocks / _best(lambda: kernel[blocks](sums, 0.5, steps))


def _best(call: Callable[[], object]) -> float:
    """The time of the fastest of repeated calls."""
    call()
    times = []
    end = time.perf_counter() + _SECONDS
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


# --- Kernels ------------------------------------------------------------------------------------

_TILE = 1 << 14  # elements that a block moves


def _mover(name: str):
    """`copy[blocks](x, y, n)` copies x to y. `read` takes the largest element of each tile to y."""
    view = "tensor_view<?xf32, strides=[1]>"
    part = f"partition_view<tile=({_TILE}), {view}>"
    return _entry(f"""cuda_tile.module @m {{
      entry @copy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>) {{
        %b, %by, %bz = get_tile_block_id : tile<i32>
        %xv = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> {view}
        %yv = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> {view}
        %xp = make_partition_view %xv : {part}
        %yp = make_partition_view %yv : {part}
        %v, %t = load_view_tko weak %xp[%b] : {part}, tile<i32> -> tile<{_TILE}xf32>, token
        %u = store_view_tko weak %v, %yp[%b] : tile<{_TILE}xf32>, {part}, tile<i32> -> token
      }}
      entry @read(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>) {{
        %b, %by, %bz = get_tile_block_id : tile<i32>
        %xv = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> {view}
        %xp = make_partition_view %xv : {part}
        %v, %t = load_view_tko weak %xp[%b] : {part}, tile<i32> -> tile<{_TILE}xf32>, token
        {_store_largest("%v", _TILE)}
      }}
    }}""", name)


# A tile that stays in the fastest cache, and as many operations on an element between its load and
# its store as hide both.
_LANES, _CHAIN = 4096, 16


def _multiply_add():
    """Each block takes an array of sums `steps * _CHAIN` times from s to a * s + a, and stores the
    largest."""
    tile = f"tile<{_LANES}xf32>"
    chain = "\n".join(f"%s{i + 1} = fma %f, %s{i}, %f : {tile}" for i in range(_CHAIN))
    return _entry(f"""cuda_tile.module @m {{
      entry @multiply_add(%y: tile<ptr<f32>>, %a: tile<f32>, %steps: tile<i32>) {{
        %b, %by, %bz = get_tile_block_id : tile<i32>
        %0 = constant <i32: 0> : tile<i32>
        %1 = constant <i32: 1> : tile<i32>
        %zero = constant <f32: 0.0> : {tile}
        %one = reshape %a : tile<f32> -> tile<1xf32>
        %f = broadcast %one : tile<1xf32> -> {tile}
        %v = for %i in (%0 to %steps, step %1) : tile<i32> iter_values(%s0 = %zero) -> ({tile}) {{
          {chain}
          continue %s{_CHAIN} : {tile}
        }}
        {_store_largest("%v", _LANES)}
      }}
    }}""", "multiply_add")


def _store_largest(value: str, count: int) -> str:
    """To element %b behind %y, so that nothing is left out because nobody needs it."""
    return f"""%m = reduce {value} dim=0 identities=[0.0 : f32] : tile<{count}xf32> -> tile<f32> (
            %c: tile<f32>, %d: tile<f32>) {{
          %larger = maxf %c, %d : tile<f32>
          yield %larger : tile<f32>
        }}
        %to = offset %y, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %stored = store_ptr_tko weak %to, %m : tile<ptr<f32>>, tile<f32> -> token"""


def _entry(text: str, name: str):
    entry: Entry = load(text)[name]
    return entry.compile("cpu")
