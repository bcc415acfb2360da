# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the speed of a kernel on a GPU with NVIDIA's compiler and libraries.

A kernel of timed.py is compiled for the GPU and checked; then it is timed alternately with its peers. One is
the same kernel compiled by NVIDIA's tileiras, if --vendor names a folder that vendor.py has written. The other one
is a library: for products cuBLAS (`libcublas.so`, loaded at run time), for kernels that move data a copy by the
driver, counting bytes read and written. The last line has medians, and quartiles of the ratios.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
from collections.abc import Callable

import timed
from driver import DriverError, Gpu
from library import LibraryError
from work import Kernel, Work, Wrong

ROUNDS = 21


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    timed.add_options(parser)
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("--vendor", type=pathlib.Path, metavar="FOLDER", help="of cubins that vendor.py has written")
    parser.add_argument("--no-vendor", metavar="WHY", default="no cubin of NVIDIA's compiler was given",
                        help="why its compiler is not measured")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    arguments = parser.parse_args()
    try:
        gpu = Gpu()
        work = getattr(Kernel(gpu, arguments), arguments.kernel)(arguments.size)
        work.check(work.start)
    except (DriverError, LibraryError, Wrong) as error:
        print(error)
        return 1
    try:
        vendor = of_vendor(gpu, work, arguments)
    except DriverError as error:  # a kernel that fails makes the GPU unusable for this process
        return without_vendor(f"its kernel failed: {error}")
    result = measured(gpu, work, vendor)
    print(json.dumps(result) if arguments.json else text_of(result))
    return 0


def without_vendor(why: str) -> int:
    command = [sys.executable, *sys.argv]
    at = command.index("--vendor")
    return subprocess.run([*command[:at], *command[at + 2:], "--no-vendor", why]).returncode


def of_vendor(gpu: Gpu, work: Work, arguments: argparse.Namespace) -> Callable[[], None] | str:
    """The start of the kernel that NVIDIA's compiler made, or why there is none. Like cuTile it launches blocks of
    one thread: the driver takes the number of threads and the shape of clusters from the cubin."""
    if not arguments.vendor:
        return arguments.no_vendor
    file = arguments.vendor / f"{timed.key(arguments)}.cubin"
    if not file.is_file():
        return f"there is no {file.name}"
    try:
        function = gpu.function(file.read_bytes(), arguments.kernel)
    except DriverError as error:
        return f"its cubin was not loaded: {error}"
    start = work.starter(function, 1)
    try:
        work.check(start)
    except Wrong as error:
        return str(error)
    return start


def measured(gpu: Gpu, work: Work, vendor: Callable[[], None] | str) -> dict:
    """Rates in work.unit by contestant; for one that is not measured, the reason."""
    started = {"ours": (work.start, work.amount), "compiler": (vendor, work.amount),
               "library": (work.start_library, work.library_amount)}
    rates = {who: [] for who, (start, _) in started.items() if callable(start)}
    for _ in range(ROUNDS):
        for who, found in rates.items():
            start, amount = started[who]
            found.append(amount / gpu.milliseconds(start) / 1e6)
    result = {"kernel": work.what, "unit": work.unit, "library_name": work.library_name}
    for who, (start, _) in started.items():
        result[who] = statistics.median(rates[who]) if who in rates else start
        if who in rates and who != "ours":
            result[f"ratio_{who}"] = statistics.quantiles(
                [own / other for own, other in zip(rates["ours"], rates[who])], n=4)
    return result


def text_of(result: dict) -> str:
    text = f"{result['kernel']}: {result['ours']:.3g} {result['unit']}"
    for who, name in (("compiler", "NVIDIA's compiler"), ("library", result["library_name"])):
        if isinstance(result[who], str):
            text += f"; {name} not measured: {result[who]}"
        else:
            first, middle, last = result[f"ratio_{who}"]
            text += f"; {name} {result[who]:.3g} {result['unit']}, ratio {middle:.2f} ({first:.2f} to {last:.2f})"
    return text


TITLES = ("| kernel | unit | ours | NVIDIA's compiler | library | ours : compiler | ours : library |",
          "|---|---|---|---|---|---|---|")


def row(result: dict) -> str:
    """The row of the table on the page. The library's column names it."""
    def rate(who: str, name: str = "") -> str:
        return f"not measured: {result[who]}" if isinstance(result[who], str) else f"{name}{result[who]:.3g}"

    def ratio(who: str) -> str:
        if f"ratio_{who}" not in result:
            return "-"
        first, middle, last = result[f"ratio_{who}"]
        return f"{middle:.2f} ({first:.2f} to {last:.2f})"

    cells = (result["kernel"], result["unit"], f"{result['ours']:.3g}", rate("compiler"),
             rate("library", f"{result['library_name']} "), ratio("compiler"), ratio("library"))
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


if __name__ == "__main__":
    sys.exit(main())
