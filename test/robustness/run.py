# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that no program accepted by `tilewright check` aborts a later command.

The repository's programs, and edited ones (edits.py), go through `as`, `dis`, `info`, `print`,
`compile`, and `run` on both devices; functions with layouts through `distribute` and `simt`; the views
and layouts in both through `draw`. Each command must end by itself in bounded time and memory, with
status 0, 1 or 3. Printed and assembled programs must be accepted again.

The same seed gives the same programs for one state of the repository.
"""

import argparse
import collections
import itertools
import multiprocessing
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import corpus
import edits
import layouts
from commands import Commands, Complaint
from server import ROOT, Server

import mutate

RAW = 0.1  # the fraction of mutants with random damage
LAYOUTS = 0.1  # the fraction of programs that are functions with layouts
ROUND = 100  # programs between checks of the time limit
PATIENCE = 2000  # programs between progress reports
SHOWN = 3  # programs listed for each kind of failure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True,
                        help="folder of command_server")
    parser.add_argument("--count", type=int, default=1000,
                        help="programs that are accepted (%(default)s)")
    parser.add_argument("--seconds", type=int, help="stop after so long, whatever the count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one program, which is printed")
    parser.add_argument("--sanitized", action="store_true",
                        help="command_server is built with a sanitizer")
    parser.add_argument("--keep", type=pathlib.Path, default=ROOT / "build" / "robustness",
                        help="where culprits are kept (%(default)s)")
    arguments = parser.parse_args()

    global settings
    settings = arguments
    start = time.monotonic()
    tally, kinds = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="tilewright-robustness-") as folder:
        arguments.folder = pathlib.Path(folder)
        prepare(arguments)
        if arguments.only is not None:
            install(arguments)
            print(program(arguments.only)[1])
            print(*attempt(arguments.only)[2], sep="\n")
            return 0
        with multiprocessing.Pool(arguments.jobs, initializer=install,
                                  initargs=(arguments,)) as pool:
            for first in itertools.count(0, ROUND):
                for number, facts, complaints in pool.imap(attempt, range(first, first + ROUND)):
                    tally.update(facts)
                    for complaint in complaints:
                        kinds[complaint.kind] += 1
                        if kinds[complaint.kind] <= SHOWN:
                            print(f"{kept_name(number)}: {complaint}", flush=True)
                if (first + ROUND) % PATIENCE == 0:
                    print(f"... {line_of(tally, kinds, start)}", flush=True)
                if tally["accepted"] >= arguments.count or (
                        arguments.seconds and time.monotonic() - start > arguments.seconds):
                    break
            pool.close()
            pool.join()
    for kind, count in kinds.most_common():
        if count > SHOWN:
            print(f"{count} times {kind}")
    print(f"robustness: {line_of(tally, kinds, start)}")
    return 1 if kinds or not tally["accepted"] else 0


def line_of(tally: collections.Counter, kinds: collections.Counter, start: float) -> str:
    commands = ", ".join(f"{tally[key]} {key}" for key in sorted(tally)
                         if key not in ("programs", "accepted"))
    return (f"{tally['programs']} programs, {tally['accepted']} accepted ({commands}), "
            f"{kinds.total()} ended badly, {time.monotonic() - start:.0f} s")


# --- Programs -----------------------------------------------------------------------------


def prepare(arguments) -> None:
    """Reads the corpus once, for all processes."""
    server = Server(arguments.programs / "command_server", arguments.folder, arguments.sanitized)
    arguments.tiles = corpus.tile_programs(server)
    arguments.layouts = corpus.layout_programs()
    arguments.originals = [*(("tile", text) for text in arguments.tiles),
                           *(("layout", text) for text in arguments.layouts)]
    random.Random(arguments.seed).shuffle(arguments.originals)
    server.close()


def install(arguments) -> None:
    global settings, commands
    settings = arguments
    folder = arguments.folder / str(os.getpid())
    folder.mkdir()
    server = Server(arguments.programs / "command_server", folder, arguments.sanitized)
    commands = Commands(server, folder)


def program(number: int) -> tuple[str, str, random.Random]:
    """The kind, the text, and the seed for its commands. Every second program is an original, in random
    order, until all have been used."""
    rng = random.Random(f"{settings.seed}-{number}")
    if number % 2 == 0 and number // 2 < len(settings.originals):
        return *settings.originals[number // 2], rng
    tiles, functions = settings.tiles, settings.layouts
    kind, texts = ("layout", functions) if rng.random() < LAYOUTS else ("tile", tiles)
    if rng.random() < RAW:
        text = mutate.mutate(rng, [other.encode() for other in rng.sample(texts, 5)])
        return kind, text.decode(errors="replace"), rng
    change = layouts.edit if kind == "layout" else edits.edit
    return kind, change(rng, rng.choice(texts), texts), rng


def attempt(number: int) -> tuple[int, collections.Counter, list[Complaint]]:
    kind, text, rng = program(number)
    facts, complaints = commands.try_all(kind, text, rng)
    facts["programs"] += 1
    if complaints:
        settings.keep.mkdir(parents=True, exist_ok=True)
        shutil.copy(commands.file, kept_name(number))
    return number, facts, complaints


def kept_name(number: int) -> pathlib.Path:
    return settings.keep / f"{settings.seed}-{number}.mlir"


if __name__ == "__main__":
    sys.exit(main())
