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


@ct.kernel
def resize_rows(image, rows, step, TM: Const, TN: Const):
    """Rows of the result, still as wide as `image`, in 256ths of a grey value: two rows of `image`
    each. Steps are in 256ths of a pixel; `image` has one more row than is looked at."""
    y = ct.bid(0)
    for i in range(y * TM, (y + 1) * TM):
        row, down = i * step >> 8, i * step & 255
        for x in range(ct.cdiv(image.shape[1], TN)):
            upper = ct.astype(ct.load(image, (row, x), (1, TN)), ct.uint16)
            lower = ct.astype(ct.load(image, (row + 1, x), (1, TN)), ct.uint16)
            ct.store(rows, (i, x), upper * ct.astype(256 - down, ct.uint16) +
                     lower * ct.astype(down, ct.uint16))


@ct.kernel
def resize_columns(rows, out, step, TM: Const, TN: Const):
    """Of those rows, what lies between two columns."""
    y, x = ct.bid(1), ct.bid(0)
    i = (y * TM + ct.arange(TM, dtype=ct.int32))[:, None]
    places = (x * TN + ct.arange(TN, dtype=ct.int32))[None, :] * step
    column, right = places >> 8, places & 255

    def pixel(j):
        return ct.astype(ct.gather(rows, (i, column + j), check_bounds=False), ct.int32)
    result = pixel(0) * (256 - right) + pixel(1) * right
    ct.store(out, (y, x), ct.astype((result + 32768) >> 16, ct.uint8))


@ct.kernel
def pack(image, words, TM: Const, TN: Const):
    """Each pixel with its neighbours to the right, below, and both, as the bytes of a word: one
    access gets all four."""
    y, x = ct.bid(1), ct.bid(0)
    height, width = words.shape[0], words.shape[1]

    def shifted(dy, dx):
        pixels = image.slice(0, dy, dy + height).slice(1, dx, dx + width)
        return ct.astype(ct.load(pixels, (y, x), (TM, TN)), ct.uint32)
    ct.store(words, (y, x), shifted(0, 0) | shifted(0, 1) << 8 | shifted(1, 0) << 16 |
             shifted(1, 1) << 24)


@ct.kernel
def warp(words, out, yy, yx, y0, xy, xx, x0, TM: Const, TN: Const):
    """An affine map from places in `out` to places in the image, in 256ths of a pixel; black
    outside. Grey values are interpolated between four pixels, the bytes of a word."""
    i, j = ct.bid(1), ct.bid(0)
    rows = (i * TM + ct.arange(TM, dtype=ct.int32))[:, None]
    columns = (j * TN + ct.arange(TN, dtype=ct.int32))[None, :]
    y = rows * yy + columns * yx + y0
    x = rows * xy + columns * xx + x0
    inside = ((y >= 0) & (y < words.shape[0] * 256) & (x >= 0) & (x < words.shape[1] * 256))
    four = ct.gather(words, (y >> 8, x >> 8), mask=inside, check_bounds=False)
    down, right = ct.astype(y & 255, ct.uint32), ct.astype(x & 255, ct.uint32)
    upper = (four & 255) * (256 - right) + (four >> 8 & 255) * right
    lower = (four >> 16 & 255) * (256 - right) + (four >> 24) * right
    result = (upper * (256 - down) + lower * down + 32768) >> 16
    ct.store(out, (i, j), ct.astype(result, ct.uint8))
