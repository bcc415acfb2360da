# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does `tilewright check` survive garbage?

The repository's own Tile IR files are damaged at random, a little or a lot, and
checked. Whatever they say, the program must end by itself with status 0 (valid) or 1
(invalid), in bounded time and memory. Files go in by the hundred; when a batch ends
badly its files are tried one by one, and the culprits are kept for the debugger.

The same seed gives the same files on every machine.
"""

import argparse
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH = 100  # files per process
SECONDS = 20  # for one file
MEMORY = 2 << 30  # bytes for one process


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True, help="the program")
    parser.add_argument("--count", type=int, default=2000, help="mutants (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sanitized", action="store_true",
                        help="the program is built with AddressSanitizer")
    parser.add_argument("--keep", type=pathlib.Path, default=ROOT / "build" / "mutants",
                        help="where culprits are kept (%(default)s)")
    arguments = parser.parse_args()

    if not shutil.which(arguments.tilewright):
        parser.error(f"there is no program '{arguments.tilewright}'")
    originals = sorted(f for folder in ("examples", "test") for f in (ROOT / folder).rglob("*.mlir"))
    texts = [f.read_bytes() for f in originals]
    rng = random.Random(arguments.seed)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tilewright-mutants-") as folder:
        mutants = []
        for number in range(arguments.count):
            mutant = pathlib.Path(folder) / f"{number:06}.mlir"
            mutant.write_bytes(mutate(rng, texts))
            mutants.append(mutant)
        batches = [mutants[i:i + BATCH] for i in range(0, len(mutants), BATCH)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            program = Program(arguments.tilewright, arguments.sanitized)
            checked = pool.map(program.culprits, batches)
            culprits = [culprit for found in checked for culprit in found]
        for mutant, what in culprits:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(mutant, arguments.keep)
            print(f"{arguments.keep / mutant.name}: {what}")
    print(f"mutants: {len(mutants)} of {len(originals)} files, {len(culprits)} ended badly, "
          f"{time.perf_counter() - start:.1f} s")
    return 1 if culprits or not mutants else 0


# --- Damage -----------------------------------------------------------------------------

TOKEN = re.compile(rb'[%@!#^]?[\w.$-]+|"[^"\n]*"|\S')
NUMBERS = [b"0", b"-1", b"1", b"3", b"1099511627776", b"9223372036854775807",
           b"-9223372036854775808", b"18446744073709551616", b"0x7fffffff", b"1e999",
           b"0xFFFFFFFFFFFFFFFFFFFF", b"?", b"nan"]


def mutate(rng: random.Random, texts: list[bytes]) -> bytes:
    text = rng.choice(texts)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        text = rng.choice(DAMAGES)(rng, text, texts)
    return text[:1 << 20]


def flip_byte(rng, text, texts):
    at = rng.randrange(len(text) or 1)
    return text[:at] + bytes([rng.randrange(256)]) + text[at + 1:]


def cut(rng, text, texts):
    start, end = span(rng, text, 200)
    return text[:start] + text[end:]


def truncate(rng, text, texts):
    return text[:rng.randrange(len(text) + 1)]


def repeat(rng, text, texts):
    start, end = span(rng, text, 100)
    return text[:end] + text[start:end] * rng.choice((1, 2, 50)) + text[end:]


def splice(rng, text, texts):
    other = rng.choice(texts)
    start, end = span(rng, other, 300)
    at = rng.randrange(len(text) + 1)
    return text[:at] + other[start:end] + text[at:]


def swap_tokens(rng, text, texts):
    tokens = list(TOKEN.finditer(text))
    if len(tokens) < 2:
        return text
    one, two = sorted(rng.sample(tokens, 2), key=lambda t: t.start())
    return (text[:one.start()] + two[0] + text[one.end():two.start()] + one[0] + text[two.end():])


def replace_token(rng, text, texts):
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return text
    token, by = rng.choice(tokens), rng.choice(list(TOKEN.finditer(rng.choice(texts))) or tokens)
    return text[:token.start()] + by[0] + text[token.end():]


def replace_number(rng, text, texts):
    numbers = list(re.finditer(rb"\d+", text))
    if not numbers:
        return text
    number = rng.choice(numbers)
    return text[:number.start()] + rng.choice(NUMBERS) + text[number.end():]


def nest(rng, text, texts):
    """Opens a bracket or a region very often, and perhaps closes it again."""
    depth = rng.choice((10, 1000, 20000))
    opening, closing = rng.choice(((b"(", b")"), (b"[", b"]"), (b"<", b">"), (b"{", b"}"),
                                   (b"tile<", b">"), (b"if %c {\n", b"}\n"), (b"loop {\n", b"}\n"),
                                   (b"cuda_tile.module @m {\n", b"}\n")))
    start, end = span(rng, text, 60)
    tail = closing * depth if rng.random() < 0.5 else b""
    return text[:start] + opening * depth + text[start:end] + tail + text[end:]


DAMAGES = (flip_byte, cut, truncate, repeat, splice, swap_tokens, replace_token, replace_token,
           replace_number, replace_number, nest)


def span(rng: random.Random, text: bytes, longest: int) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + rng.randrange(1, longest))


# --- Checking -----------------------------------------------------------------------------


class Program:
    def __init__(self, path: str, sanitized: bool):
        self.path = path
        self.sanitized = sanitized

    def culprits(self, mutants: list[pathlib.Path]) -> list[tuple[pathlib.Path, str]]:
        """The mutants on which the program ended badly, each with how."""
        how = self.check(mutants)
        if how is None:
            return []
        if len(mutants) == 1:
            return [(mutants[0], how)]
        alone = [culprit for mutant in mutants for culprit in self.culprits([mutant])]
        return alone or [(mutants[0], f"{how}, only together with the {len(mutants) - 1} after it")]

    def check(self, mutants: list[pathlib.Path]) -> str | None:
        """How `tilewright check` ended badly on these files, or None."""
        try:
            ended = subprocess.run([self.path, "check", *map(str, mutants)], capture_output=True,
                                   timeout=SECONDS + len(mutants), env=os.environ | SANITIZERS,
                                   preexec_fn=None if self.sanitized else limit_memory)
        except subprocess.TimeoutExpired:
            return "did not end in time"
        if ended.returncode in (0, 1):
            return None
        said = ended.stderr.decode(errors="replace").strip().splitlines()
        said = [line for line in said if "ERROR" in line or "runtime error" in line] or said[-1:]
        code = ended.returncode
        return f"{'signal' if code < 0 else 'status'} {abs(code)}: {''.join(said[:1])[:200]}"


# A sanitizer's own status must differ from 0 and 1. It reserves terabytes of address
# space, so that it has to watch the memory itself.
SANITIZERS = {
    "ASAN_OPTIONS": f"exitcode=99:hard_rss_limit_mb={MEMORY >> 20}",
    "UBSAN_OPTIONS": "exitcode=99:print_stacktrace=1",
}


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main())
