# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation testing for the compilers: would the tests notice a mistake?

Each mistake (mistakes/cpu.py, mistakes/nvidia.py) is an edit of one place in a compiler. A copy of the
file is compiled with it and linked with everything else that was built, into a separate program;
neither the sources nor the build change. Then the tests run on that program until one fails, which is
printed. Without a mistake all must pass. The exit status is 1 if a mistake is not found, or if an edit
no longer applies.

The results are kept in docs/notes/COMPILER-mistakes.md, and a test that found a mistake before runs first.

    ./dev build && .venv/bin/python scripts/planted_mistakes.py [--compiler cpu] [--only TEXT] [--update]
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from types import ModuleType

from mistakes import ROOT, Mistake, cpu, located, nvidia

COMPILERS = {"cpu": cpu, "nvidia": nvidia}
SECONDS = 600  # a test that takes longer is reported as endless
NOT_FOUND, NOT_COMPILED = "NOT FOUND", "DOES NOT COMPILE"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="(%(default)s)")
    parser.add_argument("--compiler", choices=COMPILERS, help="this one only")
    parser.add_argument("--only", default="", metavar="TEXT", help="mistakes whose name has it")
    parser.add_argument("--update", action="store_true", help="write the results to docs/notes/")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if errors := check():
        sys.exit("\n".join(errors))
    chosen = {name: [m for m in compiler.MISTAKES if arguments.only in m.name]
              for name, compiler in COMPILERS.items() if arguments.compiler in (None, name)}
    if not any(chosen.values()):
        sys.exit("no mistake has that name")
    missed = 0
    for name, mistakes in chosen.items():
        found = finders(name)
        for mistake, finder in plant_all(name, mistakes, build, found):
            print(row(mistake, finder), flush=True)
            missed += finder in (NOT_FOUND, NOT_COMPILED)
            found[mistake.name] = finder
            if arguments.update:
                update(name, found)
    count = sum(map(len, chosen.values()))
    print(f"{count - missed} of {count} mistakes found")
    return 1 if missed else 0


def plant_all(name: str, mistakes: list[Mistake], build: pathlib.Path, known: dict[str, str]):
    """Each mistake of this compiler, with the test that finds it, or why there is none."""
    compiler = COMPILERS[name]
    if not mistakes:
        return
    with tempfile.TemporaryDirectory(prefix="tilewright-planted-") as folder:
        for library in (build / "lib").glob("libtilewright-runtime.so*"):  # programs look beside themselves
            pathlib.Path(folder, library.name).symlink_to(library)
        right = Mistake("", mistakes[0].file, "", "")
        if found := plant(right, name, compiler, build, pathlib.Path(folder)):
            sys.exit(f"{found} fails without a mistake")
        for mistake in mistakes:
            try:
                first = known.get(mistake.name, "")
                yield mistake, plant(mistake, name, compiler, build, pathlib.Path(folder), first) or NOT_FOUND
            except subprocess.CalledProcessError:
                yield mistake, NOT_COMPILED


def notes(name: str) -> pathlib.Path:
    return ROOT / f"docs/notes/{name}-mistakes.md"


def row(mistake: Mistake, finder: str) -> str:
    return f"| {mistake.name} | `{mistake.file}` | {finder} |"


def finders(name: str) -> dict[str, str]:
    """What found each mistake, according to the notes."""
    return dict(re.findall(r"^\| (.*) \| `\S*` \| (.*) \|$", notes(name).read_text(), re.MULTILINE))


def update(name: str, found: dict[str, str]) -> None:
    """Writes the table of the notes, which ends them."""
    above = notes(name).read_text().partition("\n| mistake |")[0]
    rows = [row(mistake, found[mistake.name]) for mistake in COMPILERS[name].MISTAKES if mistake.name in found]
    notes(name).write_text("\n".join([above, "| mistake | file | found by |", "|---|---|---|", *rows, ""]))


def check() -> list[str]:
    """An error for each edit that does not apply."""
    errors = []
    planted = [(name, mistake) for name, compiler in COMPILERS.items() for mistake in compiler.MISTAKES]
    for name, mistake in planted + [(each.compiler, each.mistake) for each in located.LOCATED]:
        found = (ROOT / "tilewright" / name / mistake.file).read_text().count(mistake.right)
        if found != 1:
            errors.append(f"scripts/mistakes: error: '{mistake.name}': its text occurs {found} times in "
                          f"tilewright/{name}/{mistake.file}, but must occur once")
    return errors


def plant(mistake: Mistake, name: str, compiler: ModuleType, build: pathlib.Path,
          folder: pathlib.Path, first: str = "") -> str | None:
    """The first test that fails; the one named `first` runs first. A mistake without text changes nothing."""
    program = build_with(mistake, name, build, folder)
    for test, command in sorted(compiler.tests(build, program, folder), key=lambda test: test[0] != first):
        found = how_it_fails(command)
        if found is not None:
            return test + found
    return None


def build_with(mistake: Mistake, name: str, build: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """A program whose compiler of this name has the mistake."""
    source = (ROOT / "tilewright" / name / mistake.file).resolve()
    copy, object_file, program = folder / source.name, folder / "edited.o", folder / "tilewright"
    text = source.read_text()
    copy.write_text(text.replace(mistake.right, mistake.wrong) if mistake.right else text)
    commands = json.loads((build / "compile_commands.json").read_text())
    compile_it = next(c["command"] for c in commands if c["file"] == str(source))
    words = shlex.split(compile_it.replace(str(source), str(copy)))
    words[words.index("-o") + 1] = str(object_file)
    subprocess.run([*words, "-Wno-error"], cwd=build, check=True)
    link(build, object_file, program)
    return program


def link(build: pathlib.Path, object_file: pathlib.Path, program: pathlib.Path) -> None:
    """Links the edited file's object before the libraries, so that its definitions take precedence."""
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", "bin/tilewright"], check=True,
                            capture_output=True, text=True).stdout.splitlines()[-1]
    words = shlex.split(listed.removeprefix(": && ").removesuffix(" && :"))
    place = words.index("-o")
    words[place:place + 2] = [str(object_file), "-o", str(program)]
    subprocess.run(words, cwd=build, check=True)


def how_it_fails(command: list) -> str | None:
    """A suffix for the name of a test that fails; None if it passes."""
    try:
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f", which does not end in {SECONDS} s"
    return "" if ended.returncode else None


if __name__ == "__main__":
    sys.exit(main())
