# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares our bytecode reader and writer with an independent implementation, the package `codec`,
which was written from the specification alone. The programs are those of test/ and examples/, and
random ones. Compared for every version:

written     our file for a program = the codec's re-encoding of this file, byte by byte, in
            the convention of the reference writer; and our writer refuses a version exactly
            if the codec does
foreign     the codec's file in cuTile Python's convention, and in any legal one, read
            and written by us, gives the same bytes as above, and the same text
text        the text of a file is the text of the program, and encoding it gives the file
damaged     of files with a few changed bytes, we accept none that the codec rejects as
            malformed, and write the accepted ones as the codec does
vectors     the codec reads the files of other producers in test/bytecode/vectors/ and can
            reproduce their bytes, and we write them as the codec does

Files that differ are kept for debugging. The same seed gives the same files.
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from codec.conventions import Anything, Convention, CuTile, Tables
from codec.cursor import Malformed
from codec.decode import Decoded, decode
from codec.encode import Encoder, encode
from codec.generate import generate
from codec.layouts import LAYOUTS, VERSIONS
from codec.program import BadConstant, Module, walk
from codec.transform import add_else_blocks, damage, drop_locations, merge, widen_hints
from codec.writer import Inexpressible

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "test" / "bytecode" / "vectors"
SPLIT = re.compile(r"^// -----.*$|^//--- .*$|^#--- .*$", re.MULTILINE)
DAMAGED = 8  # per random program
# Text that bytecode cannot represent (textual format, 11.1).
NO_PLACE = (r"expected a single|cannot stand in|is not part of Tile IR"
            r"|bytecode cannot hold (?:a location of this kind|the attribute unit)")
BATCH = 12  # programs of the repository per file


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright and tilewright-opt (%(default)s)")
    parser.add_argument("--random", type=int, default=8,
                        help="random programs for each version (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=ROOT / "build" / "foreign",
                        help="where files that differ are kept (%(default)s)")
    arguments = parser.parse_args()
    for program in ("tilewright", "tilewright-opt"):
        if not (arguments.programs / program).exists():
            parser.error(f"there is no program '{arguments.programs / program}'")

    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tilewright-foreign-") as folder:
        check = Check(Tools(arguments.programs.resolve(), pathlib.Path(folder)), arguments)
        check.run()
    for difference in check.differences:
        print(difference)
    print(f"bytecode: {check.summary()}, {len(check.differences)} differences, "
          f"{time.perf_counter() - start:.1f} s")
    return 1 if check.differences or not check.complete() else 0


@dataclass
class Source:
    """A program of the repository."""

    place: str  # file:number
    text: str
    printed: str = ""  # by `tilewright print`
    data: bytes = b""  # of the newest version


def read_sources() -> list[Source]:
    sources = []
    for folder in ("examples", "test"):
        files = sorted(f for f in (ROOT / folder).rglob("*") if f.suffix in (".mlir", ".test"))
        for file in files:
            parts = SPLIT.split(file.read_text(errors="replace"))
            name = file.relative_to(ROOT)
            sources += [Source(f"{name}:{number}", text) for number, text in enumerate(parts)
                        if "cuda_tile.module" in text]
    return sources


class Check:
    def __init__(self, tools: "Tools", arguments: argparse.Namespace):
        self.tools, self.seed, self.count = tools, arguments.seed, arguments.random
        self.keep = arguments.keep
        self.differences: list[str] = []
        self.numbers = dict.fromkeys(
            ("programs", "random programs", "files written", "foreign files", "versions refused",
             "damaged files", "vectors"), 0)
        self.operations: set[str] = set()  # that occurred in some file

    def summary(self) -> str:
        return ", ".join(f"{number} {what}" for what, number in self.numbers.items())

    def complete(self) -> bool:
        return all(self.numbers.values()) and {layout.name for layout in LAYOUTS} <= self.operations

    def run(self) -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            sources = self.write_sources(pool)
            tasks = [(self.check_text, source) for source in sources]
            for version in VERSIONS:
                files = list(self.at_version(sources, version))
                batches = [files[i:i + BATCH] for i in range(0, len(files), BATCH)]
                tasks += [(self.check_batch, version, batch, number)
                          for number, batch in enumerate(batches)]
                tasks += [(self.check_random, version, self.seed * 1000 + number)
                          for number in range(self.count)]
            tasks += [(self.check_vector, file) for file in sorted(VECTORS.glob("*.tileirbc"))]
            for future in [pool.submit(*task) for task in tasks]:
                future.result()

    def differ(self, what: str, *files: bytes) -> None:
        self.keep.mkdir(parents=True, exist_ok=True)
        kept = [self.keep / f"{len(self.differences)}-{number}.tileirbc"
                for number in range(len(files))]
        for path, data in zip(kept, files):
            path.write_bytes(data)
        names = " ".join(str(path) for path in kept)
        self.differences.append(f"{what}{': ' if names else ''}{names}")

    # --- Programs of the repository -------------------------------------------------------

    def write_sources(self, pool: ThreadPoolExecutor) -> list[Source]:
        """The valid programs that bytecode can represent, with their text and newest file."""
        valid = self.tools.valid(read_sources())
        for source, printed in zip(valid, self.tools.print(valid)):
            source.printed = printed
        for source, written in zip(valid, pool.map(self.write_source, valid)):
            source.data = written or b""
        return [source for source in valid if source.data]

    def write_source(self, source: Source) -> bytes | None:
        """Programs that are valid but cannot be represented in bytecode are refused (textual format, 11.1)."""
        data, message = self.tools.assemble(source.text.encode(), VERSIONS[-1])
        if data is None:
            if not re.search(NO_PLACE, message):
                self.differ(f"{source.place} is not written: {message}")
            return None
        self.check_written(source.place, data, VERSIONS[-1])
        self.numbers["programs"] += 1
        return data

    def check_written(self, place: str, data: bytes, version: tuple[int, int]) -> None:
        self.numbers["files written"] += 1
        module = self.decoded(place, data)
        if module and encode(module, version, Convention()) != data:
            self.differ(f"{place}: the codec writes this otherwise", data,
                        encode(module, version, Convention()))

    def decoded(self, place: str, data: bytes) -> Module | None:
        try:
            module = decode(data).module
        except (Malformed, BadConstant) as error:
            self.differ(f"{place}: the codec refuses this: {error}", data)
            return None
        self.operations |= {operation.name for entry in module.entries
                            for operation in walk(entry.body)}
        return module

    def check_text(self, source: Source) -> None:
        text, message = self.tools.disassemble(source.data)
        if canonical(text) != canonical(source.printed):
            self.differ(f"{source.place}: the text of this file is another program's {message}",
                        source.data)

    def at_version(self, sources: list[Source], version: tuple[int, int]) -> Iterator[bytes]:
        """The codec's files for a version. If it cannot represent a program, we must refuse it, too."""
        refused = []
        for source in sources:
            if (module := self.decoded(source.place, source.data)) is None:
                continue
            try:
                yield encode(module, version, Convention())
            except Inexpressible:
                refused.append(source)
        for source in refused:
            self.check_refusal(source.place, source.text.encode(), source.data, version)

    def check_refusal(self, place: str, program: bytes, data: bytes,
                      version: tuple[int, int]) -> None:
        self.numbers["versions refused"] += 1
        written, message = self.tools.assemble(program, version)
        if written is not None or "requires" not in message:
            self.differ(f"{place}: {version} cannot hold this, but is written {message}", data)

    def check_batch(self, version: tuple[int, int], files: list[bytes], number: int) -> None:
        place = f"batch {number} of {version}"
        expected = encode(merge(files), version, Convention())
        self.check_reading(place, expected, version, expected)
        textual = encode(widen_hints(decode(expected).module), version, Convention())
        self.check_text_form(place, textual, version, "--generic", "--locations")
        self.check_foreign(place, expected, version, number)

    # --- Files, whatever is in them -------------------------------------------------------

    def check_reading(self, place: str, data: bytes, version: tuple[int, int],
                      expected: bytes) -> None:
        """Checks that we read `data` and write `expected`."""
        written, message = self.tools.assemble(data, version)
        if written != expected:
            self.differ(f"{place}: read and written again, this differs {message}", data, expected,
                        *([written] if written else []))

    def check_foreign(self, place: str, expected: bytes, version: tuple[int, int],
                      seed: int) -> None:
        cutile = encode(add_else_blocks(decode(expected).module), version, CuTile())
        with_else = encode(add_else_blocks(decode(expected).module), version, Convention())
        self.check_reading(f"{place} by cuTile Python", cutile, version, with_else)
        module = decode(expected).module
        tables = tables_of(module, version)
        for dice in range(3):
            foreign = encode(module, version, Anything(3 * seed + dice, tables))
            self.check_reading(f"{place} by anyone", foreign, version, expected)
        self.numbers["foreign files"] += 4
        same = [self.tools.disassemble(data)[0] for data in (expected, foreign)]
        if same[0] != same[1]:
            self.differ(f"{place}: equal programs, different texts", expected, foreign)

    def check_text_form(self, place: str, data: bytes, version: tuple[int, int],
                        *options: str) -> None:
        """Checks that the text of the file gives the file again. The generic form only loses types of
        hints; the custom form also loses `<>` and attributes of omitted terminators."""
        text, message = self.tools.disassemble(data, *options)
        written, error = self.tools.assemble(text.encode(errors="surrogateescape"), version)
        if written != data:
            self.differ(f"{place}: its text {' '.join(options)} gives another file {message}"
                        f"{error}", data, *([written] if written else []))

    # --- Random programs ------------------------------------------------------------------

    def check_random(self, version: tuple[int, int], seed: int) -> None:
        place = f"random program {seed} of {version}"
        self.numbers["random programs"] += 1
        data = encode(generate(seed, version), version, Convention())
        self.check_reading(place, data, version, data)
        self.check_written(place, data, version)
        self.check_foreign(place, data, version, seed)
        plain = generate(seed, version, textual=True)
        self.check_text_form(place, encode(plain, version, Convention()), version, "--generic",
                             "--locations")
        self.check_text_form(place, encode(drop_locations(plain), version, Convention()), version)
        older = VERSIONS[seed % 3]
        try:
            expected = encode(generate(seed, version), older, Convention())
        except Inexpressible:
            self.check_refusal(place, data, data, older)
        else:
            self.check_reading(f"{place} for {older}", data, older, expected)

        small = encode(generate(seed, version, size=3), version, Convention())
        for number in range(DAMAGED):
            self.check_damaged(place, damage(random.Random(f"{seed} {number}"), small), version)

    def check_damaged(self, place: str, data: bytes, version: tuple[int, int]) -> None:
        self.numbers["damaged files"] += 1
        written, _ = self.tools.assemble(data, version)
        if written is None:
            return
        try:
            module = decode(data, tolerant=True).module
        except (Malformed, BadConstant) as error:
            self.differ(f"{place}, damaged: accepted, but {error}", data)
        else:
            expected = encode(module, version, Convention())
            if written != expected:
                self.differ(f"{place}, damaged: the codec writes this otherwise", data, written,
                            expected)

    # --- Vectors --------------------------------------------------------------------------

    def check_vector(self, file: pathlib.Path) -> None:
        data = file.read_bytes()
        if file.name.startswith("bad_"):
            return self.check_bad_vector(file.name, data)
        try:
            found = decode(data, tolerant=True)
        except (Malformed, BadConstant) as error:
            self.differ(f"{file.name}: the codec refuses it: {error}")
            return
        self.numbers["vectors"] += 1
        if len(found.sections) > 4 and 3 in found.sections and reproduced(found) != data:
            self.differ(f"{file.name}: the codec cannot reproduce it", reproduced(found))
        if file.stem == "18_v13_4_preview":  # the release rejects its last `ftof` (13.4, section 7.3)
            return
        expected = encode(found.module, found.version, Convention())
        self.check_reading(file.name, data, found.version, expected)

    def check_bad_vector(self, name: str, data: bytes) -> None:
        try:
            decode(data, tolerant=True)
        except (Malformed, BadConstant):
            self.numbers["vectors"] += 1
        else:
            self.differ(f"{name}: the codec accepts it")


def tables_of(module: Module, version: tuple[int, int]) -> Tables:
    encoder = Encoder(module, version, Convention())
    encoder.run()
    return Tables(encoder.strings.entries, encoder.types.entries,
                  encoder.constants.entries, encoder.debug.entries)


def reproduced(found: Decoded) -> bytes:
    """Re-encodes a file of cuTile Python. The initial contents of its tables depend on the program."""
    convention = CuTile(Tables(found.strings, found.types, found.constants,
                               [] if found.debug == [None] else found.debug))
    convention.boolean = lambda attribute: attribute  # some came from other attribute classes
    return encode(found.module, found.version, convention)


# An attribute dictionary that bytecode cannot represent; hints have their own place.
DISCARDABLE = re.compile(r"(?<!= )(?: attributes)? ?\{[^{}\n]+\}")


def canonical(printed: str) -> list[str]:
    """The part of a text that bytecode preserves (bytecode format, 2): without the name of the module,
    the order of its items (globals come first), and discardable attributes."""
    lines = printed.strip().splitlines()
    if len(lines) < 4:
        return lines
    producer = re.search(r"producer = (\"[^\"]*\")", lines[1])
    items: list[list[str]] = []
    for line in lines[2:-2]:  # inside the brackets of the module and its wrapper
        if re.match(r"    (?:entry|global)\b", line):
            items.append([])
        items[-1].append(DISCARDABLE.sub("", line))
    items.sort(key=lambda item: not item[0].startswith("    global"))
    return [producer[1] if producer else "", *("\n".join(item) for item in items)]


def errors(message: str) -> str:
    """Lines that begin with a position and contain a message; if there are none, the other lines."""
    lines = message.splitlines()
    return "; ".join([line for line in lines if "error: " in line] or
                     [line for line in lines if "warning: " not in line and ": " in line])[:500]


class Tools:
    """The programs under test. File names are unique, so that calls can run concurrently."""

    def __init__(self, programs: pathlib.Path, folder: pathlib.Path):
        self.tilewright, self.opt = programs / "tilewright", programs / "tilewright-opt"
        self.folder, self.calls = folder, 0

    def file(self, data: bytes = b"") -> pathlib.Path:
        handle, name = tempfile.mkstemp(dir=self.folder)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        return pathlib.Path(name)

    def run(self, *command) -> tuple[int, str, str]:
        ended = subprocess.run(command, capture_output=True)
        if ended.returncode not in (0, 1):
            sys.exit(f"foreign: {' '.join(map(str, command))} ended with {ended.returncode}\n"
                     f"{ended.stderr.decode(errors='replace')}")
        return ended.returncode, *(stream.decode(errors="surrogateescape")
                                   for stream in (ended.stdout, ended.stderr))

    def assemble(self, program: bytes, version: tuple[int, int]) -> tuple[bytes | None, str]:
        source, target = self.file(program), self.file()
        status, _, message = self.run(self.tilewright, "as", source, "-o", target,
                                      "--bytecode-version", "%d.%d" % version)
        data = target.read_bytes() if status == 0 else None
        source.unlink()
        target.unlink()
        return data, errors(message)

    def disassemble(self, data: bytes, *options: str) -> tuple[str, str]:
        source = self.file(data)
        _, text, message = self.run(self.tilewright, "dis", source, *options)
        source.unlink()
        return text, errors(message)

    def valid(self, sources: list[Source]) -> list[Source]:
        """Checks programs together, telling errors apart by their file names. A program with its own
        locations may name any file, so it is checked alone."""
        alone = [[source] for source in sources if "loc(" in source.text]
        valid = []
        for group in [[s for s in sources if "loc(" not in s.text], *alone]:
            files = [self.file(source.text.encode()) for source in group]
            status, _, message = self.run(self.tilewright, "check", *files)
            invalid = set(re.findall(r"^(\S+?):[^\n]*?\berror: ", message, re.MULTILINE))
            valid += [source for source, file in zip(group, files)
                      if status == 0 or len(group) > 1 and str(file) not in invalid]
        return valid

    def print(self, sources: list[Source]) -> list[str]:
        text = "\n// -----\n".join(source.text for source in sources)
        status, printed, message = self.run(self.opt, "--split-input-file",
                                            self.file(text.encode()))
        parts = re.split(r"^// -----\n", printed, flags=re.MULTILINE)
        if status or len(parts) != len(sources):
            sys.exit(f"foreign: printed {len(parts)} of {len(sources)} programs\n{message}")
        return parts


if __name__ == "__main__":
    sys.exit(main())
