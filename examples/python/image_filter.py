# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters a PNG: a Gaussian blur, and the edges that the Sobel operator finds.

Both kernels read the neighbours of every pixel. `ct.gather` takes the coordinates of each element;
coordinates outside the image are clamped to the border. The blur makes one pass along columns and one
along rows; its weights are an array, loaded one by one. Without --input, an image is drawn and written
first, so that the script reads and writes real files.
"""

import pathlib
import sys
import tempfile

import cuda.tile as ct
import numpy as np

import _png
import tilewright.cutile
from _common import EPSILON, Example

TILE = (16, 128)
SIGMA, RADIUS = 2.0, 6


@ct.function
def pixel(image, row, column, channel):
    """The elements at rows x columns, in 0..1; positions outside the image are clamped."""
    row = ct.minimum(ct.maximum(row, 0), image.shape[0] - 1)
    column = ct.minimum(ct.maximum(column, 0), image.shape[1] - 1)
    return ct.gather(image, (row, column, channel)).astype(ct.float32)


@ct.function
def coordinates(tile: ct.Constant):
    """The coordinates of this tile block's tile: a column of rows and a row of columns."""
    return ((ct.bid(0) * tile[0] + ct.arange(tile[0], dtype=ct.int32))[:, None],
            (ct.bid(1) * tile[1] + ct.arange(tile[1], dtype=ct.int32))[None, :])


@ct.kernel
def blur_kernel(image, weights, result, down: ct.Constant[int], right: ct.Constant[int],
                tile: ct.Constant):
    """One pass, in the direction of `down` rows and `right` columns per step."""
    row, column = coordinates(tile)
    channel, radius = ct.bid(2), weights.shape[0] // 2
    total = ct.zeros(tile, ct.float32)
    for i in range(weights.shape[0]):
        away = i - radius
        total += ct.load(weights, (i,), ()) * pixel(image, row + away * down,
                                                    column + away * right, channel)
    if result.dtype == ct.uint8:
        total = ct.floor(total + 0.5)
    ct.scatter(result, (row, column, channel), total.astype(result.dtype))


@ct.kernel
def sobel_kernel(image, result, tile: ct.Constant):
    row, column = coordinates(tile)
    channel = ct.bid(2)
    across, along = ct.zeros(tile, ct.float32), ct.zeros(tile, ct.float32)
    for away, weight in ct.static_iter(((-1, 1.0), (0, 2.0), (1, 1.0))):
        across += weight * (pixel(image, row + away, column + 1, channel)
                            - pixel(image, row + away, column - 1, channel))
        along += weight * (pixel(image, row + 1, column + away, channel)
                           - pixel(image, row - 1, column + away, channel))
    strength = ct.minimum(ct.floor(ct.sqrt(across * across + along * along) + 0.5), 255.0)
    ct.scatter(result, (row, column, channel), strength.astype(result.dtype))


def grid_of(image) -> tuple[int, int, int]:
    return ct.cdiv(image.shape[0], TILE[0]), ct.cdiv(image.shape[1], TILE[1]), image.shape[2]


def blur(image, **options):
    half, result = np.empty(image.shape, np.float32), np.empty_like(image)
    for source, target, direction in ((image, half, (1, 0)), (half, result, (0, 1))):
        tilewright.cutile.launch(grid_of(image), blur_kernel,
                                 (source, gauss(), target, *direction, TILE), **options)
    return result


def sobel(image, **options):
    result = np.empty_like(image)
    tilewright.cutile.launch(grid_of(image), sobel_kernel, (image, result, TILE), **options)
    return result


def gauss() -> np.ndarray:
    weights = np.exp(-0.5 * (np.arange(-RADIUS, RADIUS + 1) / SIGMA) ** 2)
    return (weights / weights.sum()).astype(np.float32)


def blur_reference(image):
    weights = gauss().astype(np.float64)
    moved = neighbourhoods(image, RADIUS)  # the last two dimensions: rows and columns around it
    return np.floor(np.einsum("yxcij,i,j->yxc", moved, weights, weights, optimize=True) + 0.5)


def sobel_reference(image):
    operator = np.outer([1, 2, 1], [-1, 0, 1])
    moved = neighbourhoods(image, 1)
    strength = np.hypot(np.einsum("yxcij,ij->yxc", moved, operator),
                        np.einsum("yxcij,ij->yxc", moved, operator.T))
    return np.minimum(np.floor(strength + 0.5), 255)


def neighbourhoods(image, radius):
    padded = np.pad(image.astype(np.float64), ((radius,) * 2, (radius,) * 2, (0, 0)), mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, (2 * radius + 1,) * 2, axis=(0, 1))


def draw(height: int, width: int) -> np.ndarray:
    """Coloured discs in front of a sky that grows darker."""
    y, x = np.mgrid[:height, :width] / height
    image = np.stack([90 + 90 * y, 140 + 60 * y, 250 - 90 * y], axis=-1)
    for centre, radius, colour in (((0.45, 0.4), 0.25, (240, 200, 60)),
                                   ((0.65, 0.8), 0.3, (200, 60, 70)),
                                   ((0.3, 1.1), 0.15, (40, 160, 90))):
        image[np.hypot(y - centre[0], x - centre[1]) < radius] = colour
    return image.astype(np.uint8)


def main() -> int:
    example = Example(
        __doc__, input={"type": pathlib.Path, "help": "a PNG, 8 bits per channel"},
        output={"type": pathlib.Path, "default": pathlib.Path(tempfile.gettempdir()),
                "help": "the folder for the results (%(default)s)"})
    path, folder = example.options.input, example.options.output
    if path is None:
        path = folder / "tilewright_image.png"
        _png.write(path, draw(*(90, 150) if example.quick else (700, 1000)))
    image = _png.read(path)
    corner = np.ascontiguousarray(image[:40, :150])
    # A sum that is within a rounding of the middle between two integers may round to either: one step
    # of 255, relative to a brightest result that may be a little less than 255.
    for name, compute, reference in (("blur", blur, blur_reference),
                                     ("sobel", sobel, sobel_reference)):
        example.run(f"image_filter {name}", compute, reference, (image,), (corner,),
                    tolerance=1.5 / 255, bytes=2 * image.nbytes)
        _png.write(folder / f"tilewright_{name}.png", compute(image))
    print(f"{path} became tilewright_blur.png and tilewright_sobel.png in {folder}")
    return example.status


if __name__ == "__main__":
    sys.exit(main())
