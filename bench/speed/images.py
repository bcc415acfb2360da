# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images of 2048 x 2048 bytes: a sharpening filter of 3 x 3, bilinear resizing, an affine warp."""

import math

import numpy as np

from .case import Case
from .kernels import Const, Flat, Launch, as_f64, blocks, cutile
from .limits import copies
from .rows import by_hand

EXTENT = 2048


def cases() -> list[Case]:
    return [sharpen(), resize(1536), warp()]


def image_case(name: str, border: int, extent: int, check, contestants, **scratch) -> Case:
    def arrays(random):
        return {"x": random.integers(0, 256, (EXTENT + border,) * 2, dtype=np.uint8),
                "y": np.zeros((extent, extent), np.uint8), **scratch}
    moved = extent**2 + EXTENT**2
    return Case("images", name, arrays, check,
                contestants + copies("x", "y", min(extent, EXTENT)**2), moved, "B", ["y"])


def sharpen() -> Case:
    def check(arrays):
        x = arrays["x"].astype(np.int32)
        around = sum(x[i:i + EXTENT, j:j + EXTENT] for i in range(3) for j in range(3))
        return arrays["y"], as_f64(np.clip(10 * x[1:-1, 1:-1] - around, 0, 255)), 0.0

    def kernel(m, n, turn):
        return cutile(f"tile {m}x{n} by {turn} rows", Launch(
            "images.sharpen", (blocks(EXTENT, n), blocks(EXTENT, m)),
            ["x", "y", Const(m), Const(n), Const(turn)]))
    return image_case("sharpen 2048", 2, EXTENT, check, [
        kernel(64, 1024, 4), kernel(64, 1024, 8), *by_hand("sharpen", "x", "y", EXTENT, EXTENT)])


def resize(extent: int) -> Case:
    step = EXTENT * 256 // extent

    def check(arrays):
        places = np.arange(extent) * step
        return arrays["y"], interpolated(arrays["x"], places[:, None], places[None, :]), 0.0

    m, n = 16, 512
    kernel = cutile(f"tile {m}x{n}",
                    Launch("images.resize_rows", (blocks(extent, m),),
                           ["x", "pairs", step, Const(m), Const(n)]),
                    Launch("images.resize_columns", (blocks(extent, n), blocks(extent, m)),
                           ["pairs", "y", step, Const(m), Const(n)]))
    return image_case(f"resize 2048 to {extent}", 1, extent, check, [
        kernel, *by_hand("resize", "x", "y", EXTENT + 1, extent, extent, step, step)],
        pairs=np.zeros((extent, EXTENT), np.uint32))


def warp() -> Case:
    """A rotation by 17 degrees around the centre."""
    cosine, sine = round(256 * math.cos(math.radians(17))), round(256 * math.sin(math.radians(17)))
    middle = EXTENT // 2
    coefficients = [cosine, sine, middle * (256 - cosine - sine),
                    -sine, cosine, middle * (256 + sine - cosine)]

    def check(arrays):
        rows, columns = np.arange(EXTENT)[:, None], np.arange(EXTENT)[None, :]
        yy, yx, y0, xy, xx, x0 = coefficients
        y, x = rows * yy + columns * yx + y0, rows * xy + columns * xx + x0
        end = EXTENT * 256
        inside = (y >= 0) & (y < end) & (x >= 0) & (x < end)
        found = interpolated(arrays["x"], np.where(inside, y, 0), np.where(inside, x, 0))
        return arrays["y"], np.where(inside, found, 0.0), 0.0

    m, n = 8, 512
    grid = blocks(EXTENT, n), blocks(EXTENT, m)
    direct = Launch("images.warp", grid, [Flat("x"), "y", EXTENT, EXTENT, Const(EXTENT + 1),
                                          *coefficients, Const(m), Const(n)])
    packed = [Launch("images.pack", grid, ["x", "words", Const(m), Const(n)]),
              Launch("images.warp_packed", grid, ["words", "y", *coefficients, Const(m), Const(n)])]
    return image_case("warp 2048", 1, EXTENT, check, [
        cutile(f"tile {m}x{n}", direct), cutile(f"tile {m}x{n}, packed", *packed),
        *by_hand("warp", "x", "y", EXTENT + 1, EXTENT + 1, EXTENT, EXTENT, *coefficients)],
        words=np.zeros((EXTENT, EXTENT), np.uint32))


def interpolated(image: np.ndarray, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Interpolates at positions in 256ths of a pixel."""
    wide = image.astype(np.int64)
    row, column, down, right = y >> 8, x >> 8, y & 255, x & 255
    upper = wide[row, column] * (256 - right) + wide[row, column + 1] * right
    lower = wide[row + 1, column] * (256 - right) + wide[row + 1, column + 1] * right
    return as_f64((upper * (256 - down) + lower * down + 32768) >> 16)
