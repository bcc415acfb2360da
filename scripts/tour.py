# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the documents: runs the ```console blocks of the DOCUMENTS, and compares the output.

A line that starts with "$ " is a command (it continues while lines end with a
backslash), and the lines after it are its expected output on both streams. `cat FILE` creates
FILE if it does not exist: a reader would have typed it in. The commands run in a folder with
the examples, with $TILEWRIGHT and the `$?` of the previous command. Pictures that they write to
`images/` must equal those in docs/images/. --update writes the actual output into the document,
and pictures into docs/images/; review them before you commit.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md",
             *(ROOT / "docs" / name for name in ("tour.md", "running.md", "cpu.md", "library.md",
                                                 "drawing.md", "plan.md", "layouts.md", "simt.md", "diff.md",
                                                 "prove.md", "advise.md", "ptx.md", "rust.md", "julia.md"))]
PICTURES = ROOT / "docs" / "images"
NEEDED = {"rust.md": "cargo", "julia.md": "julia"}  # programs that may be missing on a machine
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
SECONDS = 60  # per command


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of the programs (%(default)s)")
    parser.add_argument("--update", action="store_true", help="write what they print into the documents")
    arguments = parser.parse_args()
    if not (arguments.programs / "tilewright").exists():
        parser.error(f"there is no program {arguments.programs / 'tilewright'}")

    return max([replay(document, arguments) for document in DOCUMENTS])


def replay(document: pathlib.Path, arguments: argparse.Namespace) -> int:
    """Returns the exit status for one document, whose commands share a folder."""
    needed = NEEDED.get(document.name)
    if needed and shutil.which(needed) is None:
        print(f"{document.name}: left out, there is no {needed}")
        return 0
    with tempfile.TemporaryDirectory(prefix="tilewright-tour-") as folder:
        shutil.copytree(ROOT / "examples", pathlib.Path(folder, "examples"))
        shutil.copytree(PICTURES, pathlib.Path(folder, "images"))
        shell = Shell(pathlib.Path(folder), arguments.programs.resolve())
        found = BLOCK.sub(lambda block: STEP.sub(shell.retake, block[0]), document.read_text())
        outdated = outdated_pictures(pathlib.Path(folder, "images"), arguments.update)
    for step in shell.differences:
        print(f"$ {step.command}\nmust print\n{step.expected}but prints\n{step.found}")
    if arguments.update:
        document.write_text(found)
    print(f"{document.name}: {shell.steps - len(shell.differences)} of {shell.steps} commands "
          "print what it says")
    for picture in outdated:
        print(f"{document.name}: its commands draw another {picture}")
    return 1 if shell.differences or outdated or not shell.steps else 0


def outdated_pictures(drawn: pathlib.Path, update: bool) -> list[pathlib.Path]:
    """The pictures in docs/images/ that differ from those that the commands of a document drew."""
    outdated = []
    for file in sorted(drawn.rglob("*.svg")):
        current = PICTURES / file.relative_to(drawn)
        if current.exists() and current.read_text() == file.read_text():
            continue
        outdated.append(current.relative_to(ROOT))
        if update:
            shutil.copyfile(file, current)
    return outdated


@dataclass
class Step:
    command: str
    expected: str
    found: str


class Shell:
    def __init__(self, folder: pathlib.Path, programs: pathlib.Path):
        self.folder = folder
        self.environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
                                         "TILEWRIGHT": str(ROOT),
                                         "TILEWRIGHT_CACHE_DIR": str(folder / "cache")}
        self.status = 0
        self.steps = 0
        self.differences: list[Step] = []

    def retake(self, step: re.Match) -> str:
        """The step with the command's current output."""
        command, expected = step.groups()
        typed = re.fullmatch(r"cat (\S+)", command)
        if typed and not (self.folder / typed[1]).exists():
            (self.folder / typed[1]).write_text(expected)
        ended = subprocess.run(["bash", "-c", f"(exit {self.status})\n{command}"],
                               cwd=self.folder, env=self.environment, timeout=SECONDS, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.status = ended.returncode
        self.steps += 1
        found = re.sub(r"\n+\Z", "\n", ended.stdout)
        if found != expected:
            self.differences.append(Step(command, expected, found))
        return f"$ {command}\n{found}"


if __name__ == "__main__":
    sys.exit(main())
