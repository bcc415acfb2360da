# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast does a GPU add two vectors, beside its own copies?

The example vector_add is compiled for the GPU and checked; then it and copies by the driver take
turns. A rate counts the bytes that are read and written. The last line has the median of the
ratios of the two, and their quartiles.
"""

import argparse
import ctypes
import pathlib
import statistics
import subprocess
import sys

import numpy as np

from gpu_driver import DriverError, Gpu

EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "examples" / "vector_add.mlir"
TILE = 1024  # elements of a tile block
ROUNDS = 21


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("--elements", type=int, default=1 << 26, help="of each vector (%(default)s)")
    arguments = parser.parse_args()
    try:
        return measure(Gpu(), arguments.tilewright, arguments.elements)
    except DriverError as error:
        print(error)
        return 1


def measure(gpu: Gpu, tilewright: pathlib.Path, count: int) -> int:
    function = gpu.function(compiled(gpu, tilewright), "vector_add")
    # Sums of small integers are exact.
    left = np.arange(count, dtype=np.uint32) % 4093
    right = np.arange(count, dtype=np.uint32) % 1021
    a, b = (gpu.array(content.astype(np.float32).tobytes()) for content in (left, right))
    c = gpu.array(bytes(4 * count))
    parameters = [p for array in (a, b, c)
                  for p in (array, ctypes.c_uint32(count), ctypes.c_uint32(1))]
    threads = gpu.required_threads(function)
    blocks = -(-count // TILE)

    gpu.launch(function, blocks, threads, *parameters)
    found = np.frombuffer(gpu.read(c, 4 * count), np.float32)
    if wrong := np.count_nonzero(found != left + right):
        print(f"vector_add: {wrong} of {count} sums are wrong")
        return 1

    rates = []
    for _ in range(ROUNDS):
        added = gpu.milliseconds(lambda: gpu.start(function, blocks, threads, *parameters))
        copied = gpu.milliseconds(lambda: gpu.copy(c, a, 4 * count))
        rates.append((12 * count / added, 8 * count / copied))
    adds, copies = (statistics.median(of) / 1e6 for of in zip(*rates))
    first, middle, last = statistics.quantiles([add / copy for add, copy in rates], n=4)
    print(f"vector_add of {count} f32: {adds:.3g} GB/s, copies {copies:.3g} GB/s, "
          f"ratio {middle:.2f} ({first:.2f} to {last:.2f})")
    return 0


def compiled(gpu: Gpu, tilewright: pathlib.Path) -> bytes:
    """PTX for this GPU."""
    command = [tilewright, "compile", EXAMPLE, "--target", f"sm_{gpu.capability}", "--emit", "ptx",
               "-o", "/dev/stdout"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    sys.exit(main())
