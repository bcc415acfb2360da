# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters and geometric transforms of images with one byte per pixel."""

import cuda.tile as ct

Const = ct.Constant[int]


def stacked(rows):
    """Stacks rows vertically; their number is a power of two."""
    for _ in ct.static_iter(range(len(rows).bit_length() - 1)):
        rows = tuple(ct.cat((rows[k], rows[k + 1]), 0)
                     for k in ct.static_iter(range(0, len(rows), 2)))
    return rows[0]


@ct.kernel
def sharpen(image, out, TM: Const, TN: Const, TURN: Const):
    """Nine times a pixel minus its eight neighbours; `image` has a border of one. The sum of three horizontal
    neighbours is used by three rows of the result (a loop iteration computes `TURN` of them), and the sum of
    two such sums is used by two rows."""
    y, x = ct.bid(1), ct.bid(0)
    width = out.shape[1]
    left, middle, right = (image.slice(1, 0, width), image.slice(1, 1, 1 + width),
                           image.slice(1, 2, 2 + width))

    def pixels(shifted, row):
        return ct.astype(ct.load(shifted, (row, x), (1, TN)), ct.int16)

    def sharpened(centre, total):
        result = ct.minimum(ct.maximum(centre * 10 - total, 0), 255)
        return ct.astype(result, ct.uint8)
    for i in range(y * TM // TURN, (y + 1) * TM // TURN):
        centres, sums = (), ()
        for j in ct.static_iter(range(TURN + 2)):
            centre = pixels(middle, TURN * i + j)
            centres += (centre,)
            sums += (pixels(left, TURN * i + j) + centre + pixels(right, TURN * i + j),)
        rows = ()
        for j in ct.static_iter(range(1, TURN + 1, 2)):
            both = sums[j] + sums[j + 1]
            rows += (sharpened(centres[j], sums[j - 1] + both),
                     sharpened(centres[j + 1], both + sums[j + 2]))
        ct.store(out, (i, x), stacked(rows))


@ct.kernel
def resize_rows(image, pairs, step, TM: Const, TN: Const):
    """Blends two rows of `image` for each row of the result, which keeps the width of `image`, in 256ths of
    a grey value. The upper half of each word contains the right neighbour's value, so that one access gets
    both. Steps are in 256ths of a pixel; `image` has one row and one column more than are used."""
    y = ct.bid(0)
    width = pairs.shape[1]
    left, right = image.slice(1, 0, width), image.slice(1, 1, 1 + width)
    for i in range(y * TM, (y + 1) * TM):
        row, down = i * step >> 8, i * step & 255

        def blended(shifted, x):
            upper = ct.astype(ct.load(shifted, (row, x), (1, TN)), ct.uint16)
            lower = ct.astype(ct.load(shifted, (row + 1, x), (1, TN)), ct.uint16)
            return ct.astype(upper * ct.astype(256 - down, ct.uint16) +
                             lower * ct.astype(down, ct.uint16), ct.uint32)
        for x in range(ct.cdiv(width, TN)):
            ct.store(pairs, (i, x), blended(left, x) | blended(right, x) << 16)


@ct.kernel
def resize_columns(pairs, out, step, TM: Const, TN: Const):
    """Blends two columns of these rows."""
    y, x = ct.bid(1), ct.bid(0)
    i = (y * TM + ct.arange(TM, dtype=ct.int32))[:, None]
    places = (x * TN + ct.arange(TN, dtype=ct.int32))[None, :] * step
    column, right = places >> 8, ct.astype(places & 255, ct.uint32)
    two = ct.gather(pairs, (i, column), check_bounds=False)
    result = (two & 65535) * (256 - right) + (two >> 16) * right
    ct.store(out, (y, x), ct.astype((result + 32768) >> 16, ct.uint8))


@ct.kernel
def warp(pixels, out, height, width, STRIDE: Const, yy, yx, y0, xy, xx, x0, TM: Const, TN: Const):
    """An affine map from positions in `out` to positions in an image, in 256ths of a pixel; black outside of
    `height` x `width`. Grey values are interpolated between four `pixels`. They are the image in one
    dimension, with `STRIDE` pixels per row and one additional row and column."""
    i, j = ct.bid(1), ct.bid(0)
    y, x, inside = places(i, j, height, width, yy, yx, y0, xy, xx, x0, TM, TN)
    index = ct.where(inside, (y >> 8) * STRIDE + (x >> 8), 0)
    count = height * STRIDE - 1

    def neighbour(offset):
        moved = pixels.slice(0, offset, offset + count)
        return ct.astype(ct.gather(moved, index, check_bounds=False), ct.uint32)
    result = interpolated(neighbour(0), neighbour(1), neighbour(STRIDE), neighbour(STRIDE + 1), y, x)
    ct.store(out, (i, j), ct.where(inside, result, 0))


@ct.kernel
def pack(image, words, TM: Const, TN: Const):
    """Packs each pixel and its right, lower and lower right neighbours into a word, so that one access gets
    all four. `image` has one additional row and column."""
    y, x = ct.bid(1), ct.bid(0)
    height, width = words.shape[0], words.shape[1]

    def shifted(dy, dx):
        pixels = image.slice(0, dy, dy + height).slice(1, dx, dx + width)
        return ct.astype(ct.load(pixels, (y, x), (TM, TN)), ct.uint32)
    ct.store(words, (y, x), shifted(0, 0) | shifted(0, 1) << 8 | shifted(1, 0) << 16 |
             shifted(1, 1) << 24)


@ct.kernel
def warp_packed(words, out, yy, yx, y0, xy, xx, x0, TM: Const, TN: Const):
    """The same map, with the words from `pack`."""
    i, j = ct.bid(1), ct.bid(0)
    y, x, inside = places(i, j, words.shape[0], words.shape[1], yy, yx, y0, xy, xx, x0, TM, TN)
    four = ct.gather(words, (y >> 8, x >> 8), mask=inside, check_bounds=False)
    result = interpolated(four & 255, four >> 8 & 255, four >> 16 & 255, four >> 24, y, x)
    ct.store(out, (i, j), result)


def places(i, j, height, width, yy, yx, y0, xy, xx, x0, TM, TN):
    """The source positions of a result tile's pixels, and whether they are inside the image."""
    rows = (i * TM + ct.arange(TM, dtype=ct.int32))[:, None]
    columns = (j * TN + ct.arange(TN, dtype=ct.int32))[None, :]
    y = rows * yy + columns * yx + y0
    x = rows * xy + columns * xx + x0
    return y, x, (y >= 0) & (y < height * 256) & (x >= 0) & (x < width * 256)


def interpolated(left_upper, right_upper, left_lower, right_lower, y, x):
    """Interpolates between four grey values, by the lowest 8 bits of y and x."""
    down, right = ct.astype(y & 255, ct.uint32), ct.astype(x & 255, ct.uint32)
    upper = left_upper * (256 - right) + right_upper * right
    lower = left_lower * (256 - right) + right_lower * right
    return ct.astype((upper * (256 - down) + lower * down + 32768) >> 16, ct.uint8)
