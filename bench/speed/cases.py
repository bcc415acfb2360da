# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All cases, in the order of the report."""

import functools

from . import (attention, fft, gemm, images, indexed, inference, memory, order, products, rows,
               training)
from .case import Case

CHAPTERS = (gemm, products, inference, rows, training, attention, memory, indexed, order, fft, images)


@functools.cache
def all_cases() -> dict[str, Case]:
    cases = [case for chapter in CHAPTERS for case in chapter.cases()]
    return {case.name: case for case in cases}


def find(name: str) -> Case:
    return all_cases()[name]
