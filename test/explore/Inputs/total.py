# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What total.mlir was compiled from: every block adds its element to a total, without an atomic operation."""
import cuda.tile as ct


@ct.kernel
def total(values, result):
    block = ct.bid(0)
    value = ct.load(values, (block,), (1,))
    old = ct.load(result, (0,), (1,))
    ct.store(result, (0,), old + value)
