# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `ct.tune` with a time limit: a separate process runs each kernel for the first time, on the
memory of this process."""

import ctypes

import cuda.tile as ct
import numpy as np
from arrays import driver, synchronise
from cuda.tile.tune import _tune_utils


class DeviceArray:
    """Driver memory with a copy of an array, which NumPy accesses as `array`."""

    def __init__(self, values: np.ndarray):
        address = ctypes.c_uint64()
        assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(values.nbytes)) == 0
        memory = (ctypes.c_byte * values.nbytes).from_address(address.value)
        self.array = np.frombuffer(memory, values.dtype).reshape(values.shape)
        self.array[:] = values
        self.__cuda_array_interface__ = dict(self.array.__array_interface__, version=3)


@ct.kernel
def count(x, steps: int, tile: ct.Constant[int]):
    for _ in range(steps):
        for _ in range(steps):
            ct.atomic_add(x, ct.arange(tile, dtype=ct.int32), 1)


assert driver.cuInit(0) == 0
x = DeviceArray(np.zeros(8, np.int32))
stream = 0

# The worker's part, by itself: here it only reads the payload.
payload = _tune_utils._export_ipc_benchmark_payload(stream, (1,), count, (x, 3, 4), False)
assert payload is not None
runner = _tune_utils._get_timed_benchmark_runner()
microseconds, seconds = runner.run(payload, 60)
assert 0 < microseconds < 1e6 * seconds
worker = runner._worker.process
assert worker.poll() is None
assert x.array[0] > 0 and x.array[0] % 9 == 0 and len(set(x.array[:4])) == 1 and not x.array[4:].any(), x.array
print("passed worker")

# One of three kernels would run for years. Its worker is ended, and another one measures the third.
result = ct.tune.exhaustive_search(
    [(3, 4), (2**31 - 1, 1), (3, 8)], stream, lambda config: (1,), count, lambda config: (x, *config),
    quiet=True, single_run_timeout_sec=5)
assert {measured.config for measured in result.successes} == {(3, 4), (3, 8)}, result
(config, error, text), = result.failures
assert config == (2**31 - 1, 1) and error.__name__ == "TileLaunchTimeoutError", (config, error, text)
assert "exceeded timeout 5 sec" in text
assert worker.poll() is not None and runner._worker.process.poll() is None
assert synchronise() == 0
print("passed tune")
