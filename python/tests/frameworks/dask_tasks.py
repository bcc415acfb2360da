# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tasks for Dask's workers in test_dask.py, which import this module."""

import os
import pathlib
import time

import cuda.tile as ct
import numpy as np
import tilewright.cutile


@ct.kernel
def double_kernel(x, y):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (i, j), ct.load(x, (i, j), (4, 8)) * 2)


def double(x, seconds=0.0):
    """Takes some time."""
    time.sleep(seconds)
    x = np.require(x, requirements="A")
    y = np.empty_like(x)
    grid = tuple(-(-extent // tile) for extent, tile in zip(x.shape, (4, 8)))
    tilewright.cutile.launch(grid, double_kernel, (x, y), threads=1)
    return y


def save(block, folder, block_info=None):
    """Writes a file atomically: readers never see a part of it."""
    path = pathlib.Path(folder) / f"{block_info[0]['chunk-location'][0]}.npy"
    with path.with_suffix(".part").open("wb") as file:
        np.save(file, block)
    os.replace(path.with_suffix(".part"), path)
    return np.array([[block.nbytes]])
