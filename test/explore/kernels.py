# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels whose pages are tested, and how to make a page with its document."""

import json
import pathlib
import string
import subprocess
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = "test/explore/Inputs"
VIEWS = ["findings", "arrays", "time", "cost", "code"]


@dataclass
class Kernel:
    name: str
    file: str
    grid: str
    arguments: list[str]
    entry: str | None = None
    options: list[str] = field(default_factory=list)
    parameters: dict[str, object] = field(default_factory=dict)  # of a template
    misbehaves: bool = False
    fails: bool = False  # an assertion


KERNELS = [
    # More elements than a document lists.
    Kernel("vector_add", "examples/vector_add.mlir", "98", ["array:iota(100000xf32)"] * 2 + ["array:zeros(100000xf32)"]),
    Kernel("matmul", "examples/matmul.mlir", "2,2",
           ["array:iota(40x32xf16)", "array:iota(32x64xf16)", "array:zeros(40x64xf32)"]),
    Kernel("softmax", "examples/softmax.mlir", "4", ["array:iota(4x1000xf32)", "array:zeros(4x1000xf32)"]),
    Kernel("attention", "test/gpu/Inputs/attention.mlir", "2,1",
           ["iota(1x32x16xf16)"] * 3 + ["zeros(1x32x16xf32)", "1", "32"],
           parameters={"T": "f16", "TM": 16, "TN": 16, "D": 16, "scale": 0.25, "scores": "", "masked_scores": "%scaled",
                       "bound": "%steps = divi %n, %tn signed rounding<positive_inf> : tile<i32>"}),
    Kernel("race", "test/sanitizer/race-split-k.mlir", "4", ["zeros(4xi32)", "i32[0]", "zeros(1xi32)"], entry="bug",
           misbehaves=True),
    Kernel("bounds", "test/sanitizer/bounds-mask-of-wrong-index.mlir", "2", ["6", "zeros(6xi32)"], entry="bug",
           misbehaves=True),
    Kernel("nan", f"{OWN}/nan.mlir", "2", ["iota(16xf32)", "zeros(16xf32)"]),
    Kernel("split_k", f"{OWN}/split_k.mlir", "2", ["iota(16x32xf32)", "iota(32x16xf32)", "empty(16x16xf32)"],
           misbehaves=True),
    Kernel("columns", f"{OWN}/columns.mlir", "64", ["iota(32x64xf32)", "zeros(64x32xf32)"]),
    Kernel("total", f"{OWN}/total.mlir", "4", ["iota(4xi32)", "zeros(1xi32)"], options=["--sources"], misbehaves=True),
    Kernel("rows", f"{OWN}/rows.mlir", "64", ["iota(32x64xf32)", "zeros(64x32xf32)"], options=["--compare", "columns.mlir"],
           misbehaves=True),
    Kernel("limits", f"{OWN}/limits.mlir", "7", ["iota(7xi32)"], fails=True),
    Kernel("stopped", f"{OWN}/stopped.mlir", "7", ["iota(7xi32)"], options=["--compare", "limits.mlir", "--max-steps", "100000"],
           fails=True),
]


def make_page(tilewright: pathlib.Path, kernel: Kernel, folder: pathlib.Path) -> tuple[pathlib.Path, dict]:
    """The page, and the document as Python data. Runs in the kernel's folder, so that its Python file is found."""
    file = ROOT / kernel.file
    if kernel.parameters:
        text = string.Template(file.read_text()).substitute(kernel.parameters)
        file = folder / file.name
        file.write_text(text)
    page, document = (folder / f"{kernel.name}.{suffix}" for suffix in ("html", "json"))
    command = [tilewright.resolve(), "explore", file.name, "--grid", kernel.grid, *kernel.options,
               *(["--entry", kernel.entry] if kernel.entry else []),
               *(word for argument in kernel.arguments for word in ("--arg", argument)),
               f"--html={page.resolve()}", f"--json={document.resolve()}"]
    ended = subprocess.run(command, cwd=file.parent, capture_output=True, text=True)
    expected = 3 if kernel.misbehaves else 1 if kernel.fails else 0
    if ended.returncode != expected:
        raise AssertionError(f"tilewright explore: expected status {expected}, but got {ended.returncode}: {ended.stderr}")
    return page, json.loads(document.read_text())


def line_of(kernel: Kernel, text: str) -> int:
    """The only line of the kernel's file that has a text."""
    found = [number for number, line in enumerate((ROOT / kernel.file).read_text().splitlines(), start=1) if text in line]
    if len(found) != 1:
        raise AssertionError(f"{kernel.file}: expected one line with '{text}', but found {found}")
    return found[0]
