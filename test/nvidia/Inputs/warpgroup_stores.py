# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for warpgroups.py: stores of f16 tiles by tensor maps."""

import numpy as np

from warpgroup_kernels import Case, loop, store

F16 = Case("", total="f16")


def twice() -> str:
    """Stores a tile, loads it, and stores the double: the tokens order all three."""
    c, view = F16.tile_of("c"), F16.view("c")
    return f"""{loop(F16)}
    {store(F16, "sum", result="first")}
    %again, %again_t = load_view_tko weak %cp[%x, %y] token=%first : {view}, tile<i32> -> {c}, token
    %double = addf %again, %again : {c}
    {store(F16, "double", token=" token=%again_t")}"""


def two() -> str:
    """Stores the tile to the first row of tiles, then its double to the second one."""
    return f"""{loop(F16, row="%0")}
    {store(F16, "sum", "%0", result="first")}
    %double = addf %sum, %sum : {F16.tile_of("c")}
    {store(F16, "double", "%1")}"""


def batched() -> str:
    """Stores tiles of a three-dimensional array: its halves are those of the rows."""
    wide = "tensor_view<2x?x?xf16, strides=[?, ?, 1]>"
    view = f"partition_view<tile=(1x64x64), {wide}>"
    return f"""%half = divi %m, %2 signed : tile<i32>
    %rows_of = assume div_by<16>, %half : tile<i32>
    %size = muli %rows_of, %n : tile<i32>
    %big = assume div_by<16>, %size : tile<i32>
    %tv = make_tensor_view %c, shape = [2, %rows_of, %n], strides = [%big, %n, 1] : tile<i32> -> {wide}
    %tp = make_partition_view %tv : {view}
    {loop(F16)}
    %flat = reshape %sum : {F16.tile_of("c")} -> tile<1x64x64xf16>
    %second = divi %x, %2 signed : tile<i32>
    %row = remi %x, %2 signed : tile<i32>
    %stored = store_view_tko weak %flat, %tp[%second, %row, %y] : tile<1x64x64xf16>, {view}, tile<i32> -> token"""


def of_f32(element: str) -> str:
    """Stores f32 sums as this type, to the array of f16."""
    c = "tile<64x64xf32>"
    return f"""%none = constant <f32: 0.0> : {c}
    {loop(Case(""), initial="none")}
    %narrow = ftof %sum : {c} -> tile<64x64x{element}>
    {store(F16, "narrow")}"""


def stores():
    """By tensor maps."""
    f16 = {"total": "f16", "stores": 1}
    large = {"schedules": ("random",), **f16}
    yield Case("stored by maps", **f16)
    yield Case("stored by maps, strides of 8 elements", assumes={"n": 8, "m": 8, "k": 8}, sizes=(104, 72, 136), **f16)
    yield Case("stored by maps, 64x16x32", tile=(64, 16, 32), sizes=(80, 48, 80), **f16)
    yield Case("stored by maps, 64x32x64", tile=(64, 32, 64), sizes=(80, 48, 144), schedules=("down", "random"), **f16)
    yield Case("stored by maps, 128x256x64", tile=(128, 256, 64), sizes=(144, 272, 272), **large)
    yield Case("stored by maps, 256x128x64", tile=(256, 128, 64), sizes=(272, 144, 272), **large)
    yield Case("stored by maps, 512x64x32", tile=(512, 64, 32), sizes=(528, 80, 144), **large)
    yield Case("stored by maps, mma.sync", tile=(32, 64, 64), instruction="mma.m", **f16)
    yield Case("stored by maps, fp8", element="f8E4M3FN", tile=(64, 64, 128), order="rows columns", **f16)
    yield Case("stored by maps, of f32", of_f32("f16"), **f16)
    yield Case("stored by maps, tiles outside", grid=(3, 3), **f16)
    yield Case("stored by maps, m is 0", sizes=(0, 80, 144), grid=(1, 1), **f16)
    yield Case("stored by maps, n is 0", sizes=(96, 0, 144), grid=(1, 1), **f16)
    yield Case("stored by maps, k is 0", sizes=(96, 80, 0), **f16)
    yield Case("stored and loaded", twice(), lambda a, b, q: 2 * (a @ b), total="f16", stores=2)
    yield Case("two stores", two(), lambda a, b, q: np.concatenate([a[:64] @ b, 2 * a[:64] @ b]), total="f16", stores=2,
               sizes=(128, 80, 144), grid=(1, 2))
    yield Case("stored into a batch", batched(), sizes=(256, 80, 144), **f16)
    # A later iteration of the producer fills the stages that the tile would take.
    again = f"""for %j in (%0 to %2, step %1) : tile<i32> {{
      {loop(F16, row="%j")}
      {store(F16, "sum", "%j")}
      continue
    }}"""
    yield Case("stored in a loop", again, total="f16", stores=0, grid=(1, 2))
    yield Case("stored before a product", f"{loop(F16)}\n    {store(F16, 'sum')}\n    "
               + loop(F16, sums="more").replace("%more = mmaf", "%next = mmaf").replace("continue %more", "continue %next")
               + f"\n    {store(F16, 'more', result='last')}", total="f16", stores=1, ways=None)
    hint = " optimization_hints = <sm_90 = {allow_tma = false}> : "
    body = f"{loop(F16)}\n    {store(F16, 'sum')}"
    at = body.rindex("%cp[%x, %y] : ") + len("%cp[%x, %y]")
    yield Case("stores without TMA", body[:at] + hint + body[at + 3:], total="f16", stores=0)
    yield Case("the address of the result is unknown", assumes=dict(c=8), total="f16", stores=0)
    yield Case("f32 results", stores=0)
