# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random layouts for a workgroup: every element has an owner, digits do not overlap."""

import random
from dataclasses import dataclass, replace

FIELDS = {"subgroup_tile": "subgroups", "batch_tile": "batches", "outer_tile": "outers",
          "thread_tile": "threads", "element_tile": "elements",
          "subgroup_strides": "subgroup_stride", "thread_strides": "thread_stride"}


@dataclass(frozen=True)
class Dim:
    """One dimension: the number of values of each of its digits, and the strides of two of them."""
    subgroups: int = 1
    batches: int = 1
    outers: int = 1
    threads: int = 1
    elements: int = 1
    subgroup_stride: int = 0
    thread_stride: int = 0

    @property
    def extent(self) -> int:
        return self.subgroups * self.batches * self.outers * self.threads * self.elements


@dataclass(frozen=True)
class Workgroup:
    shape: tuple[int, ...]
    lanes: int

    @property
    def threads(self) -> int:
        product = 1
        for extent in self.shape:
            product *= extent
        return product


Layout = tuple[Dim, ...]


def text(layout: Layout) -> str:
    lists = (f"{name} = [{', '.join(str(getattr(dim, field)) for dim in layout)}]"
             for name, field in FIELDS.items())
    return f"#iree_vector_ext.nested_layout<{', '.join(lists)}>"


def divisors(value: int) -> list[int]:
    return [d for d in range(1, value + 1) if value % d == 0]


def power_of_two(value: int) -> bool:
    return value & (value - 1) == 0


class Digits:
    """Assigns IDs to digits of one kind, from the fastest, with gaps."""

    def __init__(self, ids: int, rng: random.Random):
        self.ids, self.rng, self.stride = ids, rng, 1

    def take(self, extent: int) -> tuple[int, int]:
        """The number of positions along a dimension, and their stride."""
        while self.stride < self.ids and self.rng.random() < 0.1:
            self.stride *= 2  # replicated lanes
        count = self.rng.choice([d for d in divisors(extent)
                                 if power_of_two(d) and d * self.stride <= self.ids])
        stride = self.stride if count > 1 else 0
        self.stride *= count
        return count, stride


def random_layout(rng: random.Random, shape: tuple[int, ...], workgroup: Workgroup) -> Layout:
    lanes = Digits(workgroup.lanes, rng)
    subgroups = Digits(workgroup.threads // workgroup.lanes, rng)
    dims = [Dim() for _ in shape]
    for number in rng.sample(range(len(shape)), len(shape)):
        rest = shape[number]
        threads, thread_stride = lanes.take(rest)
        rest //= threads
        count, subgroup_stride = subgroups.take(rest)
        rest //= count
        elements = rng.choice(divisors(rest))
        rest //= elements
        outers = rng.choice(divisors(rest))
        dims[number] = Dim(count, rest // outers, outers, threads, elements, subgroup_stride,
                           thread_stride)
    return tuple(dims)


def other_registers(rng: random.Random, layout: Layout) -> Layout:
    """An equivalent layout: batches and outers are two ways to express the same."""
    dims = []
    for dim in layout:
        runs = dim.batches * dim.outers
        outers = rng.choice(divisors(runs))
        dims.append(replace(dim, batches=runs // outers, outers=outers))
    return tuple(dims)
