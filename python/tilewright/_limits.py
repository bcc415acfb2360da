# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the peak bandwidth and f32 rate of this machine. Small Tile IR kernels, compiled like any
other, copy memory and multiply-add, on as many threads as a launch uses. Measured once per process, on
first use; other programs that run at the same time lower the results."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

import numpy as np

from tilewright._module import Entry, load

_SECONDS = 0.3  # for each measurement
_BYTES = 1 << 27  # size of an array: more than most caches hold


@functools.cache
def bytes_per_second() -> float:
    """Memory bandwidth: the best of a copy (counting reads and writes), NumPy's non-temporal copy on one
    thread, and reading alone. Data that stays in caches may be faster."""
    source = np.ones(_BYTES // 4, np.float32)
    target = np.ones_like(source)
    copy, read = _mover("copy"), _mover("read")
    blocks = len(source) // _TILE
    return max(2 * _BYTES / _best(lambda: copy[blocks](source, target, len(source))),
               2 * _BYTES / _best(lambda: np.copyto(target, source)),
               _BYTES / _best(lambda: read[blocks](source, target, len(source))))


@functools.cache
def flops_per_second() -> float:
    """The f32 multiply-add rate, counting two operations each. Matrix products of narrower types may be
    faster."""
    steps, blocks = 256, 64
    sums = np.empty(blocks, np.float32)
    kernel = _multiply_add()
    return 2 * _LANES * _CHAIN * steps * blocks / _best(lambda: kernel[blocks](sums, 0.5, steps))


def _best(call: Callable[[], object]) -> float:
    """The shortest time among repeated calls."""
    call()
    times = []
    end = time.perf_counter() + _SECONDS
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


# --- Kernels ------------------------------------------------------------------------------------

_TILE = 1 << 14  # elements per block


def _mover(name: str):
    """`copy[blocks](x, y, n)` copies x to y. `read` stores the largest element of each tile to y."""
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


# The tile stays in the L1 cache, and the operations on each element hide its load and its store.
_LANES, _CHAIN = 4096, 16


def _multiply_add():
    """Each block updates a tile of accumulators `steps * _CHAIN` times from s to a * s + a, and stores
    the largest one."""
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
    """Stores the maximum to element %b of %y, so that the computation has a user and is not deleted."""
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
