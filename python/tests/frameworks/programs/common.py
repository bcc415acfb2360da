# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the programs."""

import os
import pathlib
import sys

import cuda.tile as ct
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from processes import EXTENT  # noqa: E402

TILE = 16
BLOCKS = -(-EXTENT // TILE)


@ct.kernel
def double(x, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (TILE,)) * 2)


def arguments() -> tuple[int, int, int, pathlib.Path, int]:
    port, count, number, folder, steps = sys.argv[1:]
    return int(port), int(count), int(number), pathlib.Path(folder), int(steps)


def write(folder: pathlib.Path, step: int, number: int, part) -> None:
    """Writes a file atomically: readers never see a part of it."""
    path = folder / f"{step}-{number}.npy"
    with path.with_suffix(".part").open("wb") as file:
        np.save(file, part)
    os.replace(path.with_suffix(".part"), path)
