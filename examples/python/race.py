# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three kernels with bugs that a run may not reveal, and what the sanitizer reports for each.

`lost_updates` counts with a load and a store that other tile blocks may interleave; `read_too_early`
reads memory that another tile block writes; `past_the_end` gathers without bounds checks. With
`check=True` a launch raises KernelError, whose findings have line numbers. The script prints them, and
succeeds if they match the lines marked with BUG, and if the corrected kernels pass and are right.
"""

import inspect
import sys

import cuda.tile as ct
import numpy as np

import tilewright
import tilewright.cutile
from _common import Example

TILE = 64


@ct.kernel
def lost_updates(values, counts, tile: ct.Constant[int]):
    bins = ct.load(values, (ct.bid(0),), (tile,), padding_mode=ct.PaddingMode.ZERO)
    for b in range(counts.shape[0]):
        found = ct.sum((bins == b).astype(ct.int32))
        old = ct.load(counts, (b,), ())  # BUG: another tile block may add between these two
        ct.store(counts, (b,), old + found)  # BUG


@ct.kernel
def counting(values, counts, tile: ct.Constant[int]):
    """Corrected: the addition is atomic."""
    i = ct.bid(0) * tile + ct.arange(tile, dtype=ct.int32)
    ct.atomic_add(counts, ct.gather(values, i, padding_value=-1), 1)


@ct.kernel
def read_too_early(x, tile: ct.Constant[int]):
    i = ct.bid(0)
    right = ct.load(x, ((i + 1) % ct.num_blocks(0),), (tile,))  # BUG: its owner overwrites it
    ct.store(x, (i,), ct.load(x, (i,), (tile,)) + right)  # BUG


@ct.kernel
def adding_right(x, y, tile: ct.Constant[int]):
    """Corrected: the memory that is read is never written."""
    i = ct.bid(0)
    right = ct.load(x, ((i + 1) % ct.num_blocks(0),), (tile,))
    ct.store(y, (i,), ct.load(x, (i,), (tile,)) + right)


@ct.kernel
def past_the_end(x, y, tile: ct.Constant[int]):
    i = ct.bid(0) * tile + ct.arange(tile, dtype=ct.int32)
    values = ct.gather(x, i, check_bounds=False)  # BUG: the last tile is ragged
    ct.scatter(y, i, values * 2)


@ct.kernel
def doubling(x, y, tile: ct.Constant[int]):
    """Corrected: gather checks bounds by default."""
    i = ct.bid(0) * tile + ct.arange(tile, dtype=ct.int32)
    ct.scatter(y, i, ct.gather(x, i) * 2)


def lines_of_bugs(kernel) -> set[int]:
    """The lines of the kernel that are marked with BUG."""
    lines, first = inspect.getsourcelines(kernel._annotated_function.pyfunc)
    return {first + i for i, line in enumerate(lines) if "# BUG" in line}


def check(example: Example, rule: str, grid: int, kernel, args: tuple) -> None:
    """Runs a kernel with a bug and compares the findings with its marks."""
    try:
        tilewright.cutile.launch(grid, kernel, args, check=True)
        findings = []
    except tilewright.KernelError as error:
        findings = error.findings
    bugs = lines_of_bugs(kernel)
    lines = {finding.place.line for finding in findings}
    rules = {finding.rule for finding in findings}
    for finding in findings[:2]:
        print(f"    {finding}".replace("\n", "\n    "))
    good = bool(lines) and lines <= bugs and rules == {rule}
    example.say(good, kernel._annotated_function.pyfunc.__name__,
                f"{len(findings)} findings of {', '.join(rules)} in lines {sorted(lines)}, "
                f"the bugs are in {sorted(bugs)}")


def main() -> int:
    example = Example(__doc__)
    n, blocks = 1000, 16
    values, counts = example.integers(8, n), np.zeros(8, np.int32)
    x, y = example.normal(blocks * TILE), np.empty(blocks * TILE, np.float32)

    check(example, "race", blocks, lost_updates, (values, counts, TILE))
    check(example, "race", blocks, read_too_early, (x.copy(), TILE))
    check(example, "bounds", blocks, past_the_end, (x[:n], y[:n], TILE))

    def count(values, **options):
        counts = np.zeros(8, np.int32)
        tilewright.cutile.launch(ct.cdiv(values.size, TILE), counting, (values, counts, TILE),
                                 **options)
        return counts

    def add_right(x, **options):
        y = np.empty_like(x)
        tilewright.cutile.launch(x.size // TILE, adding_right, (x, y, TILE), **options)
        return y

    def double(x, **options):
        y = np.empty_like(x)
        tilewright.cutile.launch(ct.cdiv(x.size, TILE), doubling, (x, y, TILE), **options)
        return y

    many = example.integers(8, 20_000 if example.quick else 2_000_000)
    big = example.normal(TILE * (100 if example.quick else 20_000))
    example.run("counting", count, lambda v: np.bincount(v, minlength=8), (many,), (values,),
                tolerance=0, bytes=many.nbytes)
    example.run("adding_right", add_right, lambda x: x + np.roll(x, -TILE), (big,), (x,),
                tolerance=0, bytes=2 * big.nbytes)
    example.run("doubling", double, lambda x: 2 * x, (big[:-7],), (x[:n],), tolerance=0,
                bytes=2 * big.nbytes)
    return example.status


if __name__ == "__main__":
    sys.exit(main())
