# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Standardise the rows of an array that is larger than the memory of the processes that compute it.

Dask splits the array into blocks of rows; each worker reads, computes and writes its blocks one by one.
`map_blocks` makes the kernel part of that. Input and output are folders with a file per block
(`dask.array.from_npy_stack`). A block is first written under another name, so that existing files are
complete even if a worker is killed. The blocks are processed in parallel, so each kernel launch runs on
one thread.
"""

import os
import pathlib
import sys
import tempfile
import time

import cuda.tile as ct
import dask.array as da
import dask.distributed
import numpy as np
import psutil

import tilewright.cutile
from _common import EPSILON, Example

COLUMNS = 1024
ROWS = 4096  # per block: 16 MiB
WORKERS = 2
MEMORY = 200 << 20  # per worker, in addition to its libraries


@ct.kernel
def standardise_kernel(x, y):
    row = ct.bid(0)
    values = ct.load(x, (row, 0), (1, COLUMNS))
    mean = ct.sum(values) / COLUMNS
    variance = ct.sum((values - mean) * (values - mean)) / COLUMNS
    ct.store(y, (row, 0), (values - mean) / ct.sqrt(variance))


def standardise(x, **options):
    x = np.require(x, requirements="A")  # arrays from Dask may be unaligned
    y = np.empty_like(x)
    tilewright.cutile.launch(x.shape[0], standardise_kernel, (x, y), **options)
    return y


def reference(x):
    x = x.astype(np.float64)
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)


def save(block, folder, block_info=None):
    """Writes a block. Only its size in bytes is returned to Dask."""
    number = block_info[0]["chunk-location"][0]
    path = pathlib.Path(folder) / f"{number}.npy"
    with path.with_suffix(".part").open("wb") as file:
        np.save(file, block)
    os.replace(path.with_suffix(".part"), path)
    return np.array([[block.nbytes]])


def standardise_file(source, target) -> int:
    """Returns the number of bytes written."""
    x = da.from_npy_stack(source, mmap_mode=None)
    y = x.map_blocks(standardise, threads=1, dtype=x.dtype, meta=np.empty((0, 0), x.dtype))
    saved = y.map_blocks(save, folder=target, chunks=(1, 1), dtype=np.int64,
                         meta=np.empty((0, 0), np.int64))
    return int(saved.sum().compute())


def main() -> int:
    example = Example(__doc__)
    x = example.normal(256, COLUMNS)
    # In a sum of n elements, each takes part in fewer than n roundings, whatever the order.
    tolerance = COLUMNS * EPSILON
    example.run("a block", standardise, reference, (x,), (x[:3],), tolerance=tolerance,
                bytes=2 * x.nbytes)

    # Dask pauses a worker at 80 % of its limit.
    limit = int((psutil.Process().memory_info().rss + MEMORY) / 0.8)
    blocks = (5 if example.quick else 20) * limit // (4 * ROWS * COLUMNS * 4)
    cluster = dask.distributed.LocalCluster(n_workers=WORKERS, threads_per_worker=1, memory_limit=limit,
                                            dashboard_address=":0")
    with tempfile.TemporaryDirectory() as folder, cluster, dask.distributed.Client(cluster):
        source, target = pathlib.Path(folder, "source"), pathlib.Path(folder, "target")
        random = da.random.default_rng(2026)
        da.to_npy_stack(source, random.standard_normal((blocks * ROWS, COLUMNS), chunks=(ROWS, COLUMNS))
                        .astype(np.float32))
        target.mkdir()
        start = time.perf_counter()
        written = standardise_file(source, target)
        seconds = time.perf_counter() - start
        error = max(np.abs(np.load(target / f"{i}.npy") - reference(np.load(source / f"{i}.npy"))).max()
                    for i in range(0, blocks, blocks // 8))
    example.say(written == blocks * ROWS * COLUMNS * 4 > limit and error <= 6 * tolerance,
                "all blocks", f"{written >> 20} MiB in {WORKERS} workers of {limit >> 20} MiB, "
                f"error {error:.1e}", f"{seconds:.2f} s", f"{2 * written / seconds / 1e9:.2f} GB/s")
    return example.status


if __name__ == "__main__":
    # Workers import the kernel from a module, because kernels cannot be pickled.
    import dask_blocks

    sys.exit(dask_blocks.main())
