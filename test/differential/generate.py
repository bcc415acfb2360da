# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates the programs, one for every seed and number.

SIBLINGS consecutive programs share a grid, so that several of them, a family, can share a launch. A
program does not depend on which others are generated.
"""

import math
import random

import access
import aggregates
import control
import kernels
import launches
import matrices
import memory
import speech
import tiles
from builder import Builder
from elementwise import elementwise
from shaping import shaping
from tileir import Program, Tile

SIBLINGS = 16
GRIDS = ((1,), (1,), (2,), (3,), (5,), (8,), (2, 3), (3, 2, 2), (1, 4), (1, 1, 3))
DEEPEST = 3


def together(seed: str) -> int:
    """The number of programs in a family, which divides SIBLINGS. More would make entries too slow to compile. A
    program with large tiles needs the registers and the shared memory of a tile block for itself."""
    return 1 if seed.endswith("-tiles") else 4


def program(seed: str, number: int) -> Program:
    """The seed may end with a subject, such as "7-matrices"."""
    if is_launches(seed):
        return launch_program(seed, number)
    grid = random.Random(f"{seed}/{number // SIBLINGS}").choice(GRIDS)
    b = Builder(seed, number, grid, memory.load, memory.store, elementwise)
    b.subject = SUBJECTS[seed.partition("-")[2]]
    b.scope.instances = math.prod(grid)
    speech.grid(b)
    if number % together(seed) == together(seed) - 1:  # the last program in the entry: it may return
        b.scope.leave = lambda: b.effect("return")
    for _ in range(b.choice([1, 2, 2, 3, 3, 4, 5, 6, 8, 12])):
        statement(b)
    if b.scope.leave:
        control.branch(b, statement)
    b.store_unused()
    return b.program


def is_launches(seed: str) -> bool:
    return seed.endswith(("-launches", "-tiles"))


def launch_program(seed: str, number: int) -> Program:
    """A cuTile-style launch; those in one entry are of the same kind."""
    has_tiles = seed.endswith("-tiles")
    grids = tiles.GRIDS if has_tiles else launches.GRIDS
    grid = random.Random(f"{seed}/{number // SIBLINGS}").choice(grids)
    b = Builder(seed, number, grid, memory.load, memory.store, elementwise)
    if has_tiles:
        tiles.tile_launch(b)
        return b.program
    kind = random.Random(f"{seed}/{number // together(seed)}").choices(("products", "rows"), (3, 1))[0]
    launches.LAUNCHES[kind](b)
    return b.program


def statement(b: Builder) -> None:
    weights = STATEMENTS if b.depth < DEEPEST else FLAT
    b.weighted({s: 15 * w if s in b.subject else w for s, w in weights.items()})(b)


def compute(b: Builder) -> None:
    for _ in range(b.random.randint(2, 6)):
        made = elementwise(b)
        if made:
            b.finish(made)


def move(b: Builder) -> None:
    for _ in range(b.random.randint(1, 3)):
        made = shaping(b)
        if made:
            b.finish(made)


def load(b: Builder) -> None:
    tile: Tile = b.tile([e for e in b.elements if e != "i4"])
    made = memory.load(b, tile)
    if made:
        b.finish(made)


def branch(b: Builder) -> None:
    control.branch(b, statement)


def counted(b: Builder) -> None:
    control.counted(b, statement)


def endless(b: Builder) -> None:
    control.endless(b, statement)


FLAT = {compute: 16, move: 8, load: 2, aggregates.aggregate: 5, matrices.product: 2,
        access.local_memory: 1, access.in_place: 1, access.private_atomic: 1,
        access.shared_atomic: 1, access.global_array: 0.7, access.wandering_pointers: 1,
        access.ragged_chain: 4,
        access.pointer_promises: 0.5, speech.speech: 2.5}
STATEMENTS = FLAT | {branch: 2, counted: 3, endless: 1.5, access.accumulating: 0.7,
                     kernels.kernel: 2}
# The subjects of programs, and the statements that they use more often.
SUBJECTS = {"": (), "matrices": (matrices.product, kernels.kernel),
            "rows": (aggregates.aggregate, kernels.rows_kernel),
            "memory": (access.local_memory, access.in_place, access.private_atomic,
                       access.ragged_chain, load),
            "control": (branch, counted, endless),
            "launches": (), "tiles": ()}  # see launch_program
