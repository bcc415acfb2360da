# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests block-scaled products by matrix instructions on the PTX machine against NumPy.

Kernels add a loop of products to an initial tile: d = c + sum (a sa) (b sb). First come numbers for which every order
of summation is exact, also where a scale alone would exceed the range of f32 or where a scale is NaN; then random
numbers, whose errors are bounded by the sum of the magnitudes (arithmetic, 4.32).
`scaled_products.py TILEWRIGHT FOLDER` fails if a result is wrong, or a plan does not name the instruction.
`scaled_products.py TILEWRIGHT FOLDER pairs` runs products by pairs of CTAs instead, and with `assemble`, ptxas assembles all
kernels; any other third word selects the cases whose name contains it.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

import numpy as np

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
FORMATS = {  # exponent bits, mantissa bits, bias, sign, pattern of NaN
    "f8E4M3FN": (4, 3, 7, True, 0x7F), "f8E5M2": (5, 2, 15, True, 0x7F), "f4E2M1FN": (2, 1, 1, True, None),
    "f8E8M0FNU": (8, 0, 127, False, 0xFF), "f8E5M3FNU": (5, 3, 15, False, 0xFF),
}
HALVES = "m16n8k16.row.col.f32.f32"
FP8 = "m16n8k32.row.col.f32.{0}.{0}.f32"
TENSOR = "mxf8f6f4.block_scale.scale_vec::1X"
PACKED = {32: "mxf4.block_scale.scale_vec::2X", 16: "mxf4nvf4.block_scale.scale_vec::4X"}
SCALED = "block.scale.m16n8k32.row.col.mxf8f6f4.f32.{0}.{0}.f32.ue8m0"
SCHEDULES = ("up", "down", "random")
ONE_CTA = "optimization_hints=<sm_100 = {num_cta_in_cga = 1}>"


@dataclasses.dataclass
class Case:
    element: str
    scale: str
    block: int
    target: str
    instruction: str
    tile: tuple = (32, 32, 64)
    sizes: tuple = (48, 48, 160)  # with ragged tiles along each dimension
    batch: int = 0
    by_columns: bool = False  # whether the columns of b and of its scales are contiguous
    permuted: str = ""  # the operands that are transposed in memory, and permuted by the kernel
    blocked: str = ""  # the scales that lie in memory as tcgen05.cp takes them: 32 rows of 4 x 4 scales
    negates: bool = False  # whether each iteration negates the sums
    persistent: bool = False  # whether a CTA computes all tiles of a column
    skew: int = None  # the elements by which all pointers are moved, if the kernel does not know their alignment
    constant: bool = False  # whether all scales are the constant 2
    shared: bool = False  # whether those of lhs are also those of rhs
    hints: str = ""  # of the entry
    schedules: tuple = ("random",)

    def name(self) -> str:
        batch = f", batch {self.batch}" if self.batch else ""
        order = (", columns" if self.by_columns else "") + (f", permuted {self.permuted}" if self.permuted else "")
        order += (f", blocked {self.blocked}" if self.blocked else "") + (", negated" if self.negates else "")
        order += "" if self.skew is None else f", moved by {self.skew}"
        order += (", persistent" if self.persistent else "") + (", constant" if self.constant else "") + (", shared" if self.shared else "")
        order += f", {self.hints}" if self.hints else ""
        return f"{self.element} {self.scale} {self.block} {self.target} {'x'.join(map(str, self.tile))}{order}{batch}"

    def is_of_pair(self) -> bool:
        """Whether two CTAs multiply together: 256 rows, with accumulators that stay in tensor memory."""
        return self.instruction in (TENSOR, *PACKED.values()) and self.tile[0] >= 256 and not self.negates and not self.hints


def cases():
    for target, e4m3, e5m2 in (("sm_80", HALVES, HALVES), ("sm_89", FP8.format("e4m3"), FP8.format("e5m2")),
                               ("sm_90a", FP8.format("e4m3"), FP8.format("e5m2")),
                               ("sm_100a", FP8.format("e4m3"), FP8.format("e5m2")),
                               ("sm_120a", SCALED.format("e4m3"), SCALED.format("e5m2"))):
        schedules = SCHEDULES if target in ("sm_80", "sm_120a") else ("random",)
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, target, e4m3, schedules=schedules)
        yield Case("f8E5M2", "f8E8M0FNU", 32, target, e5m2, by_columns=True)
        yield Case("f4E2M1FN", "f8E4M3FN", 16, target, HALVES, schedules=schedules)
    for target in ("sm_80", "sm_100a"):
        for scale, block in (("f8E8M0FNU", 16), ("f8E8M0FNU", 32), ("f8E5M3FNU", 16), ("f8E5M3FNU", 32)):
            yield Case("f4E2M1FN", scale, block, target, HALVES)
    yield Case("f4E2M1FN", "f8E8M0FNU", 32, "sm_121a", SCALED.format("e2m1"))
    for target in ("sm_80", "sm_90a", "sm_120a"):
        e4m3 = {"sm_80": HALVES, "sm_90a": FP8.format("e4m3"), "sm_120a": SCALED.format("e4m3")}[target]
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, target, e4m3, by_columns=True)
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, target, e4m3, tile=(16, 8, 32), sizes=(16, 16, 96))
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, target, e4m3, tile=(128, 64, 128), sizes=(144, 80, 160), by_columns=True)
        yield Case("f8E5M2", "f8E8M0FNU", 32, target, e4m3.replace("e4m3", "e5m2"), tile=(64, 128, 32), sizes=(64, 128, 64))
        yield Case("f4E2M1FN", "f8E4M3FN", 16, target, HALVES, tile=(64, 16, 32), sizes=(80, 16, 64), by_columns=True)
        yield Case("f4E2M1FN", "f8E4M3FN", 16, target, HALVES, tile=(32, 16, 32), sizes=(32, 16, 64), batch=2)
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, target, e4m3, tile=(16, 16, 32), sizes=(16, 16, 64), batch=2)
    for tile, sizes in (((128, 64, 64), (144, 80, 160)), ((128, 32, 256), (128, 32, 512)), ((128, 128, 128), (128, 144, 256)),
                        ((256, 64, 32), (272, 64, 64)), ((128, 256, 64), (128, 272, 64))):
        schedules = SCHEDULES if tile[1] < 128 else ("random",)
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=tile, sizes=sizes, schedules=schedules,
                   hints=ONE_CTA if tile[0] == 256 else "")
    for permuted, negates in (("", False), ("t", False), ("bt", True)):
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_110a", TENSOR, tile=(128, 128, 128), sizes=(144, 144, 640), by_columns=True,
                   permuted=permuted, negates=negates, schedules=SCHEDULES)
    yield Case("f8E5M2", "f8E8M0FNU", 32, "sm_103a", TENSOR, tile=(128, 64, 64), sizes=(144, 80, 160), by_columns=True)
    yield Case("f4E2M1FN", "f8E4M3FN", 16, "sm_100a", HALVES, tile=(128, 64, 64), sizes=(128, 64, 64))
    for scale, block, tile, sizes in (
            ("f8E8M0FNU", 32, (128, 64, 128), (144, 80, 320)), ("f8E8M0FNU", 16, (128, 128, 64), (128, 144, 192)),
            ("f8E4M3FN", 16, (128, 64, 128), (144, 80, 320)), ("f8E4M3FN", 16, (128, 32, 256), (144, 48, 512)),
            ("f8E8M0FNU", 32, (128, 256, 64), (128, 272, 192)), ("f8E4M3FN", 16, (128, 16, 128), (128, 16, 512))):
        yield Case("f4E2M1FN", scale, block, "sm_100a", PACKED[block], tile=tile, sizes=sizes, by_columns=True,
                   schedules=SCHEDULES if tile[1] == 64 else ("random",))
    for target, block in (("sm_103a", 32), ("sm_110a", 16)):
        yield Case("f4E2M1FN", "f8E8M0FNU", block, target, PACKED[block], tile=(128, 64, 128), sizes=(144, 80, 320),
                   permuted="bt", negates=True)
    # The producer copies scales, too, or those of one operand.
    for element, scale, block, tile, sizes, blocked in (
            ("f8E4M3FN", "f8E8M0FNU", 32, (128, 128, 128), (144, 144, 640), "st"),
            ("f8E5M2", "f8E8M0FNU", 32, (128, 256, 256), (256, 272, 640), "st"),
            ("f8E4M3FN", "f8E8M0FNU", 32, (128, 128, 128), (144, 144, 384), "s"),
            ("f4E2M1FN", "f8E4M3FN", 16, (128, 128, 128), (144, 144, 640), "st"),
            ("f4E2M1FN", "f8E8M0FNU", 32, (128, 128, 256), (128, 128, 512), "t")):
        yield Case(element, scale, block, "sm_100a", PACKED[block] if element == "f4E2M1FN" else TENSOR, tile=tile, sizes=sizes,
                   by_columns=True, blocked=blocked, schedules=SCHEDULES)
    # Rings and accumulators are used again for the next tile.
    for blocked, negates in (("", False), ("t", True)):
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=(128, 128, 128), sizes=(300, 144, 416), by_columns=True,
                   blocked=blocked, negates=negates, persistent=True, schedules=SCHEDULES)
    # The kernel asks about addresses: tensor maps take those of 16 bytes. In both cases, it has both ways.
    for skew in (0, 16, 8):
        yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=(128, 64, 64), sizes=(144, 80, 192), by_columns=True, skew=skew)
        yield Case("f4E2M1FN", "f8E4M3FN", 16, "sm_100a", PACKED[16], tile=(128, 64, 128), sizes=(144, 80, 320), by_columns=True, skew=2 * skew)
    yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=(256, 128, 128), sizes=(272, 144, 384), by_columns=True,
               blocked="st", hints=ONE_CTA)
    # Scales that no instruction takes, and rhs by rows.
    yield Case("f4E2M1FN", "f8E5M3FNU", 16, "sm_100a", HALVES, tile=(128, 64, 128), sizes=(128, 64, 256), by_columns=True)
    # Operands in several chunks, and accumulators in several pieces.
    yield Case("f4E2M1FN", "f8E4M3FN", 16, "sm_80", HALVES, tile=(32, 32, 1024), sizes=(32, 32, 1024))
    yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_80", HALVES, tile=(256, 256, 32), sizes=(256, 256, 32))
    # Without matrix instructions: chains of multiply-adds.
    yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_75", "", tile=(16, 8, 32), sizes=(16, 8, 64))
    yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", "", tile=(8, 8, 32), sizes=(8, 8, 64))


def pairs():
    """Tiles of 256 rows and more, which pairs of CTAs multiply: with ragged extents, scales in both orders, and scales that
    the producer of each CTA copies."""
    def pair(tile, sizes, element="f8E4M3FN", scale="f8E8M0FNU", block=32, target="sm_100a", **more):
        return Case(element, scale, block, target, PACKED[block] if element == "f4E2M1FN" else TENSOR, tile=tile, sizes=sizes, **more)
    every, small = {"schedules": SCHEDULES}, ((256, 64, 128), (272, 80, 640))
    columns = {"by_columns": True}
    four = {"element": "f4E2M1FN", "scale": "f8E4M3FN", "block": 16, **columns}
    yield pair(*small, **every)
    yield pair(*small, permuted="s", **every)
    yield pair(*small, permuted="bt", **every)
    yield pair((256, 64, 64), (48, 80, 160))  # rows of one CTA; two blocks along k
    yield pair((256, 256, 128), (272, 272, 256), element="f8E5M2", target="sm_103a", **columns)
    yield pair((512, 64, 128), (528, 80, 384), **columns)
    yield pair((256, 128, 128), (272, 144, 640), blocked="st", **columns, **every)
    yield pair((256, 256, 256), (272, 272, 640), blocked="st", target="sm_110a", **columns)
    yield pair((256, 128, 128), (272, 144, 384), blocked="s", **columns, **every)
    yield pair((512, 128, 128), (528, 144, 384), blocked="t", **columns)
    yield pair(*small, **four, **every)
    yield pair((256, 256, 256), (272, 272, 640), **four)
    yield pair((256, 128, 64), (272, 144, 448), blocked="st", **four, **every)
    yield pair((256, 16, 128), (272, 48, 640), element="f4E2M1FN", **columns, **every)
    yield pair((256, 128, 128), (272, 144, 640), element="f4E2M1FN", blocked="t", target="sm_103a", **columns)
    yield pair((256, 64, 64), (272, 80, 448), element="f4E2M1FN", block=16, target="sm_110a", **columns)
    yield pair((256, 64, 128), (600, 80, 416), persistent=True, **columns, **every)
    yield pair((256, 128, 128), (600, 144, 416), persistent=True, blocked="t", **columns, **every)
    yield pair(*small, constant=True)
    yield pair((256, 256, 32), (272, 272, 160), **columns)  # fewer scales than threads
    # No pairs: each iteration changes the accumulators; a CTA would need scales that only the other one holds.
    yield pair(*small, negates=True)
    yield Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", FP8.format("e4m3"), tile=(256, 256, 64), sizes=(256, 256, 320), shared=True,
               **columns)


#===-- Kernels ----------------------------------------------------------------------------------===#

def shapes_of(case: Case, sizes) -> dict:
    m, n, k = sizes
    batch = (case.batch,) if case.batch else ()
    return {"a": (*batch, m, k), "b": (*batch, k, n), "s": (*batch, m, k // case.block),
            "t": (*batch, k // case.block, n), "c": (*batch, m, n)}


def blocks_of(name: str, shape: tuple) -> tuple:
    """The shape of blocked scales, of which `shape` is [lines, blocks], or the reverse for t."""
    lines, blocks = shape if name == "s" else shape[::-1]
    return (-(-lines // 128), -(-blocks // 4), 32, 4, 4)


def load_blocked(name: str, row: str, column: str, view: str, part: tuple, element: str) -> str:
    """Loads blocked scales, and permutes them to a tile of the shape `part`."""
    copies, words, *_ = blocked = blocks_of(name, part)
    order, line = ([0, 3, 2, 1, 4], row) if name == "s" else ([1, 4, 0, 3, 2], column)
    block = column if name == "s" else row
    tiles = [f"tile<{'x'.join(map(str, shape))}x{element}>" for shape in (blocked, [blocked[at] for at in order], part)]
    return (f"%{name}l, %{name}k = load_view_tko weak %{name}p[{line}, {block}, %0, %0, %0] : {view}, tile<i32> -> {tiles[0]}, token\n"
            f"      %{name}m = permute %{name}l {order} : {tiles[0]} -> {tiles[1]}\n"
            f"      %{name}t = reshape %{name}m : {tiles[1]} -> {tiles[2]}")


def in_blocks(name: str, scales: np.ndarray) -> np.ndarray:
    """Scales in blocks of 128 lines and 4 blocks along k; what is beyond the array is 0."""
    lines = scales if name == "s" else scales.T
    copies, words, *_ = shape = blocks_of(name, scales.shape)
    padded = np.zeros((copies * 128, words * 4), lines.dtype)
    padded[:lines.shape[0], :lines.shape[1]] = lines
    return padded.reshape(copies, 4, 32, words, 4).transpose(0, 3, 2, 1, 4).reshape(shape)


def text_of(case: Case) -> str:
    """Extents are constants, strides too: only pointers are passed."""
    types = {"a": case.element, "b": case.element, "s": case.scale, "t": case.scale, "c": "f32", "d": "f32"}
    whole, part = shapes_of(case, case.sizes), shapes_of(case, case.tile)
    tiles, lines = {}, []
    for name, type_ in types.items():
        shape, tile = whole[name.replace("d", "c")], part[name.replace("d", "c")]
        if name in case.blocked:
            shape, tile = blocks_of(name, shape), blocks_of(name, tile)
        strides = [int(np.prod(shape[dim + 1:])) for dim in range(len(shape))]
        if name in case.permuted:
            shape, tile, strides = shape[::-1], tile[::-1], [shape[0], 1]
        elif name in "bt" and case.by_columns and name not in case.blocked:
            strides[-2:] = [1, shape[-2]]
        tensor = f"tensor_view<{'x'.join(map(str, shape))}x{type_}, strides={strides}>"
        view = f"partition_view<tile=({'x'.join(map(str, tile))}), padding_value = zero, {tensor}>"
        tiles[name] = (view, f"tile<{'x'.join(map(str, tile))}x{type_}>")
        lines += [f"%{name}v = make_tensor_view %{name}, shape = {list(shape)}, strides = {strides} : {tensor}",
                  f"%{name}p = make_partition_view %{name}v : {view}"]
    zero = "%0, " if case.batch else ""

    def load(name: str, row: str, column: str) -> str:
        view, tile = tiles[name]
        if name in "st" and case.constant:
            return f"%{name}t = constant <{types[name]}: 2.0> : {tile}"
        if name == "t" and case.shared:
            return f"%tt = permute %st [1, 0] : {types_of_operands['s']} -> {types_of_operands['t']}"
        if name in case.blocked:
            return load_blocked(name, row, column, view, part[name], types[name])
        if name in case.permuted:
            return (f"%{name}l, %{name}k = load_view_tko weak %{name}p[{column}, {row}] : {view}, tile<i32> -> {tile}, token\n"
                    f"      %{name}t = permute %{name}l [1, 0] : {tile} -> {types_of_operands[name]}")
        return f"%{name}t, %{name}k = load_view_tko weak %{name}p[{zero}{row}, {column}] : {view}, tile<i32> -> {tile}, token"
    types_of_operands = {name: f"tile<{'x'.join(map(str, part[name]))}x{types[name]}>" for name in "abcst"}
    operands = ", ".join(types_of_operands.values())
    c = tiles["c"][1]
    body = "\n    ".join(lines)
    parameters = ", ".join(f"%{name}0: tile<ptr<{type_}>>" for name, type_ in types.items())
    known = "assume div_by<16>, %{0}0 : tile<ptr<{1}>>" if case.skew is None else "offset %{0}0, %skew : tile<ptr<{1}>>, tile<i32> -> tile<ptr<{1}>>"
    assumes = "\n    ".join([f"%skew = constant <i32: {case.skew or 0}> : tile<i32>"] +
                            [f"%{name} = {known.format(name, type_)}" for name, type_ in types.items()])
    rows, _, steps = (-(-size // tile) for size, tile in zip(case.sizes, case.tile))
    outer = "for %x in (%0 to %rows, step %1) : tile<i32> {" if case.persistent else ""
    return f"""cuda_tile.module @m {{
  entry @k({parameters}) {case.hints} {{
    {assumes}
    {body}
    %{"first" if case.persistent else "x"}, %y, %z = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %end = constant <i32: {steps}> : tile<i32>
    %rows = constant <i32: {rows}> : tile<i32>
    {outer}
    {load("c", "%x", "%y")}
    %sums = for %i in (%0 to %end, step %1) : tile<i32> iter_values(%before = %ct) -> ({c}) {{
      {load("a", "%x", "%i")}
      {load("b", "%i", "%y")}
      {load("s", "%x", "%i")}
      {load("t", "%i", "%y")}
      {f"%sum = negf %before : {c}" if case.negates else ""}
      %after = mmaf_scaled %at, %bt, %{"sum" if case.negates else "before"}, %st, %tt : {operands}
      continue %after : {c}
    }}
    %stored = store_view_tko weak %sums, %dp[{zero}%x, %y] : {c}, {tiles["d"][0]}, tile<i32> -> token
    {"continue }" if outer else ""}
    return
  }}
}}
"""


#===-- Values -----------------------------------------------------------------------------------===#

def decode(element: str, bits: np.ndarray) -> np.ndarray:
    exponent_bits, mantissa_bits, bias, has_sign, nan = FORMATS[element]
    exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    if element == "f8E8M0FNU":
        value = np.ldexp(1.0, exponent - bias)
    else:
        value = np.where(exponent == 0, np.ldexp(mantissa * 1.0, 1 - bias - mantissa_bits),
                         np.ldexp(1.0 + mantissa / (1 << mantissa_bits), exponent - bias))
    if element == "f8E5M2":
        value = np.where(exponent == 31, np.where(mantissa == 0, np.inf, np.nan), value)
    elif nan is not None:
        value = np.where((bits & (0x7F if has_sign else 0xFF)) == nan, np.nan, value)
    negative = (bits >> (exponent_bits + mantissa_bits)) & 1 if has_sign else 0
    return np.where(negative, -value, value)


def patterns(element: str, accepts) -> np.ndarray:
    """The patterns of the format whose values are accepted."""
    exponent_bits, mantissa_bits, _, has_sign, _ = FORMATS[element]
    bits = np.arange(1 << (exponent_bits + mantissa_bits + has_sign))
    with np.errstate(invalid="ignore"):
        return bits[accepts(decode(element, bits))]


def small(value):
    return np.isin(np.abs(value), (0, 1, 2, 3))


def whole_values(case: Case, rng) -> dict:
    """Products and sums are integers or halves of few bits."""
    chosen = {"a": patterns(case.element, small), "s": patterns(case.scale, lambda v: np.isin(v, (0.5, 1, 2, 4)))}
    chosen |= {"b": chosen["a"], "t": chosen["s"]}
    shapes = shapes_of(case, case.sizes)
    return {name: rng.choice(some, shapes[name]) for name, some in chosen.items()} | {
        "c": rng.integers(-3, 4, shapes["c"]).astype(np.float32)}


def extreme_values(case: Case, rng) -> dict:
    """The scales of lhs are as large as possible, those of rhs as small as possible, so that their products are small
    powers of two; one row has a scale NaN, and one element of lhs is NaN or infinite if the format has these."""
    bits = whole_values(case, rng)
    finite = patterns(case.scale, lambda v: np.isfinite(v) & (v > 0) & (np.frexp(v)[0] == 0.5))
    largest, least = finite[-3:], finite[:3]
    bits["s"], bits["t"] = (rng.choice(some, bits[name].shape) for name, some in (("s", largest), ("t", least)))
    unit = decode(case.scale, largest).max() * decode(case.scale, least).min()
    bits["c"] = (bits["c"] * unit).astype(np.float32)
    if FORMATS[case.scale][4] is not None:
        bits["s"].reshape(-1, bits["s"].shape[-1])[3, 0] = FORMATS[case.scale][4]
    if FORMATS[case.element][4] is not None:
        bits["a"].reshape(-1, bits["a"].shape[-1])[5, 7] = FORMATS[case.element][4]
    if case.element == "f8E5M2":
        bits["a"].reshape(-1, bits["a"].shape[-1])[6, 9] = 0xFC
    return bits


def random_values(case: Case, rng) -> dict:
    shapes = shapes_of(case, case.sizes)
    bits = {name: rng.choice(patterns(case.element, np.isfinite), shapes[name]) for name in "ab"}
    scales = patterns(case.scale, lambda v: np.isfinite(v) & (v > 1e-3) & (v < 1e3))
    bits |= {name: rng.choice(scales, shapes[name]) for name in "st"}
    return bits | {"c": rng.standard_normal(shapes["c"]).astype(np.float32)}


def expected_of(case: Case, bits: dict):
    """The sums, and the sums of the magnitudes of their terms, in f64."""
    a, b = (decode(case.element, bits[name]) for name in "ab")
    s = np.repeat(decode(case.scale, bits["s"]), case.block, axis=-1)
    t = np.repeat(decode(case.scale, bits["t"]), case.block, axis=-2)
    c = bits["c"].astype(np.float64)
    if case.negates:  # a term is negated in each later iteration
        steps = -(-case.sizes[2] // case.tile[2])
        a = a * (-1.0) ** (steps - 1 - np.arange(a.shape[-1]) // case.tile[2])
        c = c * (-1.0) ** steps
    with np.errstate(invalid="ignore", over="ignore"):
        return (a * s) @ (b * t) + c, np.abs(a * s) @ np.abs(b * t) + np.abs(c)


#===-- Running ----------------------------------------------------------------------------------===#

def run(*words) -> str:
    done = subprocess.run([tilewright, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))[:300]}: exit status {done.returncode}\n{done.stdout}{done.stderr[:3000]}")
    return done.stdout


def save(name: str, type_: str, array: np.ndarray) -> pathlib.Path:
    """Two elements of four bits share a byte, of which the first one has the lower half."""
    bits = array.astype(np.uint8).reshape(-1)
    if type_ == "f4E2M1FN":
        bits = bits[::2] | bits[1::2] << 4
    np.save(folder / f"{name}.npy", bits)
    return folder / f"{name}.npy"


def in_memory(case: Case, name: str, array: np.ndarray) -> np.ndarray:
    if name in case.blocked:
        return in_blocks(name, array)
    is_swapped = name in case.permuted or (name in "bt" and case.by_columns)
    return np.swapaxes(array, -1, -2) if is_swapped else array


def moved(case: Case, array: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros(case.skew or 0, array.dtype), array.reshape(-1)])


def launch(case: Case, source: pathlib.Path, bits: dict, schedule: str) -> np.ndarray:
    skew = case.skew or 0
    np.save(folder / "c.npy", np.concatenate([np.zeros(skew, np.float32), bits["c"].reshape(-1)]))
    types = {"a": case.element, "b": case.element, "s": case.scale, "t": case.scale}
    arguments = [word for name, type_ in types.items()
                 for word in ("--arg", save(name, type_, moved(case, in_memory(case, name, bits[name]))))]
    size = bits["c"].size + skew
    m, n, _ = (-(-size // tile) for size, tile in zip(case.sizes, case.tile))
    grid = f"{1 if case.persistent else m},{n}"
    run("run", source, "--device", "ptx", "--target", case.target, "--schedule", schedule, "--grid", grid,
        *arguments, "--arg", folder / "c.npy", "--arg", f"empty({size}xf32),out={folder / 'd.npy'}")
    return np.load(folder / "d.npy")[skew:].reshape(bits["c"].shape).astype(np.float64)


def check(case: Case, source: pathlib.Path, rng) -> int:
    runs = 0
    for make in (whole_values, extreme_values, random_values):
        if case.shared and make is extreme_values:
            continue  # products of two large scales would be infinite
        bits = make(case, rng)
        if case.shared:
            bits["t"] = bits["s"].T.copy()
        if case.constant:
            bits |= {name: np.full_like(bits[name], patterns(case.scale, lambda v: v == 2)[0]) for name in "st"}
        expected, size = expected_of(case, bits)
        bound = 2.0**-12 * size if make is random_values else 0
        for schedule in case.schedules:
            found = launch(case, source, bits, schedule)
            with np.errstate(invalid="ignore"):
                right = (np.abs(found - expected) <= bound) | (found == expected) | (np.isnan(found) & np.isnan(expected))
            if not right.all():
                sys.exit(f"{case.name()}, {make.__name__}, {schedule}: {np.sum(~right)} of {right.size} elements differ, "
                         f"first {found[~right][:4]}, must be {expected[~right][:4]}")
            runs += 1
    return runs


def assemble(case: Case, source: pathlib.Path) -> None:
    ptx = folder / "k.ptx"
    run("compile", source, "--target", case.target, "--emit", "ptx", "-o", ptx)
    done = subprocess.run(["ptxas", "-v", f"-arch={case.target}", ptx, "-o", folder / "k.cubin"], capture_output=True, text=True)
    spilled = re.findall(r"(\d+) bytes spill", done.stderr)
    is_large = case.tile[0] * case.tile[1] == 256 * 256  # more accumulators than registers, or half of those of a pair
    most = (16 if is_large else 0) if case.is_of_pair() else 8 if case.skew is None else 32  # with both ways
    if done.returncode or not spilled or (max(map(int, spilled)) > most and (case.is_of_pair() or not is_large)) or re.search(r"C75\d\d", done.stderr):
        sys.exit(f"{case.name()}:\n{done.stderr}")


def main() -> None:
    rng, runs = np.random.default_rng(1), 0
    word = (sys.argv[3:] or [""])[0]
    groups = {"": (cases,), "pairs": (pairs,)}.get(word, (cases, pairs))
    for case in (case for group in groups for case in group()):
        if word not in ("assemble", "pairs", "") and word not in case.name():
            continue
        source = folder / "k.mlir"
        source.write_text(text_of(case))
        plan = run("compile", source, "--target", case.target, "--emit", "plan")
        found = re.findall(r" by (?:mma\.|tcgen05\.mma\.kind::)(\S+?),? ", plan)
        if found != ([case.instruction] if case.instruction else []):
            sys.exit(f"{case.name()}: must be by {case.instruction or 'multiply-adds'}, but the plan is\n{plan}")
        if ("pair of CTAs: " in plan) != case.is_of_pair():
            sys.exit(f"{case.name()}: {'a pair' if case.is_of_pair() else 'no pair'} must multiply, but the plan is\n{plan}")
        if case.shared and "a CTA would need scales of rhs that only threads of the other one hold" not in plan:
            sys.exit(f"{case.name()}: the plan must say why no pair multiplies:\n{plan}")
        for name, operand in (("s", "lhs"), ("t", "rhs")):
            way = "copied by the producer" if name in case.blocked else "stored by the consumers"
            if "tcgen05.mma.kind" in plan and f"scales of {operand} are {way}" not in plan:
                sys.exit(f"{case.name()}: scales of {operand} must be {way}, but the plan is\n{plan}")
        if word == "assemble":
            assemble(case, source)
            runs += 1
        else:
            runs += check(case, source, rng)
    print(f"{runs} {'assembled' if word == 'assemble' else 'runs agree'}")


if __name__ == "__main__":
    main()
