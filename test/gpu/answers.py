# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The answer of a probe."""

import dataclasses


@dataclasses.dataclass
class Answer:
    word: str  # yes, no, or not asked
    seen: str


def not_asked(why: str) -> Answer:
    return Answer("not asked", why)


def answer(holds: bool, seen: str) -> Answer:
    return Answer("yes" if holds else "no", seen)
