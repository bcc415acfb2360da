# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the conformance suite's error bounds for GPUs against those of arithmetic, 3.4."""

import pathlib
import sys
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "conformance"))

from kernel import Check, differences  # noqa: E402

GIVEN = np.array([0, 1, -80, np.inf, 1], np.float32)


def wrong(op: str, modifiers: tuple[str, ...], device: str, *off: int) -> list[int]:
    """The elements that are reported as wrong, if each is off by this many values."""
    bits = np.array([1, 2.7182817, 1.8e-35, np.inf, 3], np.float32).view(np.uint32)
    case = SimpleNamespace(shows=[SimpleNamespace(op=op, modifiers=modifiers)])
    check = Check(case, "f32", bits, len(off), inputs=[("f32", GIVEN.view(np.uint32))])
    found = (bits.astype(np.int64) + off).astype(np.uint32)
    return differences(check, found, device).tolist()


APPROX = ("rounding<approx>",)
# 2 + floor(1.173 |x|): 2, 3 and 95 ulps; no bound for an infinity.
assert wrong("exp", APPROX, "ptx", 2, 3, 95, 0, 3) == []
assert wrong("exp", APPROX, "gpu", -3, -4, -96, -1, 4) == [0, 1, 2, 3, 4]
assert wrong("exp", APPROX, "cpu", 1, 2, 1, 0, 0) == [1]
assert wrong("exp", (), "ptx", 2, 3, 1, 0, 0) == [1]
assert wrong("exp", (), "cpu", 1, 2, 1, 0, 0) == [1]
assert wrong("sqrt", APPROX, "gpu", 2, -2, 3, 0, 0) == [2]
assert wrong("tanh", APPROX, "gpu", 8192, 8193, 0, 0, 0) == [1]
assert wrong("exp2", (), "gpu", 2, 3, 0, 0, 0) == [1]
assert wrong("addf", (), "gpu", 1, 0, 0, 0, 0) == [0]
print("the bounds hold")
