# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the fuzz targets: gathers seeds, runs the targets in parallel for a while, then the files
of amplify.py, and keeps inputs that violate a guarantee.

Seeds are the bytecode vectors of the tests, the repository's own Tile IR files, and their bytecode
from `tilewright as`, in the oldest version that can store them and in the newest. With --versions,
bytecode seeds have only these versions. With --corpus, interesting inputs are kept for the next run;
programs without coverage find no interesting inputs, and mutate the seeds.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import amplify

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEWEST = "13.5"
TARGETS = ("bytecode", "ptx", "roundtrip", "text")
# Limits for one input: seconds, enough for a busy machine but not for an endless loop; memory of
# the process and of one block.
LIMITS = ("-timeout=60", "-rss_limit_mb=3072", "-malloc_limit_mb=512")
LONGEST = {"bytecode": 1 << 14, "ptx": 1 << 16, "roundtrip": 1 << 14, "text": 1 << 14}  # bytes of a mutant
# Ends with a brace at the start of a line, unless that is in inline assembly.
PTX_ENTRY = re.compile(r"^(?:\.visible )?\.entry .*?^\}\n(?!\t// end inline asm)", re.MULTILINE | re.DOTALL)
AMPLIFIED = (1 << 12, 1 << 16)  # sizes of the amplify.py files, in bytes
AMPLIFIED_LONGER = 1 << 20  # ... in a run of at least a minute


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of fuzz_*")
    parser.add_argument("--tilewright", type=pathlib.Path, help="makes bytecode seeds of text")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (%(default)s)")
    parser.add_argument("--runs", type=int, help="inputs for each target, instead of seconds")
    parser.add_argument("--versions", metavar="LIST", type=lambda text: text.split(","),
                        help="bytecode seeds are of these versions only, such as 13.4,13.5, and "
                        "have every operation that these have; takes --tilewright")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=pathlib.Path, help="is kept and grows")
    parser.add_argument("--keep", type=pathlib.Path, default=ROOT / "build" / "fuzz",
                        help="where logs and culprits are kept (%(default)s)")
    parser.add_argument("targets", nargs="*", default=TARGETS, metavar="TARGET",
                        help=f"of {', '.join(TARGETS)} (all)")
    arguments = parser.parse_args()
    if arguments.versions and not arguments.tilewright:
        parser.error("--versions takes the program that makes seeds, --tilewright")

    arguments.keep.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tilewright-fuzz-") as folder:
        folder = pathlib.Path(folder)
        seeds = Seeds(folder, arguments.tilewright, arguments.versions)
        if seeds.lacking:
            parser.error(f"no seed of {arguments.versions} has {', '.join(seeds.lacking)}")
        sizes = AMPLIFIED + ((AMPLIFIED_LONGER,) if arguments.seconds >= 60 else ())
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            ended = [*pool.map(lambda target: fuzz(target, seeds, arguments), arguments.targets),
                     *pool.map(lambda size: amplified(size, folder, arguments), sizes)]
    for end in ended:
        if end.culprit:
            print(f"{end.name}: {end.said}\n  input: {end.culprit}\n  log: {end.log}")
        print(f"{end.name}: {end.summary}")
    broken = sum(bool(end.culprit) for end in ended)
    print(f"fuzz: {len(arguments.targets)} targets, {len(amplify.AMPLIFIERS)} amplifiers, "
          f"{broken} ended badly, {time.perf_counter() - start:.1f} s")
    return 1 if broken else 0


class Seeds:
    def __init__(self, folder: pathlib.Path, tilewright: pathlib.Path | None,
                 versions: list[str] | None):
        self.versions, self.lacking = versions, []
        self.text, self.bytecode, self.ptx = folder / "text", folder / "bytecode", folder / "ptx"
        self.text.mkdir()
        self.ptx.mkdir()
        self.bytecode.mkdir()
        sources = sorted(itertools.chain(*((ROOT / each).rglob("*.mlir")
                                           for each in ("examples", "test"))))
        for number, source in enumerate(sources):
            (self.text / f"{number:04}.mlir").write_bytes(source.read_bytes())
        if tilewright:
            self._assemble(tilewright, sources)
        for kernel in itertools.chain(*((ROOT / each).rglob("*.ptx")
                                        for each in ("examples", "test"))):
            for number, module in enumerate(split_entries(kernel.read_text())):
                (self.ptx / f"{kernel.stem}-{number}.ptx").write_text(module)
        for vector in (ROOT / "test" / "bytecode").rglob("*"):
            if vector.suffix in (".tileirbc", ".bc") and self._is_wanted(vector):
                (self.bytecode / vector.name).write_bytes(vector.read_bytes())
        if not versions:
            amplify.write_all(self.bytecode, 256)

    def _assemble(self, tilewright: pathlib.Path, sources: list[pathlib.Path]) -> None:
        """Assembles all kernels in all versions; many are invalid on purpose, or need another version."""
        versions = self.versions or ("oldest", NEWEST)

        def assemble(number: int, source: pathlib.Path, version: str) -> bool:
            how = [] if version == "oldest" else ["--bytecode-version", version]
            made = subprocess.run([tilewright, "as", source, *how, "-o",
                                   self.bytecode / f"{number:04}-{version}"], capture_output=True)
            return made.returncode == 0

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            made = pool.map(lambda each: (each[0][1], assemble(*each[0], each[1])),
                            itertools.product(enumerate(sources), versions))
            kernels = {source for source, is_made in made if is_made}
        if not self.versions:
            return
        # The case file of an operation contains it.
        covered = {source.stem for source in kernels if source.parent == ROOT / "test" / "ops"}
        listing = subprocess.run([tilewright, "ops", "--json"], capture_output=True, check=True)
        operations = {each["mnemonic"] for each in json.loads(listing.stdout)}
        self.lacking = sorted(operations - covered)

    def _is_wanted(self, vector: pathlib.Path) -> bool:
        head = vector.read_bytes()[:10]  # 8 bytes of magic, major, minor
        return not self.versions or (len(head) == 10 and f"{head[8]}.{head[9]}" in self.versions)

    def of(self, target: str) -> tuple[pathlib.Path, str]:
        """The folder of a target's seeds, and the name of its dictionary."""
        folders = {"text": self.text, "ptx": self.ptx}
        return folders.get(target, self.bytecode), target if target in folders else "bytecode"


@dataclass
class Ending:
    name: str
    summary: str  # printed by the harness
    culprit: pathlib.Path | None
    said: str
    log: pathlib.Path


def split_entries(text: str) -> list[str]:
    """A PTX module for each entry, without other entries and without the long DWARF sections."""
    text = text.split("\n\t.section")[0]
    others = PTX_ENTRY.sub("", text)
    return [others + entry for entry in PTX_ENTRY.findall(text)]


def fuzz(target: str, seeds: Seeds, arguments) -> Ending:
    corpus = (arguments.corpus or seeds.text.parent / "corpus") / target
    corpus.mkdir(parents=True, exist_ok=True)
    folder, words = seeds.of(target)
    dictionary = ROOT / "fuzz" / f"{words}.dict"
    amount = f"-runs={arguments.runs}" if arguments.runs else f"-max_total_time={arguments.seconds}"
    return run(target, f"fuzz_{target}", [
        amount, f"-seed={arguments.seed}", f"-max_len={LONGEST[target]}", f"-dict={dictionary}",
        "-keep_seed=1", "-detect_leaks=0",  # the harness detects them itself
        corpus, folder], arguments)


def amplified(size: int, folder: pathlib.Path, arguments) -> Ending:
    files = amplify.write_all(folder / str(size), size)
    return run(f"amplified-{size}", "fuzz_bytecode", files, arguments)


def run(name: str, program: str, options: list, arguments) -> Ending:
    prefix, log = arguments.keep / f"{name}-", arguments.keep / f"{name}.log"
    with log.open("wb") as output:
        status = subprocess.run([arguments.programs / program, f"-artifact_prefix={prefix}", *LIMITS,
                                 *options], stdout=output, stderr=output).returncode
    text = log.read_text(errors="replace")
    summaries = re.findall(rf"^{program}: \d+ inputs.*", text, re.MULTILINE)
    summary = summaries[-1] if summaries else f"{program}: ended before its time"
    if status == 0 and summaries:
        return Ending(name, summary, None, "", log)
    # An input file is not written again, and is deleted when this program ends.
    culprits = re.findall(r"^(?:.*Test unit written to|Running:) (\S+)", text, re.MULTILINE)
    culprit = pathlib.Path(culprits[-1]) if culprits else log
    if culprit.parent != arguments.keep and culprit.is_file():
        culprit = culprit.rename(arguments.keep / culprit.name)
    return Ending(name, summary, culprit, reason(text, program) or f"status {status}", log)


def reason(log: str, program: str) -> str:
    said = re.findall(rf"^(?:{program}: (?!\d+ inputs).*|.*runtime error.*|SUMMARY.*|.*Assertion.*)",
                      log, re.MULTILINE)
    return said[0][:300] if said else ""


if __name__ == "__main__":
    sys.exit(main())
