# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collects the repository's kernels: the examples, the operations' case files, the programs in the
compilers' tests, the kernels that test scripts write, and the kernels that the cases in bench/ launch.
"""

import hashlib
import os
import pathlib
import re
import string
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Kernel:
    """`name` is a path, under which compilers find the program and report errors. A program exported by
    cuTile contains the path of its source on this machine; a hash of `source` identifies the kernel
    on other machines."""
    name: str
    program: bytes
    source: bytes = b""

    def identity(self) -> str:
        return short_hash(self.source or self.program)

    def write(self, folder: pathlib.Path) -> None:
        file = folder / self.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(self.program)


def short_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def collect_kernels(made: pathlib.Path) -> tuple[list[Kernel], list[str]]:
    """All kernels, and those that were skipped, with reasons. Scripts write their kernels to `made`."""
    kernels = kernels_in_files("examples") + kernels_in_files("test/ops")
    kernels += kernels_in_gpu_tests()
    written, not_written = kernels_of_scripts(made)
    benchmarks, left_out = kernels_of_benchmarks()
    kernels += kernels_in_tests() + written + benchmarks
    return sorted(kernels, key=lambda kernel: kernel.name), not_written + left_out


def kernels_in_folder(folder: pathlib.Path) -> tuple[list[Kernel], list[str]]:
    """The kernels in any folder; see collect_kernels."""
    files = sorted(f for ending in ("mlir", "tileirbc") for f in folder.rglob(f"*.{ending}"))
    return [Kernel(str(f.relative_to(folder)), f.read_bytes()) for f in files], []


def kernels_in_files(folder: str) -> list[Kernel]:
    return [Kernel(f"{folder}/{file.name}", file.read_bytes())
            for file in (ROOT / folder).glob("*.mlir")]


def kernels_in_tests() -> list[Kernel]:
    """The programs that are parts of tests, as separated by split-file."""
    kernels = []
    for test in (ROOT / "test/cpu").glob("*.test"):
        parts = re.split(r"^#--- (\S+)\n", test.read_text(), flags=re.MULTILINE)[1:]
        kernels += [Kernel(f"test/cpu/{test.stem}/{name}", text.encode())
                    for name, text in zip(parts[::2], parts[1::2]) if name.endswith(".mlir")]
    return kernels


def kernels_in_gpu_tests() -> list[Kernel]:
    """Some are templates of products; these values are for the extents of their tiles."""
    extents = {"M": 128, "N": 128, "K": 64}
    folders = ("test/nvidia", "test/nvidia/Inputs", "test/nvidia/Inputs/gathers")
    return [Kernel(file.name, string.Template(file.program.decode()).safe_substitute(extents).encode())
            for folder in folders for file in kernels_in_files(folder)]


# Scripts that write kernels to a folder, or print one.
WRITERS = {"test/cpu/Inputs/long.py": "{folder}", "test/cpu/Inputs/many.py": "{folder}",
           "test/cpu/Inputs/products.py": "--write {folder}", "test/cpu/Inputs/turns.py": ""}


def kernels_of_scripts(made: pathlib.Path) -> tuple[list[Kernel], list[str]]:
    kernels, left_out = [], []
    for script, words in WRITERS.items():
        folder = made / pathlib.Path(script).stem
        folder.mkdir(parents=True)
        ended = subprocess.run([sys.executable, ROOT / script, *words.format(folder=folder).split()],
                               capture_output=True)
        if ended.returncode != 0:
            reason = ended.stderr.decode(errors="replace").strip().splitlines()[-1:]
            left_out.append(f"kernels of {script}: {' '.join(reason)}")
            continue
        if ended.stdout:
            (folder / "printed.mlir").write_bytes(ended.stdout)
        kernels += [Kernel(f"{script.removesuffix('.py')}/{file.name}", file.read_bytes())
                    for file in folder.glob("*.mlir")]
    return kernels, left_out


def kernels_of_benchmarks() -> tuple[list[Kernel], list[str]]:
    """The kernels of bench/kernels without parameters, and all that the cases of bench/speed launch."""
    kernels = {k.name: k for k in kernels_in_files("bench/kernels") if b"${" not in k.program}
    launched, left_out = launched_by_benchmarks()
    for found in launched.values():
        kernels |= {kernel.name: kernel for kernel in found}
    return list(kernels.values()), left_out


def launched_by_benchmarks() -> tuple[dict[tuple[str, str], list[Kernel]], list[str]]:
    """The kernels that each case of bench/speed launches as each of our contestants, recorded when these
    request them; and reasons for missing ones."""
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        from speed import case, cases, kernels as makers
    except ModuleNotFoundError as error:
        return {}, [f"kernels of bench/speed: no module {error.name}"]
    os.environ.setdefault("TILEWRIGHT_THREADS", "4")  # one case launches a block per thread
    without_module, taken = set(), []

    def take(described: str, source: str, ending: str, write) -> str:
        name = f"bench/kernels/{described}-{short_hash(source.encode())[:8]}{ending}"
        with tempfile.TemporaryDirectory() as folder:
            try:
                write(file := pathlib.Path(folder) / name.rsplit("/", 1)[1])
            except ModuleNotFoundError as error:
                without_module.add((name, error.name))
            else:
                taken.append(Kernel(name, file.read_bytes(), source.encode()))
        return name

    build, makers.build = makers.build, take
    launched = {}
    for found in cases.all_cases().values():
        arrays = found.arrays(NoNumbers())
        for contestant in found.contestants:
            if contestant.role == case.OURS:
                contestant.prepare(NoLibrary(), arrays)
                launched[found.name, contestant.name], taken = taken, []
    makers.build = build
    modules = {module for _, module in without_module}
    left_out = [f"{len(without_module)} kernels in cuTile: no module {', '.join(modules)}"]
    return launched, left_out if modules else []


class NoLibrary:
    """Records which kernels are requested, in place of calling them."""

    def kernel(self, *launch):
        return lambda: None


class NoNumbers:
    """Replaces a random generator: kernels only depend on the types and shapes of arrays."""

    def standard_normal(self, size, dtype):
        import numpy
        return numpy.zeros(size, dtype)

    def normal(self, mean, deviation, size):
        return self.standard_normal(size, float)

    def random(self, size, dtype):
        return self.standard_normal(size, dtype)

    def integers(self, low, high, size, dtype):
        return self.standard_normal(size, dtype)

    def permutation(self, count):
        import numpy
        return numpy.arange(count)
