# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""try_wheel.py VECTOR_ADD: runs Tile IR and cuTile kernels with an installed package, on a machine without
LLVM. packaging/try_wheel.sh runs it there."""

import pathlib
import sys

import cuda.tile as ct
import numpy as np

import tilewright
import tilewright.cutile


@ct.kernel
def scale_and_add(x, y, out, factor):
    i = ct.bid(0)
    tile = ct.load(x, (i,), (256,)) * factor + ct.load(y, (i,), (256,))
    ct.store(out, (i,), tile)


def main() -> None:
    n = 2500
    a, b = np.arange(n, dtype=np.float32), np.full(n, 3, np.float32)

    # The last block is partial: 2500 = 2 * 1024 + 452.
    entry = tilewright.load(sys.argv[1])["vector_add"]
    for device in "cpu", "reference":
        c = np.zeros(n, np.float32)
        entry.compile(device)[3](a, n, 1, b, n, 1, c, n, 1)
        np.testing.assert_array_equal(c, a + b, err_msg=device)

    # Small integers are exact in f32.
    out = np.zeros(n, np.float32)
    tilewright.cutile.launch((10,), scale_and_add, (a, b, out, 2.0))
    np.testing.assert_array_equal(out, 2 * a + b)

    try:
        tilewright.load("cuda_tile.module @m { entry @e() { what } }")
    except tilewright.InvalidProgramError as error:
        assert error.diagnostics, error
    else:
        raise AssertionError("a program that is not valid was read")

    # The handler that XLA would call.
    from tilewright import _native
    assert type(_native.xla_handler()).__name__ == "PyCapsule"

    maps = pathlib.Path("/proc/self/maps").read_text()
    package = pathlib.Path(tilewright.__file__).parent
    assert str(package / "lib" / "libtilewright.so.1") in maps, maps
    assert "libLLVM" not in maps and "libMLIR" not in maps, maps
    assert all(str(package) in line for line in maps.splitlines() if "libtilewright" in line), maps
    assert (package / "_native.pyi").is_file() and (package / "py.typed").is_file()
    print(f"tilewright {tilewright.__version__}: Tile IR and cuTile run")


main()
