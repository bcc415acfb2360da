# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares PTX instructions on a GPU with the PTX machine.

    instructions.py --tilewright build/bin/tilewright [--keep FILE] [PATTERN]

Executes the forms of instruction_forms.py on the first GPU and on the machine, with the same operands in 1,024
lanes, and compares the results bit for bit. NaNs are equal whatever their payload, and approximations may
differ by the error that the manual allows. Needs ptxas, which decides what is a valid instruction.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

import instruction_forms
from driver import DriverError, Gpu
from instruction_forms import LANES, Form

TOGETHER = 64  # forms per kernel


@dataclass
class Kernel:
    """Some forms; the bytes of operands and results, [register][lane][16]; and the PTX text."""

    some: list[Form]
    given: np.ndarray
    expected: np.ndarray
    text: str


class Wrong(Exception):
    """The reason why a kernel cannot be compared."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE",
                        help="leave the results of the GPU there, as .npz, one array for a form")
    parser.add_argument("pattern", nargs="?", default="", help="only forms that match")
    arguments = parser.parse_args()
    ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    if not ptxas:
        print("not asked: there is no ptxas")
        return 0
    try:
        gpu = Gpu()
        target = f"sm_{gpu.capability}" + ("a" if gpu.capability >= 90 else "")
        some = [form for form in instruction_forms.accepted(ptxas, target)
                if re.search(arguments.pattern, form.line)]
        found = {}
        for kernel in kernels(some, target, arguments.tilewright):
            found.update(zip((form.line for form in kernel.some), compared(gpu, kernel)))
    except (DriverError, Wrong) as error:
        print(error)
        return 1
    different = {line: lanes for line, (lanes, _) in found.items() if lanes}
    for line, lanes in different.items():
        print(f"{line} {lanes} of {LANES} lanes")
    if arguments.keep:
        np.savez_compressed(arguments.keep, **{line: results for line, (_, results) in found.items()})
    print(f"{len(found)} instructions in {LANES} lanes each, {len(different)} with differences")
    return 1 if different or not found else 0


def kernels(some: list[Form], target: str, tilewright: pathlib.Path):
    """Adds the machine's results."""
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(
            lambda at: prepared(pathlib.Path(folder, str(at)), some[at:at + TOGETHER], target,
                                tilewright, np.random.default_rng([7, at])),
            range(0, len(some), TOGETHER))


def prepared(name: pathlib.Path, some: list[Form], target: str, tilewright: pathlib.Path,
             random: np.random.Generator) -> Kernel:
    text = instruction_forms.text_of(some, target)
    source = name.with_suffix(".ptx")
    source.write_text(text)
    arrays = {kind: pathlib.Path(f"{name}-{kind}.npy") for kind in ("given", "zeros", "out")}
    given = np.concatenate([instruction_forms.operands(form, random) for form in some])
    shape = (sum(form.results_with_carry for form in some), LANES, 16)
    np.save(arrays["given"], given.reshape(-1))
    np.save(arrays["zeros"], np.zeros(int(np.prod(shape)), np.uint8))
    command = [tilewright, "ptx", source, "--check", "none", "--grid", str(instruction_forms.CTAS), "--block",
               str(instruction_forms.THREADS), "--arg", arrays["given"], "--arg",
               f"{arrays['zeros']},out={arrays['out']}"]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode:
        raise Wrong(f"tilewright ptx: status {ended.returncode}: {ended.stdout}{ended.stderr}")
    return Kernel(some, given, np.load(arrays["out"]).reshape(shape), text)


def compared(gpu: Gpu, kernel: Kernel):
    """For each form, the lanes that differ, and the GPU's results."""
    given, out = gpu.array(kernel.given.tobytes()), gpu.array(bytes(kernel.expected.nbytes))
    gpu.launch(gpu.function(kernel.text.encode(), "k"), instruction_forms.CTAS, instruction_forms.THREADS, given, out)
    results = np.frombuffer(gpu.read(out, kernel.expected.nbytes), np.uint8)
    results = results.reshape(kernel.expected.shape)
    for array in given, out:
        gpu.free(array)
    operand = first = 0
    for form in kernel.some:
        rows = range(first, first + form.results_with_carry)
        same = [instruction_forms.same(form, row - first, results[row], kernel.expected[row]) for row in rows]
        wrong = ~np.all(same, axis=0)
        wrong &= instruction_forms.comparable(form, kernel.given[operand:operand + len(form.used)])
        yield int(np.count_nonzero(wrong)), results[rows.start:rows.stop]
        operand, first = operand + len(form.used), rows.stop


if __name__ == "__main__":
    sys.exit(main())
