# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images of one byte per pixel."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def sharpen(image, out, TM: Const, TN: Const):
    """Nine times a pixel less its eight neighbours and itself; `image` has a border of one. What
    three neighbours in a row add up to serves three rows of the result."""
    y, x = ct.bid(1), ct.bid(0)
    width = out.shape[1]
    left, middle, right = (image.slice(1, 0, width), image.slice(1, 1, 1 + width),
                           image.slice(1, 2, 2 + width))

    def pixels(shifted, row):
        return ct.astype(ct.load(shifted, (row, x), (1, TN)), ct.int16)

    def sharpened(centre, total):
        result = ct.minimum(ct.maximum(centre * 10 - total, 0), 255)
        return ct.astype(result, ct.uint8)
    for i in range(y * TM // 4, (y + 1) * TM // 4):
        centres, sums = (), ()
        for j in ct.static_iter(range(6)):
            centre = pixels(middle, 4 * i + j)
            centres += (centre,)
            sums += (pixels(left, 4 * i + j) + centre + pixels(right, 4 * i + j),)
        upper, lower = sums[1] + sums[2], sums[3] + sums[4]
        result = ct.cat((ct.cat((sharpened(centres[1], sums[0] + upper),
                                 sharpened(centres[2], upper + sums[3])), 0),
                         ct.cat((sharpened(centres[3], sums[2] + lower),
                                 sharpened(centres[4], lower + sums[5])), 0)), 0)
        ct.store(out, (i, x), result)


@ct.function
def interpolated(image, y, x, inside):
    """Between four pixels; coordinates are in 256ths of a pixel."""
    row, column = y >> 8, x >> 8
    down, right = y & 255, x & 255

    def pixel(i, j):
        return ct.astype(ct.gather(image, (row + i, column + j), mask=inside, check_bounds=False),
                         ct.int32)
    upper = pixel(0, 0) * (256 - right) + pixel(0, 1) * right
    lower = pixel(1, 0) * (256 - right) + pixel(1, 1) * right
    return ct.astype((upper * (256 - down) + lower * down + 32768) >> 16, ct.uint8)


@ct.kernel
def resize(image, out, step_y, step_x, TM: Const, TN: Const):
    """Steps are in 256ths of a pixel; `image` has one more row and column than are looked at."""
    y, x = ct.bid(1), ct.bid(0)
    rows = (y * TM + ct.arange(TM, dtype=ct.int32))[:, None] * step_y
    columns = (x * TN + ct.arange(TN, dtype=ct.int32))[None, :] * step_x
    ct.store(out, (y, x), interpolated(image, rows, columns, True))


@ct.kernel
def warp(image, out, yy, yx, y0, xy, xx, x0, TM: Const, TN: Const):
    """An affine map from places in `out` to places in `image`, in 256ths of a pixel; black outside."""
    i, j = ct.bid(1), ct.bid(0)
    rows = (i * TM + ct.arange(TM, dtype=ct.int32))[:, None]
    columns = (j * TN + ct.arange(TN, dtype=ct.int32))[None, :]
    y = rows * yy + columns * yx + y0
    x = rows * xy + columns * xx + x0
    inside = ((y >= 0) & (y < (image.shape[0] - 1) * 256) &
              (x >= 0) & (x < (image.shape[1] - 1) * 256))
    ct.store(out, (i, j), interpolated(image, y, x, inside))
