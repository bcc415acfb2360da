# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks notebooks: executes them and compares the output of their cells.

Cells with the tag `varies` have output that differs between runs; they are executed, but have no output in
the file. Cells tagged with a processor name (`x86-64`) are skipped on others. --update writes the actual
output into the notebook; review it before you commit.
"""

import argparse
import difflib
import os
import pathlib
import platform
import sys
import tempfile

import nbclient
import nbformat
from traitlets.config import Config

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTEBOOKS = [ROOT / "examples" / "python" / "tilewright.ipynb"]
SECONDS = 120  # per cell
PROCESSORS = {"x86-64": "x86_64"}  # values of platform.machine()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path, default=NOTEBOOKS)
    parser.add_argument("--update", action="store_true", help="write what the cells show")
    arguments = parser.parse_args()
    return max([examine(path, arguments.update) for path in arguments.notebooks])


def examine(path: pathlib.Path, update: bool) -> int:
    """Returns the exit status for one notebook."""
    expected = nbformat.read(path, as_version=4)
    found = nbformat.read(path, as_version=4)
    found.cells = [cell for cell in found.cells if runs_here(cell)]
    try:
        execute(found)
    except nbclient.exceptions.CellExecutionError as error:
        print(f"{path.name}: {error}")
        return 1
    strip(found)
    if update:
        by_id = {cell.id: cell for cell in found.cells}
        expected.cells = [by_id.get(cell.id, cell) for cell in expected.cells]
        nbformat.write(expected, path)
    pairs = [(cell, next(c for c in expected.cells if c.id == cell.id))
             for cell in found.cells if cell.cell_type == "code"]
    right = [shown(cell) == shown(wanted) for cell, wanted in pairs]
    for (cell, wanted), is_right in zip(pairs, right):
        if not is_right:
            print(f"--- {cell.source}", *differences(shown(wanted), shown(cell)), sep="\n")
    print(f"{path.name}: {sum(right)} of {len(right)} cells show what it says")
    return 0 if right and all(right) else 1


def tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def runs_here(cell) -> bool:
    wanted = [PROCESSORS[tag] for tag in tags(cell) if tag in PROCESSORS]
    return not wanted or platform.machine() in wanted


def execute(notebook) -> None:
    """Executes it with this Python, in its own folder and with its own cache."""
    with tempfile.TemporaryDirectory(prefix="notebook-") as folder:
        os.environ["TILEWRIGHT_CACHE_DIR"] = os.path.join(folder, "cache")
        sockets = {"transport": "ipc", "ip": os.path.join(folder, "kernel")}
        nbclient.NotebookClient(notebook, kernel_name="python3", timeout=SECONDS, record_timing=False,
                                config=Config(KernelManager=sockets),
                                resources={"metadata": {"path": folder}}).execute()


def strip(notebook) -> None:
    """Removes output that varies."""
    for cell in notebook.cells:
        if "varies" in tags(cell):
            cell.outputs = []


def shown(cell) -> list[str]:
    """The lines of the outputs that a reader sees."""
    text = ""
    for output in cell.outputs:
        if output.output_type == "stream":
            text += output.text  # may be part of a line
            continue
        if text and not text.endswith("\n"):
            text += "\n"
        text += "\n".join(str(content) for _, content in sorted(output.data.items())) + "\n"
    return text.splitlines()


def differences(expected: list[str], found: list[str]) -> list[str]:
    """Shortens the difference, because pictures have many long lines."""
    lines = difflib.unified_diff(expected, found, "must show", "but shows", n=0, lineterm="")
    return [line[:200] for line in lines][:40]


if __name__ == "__main__":
    sys.exit(main())
