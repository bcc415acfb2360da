# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms of 1024 complex numbers. Operations are counted as usual, 5 n log2(n) per
transform."""

import numpy as np

from .case import Case, Contestant
from .kernels import Launch, cutile
from .rows import numpy

SIZE = 1024


def cases() -> list[Case]:
    return [fft(256), fft(4096)]


def fft(count: int) -> Case:
    def arrays(random):
        parts = random.standard_normal((count, SIZE, 2), np.float32)
        return {"x": parts.view(np.complex64)[..., 0], "y": np.zeros((count, SIZE), np.complex64),
                "roots": powers(4, 8).ravel(), "turns": powers(32, 32).reshape(2, 8, 4, 32)}

    def check(arrays):
        expected = np.fft.fft(arrays["x"].astype(np.complex128), axis=1)
        return pairs(arrays["y"]), pairs(expected).astype(np.float64), 1e-5

    def prepare(library, arrays):
        in_floats = {name: arrays[name].view(np.float32) for name in "xy"}
        return kernel.prepare(library, arrays | in_floats)
    kernel = cutile("", Launch("fft.fft", (count,), ["x", "roots", "turns", "y"]))
    transforms = lambda library, x: library.transforms(x["x"], x["y"])
    return Case("fft", f"fft {count}x{SIZE}", arrays, check, [
        Contestant("4x8x4x8", kernel.library, prepare, kernel.role),
        Contestant("FFTW", "Fftw", transforms), Contestant("MKL", "Mkl", transforms),
        numpy(lambda x: np.fft.fft(x["x"], axis=1, out=x["y"]))],
        5.0 * SIZE * np.log2(SIZE) * count, "flop", ["y"])


def pairs(array: np.ndarray) -> np.ndarray:
    """Adds a last dimension of two: real and imaginary parts."""
    single = np.ascontiguousarray(array, np.complex64)
    return single.view(np.float32).reshape(*array.shape, 2)


def powers(m: int, n: int) -> np.ndarray:
    """[part, i, j]: power i j of the primitive root of unity of order m n."""
    i, j = np.meshgrid(np.arange(m), np.arange(n), indexing="ij")
    return np.moveaxis(pairs(np.exp(-2j * np.pi * i * j / (m * n))), -1, 0).copy()
