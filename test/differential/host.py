# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches the entries of a library that `tilewright compile` has created.

This is a separate program, which uses only Tilewright's C interface. Arrays end at an inaccessible page,
and are preceded by bytes that must not change, to detect kernels that access memory outside. It does not
import NumPy, so that it starts faster.

    host.py LIBRARY PLAN

The plan is JSON: grid, threads, and entries with their parameters: ["i8", BITS] for a scalar,
["array", IN.npy, OUT.npy or null] for an array.
"""

import ctypes
import json
import mmap
import sys

MARGIN = b"\xA5" * 64
# C types of scalars (compiling for CPUs): float types that C lacks are passed as bits.
SCALARS = {"i1": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16,
           "i32": ctypes.c_int32, "i64": ctypes.c_int64, "f32": ctypes.c_float,
           "tf32": ctypes.c_float, "f64": ctypes.c_double, "f16": ctypes.c_uint16,
           "bf16": ctypes.c_uint16}


def main() -> int:
    library = ctypes.CDLL(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        plan = json.load(file)
    grid, status = (ctypes.c_uint32 * 3)(*plan["grid"]), 0
    for name, parameters in plan["entries"]:
        arguments = [Array(*p[1:]) if p[0] == "array" else scalar(*p) for p in parameters]
        arrays = [a for a in arguments if isinstance(a, Array)]
        launch = getattr(library, f"{name}_launch")
        launch.argtypes = [ctypes.c_void_p, *(ctypes.c_void_p if isinstance(a, Array) else type(a)
                                              for a in arguments), ctypes.c_int]
        ended = launch(grid, *(a.address if isinstance(a, Array) else a for a in arguments),
                       plan["threads"])
        if ended != 0:
            print(f"{name}_launch returned {ended}", file=sys.stderr)
            status = 1
        if not all([array.finish() for array in arrays]):
            print(f"{name} wrote in front of an array", file=sys.stderr)
            status = 3
    return status


def scalar(element: str, bits: int) -> ctypes._SimpleCData:
    """Preserves the exact bits, also those of a NaN."""
    kind = SCALARS.get(element, ctypes.c_uint8)
    return kind.from_buffer_copy(bits.to_bytes(8, "little"))


class Array:
    """Memory that ends at an inaccessible page."""

    def __init__(self, source: str, result: str | None) -> None:
        with open(source, "rb") as file:
            content = file.read()
        begin = 10 + int.from_bytes(content[8:10], "little")
        self.head, self.result = content[:begin], result
        self.size = len(content) - begin
        usable = -(-(self.size + len(MARGIN)) // mmap.PAGESIZE) * mmap.PAGESIZE
        self.memory = mmap.mmap(-1, usable + mmap.PAGESIZE)
        whole = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mprotect(ctypes.c_void_p(whole + usable), mmap.PAGESIZE, 0) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
        self.start = usable - self.size
        self.address = whole + self.start
        self.memory[self.start - len(MARGIN):usable] = MARGIN + content[begin:]

    def finish(self) -> bool:
        """Writes the contents to the file. Returns whether the margin is unchanged."""
        if self.result:
            with open(self.result, "wb") as file:
                file.write(self.head + self.memory[self.start:self.start + self.size])
        return self.memory[self.start - len(MARGIN):self.start] == MARGIN


if __name__ == "__main__":
    sys.exit(main())
