# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels that speed.py times with NVIDIA's tileiras, for `./dev gpu --vendor FOLDER`.

    python3 -m venv FOLDER && FOLDER/bin/pip install nvidia-cuda-tileiras
    vendor.py --tilewright build/bin/tilewright --tileiras FOLDER CUBINS

No GPU is necessary, so this runs on any machine; CUBINS is copied to the one with the GPU. Cubins are not part of
this repository. A kernel that tileiras does not compile is reported, and has no cubin. A cubin whose parameters
differ from ours in number, offset or size is an error.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

import cubin
import timed

LIMIT = 120  # seconds for one kernel
SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}  # bytes by the bits of a PTX type


class VendorError(Exception):
    """A kernel that tileiras does not compile, or whose parameters differ."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("--tileiras", type=pathlib.Path, required=True,
                        help="the program, or a virtual environment that has nvidia-cuda-tileiras")
    parser.add_argument("--target", default="sm_90", help="the GPU's name for tileiras (%(default)s)")
    parser.add_argument("--only", default="", metavar="PATTERN", help="kernels with this regular expression (all)")
    parser.add_argument("cubins", type=pathlib.Path, help="the folder to write")
    arguments = parser.parse_args()
    program = found(arguments.tileiras)
    if not program:
        print(f"there is no tileiras in {arguments.tileiras}: pip install nvidia-cuda-tileiras puts it in a virtual environment")
        return 2
    arguments.cubins.mkdir(parents=True, exist_ok=True)
    missing, made = [], {}
    for line in timed.TIMED:
        options = options_of(line)
        name = timed.key(options)
        if name in made or not re.search(arguments.only, line):
            continue
        try:
            made[name] = compiled(arguments, program, options)
            print(f"{line}: {described(made[name])}", flush=True)
        except VendorError as error:
            missing.append(line)
            print(f"{line}: {error}", flush=True)
    print(f"{len(made)} cubins for {arguments.target} in {arguments.cubins}, {len(missing)} not compiled")
    return 0 if made else 1


def options_of(line: str) -> argparse.Namespace:
    """The options of a row of timed.TIMED; its size does not change the text."""
    parser = argparse.ArgumentParser()
    timed.add_options(parser)
    name, *options = line.split()
    return parser.parse_args([name, "0", *options])


def found(given: pathlib.Path) -> pathlib.Path | None:
    """tileiras itself, or in the packages of a virtual environment."""
    if given.is_file():
        return given
    return next(iter(sorted(given.glob("lib/python3*/site-packages/nvidia/*/bin/tileiras"))), None)


def compiled(arguments: argparse.Namespace, program: pathlib.Path, options: argparse.Namespace) -> cubin.Kernel:
    """Writes the cubin of a kernel, and its bytecode beside it."""
    text = timed.text_of(options).encode()
    target = arguments.cubins / f"{timed.key(options)}.cubin"
    bytecode = target.with_suffix(".tileirbc")
    subprocess.run([arguments.tilewright, "as", "-", "-o", bytecode], input=text, check=True)
    # tileiras looks for the programs that it calls in CUDA_HOME, which may be another version.
    environment = os.environ | {"CUDA_HOME": str(program.resolve().parents[1])}
    command = [program, f"--gpu-name={arguments.target}", "-o", target, bytecode]
    try:
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise VendorError(f"tileiras had not ended after {LIMIT} s") from None
    if ended.returncode:
        target.unlink(missing_ok=True)
        said = (ended.stderr + ended.stdout).strip().splitlines()
        raise VendorError(f"tileiras: status {ended.returncode}: {said[-1] if said else 'silent'}")
    kernel = cubin.kernel(target.read_bytes(), options.kernel)
    ours = own_parameters(arguments, text)
    if kernel.parameters != ours:
        target.unlink()
        raise VendorError(f"offsets and sizes of parameters differ: {kernel.parameters}, ours are {ours}")
    return kernel


def own_parameters(arguments: argparse.Namespace, text: bytes) -> list[tuple[int, int]]:
    """Offsets and sizes of the parameters in our PTX."""
    command = [arguments.tilewright, "compile", "-", "--target", own_target(arguments.target), "--emit", "ptx"]
    code = subprocess.run(command, check=True, input=text, stdout=subprocess.PIPE).stdout.decode()
    declared = re.search(r"\.entry \w+\((.*?)\)", code, re.DOTALL)[1]
    offset, found_ = 0, []
    for size in (SIZES[bits] for bits in re.findall(r"\.param \.[a-z](\d+)", declared)):
        offset = -(-offset // size) * size
        found_.append((offset, size))
        offset += size
    return found_


def own_target(name: str) -> str:
    """Our name of the GPU: from sm_90 on, code is for one architecture."""
    return f"{name}a" if int(name.removeprefix("sm_")) >= 90 else name


def described(kernel: cubin.Kernel) -> str:
    threads = kernel.threads[0] if kernel.threads else "any number of"
    return f"{threads} threads, {kernel.registers} registers, {kernel.stack} B of stack, {kernel.shared} B of shared memory"


if __name__ == "__main__":
    sys.exit(main())
