# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that nvcc and clang made of CUDA C++ (kernels/*.cu) compute what NumPy computes, in every
schedule, and without findings.

    kernels.py --tilewright build/bin/tilewright [--seeds 10] [KERNEL...]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
BOTH = ("basics.ptx", "basics-clang.ptx")
WARPS = ("warps.ptx",)
RUNTIME = ("runtime.ptx",)
HOPPER = ("hopper.ptx",)
PERSISTENT = ("persistent.ptx",)


@dataclass
class TensorMap:
    """An argument that is a tensor map of an array."""
    options: str
    array: np.ndarray


@dataclass
class Case:
    name: str
    files: tuple
    grid: tuple
    block: tuple
    inputs: list  # arrays and scalars, in order
    outputs: dict  # number of the argument -> expected array, or a function that judges it
    shared: int = 0
    tolerance: float = 0
    types: dict = field(default_factory=dict)  # argument -> type that NumPy does not have


def cases() -> list[Case]:
    rng = np.random.default_rng(7)
    f32 = lambda *shape: (rng.integers(-64, 64, shape) / 8).astype(np.float32)
    i32 = lambda low, high, *shape: rng.integers(low, high, shape).astype(np.int32)
    zeros = lambda dtype, *shape: np.zeros(shape, dtype)
    all = []

    def add(name, files, grid, block, inputs, outputs, **options):
        all.append(Case(name, files, grid, block, inputs, outputs, **options))

    x, y = f32(1000), f32(1000)
    add("saxpy", BOTH, (8,), (128,), [y, x, 2.5, 1000], {0: np.float32(2.5) * x + y})
    a = f32(40, 50)
    add("transpose", BOTH, (4, 3), (16, 16), [zeros(np.float32, 50, 40), a, 40, 50], {0: a.T})
    data = rng.integers(0, 256, 3000).astype(np.uint8)
    add("histogram", BOTH, (4,), (96,), [zeros(np.uint32, 256), data, 3000],
        {0: np.bincount(data, minlength=256).astype(np.uint32)})
    n = i32(-100, 100, 200)
    add("scan", BOTH, (1,), (200,), [zeros(np.int32, 200), n], {0: np.cumsum(n, dtype=np.int32)}, shared=800)
    s = f32(1000)
    padded = np.pad(s, 1)
    add("stencil", BOTH, (8,), (128,), [zeros(np.float32, 1000), s, 1000],
        {0: 0.25 * padded[:-2] + 0.5 * s + 0.25 * padded[2:]})
    m1, m2 = f32(48, 48), f32(48, 48)
    add("matmul", BOTH, (3, 3), (16, 16), [zeros(np.float32, 48, 48), m1, m2, 48], {0: m1 @ m2})
    unsorted = np.arange(99, 0, -1, np.int32)  # takes all 99 rounds
    add("sort", BOTH, (1,), (64,), [unsorted, 99], {0: np.sort(unsorted)})
    pairs = rng.integers(0, 2**32, (64, 2), dtype=np.uint32)
    p, q = pairs[:, 0].astype(np.uint64), pairs[:, 1].astype(np.uint64)
    wide = (p << np.uint64(32)) | q
    signed = pairs.astype(np.int32).astype(np.int64)
    quotient = np.array([int(abs(u) // abs(v | 1)) * (1 if (u < 0) == ((v | 1) < 0) else -1)
                         for u, v in signed], np.int64).astype(np.uint64)
    add("integers", BOTH, (1,), (64,), [zeros(np.uint64, 64), pairs],
        {0: wide // np.uint64(1000003) + (wide % (q | np.uint64(1))) * np.uint64(3) + quotient})
    numbers = rng.integers(1, 10**12, (40, 2)).astype(np.int64)
    add("divisors", BOTH, (1,), (40,), [zeros(np.int64, 40), numbers], {0: np.gcd(numbers[:, 0], numbers[:, 1])})
    add("locked", BOTH, (2,), (40,), [zeros(np.int32, 1), zeros(np.int32, 1)], {1: np.array([80], np.int32)})
    summed = i32(-50, 50, 256)
    add("last_block", BOTH, (4,), (64,), [zeros(np.int32, 1), zeros(np.int32, 4), zeros(np.uint32, 1), summed],
        {0: np.array([summed.sum()], np.int32), 1: summed.reshape(4, 64).sum(1, dtype=np.int32)})
    d = rng.normal(size=100)
    add("doubles", BOTH, (2,), (64,), [zeros(np.float64, 100), d, 100], {0: (d * d + 1) / (d + 3)}, tolerance=1e-15)
    c = i32(-10**6, 10**6, 64)
    chosen = [int(v) for v in c]
    results = [v * 3 if v & 7 == 0 else v - 100 if v & 7 == 1 else int(v / 7) if v & 7 == 2 else ~v
               if v & 7 == 3 else v << 3 if v & 7 == 4 else v >> 1 if v & 7 == 5 else 12345 for v in chosen]
    add("choose", BOTH, (1,), (64,), [zeros(np.int32, 64), c], {0: np.array(results, np.int32)})

    w = f32(256)
    add("warp_sum", WARPS, (2,), (128,), [zeros(np.float32, 1), w], {0: w.sum(keepdims=True)})
    rows = rng.normal(size=(8, 100)).astype(np.float32)
    exp = np.exp(rows - rows.max(1, keepdims=True))
    add("softmax", WARPS, (2,), (128,), [zeros(np.float32, 8, 100), rows, 100],
        {0: exp / exp.sum(1, keepdims=True)}, tolerance=2e-6)
    v = rng.uniform(0, 10, 64)
    v32 = v.astype(np.float32)
    v = v32.astype(np.float64)
    add("functions", WARPS, (1,), (64,), [zeros(np.float32, 64), v32],
        {0: np.sin(v) + np.cos(v) * np.exp(-v) + np.log(v + 2) + np.sqrt(v + 1) + (v + 1)**1.5 + np.tanh(v)},
        tolerance=2e-6)
    kept = i32(0, 1000, 256)
    evens = np.sort(kept[kept % 2 == 0])
    add("compact", WARPS, (2,), (128,), [zeros(np.int32, 256), zeros(np.int32, 1), kept],
        {0: lambda got: np.array_equal(np.sort(got[:evens.size]), evens), 1: np.array([evens.size], np.int32)})
    g = i32(0, 100, 64)
    add("aggregated", WARPS, (1,), (64,), [zeros(np.int32, 3), g],
        {0: np.array([(g % 3 != 0).sum(), (g % 3 == 1).sum(), (g % 3 == 2).sum()], np.int32)})
    t = i32(-100, 100, 64)
    add("tiles", WARPS, (1,), (64,), [zeros(np.int32, 64), t], {0: np.repeat(t.reshape(8, 8).sum(1), 8).astype(np.int32)})
    r = rng.integers(0, 10**6, 64).astype(np.uint32)
    halves = r.reshape(2, 32)
    add("reduce_add", WARPS, (1,), (64,), [zeros(np.uint32, 64), r],
        {0: np.repeat(halves.sum(1) ^ halves.max(1), 32).astype(np.uint32)})
    h1, h2 = f32(64).astype(np.float16), f32(64).astype(np.float16)
    add("halves", WARPS, (1,), (32,), [zeros(np.float16, 64), h1, h2],
        {0: (h1.astype(np.float64) * h2 + np.maximum(h1, np.float16(0.5))).astype(np.float16)})
    # Eighths up to 8 have 7 bits: their squares are rounded to bfloat16, then the sum.
    b = f32(32)
    add("brains", WARPS, (1,), (32,), [zeros(np.uint16, 32), b], {0: bfloat(from_bfloat(bfloat(b * b)) + 0.5)})
    # Values that both formats hold.
    e = np.array([0, 1, -1.5, 2, 0.25, 448, 1000, -7] * 4, np.float32)
    e4, e5 = np.clip(e, -448, 448), np.where(e == 1000, 1024, e)
    add("fp8", WARPS, (1,), (32,), [zeros(np.float32, 32), e], {0: (e4 + 1000 * e5).astype(np.float32)})
    ta, tb = f32(32, 64), f32(24, 64)
    add("tensor", WARPS, (3, 2), (32,), [zeros(np.float32, 32, 24), bfloat(ta), bfloat(tb), 24, 64],
        {0: from_bfloat(bfloat(ta)) @ from_bfloat(bfloat(tb)).T})

    wa, wb = f32(48, 48).astype(np.float16), f32(48, 48).astype(np.float16)
    add("wmma_matmul", RUNTIME, (3, 3), (32,), [zeros(np.float32, 48, 48), wa, wb, 48],
        {0: 2 * wa.astype(np.float32) @ wb.astype(np.float32).T})
    add("grid_sum", RUNTIME, (5,), (40,), [zeros(np.int32, 200), zeros(np.int32, 1)],
        {0: np.full(200, 15, np.int32)})
    words = rng.integers(0, 2**32, (64, 2), dtype=np.uint32)
    add("bytes", RUNTIME, (1,), (64,), [zeros(np.uint32, 64, 8), words], {0: byte_results(words)})
    x = np.arange(60, dtype=np.int32)
    add("areas", RUNTIME, (1,), (60,), [zeros(np.int32, 60), 7], {0: np.where(x % 3, x * 7, x * x)})
    sums = [0]
    for last in range(11):  # the last number comes first
        total = 0
        for value in range(last, -1, -1):
            total = total * 3 + value
        sums.append(total)
    add("list", RUNTIME, (1,), (12,), [zeros(np.int32, 12)], {0: np.array(sums, np.int32)})
    values = i32(-9, 9, 10)
    powers = 5 ** np.arange(10)  # the last value has the largest
    add("reversed", RUNTIME, (1,), (33,), [zeros(np.int32, 33), values, 10],
        {0: ((values + np.arange(33)[:, None]) * powers).sum(1).astype(np.int32)})
    parts = f32(2, 1000)
    add("cluster_sum", HOPPER, (8,), (128,), [zeros(np.float32, 2), parts, 1000], {0: parts.sum(1)})
    binned = i32(0, 64, 500)
    add("cluster_histogram", HOPPER, (4,), (64,), [zeros(np.uint32, 64), binned, 500],
        {0: np.bincount(binned, minlength=64).astype(np.uint32)})
    blocks = f32(4, 256)
    add("bulk_scale", HOPPER, (2,), (256,), [zeros(np.float32, 1024), zeros(np.float32, 256), blocks],
        {0: 2 * blocks, 1: 2 * blocks.sum(0)})
    # Not a multiple of the tiles: what is outside is not written.
    wide = f32(12, 152)
    add("tensor_transpose", HOPPER, (2,), (288,),
        [TensorMap("box=32x8", wide), TensorMap("box=8x32", zeros(np.float32, 152, 12)), 5], {1: wide.T})
    cast = f32(16, 32)
    add("multicast_add", HOPPER, (2,), (256,), [zeros(np.float32, 2, 8, 32), TensorMap("box=32x8", cast)],
        {0: np.stack([cast[:8], cast[:8] + 100 * cast[8:]])})
    ga, gb = f32(128, 320), f32(64, 320)
    add("wgmma_gemm", HOPPER, (1, 2), (256,),
        [zeros(np.float32, 128, 64), TensorMap("box=64x64,swizzle=128B,type=bf16", bfloat(ga)),
         TensorMap("box=64x64,swizzle=128B,type=bf16", bfloat(gb)), 64, 5],
        {0: from_bfloat(bfloat(ga)) @ from_bfloat(bfloat(gb)).T}, shared=32768)
    ringed = f32(5, 16, 32)
    add("cluster_ring", PERSISTENT, (2,), (160,),
        [TensorMap("box=32x8", ringed.reshape(80, 32)), TensorMap("box=32x16", zeros(np.float32, 160, 32)), 5],
        {1: np.stack([2 * ringed, ringed + 1], axis=1)})
    counts = np.array([8, 3, 1, 5], np.int32)
    together = f32(17, 32)
    grouped, before = zeros(np.float32, 4, 8, 32), 0
    for group, count in enumerate(counts):
        grouped[group, :count] = together[before:before + count]
        before += count
    add("grouped_copy", PERSISTENT, (4,), (64,),
        [zeros(np.float32, 4, 8, 32), zeros(np.uint8, 4, 128), together, counts,
         TensorMap("box=32x8,dims=32x8", together)], {0: grouped})
    return all


def byte_results(pairs) -> np.ndarray:
    """What `bytes` computes, element by element."""
    rows = []
    for a, b in pairs:
        octets = lambda word: np.array([word], np.uint32).view(np.uint8).astype(np.int64)
        halves = lambda word: np.array([word], np.uint32).view(np.uint16).astype(np.int64)
        joined = lambda parts, dtype: int(parts.astype(dtype).view(np.uint32)[0])
        x, y, p, q = octets(a), octets(b), halves(a), halves(b)
        signed = lambda parts: parts.astype(np.int8).astype(np.int64)
        ones = np.flatnonzero(np.unpackbits(octets(a).astype(np.uint8), bitorder="little"))
        rows.append([joined(abs(x - y), np.uint8), int(abs(x - y).sum()),
                     joined(np.minimum(p + q, 65535), np.uint16),
                     joined(np.maximum(signed(x), signed(y)), np.int8),
                     joined(np.where(x > y, 255, 0), np.uint8), joined((p + q + 1) >> 1, np.uint16),
                     int(ones[2]) if ones.size > 2 else 2**32 - 1, int((x * y).sum()) + 7])
    return np.array(rows, np.uint32)


def bfloat(values) -> np.ndarray:
    """To nearest even, as bits."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)).astype(np.uint16)


def from_bfloat(bits) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def agrees(got: np.ndarray, expected, tolerance: float) -> bool:
    if callable(expected):
        return bool(expected(got))
    expected = np.asarray(expected).reshape(got.shape)
    if tolerance:
        return bool(np.allclose(got, expected, rtol=tolerance, atol=tolerance))
    return np.array_equal(got, expected.astype(got.dtype))


def run(case: Case, file: str, schedule: list, tilewright: pathlib.Path) -> str:
    """What is wrong, or nothing."""
    with tempfile.TemporaryDirectory(prefix="tilewright-ptx-") as folder:
        folder = pathlib.Path(folder)
        command = [tilewright, "ptx", HERE / "kernels" / file, "--entry", case.name, *schedule,
                   "--grid", ",".join(map(str, case.grid)), "--block", ",".join(map(str, case.block)),
                   "--shared", str(case.shared)]
        for number, value in enumerate(case.inputs):
            is_map = isinstance(value, TensorMap)
            if is_map or isinstance(value, np.ndarray):
                np.save(folder / f"{number}.npy", value.array if is_map else value)
                spec = (f"tensormap:{value.options};" if is_map else "") + str(folder / f"{number}.npy")
                if number in case.outputs:
                    spec += f",out={folder / f'out{number}.npy'}"
                command += ["--arg", spec]
            else:
                command += ["--arg", str(value)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if done.returncode or done.stderr:
            return f"status {done.returncode}: {done.stderr.strip()}"
        for number, expected in case.outputs.items():
            got = np.load(folder / f"out{number}.npy")
            if not agrees(got, expected, case.tolerance):
                return f"argument {number} is {got.reshape(-1)[:8]}"
    return ""


def main(cases: list[Case], about: str) -> int:
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=2, help="random schedules (%(default)s)")
    parser.add_argument("kernels", nargs="*", help="only these")
    arguments = parser.parse_args()
    schedules = [["--schedule", "up"], ["--schedule", "down"]]
    schedules += [["--schedule", "random", "--seed", str(seed)] for seed in range(arguments.seeds)]
    jobs = [(case, file, schedule) for case in cases for file in case.files for schedule in schedules
            if not arguments.kernels or case.name in arguments.kernels]
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(lambda job: run(*job, arguments.tilewright), jobs))
    wrong = [(job, said) for job, said in zip(jobs, ended) if said]
    for (case, file, schedule), said in wrong:
        print(f"{file}: {case.name} {' '.join(schedule)}: {said}")
    kernels = len({(case.name, file) for case, file, _ in jobs})
    print(f"{kernels} kernels, {len(jobs)} runs, {len(wrong)} went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(cases(), __doc__))
