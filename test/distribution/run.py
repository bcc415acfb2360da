# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that random functions compute the same when they are distributed under random layouts.

Each function runs as it is, and, after distribution, with all threads of a workgroup in lockstep
(`tilewright distribute --check`), on the same values. The final memory must be equal, without data
races. A function that differs is printed; --only reproduces it.
"""

import argparse
import multiprocessing
import pathlib
import random
import re
import subprocess
import sys
import time
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from layouts import Workgroup
from programs import random_function

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPERATION = re.compile(r"\b(?:arith|vector|scf|memref|iree_vector_ext)\.(?!nested)\w+")
GROUP = 10  # functions per module, which share a workgroup
WORKGROUPS = [Workgroup((32,), 32), Workgroup((64,), 32), Workgroup((128,), 32),
              Workgroup((16, 4), 32), Workgroup((32, 2, 2), 32), Workgroup((128,), 64),
              Workgroup((64,), 16), Workgroup((256,), 32)]


def generate(seed: int, group: int) -> tuple[Workgroup, list[str]]:
    rng = random.Random(f"{seed}-{group}")
    workgroup = rng.choice(WORKGROUPS)
    return workgroup, [random_function(rng, workgroup, f"f{number}") for number in range(GROUP)]


def check(program: pathlib.Path, workgroup: Workgroup, functions: list[str]) -> str | None:
    """An error message, or None."""
    command = [program, "distribute", "-", "--threads", ",".join(map(str, workgroup.shape)),
               "--subgroup-size", str(workgroup.lanes), "--check", "--runs", "2"]
    result = subprocess.run(command, input="\n".join(functions), capture_output=True, text=True,
                            timeout=600)
    return None if result.returncode == 0 else result.stdout + result.stderr


def run_group(job: tuple[pathlib.Path, int, int]) -> tuple[int, list[tuple[int, str]], Counter]:
    program, seed, group = job
    workgroup, functions = generate(seed, group)
    seen = Counter(OPERATION.findall("\n".join(functions)))
    if check(program, workgroup, functions) is None:
        return group, [], seen
    # One of them failed: run each alone.
    wrong = [(number, text) for number, function in enumerate(functions)
             if (text := check(program, workgroup, [function]))]
    return group, wrong, seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright (%(default)s)")
    parser.add_argument("--count", type=int, default=2000, help="functions (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides them all (%(default)s)")
    parser.add_argument("--only", metavar="GROUP:NUMBER", help="a single function, which is printed")
    parser.add_argument("--coverage", action="store_true", help="count the operations they had")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    arguments = parser.parse_args()
    program = arguments.programs.resolve() / "tilewright"

    if arguments.only:
        group, number = map(int, arguments.only.split(":"))
        workgroup, functions = generate(arguments.seed, group)
        print(functions[number])
        text = check(program, workgroup, [functions[number]])
        print(f"// {workgroup}\n{text or 'the same'}")
        return 1 if text else 0

    start, failures, seen = time.monotonic(), 0, Counter()
    groups = -(-arguments.count // GROUP)
    with multiprocessing.Pool(arguments.jobs) as pool:
        jobs = [(program, arguments.seed, group) for group in range(groups)]
        for group, wrong, counted in pool.imap(run_group, jobs):
            seen += counted
            for number, text in wrong:
                failures += 1
                print(f"--seed {arguments.seed} --only {group}:{number}: {text.strip()[:600]}")
    if arguments.coverage:
        for operation, count in sorted(seen.items()):
            print(f"{count:8} {operation}")
    print(f"{groups * GROUP} functions under random layouts, {failures} differ, "
          f"{time.monotonic() - start:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
