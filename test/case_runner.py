# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the CASE lines of a case file: checks that a kernel computes the expected values.

    // CASE @mulhii(i8[1, 127, -1, 16], i8[2, 1, -1, 16]) -> i8[0, 0, -2, 1]

The entry's parameters are pointers: first one per input array, then one per expected array. Every
expected array starts filled with zeros, the kernel runs once, and the resulting bits must equal
the expected ones. Each case runs in its own process.

    // CASE @scaled(3, f32[1.5, nan]) -> f32[4.5, nan]      a scalar parameter
    // CASE @rows(i32[1, 2]) -> i32[1, 2] grid=2            one tile block per element
    // CASE @bad(i32[1], i32[0]) -> error "division by zero"     on the reference machine
    // CASE @open(i32[0]) -> warning "unspecified value"         the same; the run succeeds
    // CASE @far(i32[0]) -> error "multicast memory" on=ptx      on these executors only

Elements are written in decimal, as `nan`, `inf`, `true`, or in hexadecimal as the bit pattern. A
decimal number means the nearest value of the type; `nan` matches every NaN, a hexadecimal pattern
only itself. A CASE continues in the next comment line while a bracket is open or if it ends with
"->" or ",".

Cases run on every executor: the reference machine, compiled code for CPUs, and GPU code on the
PTX machine. Compiled code does not detect undefined behaviour, so that failed assertions are the
only errors expected from it; and its float functions may return a neighbour of the rounded result
(docs/cpu.md).
"""

import argparse
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import ml_dtypes
import numpy as np

EXECUTORS = ("reference", "cpu", "ptx")
TIME_LIMIT = 60  # seconds per case

# By how many values of the format the result of a compiled function may differ.
COMPILED = {"exp": 1, "exp2": 1, "log": 1, "log2": 1, "sin": 1, "cos": 1, "tanh": 1, "rsqrt": 1,
            "tan": 2, "sinh": 2, "cosh": 2, "pow": 2, "atan2": 2, "fpowi": 2}

# Element types by name: the NumPy type with their values, and the one for their bits in
# a .npy file. tf32 is stored as an f32 whose low 13 bits are zero.
FLOATS = {
    "f16": (np.float16, np.uint16),
    "bf16": (ml_dtypes.bfloat16, np.uint16),
    "f32": (np.float32, np.uint32),
    "tf32": (np.float32, np.uint32),
    "f64": (np.float64, np.uint64),
    "f8E4M3FN": (ml_dtypes.float8_e4m3fn, np.uint8),
    "f8E5M2": (ml_dtypes.float8_e5m2, np.uint8),
    "f8E8M0FNU": (ml_dtypes.float8_e8m0fnu, np.uint8),
    "f4E2M1FN": (ml_dtypes.float4_e2m1fn, np.uint8),
    "f8E5M3FNU": (None, np.uint8),  # ml_dtypes lacks it
}
INTEGERS = {"i1": np.uint8, "i8": np.uint8, "i16": np.uint16, "i32": np.uint32, "i64": np.uint64}
NATIVE_IN_NPY = {"f16", "f32", "f64", "i8", "i16", "i32", "i64"}


class CaseError(Exception):
    """A case that is malformed."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--tilewright", default="tilewright", help="the program")
    parser.add_argument("--on", choices=(*EXECUTORS, "gpu"),
                        help=f"one executor (default: {' and '.join(EXECUTORS)})")
    arguments = parser.parse_args()

    if not shutil.which(arguments.tilewright):
        parser.error(f"there is no program '{arguments.tilewright}'")
    cases = read_cases(arguments.file)
    if not cases:
        parser.error(f"{arguments.file}: no CASE line")
    failures = 0
    for executor in [arguments.on] if arguments.on else EXECUTORS:
        mine = [case for case in cases if runs_on(case, executor)]
        complaints = [run_case(case, arguments.file, arguments.tilewright, executor)
                      for case in mine]
        for case, complaint in zip(mine, complaints):
            if complaint:
                failures += 1
                print(f"{arguments.file}:{case.line}: @{case.entry} on {executor}: {complaint}")
        print(f"{arguments.file.name}: {complaints.count(None)} of {len(mine)} cases hold on "
              f"{executor}")
    return 1 if failures else 0


def runs_on(case: "Case", executor: str) -> bool:
    if executor == "gpu":  # the driver prints another message for an assertion
        return case.error is None and runs_on(case, "ptx")
    if case.on:
        return executor in case.on
    return executor == "reference" or (
        case.warning is None and (case.error is None or "assertion failed" in case.error))


# --- Reading cases ------------------------------------------------------------------


@dataclass
class Array:
    """The elements of an array literal as bit patterns; None if any NaN matches."""

    element: str
    bits: list[int | None]
    text: list[str]


@dataclass
class Case:
    line: int
    entry: str
    inputs: list[Array | str]  # a str is a scalar, passed on unchanged
    outputs: list[Array]
    error: str | None
    warning: str | None
    grid: str
    on: list[str]  # executors; empty means all


def read_cases(file: pathlib.Path) -> list[Case]:
    cases = []
    lines = iter(enumerate(file.read_text().splitlines(), start=1))
    for number, line in lines:
        start = re.match(r"\s*//\s*CASE\b(.*)", line)
        if not start:
            continue
        text = start[1].strip()
        while is_unfinished(text):
            _, line = next(lines, (0, ""))
            more = re.match(r"\s*//(.*)", line)
            if not more:
                break
            text += " " + more[1].strip()
        try:
            cases.append(parse_case(number, text))
        except CaseError as error:
            sys.exit(f"{file}:{number}: {error}")
    return cases


def is_unfinished(text: str) -> bool:
    opened = sum(text.count(c) for c in "([") - sum(text.count(c) for c in ")]")
    return opened > 0 or text.endswith(("->", ","))


def parse_case(line: int, text: str) -> Case:
    shape = re.fullmatch(
        r"@(?P<entry>[\w$.]+)\s*\((?P<inputs>.*?)\)\s*->\s*"
        r"(?:error\s+\"(?P<error>[^\"]+)\"|warning\s+\"(?P<warning>[^\"]+)\"|(?P<outputs>.+?))"
        r"(?:\s+grid=(?P<grid>\d+(?:,\d+){0,2}))?(?:\s+on=(?P<on>[\w,]+))?", text)
    if not shape:
        raise CaseError(f'expected CASE @entry(values) -> arrays, error "text" or warning "text", '
                        f'found: {text}')
    inputs = [parse_array(v) if "[" in v else v for v in split_values(shape["inputs"])]
    outputs = []
    for value in split_values(shape["outputs"] or ""):
        if "[" not in value:
            raise CaseError(f"an expected value is an array, such as i32[{value}]; found {value}")
        outputs.append(parse_array(value))
    on = shape["on"].split(",") if shape["on"] else []
    if unknown := [name for name in on if name not in EXECUTORS]:
        raise CaseError(f"on={unknown[0]} is no executor: {', '.join(EXECUTORS)}")
    return Case(line, shape["entry"], inputs, outputs, shape["error"],
                shape["warning"], shape["grid"] or "1", on)


def split_values(text: str) -> list[str]:
    """Splits at commas outside of brackets."""
    return [v.strip() for v in re.split(r",(?![^\[]*\])", text) if v.strip()]


def parse_array(text: str) -> Array:
    shape = re.fullmatch(r"(\w+)\s*\[(.*)\]", text)
    if not shape or shape[1] not in FLOATS | INTEGERS:
        raise CaseError(f"'{text}' is no array literal such as f32[1.0, nan]; "
                        f"element types: {', '.join(FLOATS | INTEGERS)}")
    elements = [e.strip() for e in shape[2].split(",") if e.strip()]
    return Array(shape[1], [parse_element(shape[1], e) for e in elements], elements)


def parse_element(element: str, text: str) -> int | None:
    """The bit pattern of one element; None for a `nan` that matches every NaN."""
    width = width_of(element)
    try:
        if element in INTEGERS:
            value = {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text, 0)
            low = -(1 << width - 1) if width > 1 else -1
            if not low <= value < 1 << width:
                raise CaseError(f"{text} does not fit {element}")
            return value & (1 << width) - 1
        if text.lower().startswith("0x"):
            bits = int(text, 16)
            if bits >> width:
                raise CaseError(f"{text} has more than {width} bits")
            return bits
        value = float(text)
    except ValueError:
        raise CaseError(f"'{text}' is no {element} element") from None
    if math.isnan(value):
        quiet_nan(element)  # fails if the format has none
        return None
    return float_bits(element, value)


def value_of(element: str, bits: int) -> float:
    kind, word = FLOATS[element]
    if kind:
        return float(np.array([bits], word).view(kind).astype(np.float64)[0])
    if bits == 0xFF:  # f8E5M3FNU (13.4, section 8.2)
        return math.nan
    return math.ldexp(bits % 8 + 8 * (bits > 7), max(bits // 8, 1) - 18)


def float_bits(element: str, value: float) -> int:
    kind, word = FLOATS[element]
    if not kind:
        found = [bits for bits in range(0xFF) if value_of(element, bits) == value]
        if not found:
            raise CaseError(f"{element} has no {value}")
        return found[0]
    with np.errstate(over="ignore"):
        nearest = np.array([value], np.float64).astype(kind)
    if element == "tf32":  # half of the last kept bit, minus one for ties to even
        bits = int(nearest.view(word)[0])
        bits = bits + 0xFFF + (bits >> 13 & 1) & ~0x1FFF
        nearest = np.array([bits], word).view(kind)
    found = float(nearest[0])
    if found != value and not (math.isfinite(found) and math.isfinite(value)):
        raise CaseError(f"{value} is outside the range of {element}")
    return int(nearest.view(word)[0])


def quiet_nan(element: str) -> int:
    kind, word = FLOATS[element]
    bits = int(np.array([math.nan]).astype(kind).view(word)[0]) if kind else 0xFF
    if not is_nan(element, bits):
        raise CaseError(f"{element} has no NaN")
    return bits


def width_of(element: str) -> int:
    return int(re.search(r"\d+", element)[0])


def is_nan(element: str, bits: int) -> bool:
    return math.isnan(value_of(element, bits))


# --- Running a case -------------------------------------------------------------------


def run_case(case: Case, file: pathlib.Path, tilewright: str, executor: str) -> str | None:
    """An error message, or None."""
    with tempfile.TemporaryDirectory(prefix="tilewright-case-") as folder:
        folder = pathlib.Path(folder)
        command = [tilewright, "run", str(file), "--device", executor, "--entry", case.entry,
                   "--grid", case.grid]
        for index, value in enumerate(case.inputs):
            if isinstance(value, Array):
                value = write_array(folder / f"in{index}.npy", value)
            command += ["--arg", value]
        results = [folder / f"out{index}.npy" for index in range(len(case.outputs))]
        for array, result in zip(case.outputs, results):
            zeros = Array(array.element, [0] * len(array.bits), [])
            start = write_array(folder / f"zero-{result.name}", zeros)
            command += ["--arg", f"{start},out={result}"]

        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return f"did not end within {TIME_LIMIT} s"
        if case.error is not None:
            return check_error(case.error, ended)
        if case.warning is not None and case.warning not in ended.stderr:
            return f"expected the warning \"{case.warning}\", found:\n{ended.stderr}".rstrip()
        if ended.returncode != 0:
            return f"exit status {ended.returncode}\n{ended.stderr}{ended.stdout}".rstrip()
        complaints = []
        slack = COMPILED.get(file.stem, 0) if executor != "reference" else 0
        for index, (array, result) in enumerate(zip(case.outputs, results)):
            complaints += compare(f"result {index}" if len(results) > 1 else "result",
                                  array, read_bits(result, array.element, len(array.bits)),
                                  slack)
        return "\n  ".join(complaints) or None


def check_error(expected: str, ended: subprocess.CompletedProcess) -> str | None:
    output = ended.stderr + ended.stdout
    if ended.returncode < 0:
        return f"died from signal {-ended.returncode} instead of reporting \"{expected}\""
    if ended.returncode == 0:
        return f"expected the error \"{expected}\", but the run succeeded"
    if expected not in output:
        return f"expected the error \"{expected}\", found:\n{output}".rstrip()
    return None


def write_array(file: pathlib.Path, array: Array) -> str:
    """Writes the bits as NumPy stores them, and returns the file's name."""
    bits = [quiet_nan(array.element) if b is None else b for b in array.bits]
    if array.element in INTEGERS:
        words = np.array(bits, INTEGERS[array.element])
    else:
        words = np.array(bits, FLOATS[array.element][1])
    if array.element == "f4E2M1FN":  # two per byte, the even one in the low half (types, 2.3)
        words = np.append(words, np.zeros(len(words) % 2, np.uint8))
        words = words[0::2] | words[1::2] << 4
    elif array.element == "i1":
        words = words.astype(np.bool_)
    elif array.element in NATIVE_IN_NPY:
        words = words.view(array.element.replace("i", "int").replace("f", "float"))
    np.save(file, words)
    return str(file)


def read_bits(file: pathlib.Path, element: str, count: int) -> list[int]:
    words = np.load(file, allow_pickle=False)
    if element == "f4E2M1FN":
        pairs = words.view(np.uint8).reshape(-1)
        words = np.stack([pairs & 15, pairs >> 4], axis=-1).reshape(-1)[:count]
    else:
        words = words.reshape(-1).view(f"uint{8 * words.dtype.itemsize}")
    return [int(word) for word in words]


def compare(what: str, expected: Array, found: list[int], slack: int) -> list[str]:
    if len(found) != len(expected.bits):
        return [f"{what} has {len(found)} elements, expected {len(expected.bits)}"]
    complaints = []
    for index, (want, have) in enumerate(zip(expected.bits, found)):
        same = is_nan(expected.element, have) if want is None else abs(want - have) <= slack
        if not same:
            complaints.append(f"{what}[{index}] must be {expected.element} {expected.text[index]}, "
                              f"but is {show(expected.element, have)}")
    return complaints


def show(element: str, bits: int) -> str:
    digits = f"0x{bits:0{(width_of(element) + 3) // 4}X}"
    if element in INTEGERS:
        width = width_of(element)
        signed = bits - (1 << width) if width > 1 and bits >> width - 1 else bits
        return f"{signed} ({digits})"
    return f"{value_of(element, bits)!r} ({digits})"


if __name__ == "__main__":
    sys.exit(main())
