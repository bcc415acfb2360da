# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the kernels of test/ptx/kernels.py on a GPU with their expected results.

Other tests run these kernels on the PTX machine. Kernels for other GPU architectures are skipped and listed.
"""

import argparse
import ctypes
import pathlib
import re
import sys

import numpy as np

from driver import DriverError, Gpu

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ptx"))

import kernels  # noqa: E402

COOPERATIVE = ("grid_sum",)
SCALARS = {"u32": ctypes.c_uint32, "s32": ctypes.c_int32, "f32": ctypes.c_float, "u64": ctypes.c_uint64,
           "s64": ctypes.c_int64, "f64": ctypes.c_double, "b32": ctypes.c_int32, "b64": ctypes.c_int64}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", help="only these")
    arguments = parser.parse_args()
    count = wrong = 0
    try:
        gpu = Gpu()
        for case in kernels.cases():
            for file in case.files:
                if arguments.kernels and case.name not in arguments.kernels:
                    continue
                text = (kernels.HERE / "kernels" / file).read_text()
                target = re.search(r"^\.target sm_(\d+)(\w?)", text, re.MULTILINE)
                if int(target[1]) > gpu.capability or target[2] and int(target[1]) != gpu.capability:
                    print(f"{file}: {case.name}: left out, it is for sm_{target[1]}{target[2]}")
                    continue
                count += 1
                try:
                    said = run(gpu, case, text)
                except DriverError as error:  # the GPU cannot be used by this process any more
                    print(f"{file}: {case.name}: {error}")
                    return 1
                if said:
                    wrong += 1
                    print(f"{file}: {case.name}: {said}")
    except DriverError as error:
        print(error)
        return 1
    print(f"{count} kernels, {wrong} went wrong")
    return 1 if wrong or not count else 0


def run(gpu: Gpu, case: kernels.Case, text: str) -> str:
    """An error message, or an empty string."""
    function = gpu.function(text.encode(), case.name)
    head = re.search(rf"\.entry\s+{case.name}\s*\((.*?)\)", text, re.DOTALL)[1]
    kinds = re.findall(r"\.param\s+(?:\.align \d+\s+)?(?:\.ptr[\w. ]*?)?\.(\w+)", head)
    parameters, arrays = [], {}
    for number, (value, kind) in enumerate(zip(case.inputs, kinds, strict=True)):
        if isinstance(value, (kernels.TensorMap, np.ndarray)):
            array = np.ascontiguousarray(value.array if isinstance(value, kernels.TensorMap) else value)
            arrays[number] = gpu.array(array.tobytes()), array
            parameters.append(arrays[number][0] if isinstance(value, np.ndarray)
                              else map_of(gpu, value.options, *arrays[number]))
        else:
            parameters.append(SCALARS[kind](value))
    gpu.start_blocks(function, case.grid, case.block, case.shared, parameters,
                     case.name in COOPERATIVE)
    gpu.wait()
    for number, expected in case.outputs.items():
        address, array = arrays[number]
        got = np.frombuffer(gpu.read(address, array.nbytes), array.dtype).reshape(array.shape)
        if not kernels.agrees(got, expected, case.tolerance):
            return f"argument {number} is {got.reshape(-1)[:8]}"
    return ""


def map_of(gpu: Gpu, options: str, address: ctypes.c_uint64, array: np.ndarray):
    """Creates the tensor map that `--arg tensormap:OPTIONS;FILE` of `tilewright ptx` describes."""
    given = dict(option.split("=") for option in options.split(","))
    extents = lambda name: tuple(map(int, given[name].split("x")))
    dims = extents("dims") if "dims" in given else array.shape[::-1]
    strides = tuple(int(np.prod(dims[:count])) * array.itemsize for count in range(1, len(dims) + 1))
    kind = given.get("type") or {"f4": "f32", "f2": "f16"}[array.dtype.str[1:]]
    return gpu.tensor_map(address, kind, dims, strides, extents("box"), given.get("swizzle", "none"))


if __name__ == "__main__":
    sys.exit(main())
