# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A vector addition in plain cuTile: it uses `ct.launch` and nothing from Tilewright.

`ct.launch` takes any object with `__cuda_array_interface__`; the arrays here are in NumPy memory, so
that neither PyTorch nor CuPy is needed. A GPU's driver could not use that memory: the script needs
Tilewright's driver library, which runs kernels on the CPU, and its `tileiras`. `run_all.py` starts
it with both. Without a driver library it prints a message and exits with 77, like a skipped test.
"""

import ctypes
import sys

import cuda.tile as ct
import numpy as np

TILE = 1024


class Array:
    """NumPy memory that presents itself as device memory."""

    def __init__(self, array: np.ndarray):
        self.array = array

    @property
    def __cuda_array_interface__(self) -> dict:
        interface = self.array.__array_interface__
        return {"version": 3, "stream": None,
                **{key: interface[key] for key in ("shape", "typestr", "data", "strides")}}


@ct.kernel
def add_kernel(a, b, c, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (tile,)) + ct.load(b, (i,), (tile,)))


def main() -> int:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        print(f"skipped, no driver library: {error}")
        return 77
    random = np.random.default_rng(seed=2026)
    a, b = random.standard_normal((2, 10_007), np.float32)
    c = np.zeros_like(a)
    default_stream = 0
    ct.launch(default_stream, (ct.cdiv(a.size, TILE), 1, 1), add_kernel,
              (Array(a), Array(b), Array(c), TILE))
    if status := driver.cuCtxSynchronize():
        print(f"cuCtxSynchronize returned {status}")
        return 1
    good = np.array_equal(c, a + b)  # one correctly rounded addition, there and here
    print(f"vector_add with ct.launch: {'ok' if good else 'WRONG'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
