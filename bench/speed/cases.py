# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All cases, in the order in which they are reported."""

import functools

from . import attention, fft, gemm, images, indexed, memory, products, rows
from .case import Case

CHAPTERS = (gemm, products, rows, attention, memory, indexed, fft, images)


@functools.cache
def all_cases() -> dict[str, Case]:
    cases = [case for chapter in CHAPTERS for case in chapter.cases()]
    return {case.name: case for case in cases}


def find(name: str) -> Case:
    return all_cases()[name]
