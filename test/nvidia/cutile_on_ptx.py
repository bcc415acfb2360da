# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that cuTile kernels, compiled for GPUs, compute what NumPy computes.

The cuTile examples and the tests of its functions launch each kernel twice: compiled, and checked. Here the
checked launch is replaced by one of GPU code on the PTX machine, with a target and a thread schedule that
vary between launches. Results are written back to the arrays, where the example or test compares them with
NumPy; a finding fails the launch.

    cutile_on_ptx.py                        all examples and tests
    cutile_on_ptx.py SCRIPT.py [OPTION...]  a script that calls tilewright.cutile.launch(..., check=True)
"""

import collections
import concurrent.futures
import ctypes
import itertools
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ("sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_110a",
           "sm_120a", "sm_121a")
TURNS = ("up", "down", "random")
PROGRAM = ROOT / "build/bin/tilewright"
TESTS = ("python/tests/test_cutile_functions.py", "python/tests/test_kernels.py", "python/tests/test_fields.py")
EXAMPLES = ("fft", "flash_attention", "image_filter", "layer_norm", "matmul", "moe", "softmax",
            "vector_add")
SECONDS = 300

counts = collections.Counter()
numbers = itertools.count()


def main() -> int:
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT / "build/python"), *filter(None, [os.environ.get("PYTHONPATH")])])
    if len(sys.argv) > 1:
        return run_script(sys.argv[1], sys.argv[2:])
    script = pathlib.Path(__file__).resolve()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ended = pool.map(lambda name: subprocess.run(
            [sys.executable, script, ROOT / f"examples/python/{name}.py", "--quick"]).returncode,
                         EXAMPLES)
    failed = [name for name, status in zip(EXAMPLES, ended) if status]
    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                            script.stem, *(ROOT / test for test in TESTS)],
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(
                               [str(script.parent), os.environ["PYTHONPATH"]])})
    if ended.returncode:
        failed.append("tests of functions")
    print(f"{len(EXAMPLES) + len(TESTS) - len(failed)} passed, {len(failed)} failed"
          + "".join(f"\nfailed: {name}" for name in failed))
    return 1 if failed else 0


def run_script(script: str, options: list[str]) -> int:
    sys.path[:0] = [str(ROOT / "build/python"), str(pathlib.Path(script).resolve().parent)]
    sys.argv = [script, *options]
    begin()
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as ended:
        return int(ended.code or 0)
    finally:
        report(sys.stdout)
    return 0


def report(out) -> None:
    print(f"{pathlib.Path(sys.argv[0]).name}: {counts['ptx']} launches on the PTX machine"
          + "".join(f", {count} {what}" for what, count in sorted(counts.items()) if what != "ptx"),
          file=out)


def pytest_configure(config) -> None:
    begin()


def pytest_terminal_summary(terminalreporter) -> None:
    terminalreporter.write_line(f"launches: {dict(counts)}")


def begin() -> None:
    """Makes checked launches run on the PTX machine."""
    from tilewright import cutile
    launch_as_before = cutile.launch

    def launch(grid, kernel, args, *, check=None, **options):
        if not check:
            return launch_as_before(grid, kernel, args, **options)
        state = cutile._state_of(kernel)
        bound = cutile._signature.bind(state.parameters, args)
        if what := left_out(bound):
            counts[f"left out: {what}"] += 1
            return launch_as_before(grid, kernel, args, check=check, **options)
        launch_on_ptx(grid, state, bound)
        counts["ptx"] += 1

    cutile.launch = launch


def left_out(bound) -> str | None:
    """An argument that the command line cannot pass, or None."""
    arrays = [value for value in bound.values if isinstance(value, np.ndarray)]
    if any(group is not None for group in bound.groups):
        return "arrays that overlap"
    if any(array.ctypes.data != first for array, (first, _) in zip(arrays, bound.arrays)):
        return "arrays with negative strides"
    if not all(isinstance(value, (np.ndarray, bool, int, float)) for value in bound.values):
        return "lists of arrays"
    return None


def memory_of(array: np.ndarray, first: int, end: int) -> np.ndarray:
    """All of the array's memory, including gaps between its elements."""
    return np.frombuffer((ctypes.c_ubyte * (end - first)).from_address(first), array.dtype)


def launch_on_ptx(grid, state, bound) -> None:
    number = next(numbers)
    target, turns = TARGETS[number % len(TARGETS)], TURNS[number // len(TARGETS) % len(TURNS)]
    grid = ",".join(map(str, grid)) if isinstance(grid, tuple) else str(grid)
    with tempfile.TemporaryDirectory(prefix="tilewright-cutile-") as folder:
        file = pathlib.Path(folder) / "kernel.tileirbc"
        file.write_bytes(state.bytecode(bound))
        command = [PROGRAM, "run", file, "--entry", state.name, "--device", "ptx", "--target", target,
                   "--schedule", turns, "--grid", grid]
        if turns == "random":
            command += ["--seed", str(number)]
        results, places = {}, iter(bound.arrays)
        for place, value in enumerate(bound.values):
            if isinstance(value, np.ndarray):
                given, result = file.with_name(f"{place}.npy"), file.with_name(f"{place}.out.npy")
                results[result] = memory_of(value, *next(places))
                np.save(given, results[result])
                command += ["--arg", f"{given},out={result}"]
            else:
                command += ["--arg", str(int(value) if isinstance(value, bool) else value)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        if ended.returncode:
            raise RuntimeError(f"{state.name} for {target}, turns {turns}: status {ended.returncode}: "
                               f"{ended.stderr[:2000]}")
        sys.stdout.write(ended.stdout)
        for result, memory in results.items():
            memory[...] = np.load(result).view(memory.dtype)


if __name__ == "__main__":
    sys.exit(main())
