# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Probes T10, T12 to T14, T16 and T18: products written by hand, in forms that the compiler could write (product_code.py).

Each form computes a small product of integers exactly, on extents that are no multiples of the tile, before it is timed
with normally distributed factors.
"""

import ctypes
import dataclasses
import functools
import itertools
import statistics
import struct

import numpy as np

import product_code
from answers import Answer, answer, not_asked
from driver import Gpu
from probe_code import MAP
from product_code import Form

CHECKED = (136, 264, 200)  # m, n, k
ROUNDS = 3
LAUNCHES = 8  # of a form, at most
CLOCKS = 16  # bytes for each CTA

WIDE, TALL, SQUARE = Form(128, 256, 4), Form(256, 128, 4), Form(128, 128, 6)
PAIR = Form(128, 128, 3, ctas=2)
# What T13 varies: tiles, CTAs on an SM, stages, groups in flight, order of CTAs, who makes maps, which thread copies.
TABLE = (WIDE, TALL, SQUARE, PAIR, Form(64, 256, 4), Form(64, 128, 6),
         *(Form(128, 256, stages) for stages in (2, 3)), *(Form(128, 128, stages) for stages in (2, 3, 4)),
         *(Form(128, 256, 4, group=group) for group in (1, 4, 16)), Form(128, 256, 4, in_flight=1),
         Form(128, 128, 6, in_flight=1), Form(128, 128, 3, ctas=2, in_flight=1), Form(128, 256, 4, makes_maps=True),
         Form(128, 128, 3, ctas=2, makes_maps=True), Form(128, 256, 4, elects=False))
# T16: how results are stored. Of T13's short extent along k, a larger part of the time is spent on stores.
STORES = tuple(dataclasses.replace(form, **way) for form in (WIDE, SQUARE, PAIR)
               for way in ({}, {"no_allocate": True}, {"map_stores": True}))
# T18: who copies operands. cp.async can gather rows, and copy arrays that are not aligned to 16 bytes in smaller pieces.
COPIES = tuple(dataclasses.replace(form, **way) for form in (WIDE, SQUARE, PAIR) for way in ({}, {"thread_copies": True}))


class Product:
    """Arrays of a product on the GPU, and its launches."""

    def __init__(self, gpu: Gpu, extents: tuple[int, int, int], is_normal: bool):
        self.gpu, self.extents = gpu, extents
        m, n, k = extents
        random = np.random.default_rng(7)
        self.left, self.right = ((random.standard_normal(shape, np.float32) if is_normal else
                                  random.integers(-4, 5, shape)).astype(np.float16) for shape in ((m, k), (k, n)))
        self.a, self.b = gpu.array(self.left.tobytes()), gpu.array(self.right.tobytes())
        self.c = gpu.room(4 * m * n)
        self.most_ctas = -(-m // 64) * -(-n // 128)
        self.pool, self.clocks = gpu.room(2 * MAP * self.most_ctas * LAUNCHES), gpu.array(bytes(CLOCKS * self.most_ctas))

    def ctas(self, form: Form) -> int:
        return -(-self.extents[0] // form.rows) * -(-self.extents[1] // form.columns)

    def starter(self, form: Form, function):
        """Launches of a form, with a result of its own, and maps of their own: nothing orders launches on the PTX machine."""
        m, n, k = self.extents
        self.gpu.free(self.c)
        self.c = self.gpu.room(4 * m * n)
        a = self.gpu.tensor_map(self.a, "f16", (k, m), (2 * k,), (64, form.rows), "128B")
        b = self.gpu.tensor_map(self.b, "f16", (n, k), (2 * n,), (64, 64), "128B")
        c = self.gpu.tensor_map(self.c, "f32", (n, m), (4 * n,), (32, form.rows), "128B")
        result = self.c
        numbers = [ctypes.c_uint32(value) for value in self.extents]
        pools = itertools.cycle(ctypes.c_uint64(self.pool.value + 2 * MAP * self.most_ctas * number) for number in range(LAUNCHES))
        return lambda: self.gpu.start(function, (self.ctas(form),), form.threads, self.a, self.b, result, *numbers,
                                      next(pools), self.clocks, a, b, c)

    def wrong(self, start) -> int:
        """The number of elements that differ from NumPy's product."""
        m, n, _ = self.extents
        self.gpu.write(self.c, b"\xee" * (4 * m * n))
        start()
        self.gpu.wait()
        found = np.frombuffer(self.gpu.read(self.c, 4 * m * n), np.float32).reshape(m, n)
        return int((found != self.left.astype(np.float64) @ self.right.astype(np.float64)).sum())

    def cycles(self, form: Form) -> tuple[int, ...]:
        count = self.ctas(form)
        return struct.unpack(f"{count}Q", self.gpu.read(self.clocks, 8 * count))

    def megahertz(self, form: Form) -> float:
        """The clock of the SMs that a launch with measures_clock has seen: all cycles by all nanoseconds of CTAs."""
        seen = struct.unpack(f"{2 * self.ctas(form)}Q", self.gpu.read(self.clocks, CLOCKS * self.ctas(form)))
        return 1e3 * sum(seen[0::2]) / max(1, sum(seen[1::2]))


def no_wgmma(gpu: Gpu) -> Answer | None:
    return None if gpu.capability == 90 else not_asked("wgmma needs sm_90a")


def own_maps(gpu: Gpu, extent: int, code=product_code.code) -> Answer:
    """T10: 2-D maps with strides, which each CTA makes."""
    if why := no_wgmma(gpu):
        return why
    form = Form(64, 128, 4, makes_maps=True)
    product = Product(gpu, CHECKED, is_normal=False)
    wrong = product.wrong(product.starter(form, gpu.function(code(form), "k")))
    cycles = product.cycles(form)
    many = Product(gpu, (max(64, extent // 2), max(64, extent // 2), 64), is_normal=False)
    start = many.starter(form, gpu.function(code(form), "k"))
    start()
    gpu.wait()
    crowded = many.cycles(form)
    return answer(not wrong, f"{wrong} elements are wrong; the maps of a CTA are ready {min(cycles)} to {max(cycles)} cycles after its "
                  f"start in {len(cycles)} CTAs, in {len(crowded)} CTAs after {statistics.median(crowded):.0f} (at most {max(crowded)})")


def producer_warp(gpu: Gpu, extent: int, code=product_code.code) -> Answer:
    """T12: 288 threads with .maxnreg 224, and 160 threads with room for two CTAs."""
    if why := no_wgmma(gpu):
        return why
    product, seen, holds = Product(gpu, CHECKED, is_normal=False), [], True
    for form in (WIDE, PAIR):
        function = gpu.function(code(form), "k")
        wrong = product.wrong(product.starter(form, function))
        resident = gpu.resident_ctas(function, form.threads)
        holds &= not wrong and resident in (form.ctas, None)
        where = "an unknown number of CTAs" if resident is None else f"{resident} CTAs"
        seen.append(f"{form.threads} threads, .maxnreg {form.registers}: {wrong} elements are wrong, {where} on an SM")
    return answer(holds, "; ".join(seen))


def table(gpu: Gpu, extent: int, forms: tuple[Form, ...] = TABLE, code=product_code.code) -> Answer:
    """T13, T16 and T18: the rates of forms, for a large and a short reduced extent."""
    if why := no_wgmma(gpu):
        return why
    small = Product(gpu, CHECKED, is_normal=False)
    half = -(-extent // 128) * 64
    sizes = [(extent, extent, extent), (half, half, max(64, extent // 8))]
    large = [Product(gpu, size, is_normal=True) for size in sizes]
    seen, holds = [], True
    for form in forms:
        function = gpu.function(code(form), "k")
        wrong = small.wrong(small.starter(form, function))
        rates = [rate(gpu, product, product.starter(form, function)) for product in large]
        holds &= not wrong
        seen.append(f"{form.name}: " + (f"{wrong} elements are wrong" if wrong else f"{rates[0]:.3g} and {rates[1]:.3g}"))
    shapes = " and ".join("x".join(map(str, size)) for size in sizes)
    return answer(holds, f"TFLOP/s for {shapes}: " + "; ".join(seen))


def rate(gpu: Gpu, product: Product, start) -> float:
    """TFLOP/s, the median of a few launches after a first one."""
    start()
    gpu.wait()
    m, n, k = product.extents
    return 2 * m * n * k / statistics.median(gpu.milliseconds(start) for _ in range(ROUNDS)) / 1e9


def without_l2(gpu: Gpu, extent: int) -> Answer:
    """T14: clocks of an SM for each 64 elements along k, if all CTAs read the same tiles. The model says 512 for 128x128, 1024
    for 128x256 and 256x128, if only the tensor cores count."""
    if why := no_wgmma(gpu):
        return why
    product, seen = Product(gpu, (extent, extent, extent), is_normal=True), []
    sms, clock = gpu.multiprocessors(), gpu.clock_hz()
    if not sms or not clock:
        return not_asked("the driver does not say how many SMs there are, or their clock")
    for form in (Form(64, 128, 6), Form(64, 256, 4), SQUARE, PAIR, WIDE, TALL):
        taken = {}
        for same in (True, False):
            variant = Form(form.rows, form.columns, form.stages, form.ctas, same_tile=same)
            start = product.starter(variant, gpu.function(product_code.code(variant), "k"))
            start()
            gpu.wait()
            taken[same] = statistics.median(gpu.milliseconds(start) for _ in range(ROUNDS)) / 1e3
        steps = product.ctas(form) * -(-extent // 64) / sms
        seen.append(f"{form.name}: {taken[True] * clock / steps:.0f}, with own tiles {taken[False] * clock / steps:.0f}")
    return answer(True, f"clocks at {clock / 1e9:.2f} GHz: " + "; ".join(seen))


def clock(gpu: Gpu, extent: int) -> Answer:
    """T22: the clock of SMs during products: below its highest value, the GPU saves power. Yes if it stays above 95 %."""
    if why := no_wgmma(gpu):
        return why
    highest, seen = gpu.clock_hz(), {}
    form = Form(128, 256, 4, measures_clock=True)
    function = gpu.function(product_code.code(form), "k")
    for is_normal in (False, True):
        product = Product(gpu, (extent, extent, extent), is_normal)
        start = product.starter(form, function)
        reached = rate(gpu, product, start)
        seen[is_normal] = product.megahertz(form), reached
    text = "; ".join(f"{'normal data' if is_normal else 'integers'}: {megahertz:.0f} MHz, {reached:.3g} TFLOP/s"
                     for is_normal, (megahertz, reached) in seen.items())
    if not highest:
        return not_asked(f"the driver does not say the highest clock; {text}")
    return answer(seen[True][0] > 0.95 * highest / 1e6, f"highest {highest / 1e6:.0f} MHz; {text}")


PROBES = {
    "T10": ("do 2-D tensor maps with strides work that each CTA makes", own_maps),
    "T12": ("do 256 threads and a producer warp run with .maxnreg 224, and two CTAs of 160 on an SM", producer_warp),
    "T13": ("which tiles, stages, orders and waits are fast", table),
    "T14": ("how many clocks does a stage take without misses in L2", without_l2),
    "T16": ("which stores of results are fast: from registers, past L1, or by a tensor map", functools.partial(table, forms=STORES)),
    "T18": ("how fast is a product whose operands four warps copy by cp.async", functools.partial(table, forms=COPIES)),
    "T22": ("does the clock of SMs stay at its highest value during products", clock),
}
