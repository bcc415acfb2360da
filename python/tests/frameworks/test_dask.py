# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Dask recipe in docs/frameworks.md, with workers as processes; examples/python/dask_blocks.py
uses an array that is larger than their memory."""

import os
import signal
import time

import numpy as np
import pytest

dask = pytest.importorskip("dask", reason="Dask is not installed")
distributed = pytest.importorskip("distributed", reason="Dask's distributed is not installed")

import dask.array as da
import dask_tasks

ROWS, COLUMNS = 10, 20  # per block
BLOCKS = 24


@pytest.fixture(params=[2, 4], scope="module")
def workers(request):
    with distributed.LocalCluster(n_workers=request.param, threads_per_worker=1,
                                  dashboard_address=":0") as cluster:
        with distributed.Client(cluster) as client:
            yield client


def numbers():
    return np.arange(BLOCKS * ROWS * COLUMNS, dtype=np.float32).reshape(-1, COLUMNS)


def stack(folder):
    """The array as a folder with a file for each block."""
    da.to_npy_stack(folder, da.from_array(numbers(), chunks=(ROWS, COLUMNS)))
    return da.from_npy_stack(folder, mmap_mode=None)


def saved(x, folder):
    folder.mkdir()
    return x.map_blocks(dask_tasks.save, folder=folder, chunks=(1, 1), dtype=np.int64,
                        meta=np.empty((0, 0), np.int64)).sum()


def check_files(folder) -> int:
    """Checks that every existing block is complete and correct. Returns their number."""
    paths = list(folder.glob("*.npy"))
    for path in paths:
        first = int(path.stem) * ROWS
        np.testing.assert_array_equal(np.load(path), 2 * numbers()[first:first + ROWS])
    return len(paths)


def kill_a_worker(client, folder) -> None:
    """Kills a worker as soon as some blocks exist."""
    process = next(iter(client.run(os.getpid).values()))
    end = time.monotonic() + 60
    while len(list(folder.glob("*.npy"))) < 3:
        assert time.monotonic() < end
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)


def test_blocks_in_memory(workers):
    x = da.from_array(numbers(), chunks=(7, 9))
    np.testing.assert_array_equal(x.map_blocks(dask_tasks.double, dtype=x.dtype).compute(),
                                  2 * numbers())


def test_blocks_in_files(workers, tmp_path):
    y = stack(tmp_path / "source").map_blocks(dask_tasks.double)
    assert saved(y, tmp_path / "target").compute() == numbers().nbytes
    assert check_files(tmp_path / "target") == BLOCKS


def test_a_killed_worker_is_replaced(workers, tmp_path):
    y = stack(tmp_path / "source").map_blocks(dask_tasks.double, seconds=0.2)
    future = workers.compute(saved(y, tmp_path / "target"))
    kill_a_worker(workers, tmp_path / "target")
    assert future.result(timeout=120) == numbers().nbytes
    assert check_files(tmp_path / "target") == BLOCKS


def test_a_killed_worker_is_an_error_of_dask(tmp_path):
    """With a scheduler that does not run a task twice."""
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), \
            distributed.LocalCluster(n_workers=2, threads_per_worker=1,
                                     dashboard_address=":0") as cluster, \
            distributed.Client(cluster) as client:
        y = stack(tmp_path / "source").map_blocks(dask_tasks.double, seconds=0.2)
        future = client.compute(saved(y, tmp_path / "target"))
        kill_a_worker(client, tmp_path / "target")
        with pytest.raises(distributed.KilledWorker):
            future.result(timeout=120)
        assert 3 <= check_files(tmp_path / "target") < BLOCKS
