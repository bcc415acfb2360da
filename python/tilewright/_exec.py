# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with Tilewright in place of a GPU, for cuTile scripts (`tilewright exec`).

A script that calls `ct.launch` starts a compiler, `tileiras`, and loads the CUDA driver library,
`libcuda.so.1`. Tilewright provides both (tools/cuda/README.md), in a folder that only the command and its child
processes search. With `--device=gpu`, it provides the compiler only: the driver library is that of the GPU.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import pathlib
import sys

from tilewright import _cuda, _files
from tilewright._cuda import _driver

DEVICES = ("cpu", "reference", "ptx", "gpu")
_ABOUT = "Run a command in which Tilewright compiles the kernels of unmodified cuTile scripts."
_DETAILS = """Kernels are compiled for the CPU, or checked on the reference machine, or compiled for a
GPU and checked on the PTX machine: findings go to standard error, with the line of the script, and
the next synchronisation reports an error as a GPU driver would. With --device=gpu they are compiled
for the NVIDIA GPU of this machine, on which its driver runs them."""


def main(arguments: list[str], prefix: list[str] = [], usage: str = "tilewright exec") -> int:
    """Replaces this process by the command, or returns an exit status: 2 for wrong usage, 127 if the
    command does not exist. `prefix` is prepended to the command."""
    parser = argparse.ArgumentParser(prog=usage, description=_ABOUT, epilog=_DETAILS,
                                     allow_abbrev=False)
    parser.add_argument("--device", choices=DEVICES,
                        help="where kernels run (default: cpu, or reference with --check)")
    parser.add_argument("--check", metavar="CHECKS",
                        help="the errors to check for: all, or a list such as race,bounds")
    parser.add_argument("--max-steps", type=int, metavar="N",
                        help="maximum number of operations, or with ptx, instructions of a launch (default: 10^9)")
    parser.add_argument("--threads", type=int, metavar="N",
                        help="threads of compiled code, at most 1024 (default: all)")
    parser.add_argument("--memory", metavar="SIZE", type=_memory_size,
                        help="device memory in bytes, or as 512M or 8G (default: $TILEWRIGHT_MEMORY, or "
                             "four fifths of the memory of this machine or control group)")
    parser.add_argument("--arrays", metavar="LIBRARIES",
                        help="which array libraries have their 'cuda' arrays in host memory: "
                             "torch,cupy (default), one of them, or none")
    parser.add_argument("--report", metavar="FORMAT=FILE", action="append", default=[], type=_report,
                        help="also write the findings to a file, as json or sarif")
    parser.add_argument("--coverage", metavar="FILE",
                        help="report code of the kernels that was never executed, to a file, as JSON (.json), "
                             "for lcov (.info), or else text")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND ...",
                        help="what to run" if not prefix else "the script and its arguments")
    options = parser.parse_args(arguments)
    if options.command[:1] == ["--"]:
        del options.command[0]
    if not options.command:
        parser.error("expected a command, as in: " + usage + " "
                     + ("script.py" if prefix else "python script.py"))
    if options.device == "cpu" and options.check not in (None, "none"):
        parser.error("compiled code is not checked: --check needs --device reference or ptx")
    if options.max_steps is not None and not 1 <= options.max_steps < 2**63:
        parser.error(f"--max-steps must be in 1..2^63-1, but is {options.max_steps}")
    if options.device == "cpu" and options.max_steps is not None:
        parser.error("steps of compiled code are not counted: --max-steps needs --device reference or ptx")
    files = dict(options.report, **({"coverage": options.coverage} if options.coverage else {}))
    if options.device not in (None, "reference") and files:
        parser.error("only the reference machine reports: --report and --coverage need --device reference")
    if len(files) < len(options.report) + bool(options.coverage):
        parser.error("--report has two files of one format")
    if len({os.path.realpath(file) for file in files.values()}) < len(files):
        parser.error("two reports go to the same file")
    if options.threads is not None and not 1 <= options.threads <= 1024:
        parser.error(f"--threads must be in 1..1024, but is {options.threads}")
    if options.arrays is not None:
        try:
            _cuda.libraries_of(options.arrays)
        except ValueError as error:
            parser.error(f"--arrays: {error}")
    needs_reference = files or options.max_steps is not None or options.check is not None
    device = options.device or ("reference" if needs_reference else None)
    if complaint := _wrong_variable(device, options.memory):
        parser.error(complaint)
    if _is_gpu(device):
        chosen_by = "--device=gpu" if device else "TILEWRIGHT_DEVICE=gpu"
        if complaint := _not_for_gpus(options):
            parser.error(f"{complaint} does not apply to {chosen_by}, where the GPU runs the kernels")
        if complaint := _missing_gpu():
            print(f"{usage}: {chosen_by}: {complaint}", file=sys.stderr)
            return 2
    command = _with_interpreter(prefix + options.command)
    os.environ.update(environment(device, options.check, options.threads, options.arrays))
    if options.memory is not None:
        os.environ["TILEWRIGHT_MEMORY"] = options.memory
    if options.max_steps is not None:
        os.environ["TILEWRIGHT_MAX_STEPS"] = str(options.max_steps)
    if complaint := _prepare(files):
        print(f"{usage}: {complaint}", file=sys.stderr)
        return 2
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{usage}: {command[0]}: {error.strerror}", file=sys.stderr)
        return 127


def _with_interpreter(command: list[str]) -> list[str]:
    """Replaces a bare `python` by the interpreter of the virtual environment in which Tilewright is installed,
    unless another environment is active. The system's Python has neither cuda-tile nor array libraries."""
    is_in_environment = sys.prefix != sys.base_prefix
    is_another_active = os.environ.get("VIRTUAL_ENV") or os.environ.get("CONDA_PREFIX")
    if command[0] in ("python", "python3") and is_in_environment and not is_another_active:
        return [sys.executable, *command[1:]]
    return command


def _is_gpu(device: str | None) -> bool:
    return (device or os.environ.get("TILEWRIGHT_DEVICE")) == "gpu"


def _not_for_gpus(options: argparse.Namespace) -> str | None:
    """The first option that has no effect on a GPU."""
    for name in ("check", "max_steps", "threads", "memory", "arrays"):
        if getattr(options, name) not in (None, []):
            return f"--{name.replace('_', '-')}"
    return None


def _missing_gpu() -> str | None:
    """An error message if this machine has no GPU with a driver. Otherwise the script would report it, but in the
    words of its libraries."""
    try:
        library = ctypes.CDLL(_driver.NAME)
    except OSError as error:
        return f"there is no driver of an NVIDIA GPU: {error}"
    if hasattr(library, "twCudaFindings"):
        return f"{_driver.NAME} is Tilewright's, which has no GPU: remove it from LD_LIBRARY_PATH"
    if not hasattr(library, "cuInit"):
        return f"{_driver.NAME} has no function cuInit: it is no driver of a GPU"
    device = ctypes.c_int()
    status = library.cuInit(0) or library.cuDeviceGet(ctypes.byref(device), 0)
    if status:
        name = ctypes.c_char_p()
        library.cuGetErrorName(status, ctypes.byref(name))
        return f"there is no NVIDIA GPU: {(name.value or b'error %d' % status).decode()}"
    return None


def _wrong_variable(device: str | None, memory: str | None) -> str | None:
    """An error message if an environment variable that no option overrides is invalid. Otherwise the driver
    library would report it, but much later."""
    named = os.environ.get("TILEWRIGHT_DEVICE")
    if device is None and named and named not in DEVICES:
        return f"TILEWRIGHT_DEVICE must be cpu, reference, ptx or gpu, but is '{named}'"
    if memory is None and (limit := os.environ.get("TILEWRIGHT_MEMORY")):
        try:
            _memory_size(limit)
        except argparse.ArgumentTypeError as error:
            return f"TILEWRIGHT_MEMORY: {error}"
    return None


def _memory_size(text: str) -> str:
    """Accepts what the driver library accepts (tools/cuda/driver/Budget.h)."""
    number, unit = (text[:-1], " KMGT".index(text[-1])) if text[-1:] in tuple("KMGT") else (text, 0)
    if not number.isdecimal() or not number.isascii() or not 1 <= int(number) << 10 * unit < 2**63:
        raise argparse.ArgumentTypeError(f"expected a number of bytes as 1000000, 512M or 8G, but got {text!r}")
    return text


def _report(text: str) -> tuple[str, str]:
    form, _, file = text.partition("=")
    if form not in ("json", "sarif") or not file:
        raise argparse.ArgumentTypeError(f"expected json=FILE or sarif=FILE, but got {text!r}")
    return form, file


def _prepare(files: dict[str, str]) -> str | None:
    """Makes the driver library write these reports, and removes their old contents. Returns an error
    message if that is not possible."""
    for form, file in files.items():
        path = os.path.realpath(file)
        try:
            with open(path, "a"):
                pass
            os.remove(path)
        except OSError as error:
            return f"{file}: cannot write the report: {error.strerror}"
        os.environ["TILEWRIGHT_COVERAGE" if form == "coverage" else f"TILEWRIGHT_REPORT_{form.upper()}"] = path
    return None


def environment(device: str | None = None, check: str | None = None,
                threads: int | None = None, arrays: str | None = None) -> dict[str, str]:
    """The environment variables that make a process find Tilewright's `tileiras` and `libcuda.so.1` before
    any other, and make array libraries keep "cuda" arrays in host memory; for a GPU, only the former."""
    if device is None and check is not None:
        device = "reference"
    folder = driver().parents[1]
    programs = [folder / "bin"]
    found = {}
    if not _is_gpu(device):
        programs.append(folder / "management")
        found["LD_LIBRARY_PATH"] = _in_front([folder / "lib"], "LD_LIBRARY_PATH")
    found |= {
        "PATH": _in_front(programs, "PATH"),
        # Keeps the output of this compiler separate from that of NVIDIA's.
        "CUDA_TILE_CACHE_DIR": os.environ.get("CUDA_TILE_CACHE_DIR") or str(_cache() / "cutile"),
        "PYTHONPATH": _in_front([pathlib.Path(_cuda.__file__).parent / "site"], "PYTHONPATH"),
    }
    for name, value in (("DEVICE", device), ("CHECK", check), ("THREADS", threads),
                        ("ARRAYS", arrays)):
        if value is not None:
            found[f"TILEWRIGHT_{name}"] = str(value)
    return found


def driver() -> pathlib.Path:
    """The path of the driver library. Symbolic links are not resolved: the library may be a link, and the
    folder that has this name is the one to search."""
    return _files.find("libexec/tilewright/cuda/lib/libcuda.so.1")


def _in_front(folders: list[pathlib.Path], variable: str) -> str:
    there = os.environ.get(variable)
    return os.pathsep.join([*map(str, folders), *([there] if there else [])])


def _cache() -> pathlib.Path:
    if folder := os.environ.get("TILEWRIGHT_CACHE_DIR"):
        return pathlib.Path(folder)
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tilewright"
