# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the errors of f32 functions on a GPU.

    accuracy.py --tilewright build/bin/tilewright [--every 257] [FUNCTION...]

Each function is compiled for the first GPU, and evaluated at every N-th f32, except NaNs. Prints the largest
error of each, in ulps of the correctly rounded result. Fails if an error exceeds the specification's bound
on the distance from that result (arithmetic, 3.4) by more than half an ulp. The reference values are
NumPy's, in f64.
"""

import argparse
import ctypes
import pathlib
import sys

import numpy as np

from driver import DriverError, Gpu

TILE = 1024
# The bound, in ulps from the correctly rounded result, and the reference function.
FUNCTIONS = {"exp": (2, np.exp), "exp2": (2, np.exp2), "log": (1, np.log), "log2": (1, np.log2),
             "sin": (2, np.sin), "cos": (2, np.cos), "tan": (4, np.tan), "sinh": (3, np.sinh),
             "cosh": (2, np.cosh), "tanh": (2, np.tanh), "rsqrt": (2, lambda x: 1 / np.sqrt(x)),
             "sqrt": (0, np.sqrt)}
VIEW = "tensor_view<?xf32, strides=[1]>"
PARTITION = f"partition_view<tile=({TILE}), {VIEW}>"


def kernel(function: str) -> str:
    rounding = " rounding<nearest_even>" if function == "sqrt" else ""
    return f"""cuda_tile.module @m {{
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<i32>) {{
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> {VIEW}
    %w = make_tensor_view %q, shape = [%n], strides = [1] : tile<i32> -> {VIEW}
    %from = make_partition_view %v : {PARTITION}
    %to = make_partition_view %w : {PARTITION}
    %in, %t = load_view_tko weak %from[%x] : {PARTITION}, tile<i32> -> tile<{TILE}xf32>, token
    %out = {function} %in{rounding} : tile<{TILE}xf32>
    %s = store_view_tko weak %out, %to[%x] : tile<{TILE}xf32>, {PARTITION}, tile<i32> -> token
  }}
}}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("--every", type=int, default=257, help="f32 (%(default)s)")
    parser.add_argument("functions", nargs="*", help=f"of {', '.join(FUNCTIONS)} (all)")
    arguments = parser.parse_args()
    values = np.arange(0, 1 << 32, arguments.every, np.int64).astype(np.uint32).view(np.float32)
    values = values[~np.isnan(values)]
    values = np.concatenate([values, exp_overflows()])
    errors, far = [], []
    try:
        gpu = Gpu()
        given, results = gpu.array(values.tobytes()), gpu.array(bytes(values.nbytes))
        for function in arguments.functions or FUNCTIONS:
            launch(gpu, arguments.tilewright, function, given, results, len(values))
            found = np.frombuffer(gpu.read(results, values.nbytes), np.float32)
            bound, real = FUNCTIONS[function]
            with np.errstate(all="ignore"):
                expected = real(values.astype(np.float64))
            error = largest_error(found, expected)
            errors.append(f"{function} {error:.2f}")
            if not error <= bound + 0.5:
                far.append(f"{function}: {error:.2f} units, and {bound + 0.5} are allowed")
    except DriverError as error:
        print(error)
        return 1
    print("\n".join([*far, f"{len(values)} f32, errors in units of the last place from the real value (half a unit more than the bound is "
                     f"allowed): "
                     f"{', '.join(errors)}"]))
    return 1 if far else 0


def exp_overflows() -> np.ndarray:
    """Every f32 near the overflow threshold of exp, where its argument is largest."""
    first, last = (int(np.float32(x).view(np.uint32)) for x in (87.6, 88.73))
    return np.arange(first, last, dtype=np.uint32).view(np.float32)


def launch(gpu: Gpu, tilewright: pathlib.Path, function: str, given, results, count: int) -> None:
    code, threads = gpu.compiled(tilewright, kernel(function), "k")
    gpu.launch(code, -(-count // TILE), threads, given, results, ctypes.c_uint32(count))


def largest_error(found: np.ndarray, real: np.ndarray) -> float:
    """Infinite if only one of them is NaN, or the rounded values differ by infinity."""
    with np.errstate(over="ignore"):
        rounded = real.astype(np.float32)
    unit = np.spacing(np.abs(rounded)).astype(np.float64)
    unit[~np.isfinite(unit)] = 2.0**104  # the ulp of the largest value
    largest = float(np.finfo(np.float32).max)
    near = np.abs(np.clip(found.astype(np.float64), -2.0**128, 2.0**128)
                  - np.clip(real, -2.0**128, 2.0**128)) / unit
    near[(np.isinf(found) & (np.abs(real) <= largest)) & (np.abs(rounded) < largest)] = np.inf
    near[np.isnan(found) != np.isnan(real)] = np.inf
    return float(np.max(near, where=~(np.isnan(found) & np.isnan(real)), initial=0))


if __name__ == "__main__":
    sys.exit(main())
