#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel with a few thousand operations, and its expected results, computed with Python's integers.

    long.py FOLDER      writes long.mlir, start.npy and expected.npy there

A step multiplies a scalar, and adds it to one of eight tiles in memory. Steps are in straight-line code, in
a `for`, in a `loop` before and after a `break`, and after an `if` that returns from every second block.
"""

import pathlib
import sys

import numpy

STEPS = 80  # in each of these places
FACTOR = 1664525
TILES = 8


class Kernel:
    """The text, and the scalar and memory of one block."""

    def __init__(self, memory: numpy.ndarray, block: int) -> None:
        self.text, self.memory, self.block, self.count = "", memory, block, 0

    def steps(self, scalar: str) -> str:
        """The text of STEPS steps from this scalar on; its last name."""
        for k in range(STEPS):
            n = self.count = self.count + 1
            before = f"%k{n - 1}" if k else "%start"
            self.text += f"""
    %s{n} = muli {scalar}, %factor : tile<i32>
    %i{n} = constant <i32: {k % TILES}> : tile<i32>
    %x{n}, %l{n} = load_view_tko weak %view[%block, %i{n}] token = {before} : !view, tile<i32> -> tile<1x16xi32>, token
    %r{n} = reshape %s{n} : tile<i32> -> tile<1x1xi32>
    %b{n} = broadcast %r{n} : tile<1x1xi32> -> tile<1x16xi32>
    %y{n} = addi %x{n}, %b{n} : tile<1x16xi32>
    %k{n} = store_view_tko weak %y{n}, %view[%block, %i{n}] token = %l{n} : tile<1x16xi32>, !view, tile<i32> -> token"""
            scalar = f"%s{n}"
        return scalar

    def compute(self, scalar: int) -> int:
        """Simulates the steps."""
        for k in range(STEPS):
            scalar = scalar * FACTOR % 2**32
            self.memory[self.block, 16 * k % (16 * TILES):][:16] += numpy.uint32(scalar)
        return scalar


def text() -> str:
    kernel = Kernel(numpy.zeros(0), 0)
    kernel.text = f"""
!view = !cuda_tile.partition_view<tile=(1x16), tensor_view<?x{16 * TILES}xi32, strides=[{16 * TILES}, 1]>>
cuda_tile.module @m {{
  entry @long(%p: tile<ptr<i32>>, %n: tile<i32>) {{
    %tensor = make_tensor_view %p, shape = [%n, {16 * TILES}], strides = [{16 * TILES}, 1] : tile<i32> -> !cuda_tile.tensor_view<?x{16 * TILES}xi32, strides=[{16 * TILES}, 1]>
    %view = make_partition_view %tensor : !view
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %start = make_token : token
    %factor = constant <i32: {FACTOR}> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %first = addi %block, %three : tile<i32>"""
    straight = kernel.steps("%first")
    kernel.text += f"""
    %summed = for %turn in (%zero to %three, step %one) : tile<i32> iter_values(%carried = {straight}) -> (tile<i32>) {{"""
    turned = kernel.steps("%carried")
    kernel.text += f"""
    continue {turned} : tile<i32>
    }}
    %left, %turns = loop iter_values(%value = %summed, %round = %zero) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {{"""
    middle = kernel.steps("%value")
    kernel.text += f"""
    %is_last = cmpi equal %round, %two, signed : tile<i32> -> tile<i1>
    %next = addi %round, %one : tile<i32>
    if %is_last {{ break {middle}, %round : tile<i32>, tile<i32> }}"""
    last = kernel.steps(middle)
    kernel.text += f"""
    if %is_last {{ break {last}, %round : tile<i32>, tile<i32> }}
    else {{ continue {last}, %next : tile<i32>, tile<i32> }}
    continue {last}, %next : tile<i32>, tile<i32>
    }}
    %low = andi %block, %one : tile<i32>
    %is_odd = cmpi equal %low, %one, signed : tile<i32> -> tile<i1>
    if %is_odd {{ return }}"""
    kernel.steps("%left")
    return kernel.text + "\n    return\n  }\n}\n"


def compute(memory: numpy.ndarray) -> None:
    for block in range(len(memory)):
        kernel = Kernel(memory, block)
        scalar = kernel.compute(block + 3)
        for _ in range(3):
            scalar = kernel.compute(scalar)
        for turn in range(3):
            scalar = kernel.compute(scalar)
            if turn < 2:
                scalar = kernel.compute(scalar)
        if block % 2 == 0:
            kernel.compute(scalar)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    memory = numpy.arange(5 * 16 * TILES, dtype=numpy.uint32).reshape(5, -1)
    (folder / "long.mlir").write_text(text())
    numpy.save(folder / "start.npy", memory.view(numpy.int32))
    compute(memory)
    numpy.save(folder / "expected.npy", memory.view(numpy.int32))


if __name__ == "__main__":
    main()
