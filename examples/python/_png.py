# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes PNG files with 1 to 4 channels of 8 bits, without palette and interlacing."""

from __future__ import annotations

import pathlib
import struct
import zlib

import numpy as np

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # by colour type


def write(path: pathlib.Path, image: np.ndarray) -> None:
    """`image`: height x width x channels, uint8."""
    height, width, channels = image.shape
    colour = next(type for type, count in _CHANNELS.items() if count == channels)
    # Each line is preceded by its filter type: 0, none.
    lines = np.pad(image.reshape(height, -1), ((0, 0), (1, 0)))
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    path.write_bytes(_SIGNATURE + _chunk(b"IHDR", header)
                     + _chunk(b"IDAT", zlib.compress(lines.tobytes())) + _chunk(b"IEND", b""))


def read(path: pathlib.Path) -> np.ndarray:
    """Returns height x width x channels, uint8. Raises ValueError, which names the unsupported
    feature of the file."""
    data = path.read_bytes()
    if not data.startswith(_SIGNATURE):
        raise ValueError(f"{path} is no PNG")
    chunks, at = {}, len(_SIGNATURE)
    while at + 12 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        if data[at + 8 + length:at + 12 + length] != struct.pack(">I", zlib.crc32(name + body)):
            raise ValueError(f"{path}: byte {at}: the chunk {name!r} is damaged")
        chunks[name] = chunks.get(name, b"") + body
        at += 12 + length
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if depth != 8 or colour not in _CHANNELS or interlace:
        raise ValueError(f"{path}: {depth} bits, colour type {colour}, interlace {interlace}; "
                         "expected 8 bits, no palette and no interlace")
    channels = _CHANNELS[colour]
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    return _unfilter(lines[:, 0], lines[:, 1:], channels).reshape(height, width, channels)


def _unfilter(filters: np.ndarray, lines: np.ndarray, channels: int) -> np.ndarray:
    """Reverses the filters: adds each byte's prediction from its left and upper neighbours."""
    image = np.zeros((len(lines) + 1, lines.shape[1] + channels), np.int64)  # zeros around
    for y, (kind, line) in enumerate(zip(filters, lines), 1):
        if kind == 0:
            image[y, channels:] = line
            continue
        for x, byte in enumerate(line, channels):
            left, above = image[y, x - channels], image[y - 1, x]
            image[y, x] = (byte + _predict(kind, left, above, image[y - 1, x - channels])) & 255
    return image[1:, channels:].astype(np.uint8)


def _predict(kind: int, left: int, above: int, corner: int) -> int:
    if kind in (1, 2, 3):
        return (left, above, (left + above) // 2)[kind - 1]
    if kind != 4:
        raise ValueError(f"PNG has no filter {kind}")
    # Paeth: the neighbour that is nearest to left + above - corner.
    return min((left, above, corner), key=lambda value: abs(left + above - corner - value))


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", len(body), name) + body + struct.pack(">I", zlib.crc32(name + body))
