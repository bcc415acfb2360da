# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests products with matrix instructions, on the PTX machine, against NumPy.

Operands and accumulators are small integers, so that every order of summation gives the same bits
in every format (arithmetic, 4.30 and 4.31). Every plan must state whether matrix instructions are used.
`products.py TILEWRIGHT FOLDER`
"""

import pathlib
import string
import subprocess
import sys

import numpy as np

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).resolve().parent
GEMM = HERE.parents[2] / "bench/kernels/gemm.mlir"
# Operand type, accumulator type, target, instruction (None: multiply-adds), and M, N, K.
CASES = [
    ("f16", "f32", "sm_75", "mma.m16n8k8.row.col.f32.f32", (32, 16, 32)),
    ("f16", "f32", "sm_80", "mma.m16n8k16.row.col.f32.f32", (64, 64, 64)),
    ("f16", "f32", "sm_80", "mma.m16n8k16.row.col.f32.f32", (16, 8, 16)),
    ("f16", "f32", "sm_80", "mma.m16n8k16.row.col.f32.f32", (128, 32, 512)),  # in chunks along K
    ("f16", "f16", "sm_80", "mma.m16n8k16.row.col.f32.f32", (32, 64, 16)),
    ("f16", "f32", "sm_80", "mma.m16n8k16.row.col.f32.f32", (2, 32, 16, 32)),  # a batch of 2
    ("f32", "f32", "sm_90a", None, (16, 16, 8)),
    ("tf32", "f32", "sm_80", "mma.m16n8k8.row.col.tf32", (32, 32, 16)),
    ("f64", "f64", "sm_80", "mma.m8n8k4.row.col.f64", (16, 32, 8)),
    ("i8", "i32", "sm_75", None, (16, 16, 32)),
    ("i8", "i32", "sm_80", "mma.m16n8k32.row.col.s8", (32, 32, 64)),
    ("i8", "i32", "sm_80", "mma.m16n8k32.row.col.s8", (3 - 1, 16, 8, 32)),
    ("i8", "i32", "sm_80", "mma.m16n8k32.row.col.s8", (64, 64, 64)),  # columns in pairs
    ("i8", "i32", "sm_80", "mma.m16n8k32.row.col.s8", (128, 16, 1024)),  # in chunks along K
    ("i8", "i32", "sm_80", "mma.m16n8k32.row.col.s8", (2, 32, 128, 32)),
    ("f8E4M3FN", "f32", "sm_89", "mma.m16n8k32.row.col.f32.e4m3.e4m3.f32", (64, 64, 64)),
    ("f8E5M2", "f32", "sm_90a", "mma.m16n8k32.row.col.f32.e5m2.e5m2.f32", (16, 256, 32)),
    ("bf16", "f32", "sm_75", None, (16, 8, 16)),
    ("bf16", "f32", "sm_80", "mma.m16n8k16.row.col.bf16", (16, 32, 32)),
    ("f8E4M3FN", "f32", "sm_80", None, (16, 8, 32)),
    ("f8E4M3FN", "f32", "sm_89", "mma.m16n8k32.row.col.f32.e4m3.e4m3.f32", (16, 16, 32)),
    ("f8E5M2", "f16", "sm_90a", "mma.m16n8k32.row.col.f32.e5m2.e5m2.f32", (32, 8, 64)),
    ("f16", "f32", "sm_80", None, (8, 8, 16)),  # fewer than 16 rows
    # More accumulators than registers: in pieces.
    ("f16", "f32", "sm_80", "mma.m16n8k16.row.col.f32.f32", (256, 256, 32)),
    ("f16", "f16", "sm_90a", "mma.m16n8k16.row.col.f32.f32", (4, 128, 128, 16)),
    ("i8", "i32", "sm_80", "mma.m16n8k32.row.col.s8", (512, 128, 64)),
    ("f64", "f64", "sm_80", "mma.m8n8k4.row.col.f64", (128, 256, 8)),
]
# Products with tiles in loops, by the benchmarks' kernel: operand type, accumulator type, target, M, N, K.
LOOPS = [
    ("f16", "f32", "sm_80", (256, 256, 32)),
    ("f16", "f32", "sm_90a", (256, 256, 64)),
    ("f16", "f16", "sm_90a", (256, 256, 32)),
    ("i8", "i32", "sm_90a", (256, 256, 64)),
    ("f64", "f64", "sm_80", (128, 128, 16)),
]
NUMPY = {"f16": np.float16, "f32": np.float32, "tf32": np.float32, "f64": np.float64,
         "i8": np.int8, "i32": np.int32}


def kernel(element: str, total: str, sizes) -> str:
    batch, (m, n, k) = sizes[:-3], sizes[-3:]
    signs = " signed signed" if element == "i8" else ""
    op = "mmai" if element == "i8" else "mmaf"
    text, tiles = [], []
    for name, type_, shape in (("a", element, (m, k)), ("b", element, (k, n)), ("c", total, (m, n)),
                               ("d", total, (m, n))):
        shape = (*batch, *shape)
        extents = "x".join(map(str, shape))
        steps = [int(np.prod(shape[dim + 1:])) for dim in range(len(shape))]
        tensor = f"tensor_view<{extents}x{type_}, strides={steps}>"
        view = f"partition_view<tile=({extents}), {tensor}>"
        tile = f"tile<{extents}x{type_}>"
        tiles.append((view, tile))
        text += [f"%{name}v = make_tensor_view %{name}, shape = {list(shape)}, strides = {steps} : {tensor}",
                 f"%{name}p = make_partition_view %{name}v : {view}"]
    zeros = ", ".join(["%zero"] * (len(batch) + 2))
    for name, (view, tile) in zip("abc", tiles):
        text.append(f"%{name}t, %{name}k = load_view_tko weak %{name}p[{zeros}] : {view}, tile<i32> -> {tile}, token")
    types = ", ".join(tile for _, tile in tiles[:3])
    text.append(f"%dt = {op} %at, %bt, %ct{signs} : {types}")
    text.append(f"%done = store_view_tko weak %dt, %dp[{zeros}] : {tiles[3][1]}, {tiles[3][0]}, tile<i32> -> token")
    parameters = ", ".join(f"%{name}: tile<ptr<{t}>>" for name, t in zip("abcd", (element, element, total, total)))
    body = "\n    ".join(["%zero = constant <i32: 0> : tile<i32>", *text, "return"])
    return f"cuda_tile.module @m {{\n  entry @k({parameters}) {{\n    {body}\n  }}\n}}\n"


def run(*words) -> str:
    done = subprocess.run([tilewright, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def persistent(rng, m: int, n: int, k: int, target: str, turns: str) -> None:
    """Two blocks process the tiles of gelu(a b): nested loops, with an epilogue in the outer one."""
    source = folder / "persistent.mlir"
    source.write_text(string.Template((HERE / "persistent.mlir").read_text()).substitute(M=m, N=n, K=k))
    extents = rows, columns, common = 2 * m + 6, 2 * n - 20, 2 * k + 8
    a, b = (rng.integers(-2, 3, shape).astype(np.float16) for shape in ((rows, common), (common, columns)))
    np.save(folder / "a.npy", a / 4)  # sums are exact, and some are small
    np.save(folder / "b.npy", b / 4)
    run("run", source, "--device", "ptx", "--target", target, "--schedule", turns, "--grid", "2",
        *(word for name in "ab" for word in ("--arg", folder / f"{name}.npy")),
        "--arg", f"empty({rows}x{columns}xf16),out={folder / 'c.npy'}",
        *(word for extent in extents for word in ("--arg", extent)))
    sums = a.astype(np.float64) @ b / 16
    expected = sums * (0.5 + 0.5 * np.tanh(sums * (0.797884583 + 0.035677407 * sums * sums)))
    found = np.load(folder / "c.npy")
    # f16 rounds to 11 bits; where the tanh is near -1, the f32 error matters.
    wrong = ~(np.abs(found - expected) <= np.abs(expected) / 1024 + 1e-5)
    if wrong.any():
        sys.exit(f"persistent {m}x{n}x{k} for {target}, {turns}: {wrong.sum()} of {wrong.size} elements differ")


def residual(rng, m: int, n: int, k: int, target: str, turns: str) -> None:
    """r (a b + r) + r in four blocks: a tile that does not fit into registers is processed in pieces, also at edges and
    with unaligned rows."""
    source = folder / "residual.mlir"
    source.write_text(string.Template((HERE / "residual.mlir").read_text()).substitute(M=m, N=n, K=k))
    plan = run("compile", source, "--target", target, "--emit", "plan")
    if "loaded in chunks of 32 elements per thread" not in plan:
        sys.exit(f"residual {m}x{n}x{k} for {target}: a tile must come in pieces, but the plan is\n{plan}")
    for extents in ((2 * m, 2 * n, k), (2 * m - 6, 2 * n - 21, k + 8)):
        rows, columns, common = extents
        shapes = {"a": (rows, common), "b": (common, columns), "r": (rows, columns)}
        arrays = {name: rng.integers(-2, 3, shape).astype(np.float16) for name, shape in shapes.items()}
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)
        run("run", source, "--device", "ptx", "--target", target, "--schedule", turns, "--grid", "2,2",
            *(word for name in shapes for word in ("--arg", folder / f"{name}.npy")),
            "--arg", f"empty({rows}x{columns}xf16),out={folder / 'c.npy'}",
            *(word for extent in extents for word in ("--arg", extent)))
        a, b, r = (arrays[name].astype(np.float64) for name in "abr")
        expected = (r * (a @ b + r) + r).astype(np.float16)
        found = np.load(folder / "c.npy")
        if not np.array_equal(found, expected):
            sys.exit(f"residual {extents} for {target}, {turns}: {np.sum(found != expected)} of {found.size} elements differ")


def main() -> None:
    rng = np.random.default_rng(1)
    for element, total, target, instruction, sizes in CASES:
        batch, (m, n, k) = sizes[:-3], sizes[-3:]
        what = f"{element} {total} {target} {'x'.join(map(str, sizes))}"
        source = folder / "product.mlir"
        source.write_text(kernel(element, total, sizes))
        plan = run("compile", source, "--target", target, "--emit", "plan")
        found = [word for word in plan.split() if word.startswith("mma.")]
        if found != ([f"{instruction},"] if instruction else []):
            sys.exit(f"{what}: must be by {instruction}, but the plan has {found}")
        arguments = []
        for name, type_, shape in (("a", element, (m, k)), ("b", element, (k, n)), ("c", total, (m, n))):
            values = rng.integers(-3, 4, (*batch, *shape)).astype(NUMPY.get(type_, np.int8))
            np.save(folder / f"{name}.npy", values)
            is_known = type_ in NUMPY
            arguments += ["--arg", folder / f"{name}.npy" if is_known else f"{type_}{values.tolist()}"]
        extents = "x".join(map(str, (*batch, m, n)))
        for turns in ("up", "random"):
            run("run", source, "--device", "ptx", "--target", target, "--schedule", turns, "--grid", "1", *arguments,
                "--arg", f"empty({extents}x{total}),out={folder / 'd.npy'}")
            a, b, c, d = (np.load(folder / f"{name}.npy").astype(np.float64) for name in "abcd")
            if not np.array_equal(a @ b + c, d):
                sys.exit(f"{what}, {turns}: {np.sum(a @ b + c != d)} of {d.size} sums differ")
    for element, total, target, (m, n, k) in LOOPS:
        source = folder / "loop.mlir"
        is_integer = element == "i8"
        source.write_text(string.Template(GEMM.read_text()).substitute(
            T=element, S=total, TM=m, TN=n, TK=k, mma="mmai" if is_integer else "mmaf",
            signs="signed signed" if is_integer else "", nothing="0" if is_integer else "0.0"))
        extents = rows, columns, common = m + 20, n - 40, 3 * k - 8
        for name, shape in (("a", (rows, common)), ("b", (common, columns))):
            np.save(folder / f"{name}.npy", rng.integers(-3, 4, shape).astype(NUMPY[element]))
        for turns in ("down", "random"):
            run("run", source, "--device", "ptx", "--target", target, "--schedule", turns, "--grid", "2",
                *(word for name in "ab" for word in ("--arg", folder / f"{name}.npy")),
                "--arg", f"empty({rows}x{columns}x{total}),out={folder / 'c.npy'}",
                *(word for extent in extents for word in ("--arg", extent)))
            a, b, c = (np.load(folder / f"{name}.npy").astype(np.float64) for name in "abc")
            if not np.array_equal(a @ b, c):
                sys.exit(f"{element} {target} {m}x{n}x{k} in loops, {turns}: {np.sum(a @ b != c)} of {c.size} sums differ")
    for target, turns in (("sm_80", "random"), ("sm_90a", "down"), ("sm_120a", "up")):
        persistent(rng, 64, 64, 64, target, turns)
    for target, turns in (("sm_80", "down"), ("sm_90a", "random")):
        residual(rng, 128, 128, 32, target, turns)
    print(f"{len(CASES)} products and {len(LOOPS)} loops of them agree")


if __name__ == "__main__":
    main()
