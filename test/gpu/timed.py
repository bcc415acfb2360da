# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that speed.py times: their options, and their Tile IR text.

speed.py compiles the text with Tilewright, and vendor.py with NVIDIA's compiler on a machine that has it. `key`
names the result: it changes when the text changes.
"""

import argparse
import hashlib
import math
import pathlib
import re
import string

from elements import ELEMENTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ("vector_add", "matmul")
KERNELS = ("vector_add", "softmax", "layer_norm", "transpose", "matmul", "gemm", "attention")
# The kernels whose size is the extent of matrices, or a number of positions; of the others, a number of elements.
OF_MATRICES = ("matmul", "gemm", "transpose", "attention")
ATTENTION = {64: (128, 128), 128: (128, 64)}  # queries and keys of a tile, for an extent of heads

# The kernels that ./dev gpu times. Their first size is a fraction of --extent or --elements.
TILES = ("128x128", "128x256", "256x128")
# Tile blocks of two CTAs, to compare with 128x256 on one.
CLUSTERS = ("256x256", "128x256 --ctas 2", "256x128 --ctas 2")
ROWS = ("vector_add", "softmax", "softmax --columns 8192", "layer_norm", "layer_norm --columns 8192",
        "transpose", "transpose --tile 128")
PRODUCTS = ("matmul --tile 32", "gemm --tile 128", "gemm --tile 64 --type f32", "gemm --tile 128 --type i8",
            *(f"gemm --aligned --tile {tile} --factors {factors}" for tile in TILES for factors in ("integers", "normal")),
            *(f"gemm --aligned --tile {tile} --factors normal --type bf16" for tile in TILES),
            *(f"gemm --aligned --tile {tile} --factors normal --half" for tile in TILES),
            *(f"gemm --aligned --tile {tile} --factors normal --half --common 1024" for tile in TILES),
            *(f"gemm --aligned --tile {tile} --factors normal{more}" for tile in CLUSTERS
              for more in ("", " --type bf16", " --half", " --half --common 1024")),
            *(f"gemm --aligned --tile {tile} --type {type_}{factors}" for tile in ("128x128", "128x256")
              for type_, factors in (("tf32", " --factors normal"), ("i8", ""), ("f8", " --factors normal"))))
ATTENTIONS = tuple(f"attention --columns {d} --type {type_}{causal}" for d in ATTENTION for type_ in ("f16", "bf16")
                   for causal in ("", " --causal"))
# How many stages are best, and what code for older GPUs reaches on this one.
STAGES = (*(f"gemm --aligned --tile {tile} --factors normal --tuning most-stages={stages}"
            for tile in ("128x128", "128x256") for stages in (2, 3)),
          *(f"gemm --aligned --tile 128x128 --factors normal --target sm_80 --tuning most-stages={stages}" for stages in (2, 3, 4)))
# Products and attention first: if time is over, the kernels at the end are not timed.
TIMED = (*PRODUCTS, *ATTENTIONS, *ROWS, *STAGES)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernel", choices=KERNELS)
    parser.add_argument("size", type=int, help="elements of an array, the extent of matrices, or positions")
    parser.add_argument("--columns", type=int, default=1024, help="of a row; of a head (%(default)s)")
    parser.add_argument("--tile", type=extents, default=(64, 64), metavar="N|ROWSxCOLUMNS",
                        help="its rows and columns (64x64); that of the example matmul is 32")
    parser.add_argument("--aligned", action="store_true", help="add the assumptions to gemm that cuTile adds for "
                        "aligned arrays, so that a producer warp may copy operands")
    parser.add_argument("--ctas", type=int, help="the hint num_cta_in_cga of gemm")
    parser.add_argument("--half", action="store_true", help="halve the extent of matrices")
    parser.add_argument("--common", type=int, metavar="K", help="the reduced extent of gemm (the extent)")
    parser.add_argument("--causal", action="store_true", help="attention without later keys")
    parser.add_argument("--keys", type=int, help="of a tile of attention (chosen by the extent of heads)")
    parser.add_argument("--factors", choices=("integers", "normal"), default="integers",
                        help="of a product: small integers, with which GPUs draw less power, or normally distributed "
                        "(%(default)s)")
    parser.add_argument("--target", metavar="sm_NN", help="of our compiler (this GPU)")
    parser.add_argument("--tuning", action="append", default=[], metavar="NAME=VALUE", help="a threshold of our compiler")
    parser.add_argument("--type", choices=tuple(ELEMENTS), default="f16", help="of factors (%(default)s)")


def extents(text: str) -> tuple[int, int]:
    rows, _, columns = text.partition("x")
    return int(rows), int(columns or rows)


def text_of(options: argparse.Namespace) -> str:
    """The Tile IR of the kernel, whose entry has its name."""
    if options.kernel in EXAMPLES:
        return (ROOT / "examples" / f"{options.kernel}.mlir").read_text()
    folder = ROOT / ("test/gpu/Inputs" if options.kernel == "attention" else "bench/kernels")
    text = string.Template((folder / f"{options.kernel}.mlir").read_text()).substitute(values(options))
    if options.ctas:
        text = text.replace("%k: tile<i32>) {", f"%k: tile<i32>) optimization_hints=<default = {{num_cta_in_cga = {options.ctas}}}> {{")
    return aligned(text, ELEMENTS[options.type].size) if options.aligned else text


def key(options: argparse.Namespace) -> str:
    """The name of a compiled kernel, without an extension."""
    return f"{options.kernel}-{hashlib.sha256(text_of(options).encode()).hexdigest()[:16]}"


def values(options: argparse.Namespace) -> dict:
    """The template parameters of a kernel."""
    if options.kernel == "gemm":
        element = ELEMENTS[options.type]
        tile = {"T": element.name, "TM": options.tile[0], "TN": options.tile[1], "TK": 128 // element.size}
        return tile | ({"S": "i32", "mma": "mmai", "nothing": "0", "signs": "signed signed"} if options.type == "i8"
                       else {"S": "f32", "mma": "mmaf", "nothing": "0.0", "signs": ""})
    if options.kernel == "transpose":
        return {"TM": options.tile[0], "TN": options.tile[1]}
    if options.kernel == "attention":
        queries, keys = ATTENTION[options.columns]
        return of_attention(options.columns, options.type, (queries, options.keys or keys), options.causal)
    return {"N": options.columns, "share": 1 / options.columns}


def of_attention(d: int, type_: str, tile: tuple[int, int], is_causal: bool) -> dict:
    """The template parameters of attention with heads of this extent. A tile has some queries and keys."""
    rows, columns = tile
    found = {"D": d, "T": ELEMENTS[type_].name, "TM": rows, "TN": columns, "scale": scale_of(d)}
    if not is_causal:
        return found | {"bound": "%steps = divi %n, %tn signed rounding<positive_inf> : tile<i32>",
                        "scores": "", "masked_scores": "%scaled"}
    wide = f"tile<{rows}x{columns}x"
    return found | {
        "bound": "%end = addi %first, %tm : tile<i32>\n"
                 "    %steps = divi %end, %tn signed rounding<positive_inf> : tile<i32>",
        "scores": f"""%first_column = muli %j, %tn : tile<i32>
      %first_column_1 = reshape %first_column : tile<i32> -> tile<1x1xi32>
      %first_columns = broadcast %first_column_1 : tile<1x1xi32> -> tile<1x{columns}xi32>
      %column_1 = addi %first_columns, %column_numbers : tile<1x{columns}xi32>
      %column = broadcast %column_1 : tile<1x{columns}xi32> -> {wide}i32>
      %counts = cmpi greater_than_or_equal %row, %column, signed : {wide}i32> -> {wide}i1>
      %scores = select %counts, %scaled, %masked : {wide}i1>, {wide}f32>""",
        "masked_scores": "%scores"}


def scale_of(columns: int) -> float:
    """The usual factor of the scores; log2(e), because the kernel uses exp2."""
    return math.log2(math.e) / math.sqrt(columns)


def aligned(gemm: str, factor_bytes: int) -> str:
    """The kernel with assumptions: addresses are multiples of 16 bytes, and so are the rows of all matrices."""
    parameters = re.search(r"entry @gemm\((.*)\)( optimization_hints=<.*>)? \{\n", gemm)
    types = dict(re.findall(r"%(\w+): (tile<(?:ptr<\w+>|i32)>)", parameters[1]))
    assumptions = "".join(f"    %{name} = assume div_by<{16 if 'ptr' in type_ else 16 // factor_bytes}>, %{name}_given : {type_}\n"
                          for name, type_ in types.items())
    given = ", ".join(f"%{name}_given: {type_}" for name, type_ in types.items())
    return gemm.replace(parameters[0], f"entry @gemm({given}){parameters[2] or ''} {{\n{assumptions}")
