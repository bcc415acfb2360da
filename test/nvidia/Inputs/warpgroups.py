# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `wgmma` and warp specialisation on the PTX machine against NumPy.

All kernels multiply a (M x K) by b (K x N). Elements are small integers, so that every sum is exact. For each kernel
the plan must name the instruction and how operands get into shared memory, and it is fixed whether a producer warp
copies them. `warpgroups.py TILEWRIGHT FOLDER [NAME]` runs all cases, or those whose name contains NAME.
"""

import json
import pathlib
import re
import subprocess
import sys

import numpy as np

from warpgroup_hints import hints
from warpgroup_kernels import AHEAD, WRITTEN, Case, load, loop, store, text_of, usual_views
from warpgroup_slices import loaded, returns, shared
from warpgroup_loops import control, effects, several
from warpgroup_stores import stores

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
TYPES = {"f16": "f32.f16.f16", "bf16": "f32.bf16.bf16", "tf32": "f32.tf32.tf32", "i8": "s32.s8.s8",
         "f8E4M3FN": "f32.e4m3.e4m3", "f8E5M2": "f32.e5m2.e5m2"}
BYTES = {"f16": 2, "bf16": 2, "tf32": 4, "i8": 1, "f8E4M3FN": 1, "f8E5M2": 1}
NUMPY = {"f16": np.float16, "tf32": np.float32, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32}
E4M3 = (0xC0, 0xB8, 0, 0x38, 0x40)  # -2 to 2
LARGE = {"schedules": ("random",)}


def threads_of(ptx: str) -> int:
    return int(re.search(r"\.reqntid (\d+)", ptx)[1])


def is_specialised(ptx: str) -> bool:
    """Whether the kernel has a producer warp, and, with `tcgen05.mma`, a multiplier warp."""
    more = 64 if "tcgen05" in ptx else 32
    return "cp.async.bulk.tensor" in ptx and threads_of(ptx) % 128 == more


#===-- Cases ------------------------------------------------------------------------------------===#

def forms():
    """Element types, tiles, and orders of operands."""
    yield Case("64x64x64", tile=(64, 64, 64))
    yield Case("64x32x16", tile=(64, 32, 16), sizes=(80, 80, 80))
    yield Case("64x16x16", tile=(64, 16, 16), sizes=(80, 48, 80))
    yield Case("64x128x32", tile=(64, 128, 32), sizes=(80, 144, 336))
    yield Case("128x64x128", tile=(128, 64, 128), sizes=(144, 80, 272), schedules=("down", "random"))
    yield Case("128x128x64", tile=(128, 128, 64), sizes=(144, 144, 464), schedules=("up", "random"))
    yield Case("128x256x64", tile=(128, 256, 64), sizes=(144, 272, 272), **LARGE)
    yield Case("256x128x64", tile=(256, 128, 64), sizes=(272, 144, 272), **LARGE)
    yield Case("512x64x32", tile=(512, 64, 32), sizes=(528, 80, 144), **LARGE)
    yield Case("64x512x32", tile=(64, 512, 32), sizes=(80, 528, 112), **LARGE)
    yield Case("64x512x32, columns", tile=(64, 512, 32), sizes=(80, 528, 112), order="rows columns", **LARGE)
    for order in ("rows columns", "columns rows", "columns columns"):
        yield Case(f"order {order}", order=order, tile=(64, 64, 64), schedules=("down", "random"))
    yield Case("lhs by columns, 256x128x64", order="columns rows", tile=(256, 128, 64), sizes=(272, 144, 272), **LARGE)
    yield Case("lhs by columns, 128x64x32", order="columns columns", tile=(128, 64, 32), sizes=(144, 80, 80))
    yield Case("lhs by columns, 64x256x16", order="columns rows", tile=(64, 256, 16), sizes=(80, 272, 80), element="bf16", **LARGE)
    yield Case("lhs by columns, tf32", order="columns columns", element="tf32", tile=(64, 64, 32), ways=((WRITTEN, AHEAD),), **LARGE)
    yield Case("bf16", element="bf16")
    yield Case("bf16, columns", element="bf16", order="rows columns", tile=(64, 32, 64), schedules=("random",))
    yield Case("f16 sums", total="f16")
    yield Case("f16 sums, 128x128", total="f16", tile=(128, 128, 64), sizes=(144, 144, 208), **LARGE)
    yield Case("tf32, columns", element="tf32", order="rows columns", tile=(64, 64, 32))
    yield Case("tf32, rows", element="tf32", tile=(64, 64, 32), ways=((AHEAD, WRITTEN),), schedules=("up", "random"))
    yield Case("tf32, k of 8", element="tf32", tile=(64, 16, 8), order="rows columns", sizes=(80, 48, 48),
               ways=((AHEAD, WRITTEN),), schedules=("random",))
    yield Case("i8, columns", element="i8", total="i32", order="rows columns", tile=(64, 64, 64))
    yield Case("i8, columns, 128", element="i8", total="i32", order="rows columns", tile=(128, 128, 128),
               sizes=(144, 144, 400), **LARGE)
    mma = {"instruction": "mma.m"}
    yield Case("i8, rows", element="i8", total="i32", tile=(64, 64, 64), **mma)
    for columns in (16, 32, 256):
        yield Case(f"i8, rows of {columns} bytes", element="i8", total="i32", tile=(32, columns, 64), sizes=(80, 272, 208), **mma, **LARGE,
                   ways=((AHEAD, WRITTEN if columns == 16 else AHEAD),))  # warps that have only eight columns do not load pairs
    yield Case("i8, rows, 256x256", element="i8", total="i32", tile=(256, 256, 64), sizes=(272, 272, 208), **mma, **LARGE)
    yield Case("mma.sync, 16x64x32", tile=(16, 64, 32), **mma)
    yield Case("mma.sync, 32x128x64", tile=(32, 128, 64), sizes=(80, 144, 336), order="rows columns", **mma)
    yield Case("mma.sync, lhs by columns", tile=(32, 64, 64), order="columns rows", ways=((WRITTEN, AHEAD),), **mma)
    yield Case("mma.sync, rows of 16 bytes", tile=(64, 8, 64), sizes=(80, 24, 80), producer=False, reason="less than 32 bytes",
               schedules=("random",), **mma)
    yield Case("fp8, columns", element="f8E4M3FN", tile=(64, 64, 64), order="rows columns")
    yield Case("fp8, columns, 128", element="f8E4M3FN", tile=(128, 128, 128), order="rows columns", sizes=(144, 144, 400), **LARGE)
    yield Case("fp8, 64x512x64", element="f8E5M2", tile=(64, 512, 64), order="rows columns", sizes=(80, 528, 144), **LARGE)
    yield Case("fp8, 512x64x32", element="f8E4M3FN", tile=(512, 64, 32), order="rows columns", sizes=(528, 80, 144), **LARGE)
    yield Case("fp8, k of 512", element="f8E4M3FN", tile=(64, 32, 512), order="rows columns", sizes=(80, 48, 1040),
               instruction="wgmma.m64n16k32.f32.e4m3.e4m3", **LARGE)  # 8 warps
    yield Case("fp8, f16 sums", element="f8E4M3FN", total="f16", tile=(64, 32, 64), order="rows columns", sizes=(80, 48, 144))
    yield Case("fp8, fast_acc", element="f8E4M3FN", tile=(64, 256, 64), order="rows columns", sizes=(80, 272, 144), fast=True, **LARGE)
    yield Case("fp8, fast_acc, f8E5M2", element="f8E5M2", tile=(128, 32, 64), order="rows columns", fast=True)
    yield Case("fp8, columns, k of 256", element="f8E5M2", tile=(32, 32, 256), order="rows columns", sizes=(80, 80, 592), **mma, **LARGE)
    yield Case("fp8, rows", element="f8E4M3FN", tile=(64, 64, 64), **mma)
    yield Case("fp8, rows, 128", element="f8E4M3FN", tile=(128, 128, 64), sizes=(144, 144, 208), **mma, **LARGE)
    yield Case("f64", element="f64", total="f64", tile=(32, 32, 16), order="rows columns", **mma)


def arrays():
    """What is known about arrays, extents, and padding."""
    yield Case("strides of 8 elements", assumes={"k": 8, "n": 8, "m": 8}, sizes=(104, 72, 136))
    yield Case("pointers moved by 16 bytes", body=moved(8), expected=lambda a, b, q: flat(a, 8) @ b)
    yield Case("k is 0", sizes=(96, 80, 0))
    yield Case("m is 0", sizes=(0, 80, 144), grid=(1, 1))
    yield Case("n is 0", sizes=(96, 0, 144), grid=(1, 1))
    yield Case("k is less than a step", sizes=(64, 64, 16), tile=(64, 64, 64))
    yield Case("first tiles outside of the array", body=f"%far = constant <i32: 7> : tile<i32>\n    "
               + loop(Case(""), "%0 to %q, step %1", row="%far") + f"\n    {store(Case(''), 'sum')}",
               expected=lambda a, b, q: np.zeros((a.shape[0], b.shape[1])))
    yield Case("steps outside of the array", body=loop(Case(""), "%0 to %q, step %1") + f"\n    {store(Case(''), 'sum')}", q=9)
    minus = Case("")
    yield Case("negative index", body="%minus = constant <i32: -1> : tile<i32>\n    "
               + loop(minus, "%minus to %steps, step %1") + f"\n    {store(minus, 'sum')}")
    huge = Case("")
    yield Case("indices beyond 2^31 elements", body="%huge = constant <i32: 134217728> : tile<i32>\n    " + loop(
        huge, "%0 to %steps, step %1", before="%h = muli %i, %huge : tile<i32>", at="%h") + f"\n    {store(huge, 'sum')}",
        expected=lambda a, b, q: a[:, :32] @ b[:32], schedules=("random",))
    for padding, producer in (("", True), ("nan", False), ("neg_zero", False)):
        yield Case(f"padding {padding or 'unspecified'}", padding=padding, producer=producer,
                   sizes=(128, 64, 96), reason="" if producer else "outside of the array", schedules=("up", "random"))
    pointers = {"aligned": False, "assumes": {"a": 16, "b": 16}}
    yield static("static extents", (96, 80, 144), **pointers)
    yield static("static extents, strides of i64", (96, 80, 144), wide=True, schedules=("down", "random"))
    yield static("static extents, strides of 8 bytes", (96, 84, 148), producer=False, reason="stride", schedules=("random",), **pointers)


def asked():
    """What is not known about arrays, so that the kernel asks. In each pair, one answer is yes, the other one no."""
    unknown = {"aligned": False}
    yield Case("alignment unknown", sizes=(100, 72, 136), asked="yes", **unknown)
    yield Case("rows not aligned", sizes=(99, 71, 133), asked="no", **unknown)
    yield Case("alignment unknown, 128x128x64", tile=(128, 128, 64), sizes=(132, 136, 296), schedules=("up", "random"), asked="yes",
               **unknown)
    yield Case("rows not aligned, 128x128x64", tile=(128, 128, 64), sizes=(132, 140, 296), schedules=("up", "random"), asked="no",
               **unknown)
    yield Case("lhs by columns, alignment unknown", order="columns rows", sizes=(104, 72, 130), asked="yes", **unknown)
    yield Case("lhs by columns, rows not aligned", order="columns rows", sizes=(100, 72, 130), asked="no", **unknown)
    yield Case("strides of 8 elements, 4 known", assumes={"k": 4}, sizes=(96, 80, 136), asked="yes")
    yield Case("strides of 4 elements", assumes={"k": 4}, sizes=(96, 80, 148), asked="no")
    yield Case("pointers moved by 16 bytes, unknown", body=moved(8), expected=lambda a, b, q: flat(a, 8) @ b, asked="yes", **unknown)
    for skew in (1, 4):
        yield Case(f"pointers moved by {2 * skew} bytes", body=moved(skew), expected=lambda a, b, q, skew=skew: flat(a, skew) @ b,
                   asked="no", **unknown)
    yield Case("addresses of 8 bytes known", assumes={"b": 8}, asked="yes")
    few = {"aligned": False, "assumes": dict(a=16, b=16, k=1, n=16)}
    yield Case("8 elements of k are there", sizes=(64, 64, 8), asked="yes", **few)
    yield Case("one element of k is there", sizes=(64, 64, 33), asked="no", **few)
    yield Case("k is 0, unknown", sizes=(96, 80, 0), asked="no steps", **unknown)
    yield Case("extents of i64", index="i64", views=wide_views(), asked="yes")
    yield gaps(1, asked="yes")
    yield gaps(2, asked="no")
    f16 = {"total": "f16", "aligned": False, "assumes": dict(c=16, n=16), "stores": 1}
    yield Case("stored by tensor maps", sizes=(100, 80, 136), asked="yes", **f16)
    yield Case("stored by tensor maps, rows not aligned", sizes=(100, 80, 133), asked="no", **f16)
    for element, total in (("i8", "i32"), ("f8E4M3FN", "f32"), ("tf32", "f32")):
        by_columns = {"element": element, "total": total, "tile": (64, 64, 64), "order": "rows columns", **unknown}
        yield Case(f"{element}, alignment unknown", sizes=(72, 72, 208), asked="yes", **by_columns)
        yield Case(f"{element}, rows not aligned", sizes=(72, 72, 203), asked="no", **by_columns)
    by_rows = {"element": "i8", "total": "i32", "tile": (64, 64, 64), "instruction": "mma.m", **unknown}
    yield Case("i8, rows, alignment unknown", sizes=(72, 80, 208), asked="yes", **by_rows)
    yield Case("i8, rows, too few registers to ask", producer=False, reason="address", **by_rows | {"tile": (128, 128, 64)}, sizes=(72, 80, 208))
    yield Case("i8, rows not aligned, by rows", sizes=(72, 72, 208), asked="no", **by_rows)
    returned = "if %outside {\n      return\n    }"
    body = f"%limit = constant <i32: 1> : tile<i32>\n    %outside = cmpi greater_than_or_equal %y, %limit, signed : tile<i32> -> tile<i1>\n    {returned}\n    "
    case = Case("")
    early = {"body": f"{body}{loop(case)}\n    {store(case, 'sum')}", "grid": (2, 2), **unknown,
             "expected": lambda a, b, q: (a @ b) * (np.arange(b.shape[1]) < 64)}
    yield Case("early return", sizes=(100, 72, 136), asked="yes", **early)
    yield Case("early return, rows not aligned", sizes=(100, 71, 133), asked="no", **early)
    yield Case("the array is made behind a return", sizes=(100, 72, 136), producer=False, reason="lhs: the address",
               **early | {"body": body + usual_views(case).replace("v =", "w =").replace("v :", "w :").replace("%ap", "%aq")
                          .replace("%bp", "%bq").replace("%cp", "%cq").replace("%rows, %steps", "%rows2, %steps2") + "\n    "
                          + f"{loop(case)}\n    {store(case, 'sum')}".replace("%ap", "%aq").replace("%bp", "%bq")})


def gaps(stride: int, **more) -> Case:
    """lhs has elements whose distance is only known at run time."""
    case = Case("")
    tensor = "tensor_view<?x?xf16, strides=[?, ?]>"
    view = case.view("a").replace(case.tensor("a"), tensor)
    lines = usual_views(case).split("\n    ")
    lines = [line.replace(case.tensor("a"), tensor) if "%av" in line or "%ap" in line else line for line in lines]
    views = "\n    ".join(lines).replace("[%m, %k], strides = [%k, 1]", "[%m, %wide], strides = [%k, %q]")
    load_a = load(case, "a", "l", "%x", "%i")
    body = f"{loop(case)}\n    {store(case, 'sum')}".replace(load_a, load_a.replace(case.view("a"), view))
    return Case(f"elements with a distance of {stride}", body, q=stride, views=f"%wide = divi %k, %q signed : tile<i32>\n    {views}",
                expected=lambda a, b, q: a[:, ::q] @ b[:a.shape[1] // q], **more)


def flat(a: np.ndarray, skew: int) -> np.ndarray:
    """Rows of the array that begins so many elements later; it has one row less."""
    rows, columns = a.shape
    shifted = np.zeros(a.size)
    shifted[:a.size - columns] = a.ravel()[skew:skew + a.size - columns]
    return shifted.reshape(rows, columns)


def moved(skew: int) -> str:
    case = Case("")
    body = loop(case).replace("%ap[", "%am[")
    return f"""%skew = constant <i32: {skew}> : tile<i32>
    %shifted = offset %a, %skew : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %fewer = subi %m, %1 : tile<i32>
    %amv = make_tensor_view %shifted, shape = [%fewer, %k], strides = [%k, 1] : tile<i32> -> {case.tensor("a")}
    %am = make_partition_view %amv : {case.view("a")}
    {body}
    {store(case, "sum")}"""


def wide_views() -> str:
    return usual_views(Case("", index="i64"))


def static(name: str, sizes: tuple, wide: bool = False, **more) -> Case:
    """Arrays of static extents, with static strides or strides of i64."""
    case, text, (m, n, k) = Case(""), [], sizes
    body = f"{loop(case)}\n    {store(case, 'sum')}"
    for which, (rows, columns), stride in (("a", (m, k), "%wk"), ("b", (k, n), "%wn")):
        if wide:
            text.append(f"{stride} = exti %{stride[2]} signed : tile<i32> -> tile<i64>")
        tensor = f"tensor_view<{rows}x{columns}xf16, strides=[{'?' if wide else columns}, 1]>"
        strides = f"[{stride}, 1] : tile<i64> ->" if wide else f"[{columns}, 1] :"
        view = case.view(which).replace(case.tensor(which), tensor)
        body = body.replace(case.view(which), view)
        text += [f"%{which}v = make_tensor_view %{which}, shape = [{rows}, {columns}], strides = {strides} {tensor}",
                 f"%{which}p = make_partition_view %{which}v : {view}"]
    views = [*text, *[line for line in usual_views(case).split("\n    ") if line.startswith("%c")],
             f"%steps = constant <i32: {-(-k // 32)}> : tile<i32>"]
    return Case(name, body, views="\n    ".join(views), sizes=sizes, **more)


def shapes():
    """Views whose tiles are no matrices of their own."""
    case = Case("")
    wide = "tensor_view<2x?x?xf16, strides=[?, ?, 1]>"
    batch = f"partition_view<tile=(1x64x32), padding_value = zero, {wide}>"
    yield Case("a batch of 3-D views", f"""%half = divi %m, %2 signed : tile<i32>
    %size = muli %half, %k : tile<i32>
    %big = assume div_by<16>, %size : tile<i32>
    %tv = make_tensor_view %a, shape = [2, %half, %k], strides = [%big, %k, 1] : tile<i32> -> {wide}
    %tp = make_partition_view %tv : {batch}
    """ + loop(case).replace(load(case, "a", "l", "%x", "%i"), f"""%t, %t_t = load_view_tko weak %tp[%z, %x, %i] : {batch}, tile<i32> -> tile<1x64x32xf16>, token
      %l = reshape %t : tile<1x64x32xf16> -> tile<64x32xf16>""") + f"""
    %third = make_tensor_view %c, shape = [2, %half, %n], strides = [%bigc, %n, 1] : tile<i32> -> tensor_view<2x?x?xf32, strides=[?, ?, 1]>
    %thirds = make_partition_view %third : partition_view<tile=(1x64x64), tensor_view<2x?x?xf32, strides=[?, ?, 1]>>
    %flat = reshape %sum : tile<64x64xf32> -> tile<1x64x64xf32>
    %stored = store_view_tko weak %flat, %thirds[%z, %x, %y] : tile<1x64x64xf32>, partition_view<tile=(1x64x64), tensor_view<2x?x?xf32, strides=[?, ?, 1]>>, tile<i32> -> token"""
               .replace("%third =", "%bigc = muli %half, %n : tile<i32>\n    %third ="),
               sizes=(192, 80, 144), grid=(2, 2, 2))
    turned = "partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?, 1]>>"
    yield Case("rhs permuted", loop(case).replace(load(case, "b", "r", "%i", "%y"),
               f"""%t, %t_t = load_view_tko weak %tp[%y, %i] : {turned}, tile<i32> -> tile<64x32xf16>, token
      %r = permute %t [1, 0] : tile<64x32xf16> -> tile<32x64xf16>""").replace("%sum =", f"""%tv = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?, 1]>
    %tp = make_partition_view %tv : {turned}
    %sum =""") + f"\n    {store(case, 'sum')}", expected=lambda a, b, q: a @ b.ravel().reshape(b.shape[1], -1).T)
    mapped = case.view("b")[:-1].replace("strides=[?, 1]>", "strides=[?, 1]>, dim_map=[1, 0]") + ">"
    yield Case("rhs by dim_map", loop(case).replace(load(case, "b", "r", "%i", "%y"),
               f"%r, %r_t = load_view_tko weak %tp[%i, %y] : {mapped}, tile<i32> -> tile<32x64xf16>, token")
               .replace("%sum =", f"""%tv = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?, 1]>
    %tp = make_partition_view %tv : {mapped}
    %sum =""") + f"\n    {store(case, 'sum')}", expected=lambda a, b, q: a @ b.ravel().reshape(b.shape[1], -1).T)
    # A row of the loaded tile is two rows of the operand, or half of one: no box of the array has such rows.
    for rows, columns in ((32, 64), (128, 16)):
        view = f"partition_view<tile=({rows}x{columns}), padding_value = zero, {case.tensor('a')}>"
        yield Case(f"lhs reshaped from {rows}x{columns}", f"%tp = make_partition_view %av : {view}\n    "
                   + loop(case).replace(load(case, "a", "l", "%x", "%i"),
                   f"""%t, %t_t = load_view_tko weak %tp[%x, %i] : {view}, tile<i32> -> tile<{rows}x{columns}xf16>, token
      %l = reshape %t : tile<{rows}x{columns}xf16> -> tile<64x32xf16>""") + f"\n    {store(case, 'sum')}",
                   expected=lambda a, b, q, rows=rows, columns=columns: reshaped(a, b, rows, columns), producer=False, ways=None,
                   sizes=(64, 64, 144), grid=(1, 1), reason="lhs")
    strided = f"strided_view<tile=(64x32), traversal_strides=[64,16], padding_value = zero, {case.tensor('a')}>"
    yield Case("overlapping tiles", f"%tp = make_strided_view %av : {strided}\n    " + loop(case).replace(
        load(case, "a", "l", "%x", "%i"), f"%l, %l_t = load_view_tko weak %tp[%x, %i] : {strided}, tile<i32> -> tile<64x32xf16>, token")
        + f"\n    {store(case, 'sum')}", expected=lambda a, b, q: sum(
            a[:, start // 2:start // 2 + len(b[start:start + 32])] @ b[start:start + 32] for start in range(0, 144, 32)))


def reshaped(a, b, rows, columns):
    total = np.zeros((64, b.shape[1]))
    for i in range(-(-a.shape[1] // 32)):
        tile = np.zeros((rows, columns))
        part = a[:rows, i * columns:(i + 1) * columns]
        tile[:part.shape[0], :part.shape[1]] = part
        rhs = np.zeros((32, b.shape[1]))
        there = b[i * 32:(i + 1) * 32]
        rhs[:len(there)] = there
        total += tile.reshape(64, 32) @ rhs
    return total


#===-- Running ----------------------------------------------------------------------------------===#

def run(*words) -> str:
    done = subprocess.run([tilewright, *map(str, words)], capture_output=True, text=True)
    if done.returncode or done.stderr:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}"[:3000])
    return done.stdout


def bits(values: np.ndarray, element: str) -> np.ndarray:
    if element.startswith("f8"):  # E5M2 is the upper half of f16
        return ((values.astype(np.float16).view(np.uint16) >> 8) if element == "f8E5M2" else np.array(E4M3)[values + 2]).astype(np.uint8)
    if element == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(NUMPY[element])


def instruction_of(case: Case) -> str:
    m, n, k = case.tile
    columns = 128 if BYTES[case.element] == 1 and case.total != "i32" and not case.fast else 256  # sums are promoted in parts
    return f"wgmma.m64n{min(n, columns)}k{32 // BYTES[case.element]}.{TYPES[case.element]}"


def check_plan(case: Case, source: pathlib.Path) -> None:
    plan = run("compile", source, "--target", case.target, "--emit", "plan")
    found = re.findall(r": by (\S+?),", plan)
    wanted = case.instruction or instruction_of(case)
    if not found or not all(each.startswith(wanted) for each in found):
        raise RuntimeError(f"the instruction must be {wanted}, but the plan has {found}")
    ways = re.findall(r": lhs is (.*), rhs is (.*)", plan)
    fits = case.ways is None or (len(ways) == len(case.ways) and all(
        want in is_ or want == AHEAD and "by the producer warp" in is_ for wants, founds in zip(case.ways, ways) for want, is_ in zip(wants, founds)))
    if not fits:
        raise RuntimeError(f"operands must be {case.ways}, but the plan has {ways}")
    if case.reason and case.reason not in plan:
        raise RuntimeError(f"the plan must say '{case.reason}', but is\n{plan}")
    if ("asked at run time" in plan) != bool(case.asked):
        raise RuntimeError(f"the kernel must {'' if case.asked else 'not '}ask about arrays, but the plan is\n{plan}")
    for text in case.plan:
        if text not in plan:
            raise RuntimeError(f"the plan must say '{text}', but is\n{plan}")


def compiled(case: Case, source: pathlib.Path) -> list:
    """The command line that runs the kernel's PTX."""
    ptx = folder / "k.ptx"
    run("compile", source, "--target", case.target, "--emit", "ptx", "-o", ptx)
    copied = run("compile", source, "--target", case.target, "--emit", "plan").count("copied from there by a tensor map")
    if case.stores is not None and copied != case.stores:
        raise RuntimeError(f"{case.stores} stores must use tensor maps, but {copied} do")
    if is_specialised(ptx.read_text()) != case.producer:
        raise RuntimeError(f"there must be {'a' if case.producer else 'no'} producer warp")
    counters = [f"--counters={folder / 'counters.json'}"] if case.asked else []
    return ["ptx", ptx, "--block", threads_of(ptx.read_text()), *counters]


def check_answer(case: Case) -> None:
    """Which copies a run has executed."""
    if case.asked not in ("yes", "no"):
        return
    lines = json.loads((folder / "counters.json").read_text())["ptx_lines"]
    executed = {line["operation"] for line in lines if line["instructions"]}
    by_maps = any(operation.startswith("cp.async.bulk.tensor") for operation in executed)
    by_threads = any(operation.startswith(("ld.global", "cp.async.ca", "cp.async.cg")) for operation in executed)
    if (by_maps, by_threads) != (case.asked == "yes", case.asked == "no"):
        raise RuntimeError(f"the kernel must answer {case.asked}, but has executed {sorted(executed)}")


def check(case: Case, rng) -> int:
    source = folder / "k.mlir"
    source.write_text(text_of(case))
    check_plan(case, source)
    command = compiled(case, source)
    m, n, k = case.sizes
    a, b = rng.integers(-2, 3, (m, k)), rng.integers(-2, 3, (k, n))
    for name, values, by_columns in (("a", a, case.is_by_columns("a")), ("b", b, case.is_by_columns("b"))):
        np.save(folder / f"{name}.npy", bits(np.ascontiguousarray(values.T) if by_columns else values, case.element))
    np.save(folder / "e.npy", np.array(case.e, np.int32))
    expected = case.expected(a.astype(np.float64), b.astype(np.float64), case.q) if case.expected else a @ b
    grid = case.grid or (-(-m // case.tile[0]), -(-n // case.tile[1]))
    # pipelines.py tests copies of all threads in all schedules.
    schedules = case.schedules if case.producer else case.schedules[-1:]
    for schedule in schedules:
        out = run(*command, "--schedule", schedule, "--grid", ",".join(map(str, grid)), "--arg", folder / "a.npy", "--arg", folder / "b.npy",
                  "--arg", f"zeros({m}x{n}x{case.total}),out={folder / 'c.npy'}",
                  "--arg", f"{folder / 'e.npy'},out={folder / 'e_after.npy'}", "--arg", m, "--arg", n, "--arg", k, "--arg", case.q)
        found = np.load(folder / "c.npy")[:, :expected.shape[1]]
        if not np.array_equal(found, expected):
            raise RuntimeError(f"{schedule}: {np.sum(found != expected)} of {found.size} sums differ")
        check_answer(case)
        after = np.load(folder / "e_after.npy").tolist()
        if after != list(case.e_after or case.e):
            raise RuntimeError(f"{schedule}: the array of i32 is {after}")
        for text, times in case.prints.items():
            if out.count(text) != times:
                raise RuntimeError(f"{schedule}: '{text}' must be printed {times} times, but is {out.count(text)} times")
    return len(schedules)


def fp8_sums(fast: bool) -> np.ndarray:
    """A row with a 448 and 15 elements of 1, which are 32 steps along k apart, times a column of the same."""
    case = Case("", element="f8E4M3FN", tile=(64, 32, 64), order="rows columns", fast=fast)
    source = folder / "k.mlir"
    source.write_text(text_of(case))
    values = np.zeros((64, 512), np.uint8)
    values[:, ::32], values[:, 0] = 0x38, 0x7E
    np.save(folder / "a.npy", values)
    np.save(folder / "b.npy", values[:32])
    run("run", source, "--device", "ptx", "--target", "sm_90a", "--grid", "1,1", "--arg", folder / "a.npy", "--arg", folder / "b.npy",
        "--arg", f"zeros(64x32xf32),out={folder / 'c.npy'}", *(word for each in ("zeros(8xi32)", 64, 32, 512, 3) for word in ("--arg", each)))
    return np.load(folder / "c.npy")


def check_promotion() -> int:
    """448 * 448 = 200704 needs 18 bits, and sums of `wgmma` have 14: an added 1 is lost. With fast_acc, all are; else only that
    of the first iteration, which has two instructions for 32 steps each. The other 14 are added in f32."""
    for fast, expected in ((True, 200704), (False, 200704 + 14)):
        found = fp8_sums(fast)
        if not np.all(found == expected):
            sys.exit(f"fp8 sums {'with' if fast else 'without'} fast_acc must be {expected}, but are {np.unique(found)}")
    return 2


def check_command(rng) -> int:
    """`tilewright run` launches the threads of the producer, too."""
    check_launch(Case(""), rng)
    return 1


def check_launch(case: Case, rng) -> None:
    source = folder / "k.mlir"
    source.write_text(text_of(case))
    a, b = rng.integers(-2, 3, (96, 144)), rng.integers(-2, 3, (144, 80))
    np.save(folder / "a.npy", bits(a, "f16"))
    np.save(folder / "b.npy", bits(b, "f16"))
    run("run", source, "--device", "ptx", "--target", "sm_90a", "--grid", f"{-(-96 // case.tile[0])},2", "--arg", folder / "a.npy", "--arg", folder / "b.npy",
        "--arg", f"zeros(96x80xf32),out={folder / 'c.npy'}", *(word for each in ("zeros(8xi32)", 96, 80, 144, 3) for word in ("--arg", each)))
    if not np.array_equal(np.load(folder / "c.npy"), a @ b):
        sys.exit(f"tilewright run: sums differ {case.hints}")


def check_all(groups, rng, wanted: str = "") -> int:
    """The number of runs of the cases of these functions whose names have `wanted`; exits if one fails."""
    runs, failed = 0, 0
    for case in (case for group in groups for case in group() if wanted in case.name):
        try:
            runs += check(case, rng)
        except RuntimeError as problem:
            failed += 1
            print(f"{case.name}: {problem}", flush=True)
    if failed:
        sys.exit(f"{failed} cases failed")
    return runs


def main() -> None:
    rng = np.random.default_rng(5)
    runs = check_command(rng) + check_promotion()
    runs += check_all((forms, arrays, asked, shapes, control, loaded, returns, shared, several, effects, stores, hints), rng,
                      sys.argv[3] if len(sys.argv) > 3 else "")
    print(f"{runs} runs agree")


if __name__ == "__main__":
    main()
