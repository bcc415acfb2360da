# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel says and does wrong: `print`, `assert`, `bounds`, `names`, `typed`, `race`,
`grid`, `image`, `missing`."""

import ctypes
import linecache
import sys

import cuda.tile as ct
import numpy as np
from arrays import Array, driver, synchronise


@ct.kernel
def claim(x, limit: int):
    tile = ct.load(x, (0,), (4,))
    ct.print("tile:", tile)
    ct.assert_(tile < limit, "a value is too large")
    ct.store(x, (0,), tile + 1)


@ct.kernel
def scatter(x, at: int):
    ct.scatter(x, ct.arange(4, dtype=ct.int32) + at, ct.full((4,), 7, dtype=ct.int32),
               check_bounds=False)


@ct.kernel
def race(x):
    ct.store(x, (0,), ct.full((4,), ct.bid(0), dtype=ct.int32))


@ct.kernel
def scatter_to_item(arrays, n: ct.Constant[int]):
    ct.scatter(arrays[1], ct.arange(n, dtype=ct.int32), ct.full((n,), 7, dtype=ct.int32),
               check_bounds=False)


x = np.arange(4, dtype=np.int32)


def typed_kernel():
    """A kernel as a notebook has it: Python knows its lines, but there is no file."""
    text = """import cuda.tile as ct
@ct.kernel
def scatter(n: ct.Constant[int], y):
    ct.scatter(y, ct.arange(n, dtype=ct.int32), ct.full((n,), 7, dtype=ct.int32),
               check_bounds=False)
"""
    linecache.cache["<typed>"] = (len(text), None, text.splitlines(keepends=True), "<typed>")
    names = {}
    exec(compile(text, "<typed>", "exec"), names)
    return names["scatter"]


def launch(grid, kernel, *arguments):
    ct.launch(0, grid, kernel, (Array(x), *arguments))


def main(what):
    if what == "print":
        launch((1,), claim, 10)
        assert synchronise() == 0 and x.tolist() == [1, 2, 3, 4]
    elif what == "assert":
        launch((1,), claim, 2)  # asynchronous: says nothing yet
        assert synchronise() == 710 and synchronise() == 0
    elif what == "bounds":
        launch((1,), scatter, 0)
        assert synchronise() == 0 and x.tolist() == [7, 7, 7, 7]
        launch((1,), scatter, 2)
        assert synchronise() == 700
    elif what == "names":
        ct.launch(0, (1,), scatter_to_item, ([Array(x), Array(x[:2].copy())], 4))
        assert synchronise() == 700
    elif what == "typed":
        ct.launch(0, (1,), typed_kernel(), (4, Array(x[:2].copy())))
        assert synchronise() == 700
    elif what == "race":
        launch((2,), race)
        assert synchronise() == 719
    elif what == "grid":
        try:
            launch((0,), race)
        except RuntimeError as error:
            assert "invalid argument" in str(error), error
            return
        assert False, "an empty grid"
    elif what == "image":
        launch((1,), race)  # initialises the driver
        library = ctypes.c_void_p()
        for image in (b"\x7fELF\x02\x01\x01\0", b".version 8.0\n", b""):
            assert driver.cuLibraryLoadData(ctypes.byref(library), image, None, None, 0, None,
                                            None, 0) == 200
    elif what == "missing":
        launch((1,), race)
        assert driver.cuTensorMapEncodeTiled() == 801 and driver.cuTensorMapEncodeTiled() == 801
        pointer = ctypes.c_void_p()
        assert driver.cuGetProcAddress_v2(b"cuTensorMapEncodeTiled", ctypes.byref(pointer), 13000,
                                          ctypes.c_uint64(0), None) == 0 and pointer
        assert driver.cuGetProcAddress_v2(b"cuNothing", ctypes.byref(pointer), 13000,
                                          ctypes.c_uint64(0), None) == 500


main(sys.argv[1])
print("passed", sys.argv[1])
