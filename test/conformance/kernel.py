# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Combines cases into kernels that can be run.

A case is a function that takes a Kernel: it generates inputs, emits operations, and stores
results together with the expected bit patterns. Many cases are added to one kernel, so that a
single run of the machine checks all of them; each case has its own names and arrays.
"""

import math
import pathlib
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field

import gmpy2
import numpy as np

from combinations import Combination
from formats import FORMATS, WIDTHS, decode, is_nan, word

TIME_LIMIT = 300  # seconds per run of the machine
GPUS = ("ptx", "gpu")  # devices that execute GPU code
NATIVE = {"f16": "f2", "f32": "f4", "f64": "f8", "i1": "?",
          "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}


@dataclass(frozen=True)
class Case:
    """`shows` lists the combinations that the case covers; the first is its name."""

    shows: tuple[Combination, ...]
    build: Callable[["Kernel"], None]
    grid: tuple[int, ...] = (1,)
    alone: bool = False  # needs its own run
    refused: str = ""  # the message of every device for an unsupported feature
    refused_on_gpu: str = ""  # the message that only GPU compilers print

    def refusal(self, device: str) -> str:
        return self.refused or (self.refused_on_gpu if device in GPUS else "")

    @property
    def name(self) -> str:
        return str(self.shows[0])


@dataclass
class Check:
    """An array that the kernel writes, and its expected contents."""

    case: Case
    element: str
    expected: np.ndarray
    count: int  # requested elements; the rest pads the tile
    any_nan: bool = False
    inputs: list[tuple[str, np.ndarray]] = field(default_factory=list)
    exact: list[gmpy2.mpfr] | None = None  # results before rounding, of the first elements
    slack: np.ndarray | None = None  # allowed errors of compiled code
    # Which elements are also correct on a GPU, besides the expected values.
    right_on_gpu: Callable[[np.ndarray], np.ndarray] | None = None


@dataclass
class Parameter:
    type: str
    argument: str | None = None  # as text
    element: str = ""
    content: np.ndarray | None = None
    check: Check | None = None


class Kernel:
    def __init__(self) -> None:
        self.case: Case | None = None
        self.attributes = ""  # of the module
        self.hints = ""  # of the entry
        self.globals: list[str] = []
        self.lines: list[str] = []
        self.parameters: list[Parameter] = []
        self.printed: list[tuple[Case, str, int]] = []
        self.accepted: list[tuple[Case, int]] = []
        self.names = 0

    # --- Writing --------------------------------------------------------------------

    def name(self, hint: str = "v") -> str:
        self.names += 1
        return f"{hint}{self.names}"

    def emit(self, text: str) -> None:
        self.lines.append(text)

    def value(self, expression: str, results: int = 1):
        """Emits the operation and names its result; several results are returned as a list."""
        names = [f"%{self.name()}" for _ in range(results)]
        self.emit(f"{', '.join(names)} = {expression}")
        return names[0] if results == 1 else names

    def constant(self, element: str, literal) -> str:
        return self.value(f"constant <{element}: {literal}> : tile<{element}>")

    def scalar(self, element: str, argument: str) -> str:
        """A scalar parameter of the entry, passed as `argument`."""
        return self._parameter(Parameter(f"tile<{element}>", argument))

    def array(self, element: str, content: np.ndarray) -> str:
        """A pointer to an array with this content, which is not compared."""
        return self._parameter(Parameter(f"tile<ptr<{element}>>", None, element, content))

    def result(self, element: str, expected: np.ndarray, start: np.ndarray | None = None,
               count: int | None = None, **more) -> str:
        """A pointer to an array of zeros, or of `start`, whose expected final content is `expected`."""
        expected = np.array(expected, word(element)).reshape(-1)
        zeros = f"zeros({len(expected)}x{element})" if start is None else None
        check = Check(self.case, element, expected, count or len(expected), **more)
        return self._parameter(Parameter(f"tile<ptr<{element}>>", zeros, element, start, check))

    def _parameter(self, parameter: Parameter) -> str:
        self.parameters.append(parameter)
        return f"%p{len(self.parameters) - 1}"

    def prints(self, text: str, count: int) -> None:
        """Expects this as the next output, which covers `count` elements."""
        self.printed.append((self.case, text, count))

    def accepts(self, count: int) -> None:
        """Records that an assertion or assumption holds for `count` elements, so that the run must
        succeed."""
        self.accepted.append((self.case, count))

    # --- Whole tiles, to and from memory ----------------------------------------------

    def load(self, element: str, shape: tuple[int, ...], bits: np.ndarray) -> str:
        """Loads a tile with these patterns. i4 and pointers are converted, as memory cannot hold them."""
        bits = np.asarray(bits).reshape(-1)
        if element == "i4":
            byte = self.load("i8", shape, bits.astype(np.uint8))
            return self.value(f"trunci {byte} : {tile('i8', shape)} -> {tile('i4', shape)}")
        if element == "ptr":
            address = self.load("i64", shape, bits)
            return self.value(
                f"int_to_ptr {address} : {tile('i64', shape)} -> {tile('ptr', shape)}")
        return self.read(element, shape, self.array(element, bits))

    def store(self, value: str, element: str, shape: tuple[int, ...], expected: np.ndarray,
              **more) -> None:
        """Expects the tile to have these patterns."""
        if element == "i4":
            byte = self.value(f"exti {value} unsigned : {tile('i4', shape)} -> {tile('i8', shape)}")
            return self.store(byte, "i8", shape, expected, **more)
        if element == "ptr":
            address = self.value(
                f"ptr_to_int {value} : {tile('ptr', shape)} -> {tile('i64', shape)}")
            return self.store(address, "i64", shape, expected, **more)
        assert np.size(expected) == math.prod(shape), (element, shape)
        self.write(value, element, shape, self.result(element, expected, **more))
        return None

    def read(self, element: str, shape: tuple[int, ...], pointer: str, token: str = "") -> str:
        """Loads the first elements, in row-major order, after `token`."""
        after = f" token = {token}" if token else ""
        if not shape:
            return self.value(f"load_ptr_tko weak {pointer}{after} : tile<ptr<{element}>> "
                              f"-> tile<{element}>, token", 2)[0]
        view, zeros = self._view(element, shape, pointer)
        return self.value(f"load_view_tko weak {view[0]}[{zeros}]{after} : {view[1]}, tile<i32> "
                          f"-> {tile(element, shape)}, token", 2)[0]

    def write(self, value: str, element: str, shape: tuple[int, ...], pointer: str,
              token: str = "") -> str:
        """Stores a tile, and returns the token of the store."""
        after = f" token = {token}" if token else ""
        if not shape:
            return self.value(f"store_ptr_tko weak {pointer}, {value}{after} : "
                              f"tile<ptr<{element}>>, tile<{element}> -> token")
        view, zeros = self._view(element, shape, pointer)
        return self.value(f"store_view_tko weak {value}, {view[0]}[{zeros}]{after} : "
                          f"{tile(element, shape)}, {view[1]}, tile<i32> -> token")

    def _view(self, element: str, shape: tuple[int, ...], pointer: str):
        tensor = tensor_view(element, shape)
        whole = f"partition_view<tile=({by(shape)}), {tensor}>"
        made = self.value(f"make_tensor_view {pointer}, shape = {list(shape)}, "
                          f"strides = {row_major(shape)} : {tensor}")
        view = self.value(f"make_partition_view {made} : {whole}")
        zero = self.constant("i32", 0)
        return (view, whole), ", ".join([zero] * len(shape))

    # --- Running ----------------------------------------------------------------------

    def text(self) -> str:
        parameters = ", ".join(f"%p{i}: {p.type}" for i, p in enumerate(self.parameters))
        body = "\n    ".join(self.lines)
        module = "\n  ".join(self.globals)
        return (f"cuda_tile.module @conformance{self.attributes} {{\n  {module}\n"
                f"  entry @case({parameters}){self.hints} {{\n    {body}\n  }}\n}}\n")

    def run(self, tilewright: pathlib.Path, device: list[str], folder: pathlib.Path,
            grid: tuple[int, ...]):
        """`device` is a device name, followed by its options."""
        program = folder / "case.mlir"
        program.write_text(self.text())
        command = [str(tilewright), "run", str(program), "--device", *device, "--entry", "case",
                   "--grid", ",".join(map(str, grid))]
        for index, parameter in enumerate(self.parameters):
            argument = parameter.argument
            if argument is None:
                argument = write_array(folder / f"in{index}.npy", parameter)
            if parameter.check:
                argument += f",out={folder / f'out{index}.npy'}"
            command += ["--arg", argument]
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=TIME_LIMIT)

    def found(self, folder: pathlib.Path) -> list[tuple[Check, np.ndarray]]:
        """Every check, with the patterns that the kernel has stored."""
        return [(p.check, read_array(folder / f"out{i}.npy", p.element, len(p.check.expected)))
                for i, p in enumerate(self.parameters) if p.check]


# --- Spelling types -----------------------------------------------------------------------


def by(shape) -> str:
    return "x".join(map(str, shape))


def tile(element: str, shape=(), pointee: str = "i8") -> str:
    element = f"ptr<{pointee}>" if element == "ptr" else element
    return f"tile<{'x'.join([*map(str, shape), element])}>"


def row_major(shape) -> list[int]:
    return [math.prod(shape[dim + 1:]) for dim in range(len(shape))]


def tensor_view(element: str, shape, strides=None) -> str:
    strides = row_major(shape) if strides is None else strides
    listed = ",".join(map(str, strides))
    return f"tensor_view<{by(shape)}x{element}, strides=[{listed}]>" if shape else \
        f"tensor_view<{element}>"


def flat(bits: np.ndarray, least: int = 2) -> tuple[np.ndarray, int]:
    """The patterns as a tile of rank 1, padded to a power of two with the last one."""
    size = max(least, 1 << (len(bits) - 1).bit_length())
    return np.concatenate([bits, np.repeat(bits[-1:], size - len(bits))]), len(bits)


# --- Arrays ---------------------------------------------------------------------------------


def write_array(file: pathlib.Path, parameter: Parameter) -> str:
    words = np.asarray(parameter.content, word(parameter.element)).reshape(-1)
    if parameter.element == "f4E2M1FN":  # two per byte, the even one low (types, 2.3)
        words = np.append(words, np.zeros(len(words) % 2, np.uint8))
        words = words[0::2] | words[1::2] << 4
    elif parameter.element in NATIVE:
        words = words.view(NATIVE[parameter.element])
    np.save(file, words)
    return str(file)


def read_array(file: pathlib.Path, element: str, count: int) -> np.ndarray:
    words = np.load(file, allow_pickle=False).reshape(-1)
    words = words.view(f"u{words.dtype.itemsize}")
    if element == "f4E2M1FN":
        words = np.stack([words & 15, words >> 4], axis=-1).reshape(-1)[:count]
    return words


# --- Comparing ------------------------------------------------------------------------------


# By how many values of the format the result of a compiled function may differ from the correctly
# rounded one: the error is less than this many ulps (docs/cpu.md).
COMPILED = {"exp": 1, "exp2": 1, "log": 1, "log2": 1, "sin": 1, "cos": 1, "tanh": 1, "rsqrt": 1,
            "tan": 2, "sinh": 2, "cosh": 2, "pow": 2, "atan2": 2, "fpowi": 2}

# The same for approximations by GPU instructions, in f32 (arithmetic, 3.4). A relative error of 2^-23
# is at most 2 ulps.
INSTRUCTIONS = {"exp": 2, "exp2": 2, "rsqrt": 2}
# And for f32 functions that are computed in f32, because f64 is slow on many GPUs: the specification
# bounds the distance to the exact value by this many ulps.
IN_F32 = {"sin": 2, "cos": 2, "tan": 4, "sinh": 3, "cosh": 2, "tanh": 2, "pow": 4, "fpowi": 4, "atan2": 3}
APPROXIMATE = {"divf": lambda x, y: 2, "sqrt": lambda x: 2, "tanh": lambda x: 2**13,
               "exp": lambda x: np.where(np.isfinite(x), 2 + np.floor(1.173 * np.abs(x)), 0)}


def most_apart(check: Check, device: str):
    """By how many values of the format compiled code may be off, per element or for all."""
    shown = check.case.shows[0]
    if device in GPUS and check.element == "f32":
        if shown.modifiers[:1] == ("rounding<approx>",):
            return APPROXIMATE[shown.op](*(decode(*given) for given in check.inputs))
        if shown.op in INSTRUCTIONS:
            return INSTRUCTIONS[shown.op]
        if shown.op in IN_F32:
            return IN_F32[shown.op]
    return COMPILED.get(shown.op, 0)


def differences(check: Check, found: np.ndarray, device: str) -> np.ndarray:
    """A mask of the wrong elements."""
    wrong = found != check.expected
    if device in GPUS and check.right_on_gpu and wrong.any():
        wrong &= ~check.right_on_gpu(found)
    compiled = device != "reference"
    if check.any_nan or (compiled and check.element in ("f32", "f64")):
        wrong &= ~(is_nan(check.element, found) & is_nan(check.element, check.expected))
    if compiled:
        wrong &= ~(distance(check, found) <= most_apart(check, device))
        if check.slack is not None:
            error = np.abs(decode(check.element, found) - decode(check.element, check.expected))
            wrong &= ~(error <= check.slack)
    return np.flatnonzero(wrong)


def distance(check: Check, found: np.ndarray) -> np.ndarray:
    """The distance in values of the float format; NaN if one is a NaN, or not a float."""
    if check.element not in FORMATS:
        return np.full(len(found), np.nan)
    sign = word(check.element).type(FORMATS[check.element].sign)

    def place(bits: np.ndarray) -> np.ndarray:
        magnitude = (bits & ~sign).astype(np.float64)
        return np.where(bits & sign, -magnitude, magnitude)

    # Neighbours are distinguished as integers: f64 patterns cannot be represented as floats.
    near = np.abs(place(found) - place(check.expected))
    exact = np.where(found > check.expected, found - check.expected, check.expected - found)
    same_sign = (found & sign) == (check.expected & sign)
    apart = np.where(same_sign, exact.astype(np.float64), near)
    return np.where(is_nan(check.element, found) | is_nan(check.element, check.expected),
                    np.nan, apart)


def falsify(check: Check) -> None:
    """Expects a wrong bit, but not in a NaN, because any NaN may match. If an error is allowed, expects the wrong
    sign for the largest number.
    """
    certain = np.flatnonzero(~is_nan(check.element, check.expected[:check.count]))
    place, bit = certain[len(certain) // 2] if len(certain) else 0, 0
    if check.slack is not None:
        place = certain[np.argmax(np.abs(decode(check.element, check.expected[certain])))]
        bit = WIDTHS[check.element] - 1
    check.expected[place] ^= check.expected.dtype.type(1 << bit)
    check.right_on_gpu = None


def describe(check: Check, found: np.ndarray, index: int) -> str:
    digits = -(-WIDTHS[check.element] // 4)

    def show(element: str, bits) -> str:
        text = f"0x{int(bits):0{-(-WIDTHS[element] // 4)}X}"
        if element in FORMATS:
            text += f" ({decode(element, np.array([bits]))[0]!r})"
        return text

    inputs = ", ".join(f"{e} {show(e, bits[index])}" for e, bits in check.inputs)
    return (f"[{index}]" + (f" of ({inputs})" if inputs else "")
            + f" must be {show(check.element, check.expected[index])},"
            + f" but is 0x{int(found[index]):0{digits}X}"
            + (f" ({decode(check.element, found[index:index + 1])[0]!r})"
               if check.element in FORMATS else ""))


def worst_ulp(check: Check, found: np.ndarray) -> float:
    """The largest distance to the exact results, in ulps of these."""
    worst = 0.0
    f = FORMATS[check.element]
    values = decode(check.element, found[:len(check.exact)]).tolist()
    for value, exact in zip(values, check.exact):
        if not (math.isfinite(value) and gmpy2.is_finite(exact)) or exact == 0:
            continue
        exponent = max(gmpy2.frexp(exact)[0], 2 - f.bias)  # subnormals have a common ulp
        unit = gmpy2.exp2(exponent - 1 - f.fraction)
        worst = max(worst, float(abs(exact - gmpy2.mpfr(value)) / unit))
    return worst
