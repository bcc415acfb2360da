# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that the text of NVIDIA's disassembler is read and reproduced.

For each valid NAME.bc of a folder there is a text in the folder vendor-text next to this script. It must be
valid, and printing it or the file must reproduce it, with a module around the items. Two names differ
(docs/decisions/text-form.md).
"""

import pathlib
import re
import subprocess
import sys

TEXTS = pathlib.Path(__file__).parent / "vendor-text"
OURS = {"fnv8E5M3FNU": "f8E5M3FNU", "= fpowf ": "= pow "}
# NVIDIA's tools accept these although they are not Tile IR: an unknown flag.
REFUSED = {"ftoi_unknown_flag_bit.13.4"}


def main() -> int:
    tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    names = sorted(path.stem for path in folder.glob("*.bc")
                   if not path.name.startswith("bad_") and path.stem not in REFUSED)
    faults = [fault for name in names for fault in faults_of(tilewright, folder, name)]
    print(*faults, f"{len(names)} texts, {len(faults)} faults", sep="\n")
    return 1 if faults else 0


def faults_of(tilewright: str, folder: pathlib.Path, name: str):
    text = text_of(name)
    written = lines(text.read_text())
    for vendor, ours in OURS.items():
        written = [line.replace(vendor, ours) for line in written]
    check = subprocess.run([tilewright, "check", text], capture_output=True, text=True)
    if check.returncode:
        yield f"{text.name} is refused: {check.stderr.splitlines()[0]}"
    for source in (folder / f"{name}.bc", text):
        printed = subprocess.run([tilewright, "print", source], capture_output=True, text=True)
        found = items(printed.stdout)
        for line, other in zip(written, found):
            if line != other:
                yield f"{source.name} prints\n  {other}\ninstead of\n  {line}"
        if len(written) != len(found):
            yield f"{source.name} prints {len(found)} lines instead of {len(written)}"


def text_of(name: str) -> pathlib.Path:
    """Files of two versions with the same program share a text."""
    exact = TEXTS / f"{name}.mlir"
    return exact if exact.exists() else TEXTS / f"{name.rsplit('.', 2)[0]}.mlir"


def lines(text: str) -> list[str]:
    """The lines with runs of spaces replaced by one."""
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()
            if line.strip() and not line.startswith("//")]


def items(text: str) -> list[str]:
    """The contents of the module inside the printed wrapper."""
    inner = lines(text)
    assert inner[0] == "module {" and inner[1] == "cuda_tile.module @kernels {", inner[:2]
    return inner[2:-2]


if __name__ == "__main__":
    sys.exit(main())
