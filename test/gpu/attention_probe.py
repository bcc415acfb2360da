# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Probe T15: does attention become faster if its second product is delayed (docs/decisions/gpu-attention.md)?

The kernel is compiled with the product delayed, with it at its place and the same number of warps, and as without delays,
with fewer warps. PyTorch's attention is timed beside them, if there is any.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys

import timed
from answers import Answer, answer, not_asked
from driver import Gpu
from work import Kernel, Work, Wrong

HERE = pathlib.Path(__file__).resolve().parent
TILEWRIGHT = HERE.parents[1] / "build/bin/tilewright"
ROUNDS = 9
PLAIN = "--tuning most-delayed-registers=0"
FORMS = {"delayed": "", "at its place": f"{PLAIN} --tuning most-lean-accumulators=176", "with fewer warps": PLAIN}
SHAPES = ("--columns 128 --keys 128", "--columns 128 --keys 64", "--columns 128 --keys 128 --causal", "--columns 64 --keys 128",
          "--columns 64 --keys 64", "--columns 64 --keys 128 --causal")


def delayed_products(gpu: Gpu, extent: int, shapes: tuple[str, ...] = SHAPES, tilewright: pathlib.Path = TILEWRIGHT) -> Answer:
    """Yes if the delayed form is the fastest of all in each shape."""
    if gpu.capability != 90:
        return not_asked("wgmma needs sm_90a")
    if not tilewright.is_file():
        return not_asked("the compiler is not built")
    seen, holds = [], True
    for shape in shapes:
        try:
            works = {form: work(gpu, f"{shape} {options}", extent, tilewright) for form, options in FORMS.items()}
        except Wrong as error:
            return answer(False, f"{shape}: {error}")
        rates = {form: rate for form, rate in zip(works, raced(gpu, list(works.values())))}
        holds &= rates["delayed"] == max(rates.values())
        seen.append(f"{shape.replace('--', '')}: " + ", ".join(f"{form} {rate:.3g}" for form, rate in rates.items())
                    + f", PyTorch {of_torch(shape, extent)}")
    return answer(holds, f"TFLOP/s for {extent} positions, f16; " + "; ".join(seen))


def options_of(shape: str, extent: int, tilewright: pathlib.Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    timed.add_options(parser)
    options = parser.parse_args(["attention", str(extent), *shape.split()])
    options.tilewright = tilewright
    return options


def work(gpu: Gpu, shape: str, extent: int, tilewright: pathlib.Path) -> Work:
    """Compiled and checked."""
    made = Kernel(gpu, options_of(shape, extent, tilewright)).attention(extent)
    made.check(made.start)
    return made


def raced(gpu: Gpu, works: list[Work]) -> list[float]:
    """TFLOP/s: medians of launches that alternate."""
    taken = [[gpu.milliseconds(each.start) for each in works] for _ in range(ROUNDS)]
    return [each.amount / statistics.median(of_one) / 1e6 for each, of_one in zip(works, zip(*taken))]


def of_torch(shape: str, extent: int) -> str:
    """In a process of its own: PyTorch has a context of its own."""
    options = options_of(shape, extent, TILEWRIGHT)
    words = [*map(str, Kernel.heads_of_attention(options.columns, extent)), options.columns, options.type]
    ended = subprocess.run([sys.executable, HERE / "torch_attention.py", *map(str, words), *["--causal"] * options.causal],
                           capture_output=True, text=True)
    said = (ended.stdout + ended.stderr).strip().splitlines()
    return said[-1] if said else f"status {ended.returncode}"


SIZED = {"T15": ("is attention faster if its second product is delayed", delayed_products)}
