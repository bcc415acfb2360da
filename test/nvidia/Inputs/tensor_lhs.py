# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of products by `tcgen05.mma` whose lhs threads compute in the loop, and store to tensor memory if they can."""

import numpy as np

from warpgroup_kernels import Case, load, product, store

BYTES = {"f16": 2, "bf16": 2, "tf32": 4, "i8": 1, "f8E4M3FN": 1, "f8E5M2": 1}
CONVERSIONS = {"i8": ("maxi", "mini", " signed", "trunci"), "f16": ("maxf", "minf", "", "ftof")}


def chained(rows: int, element: str = "f16", **more) -> Case:
    """clip(a[x] b[:, i]) b[:, i], summed over i: all values of lhs are integers up to 8, which all types have."""
    case = Case("", tile=(rows, 64, 64), element=element, total="i32" if element == "i8" else "f32", order="rows columns")
    c = case.tile_of("c")
    most, least, signed, convert = CONVERSIONS.get(element, CONVERSIONS["f16"])
    eight = "8" if element == "i8" else "8.0"
    body = f"""%low = constant <{case.total}: -{eight}> : {c}
    %high = constant <{case.total}: {eight}> : {c}
    {load(case, "a", "u", "%x", "%0")}
    %sum = for %i in (%0 to %q, step %1) : tile<i32> iter_values(%s = %zeros) -> ({c}) {{
      {load(case, "b", "r", "%0", "%i")}
      {product(case, "scores", "u", "r", "zeros")}
      %above = {most} %scores, %low{signed} : {c}
      %clipped = {least} %above, %high{signed} : {c}
      %p = {convert} %clipped : {c} -> {case.tile_of("a")}
      {product(case, "more", "p", "r", "s")}
      continue %more : {c}
    }}
    {store(case, "sum", column="%0")}"""
    case.name, case.body, case.sizes, case.grid = f"lhs of threads, {element}, {rows} rows", body, (rows + 64, 192, 64), (2, 1)
    case.expected = lambda a, b, q: sum(np.clip(a @ b[:, 64 * i:64 * i + 64], -8, 8) @ b[:, 64 * i:64 * i + 64] for i in range(q))
    for name, value in more.items():
        setattr(case, name, value)
    return case


def stored_lhs():
    """The accumulators of both products have 64 columns per block of rows; lhs follows, 64 elements of each row."""
    for element, bytes_ in BYTES.items():
        yield chained(128, element, plan=(f"lhs is stored from registers to columns 128 to {127 + 16 * bytes_} of tensor memory",))
    for element in ("f16", "bf16", "tf32"):
        yield chained(64, element, plan=(f"lhs is stored from registers to columns 128 to {127 + 16 * BYTES[element]} of tensor memory",))
    yield chained(256, plan=("lhs is stored from registers to columns 256 to 319 of tensor memory",))
    shared = "lhs is stored from registers to shared memory, not to tensor memory"
    for element in ("i8", "f8E4M3FN"):
        yield chained(64, element, plan=(f"{shared} (threads have no words of 32 bits of its rows)",))
    yield chained(512, plan=(f"{shared} (it needs 128 columns of tensor memory, but 0 of 512 are left)",))
    yield chained(64, hints="sm_100 = {occupancy = 4}",
                  plan=(f"{shared} (it needs 32 columns of tensor memory, but 0 of 128 are left)",))
