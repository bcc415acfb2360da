# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two outcomes of a program."""

import re

import numpy as np

from elements import FLOATS, WIDTHS, is_nan, values
from execute import Outcome
from tileir import Parameter, Program

SHOWN = 3  # differing elements per array


def differences(programs: list[Program], expected: Outcome, found: Outcome) -> dict[int, str]:
    """Maps the index of each program that differs to the differences. On a GPU, all NaNs are equal: sign and
    payload are unspecified, also after negf and absf (arithmetic, 4.11)."""
    differing: dict[int, list[str]] = {}
    for p, program in enumerate(programs):
        arrays = dict(zip(map(id, program.outputs), expected.arrays[p]))
        for k, parameter in enumerate(program.outputs):
            want, have = expected.arrays[p][k], found.arrays[p][k]
            scale = arrays.get(id(getattr(parameter.check, "array", None)))
            wrong = parameter.check.wrong(parameter.element, want, have, scale)
            if found.on_gpu and parameter.element in FLOATS:
                wrong &= ~(is_nan(parameter.element, want) & is_nan(parameter.element, have))
            if wrong.any():
                differing.setdefault(p, []).append(describe(program, parameter, want, have, wrong))
        want, have = (printed(o, program, found.on_gpu) for o in (expected, found))
        if want != have:
            unlike = [pair for pair in zip(want, have) if pair[0] != pair[1]]
            first = unlike[0] if unlike else (f"{len(want)} lines", f"{len(have)} lines")
            differing.setdefault(p, []).append(f"prints {first[1]!r} for {first[0]!r}")
    return {p: "\n".join(texts) for p, texts in differing.items()}


def printed(outcome: Outcome, program: Program, is_mixed: bool) -> list[str]:
    """The program's lines, sorted; or only their characters, if lines of different blocks may be
    interleaved (operations, 6.3). The sign of a NaN is ignored."""
    if is_mixed:
        return sorted(re.sub(r" *-?nan", "nan", outcome.stdout))
    mine = [line.replace("-nan", "nan") for line in outcome.stdout.splitlines()
            if line.startswith(program.name + " ")]
    return sorted(re.sub(r" +nan", " nan", line) for line in mine)


def describe(program: Program, parameter: Parameter, want: np.ndarray, have: np.ndarray,
             wrong: np.ndarray) -> str:
    number = program.parameters.index(parameter)
    places = np.flatnonzero(wrong)
    texts = [f"[{i}] is {show(parameter.element, have[i])} for {show(parameter.element, want[i])}"
             for i in places[:SHOWN]]
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return f"%a{number} ({len(want)}x{parameter.element}): {', '.join(texts)}{more}"


def show(element: str, bits: np.unsignedinteger) -> str:
    text = f"0x{int(bits):0{-(-WIDTHS[element] // 4)}X}"
    if element in FLOATS:
        text += f" ({values(element, np.array([bits]))[0]!s})"
    return text
