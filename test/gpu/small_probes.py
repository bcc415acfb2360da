# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Probes T11, T17, T20 and T21: clusters, sums of f8, empty CTAs, and the order of CTAs."""

import ctypes
import statistics

import numpy as np

import small_code
from answers import Answer, answer, not_asked
from driver import Gpu
from elements import ELEMENTS

CLUSTERS = 3  # odd
STAGES = 32  # 4096 products in a sum
CTAS = 4096
LARGE, SMALL = 160 << 10, 16


def multicast(gpu: Gpu, code: bytes | None = None) -> Answer:
    """T11: the launch says three blocks, of one thread, or of as many as a CTA has; the GPU must run three clusters of
    two CTAs."""
    if gpu.capability < 90:
        return not_asked("clusters need sm_90")
    words = small_code.PART // 4
    values = np.arange(100, 100 + 2 * CLUSTERS * words, dtype=np.uint32)
    given, right, blocks = gpu.array(values.tobytes()), 0, (1, small_code.THREADS)
    for threads in blocks:
        out = gpu.array(bytes(2 * values.nbytes))
        gpu.launch(gpu.function(code or small_code.multicast(), "k"), CLUSTERS, threads, given, out)
        found = np.frombuffer(gpu.read(out, 2 * values.nbytes), np.uint32).reshape(CLUSTERS, 2, 2 * words)
        right += sum(bool((found[cluster, cta] == values[2 * words * cluster:2 * words * (cluster + 1)]).all())
                     for cluster in range(CLUSTERS) for cta in range(2))
    count = 2 * CLUSTERS * len(blocks)
    return answer(right == count, f"{right} of {count} CTAs received both parts")


def f8_sums(gpu: Gpu) -> Answer:
    """T17: the errors of sums that stay in the tensor core, and of sums that leave it after every 128 products."""
    if gpu.capability != 90:
        return not_asked("wgmma needs sm_90a")
    random, element = np.random.default_rng(8), ELEMENTS["f8"]
    left, right = (element.rounded(random.standard_normal((rows, STAGES * small_code.DEPTH), np.float32))
                   for rows in (small_code.ROWS, small_code.COLUMNS))
    stages = b"".join(swizzled(element.encoded(side[:, at:at + small_code.DEPTH]))
                      for at in range(0, STAGES * small_code.DEPTH, small_code.DEPTH) for side in (left, right))
    given, expected, errors = gpu.array(stages), left.astype(np.float64) @ right.T.astype(np.float64), []
    for promotes in (False, True):
        out = gpu.array(bytes(4 * expected.size))
        gpu.launch(gpu.function(small_code.f8_sums(promotes), "k"), 1, small_code.THREADS, given, out, ctypes.c_uint32(STAGES))
        found = in_rows(np.frombuffer(gpu.read(out, 4 * expected.size), np.float32))
        errors.append(float(np.abs(found - expected).max() / np.abs(expected).max()))
    seen = " and ".join("none" if not error else f"2^{np.log2(error):.1f}" for error in errors)
    return answer(errors[0] > 2**-13 > errors[1], f"largest errors, relative to the largest sum: {seen}")


def swizzled(rows: np.ndarray) -> bytes:
    """Rows of 128 bytes: 16-byte unit u of row r is at position u ^ r % 8."""
    units = rows.reshape(len(rows), 8, 16)
    return np.stack([row[np.arange(8) ^ number % 8] for number, row in enumerate(units)]).tobytes()


def in_rows(held: np.ndarray) -> np.ndarray:
    """The 64 x 8 matrix of accumulators, of which each thread holds four."""
    thread, slot = np.divmod(np.arange(held.size), 4)
    warp, lane = np.divmod(thread, 32)
    found = np.empty((small_code.ROWS, small_code.COLUMNS), np.float32)
    found[16 * warp + lane // 4 + 8 * (slot // 2), 2 * (lane % 4) + slot % 2] = held
    return found


def empty_ctas(gpu: Gpu, extent: int) -> Answer:
    """T20: the time of CTAs that end at once, with little and with much shared memory."""
    if gpu.capability < 90:
        return not_asked("the kernel is for sm_90a")
    count, seen = min(CTAS, extent), []
    for shared in (SMALL, LARGE):
        function = gpu.function(small_code.empty(shared), "k")

        def start() -> None:
            gpu.start(function, (count,), 288, ctypes.c_uint32(0))

        start()
        gpu.wait()
        taken = statistics.median(gpu.milliseconds(start) for _ in range(5))
        seen.append(f"{shared} bytes of shared memory: {1e6 * taken / count:.3g} ns")
    return answer(True, f"each of {count} CTAs of 288 threads: " + "; ".join(seen))


def order(gpu: Gpu, extent: int) -> Answer:
    """T21: yes if CTAs start in the order of their numbers."""
    if gpu.capability < 80:
        return not_asked("the kernel is for sm_80")
    count = min(CTAS, extent)
    out, counter = gpu.array(bytes(8 * count)), gpu.array(bytes(4))
    gpu.launch(gpu.function(small_code.order(), "k"), count, 32, out, counter)
    place, sm = np.frombuffer(gpu.read(out, 8 * count), np.uint32).reshape(count, 2).astype(np.int64).T
    away = np.abs(place - np.arange(count))
    first = ", ".join(map(str, sm[np.argsort(place)][:16]))
    return answer(not away.any(), f"{np.count_nonzero(away == 0)} of {count} CTAs start in their place, the others at most {away.max()} "
                  f"from it; SMs of the first: {first}; {np.count_nonzero(sm[0::2][:count // 2] // 2 == sm[1::2] // 2)} of "
                  f"{count // 2} pairs are on SMs of a pair")


PROBES = {
    "T11": ("do three blocks, of one thread or all of a CTA, run as clusters of two CTAs, and does multicast reach both", multicast),
    "T17": ("do sums of 4096 f8 products lose more than 2^-13 in wgmma, and not if f32 takes every 128", f8_sums),
}
SIZED = {
    "T20": ("how long does a CTA take that ends at once", empty_ctas),
    "T21": ("do CTAs start in the order of their numbers", order),
}
