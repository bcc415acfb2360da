# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fuzzes `tilewright check` with damaged text.

The repository's Tile IR files are damaged at random, a little or a lot, and
checked. Whatever is reported, the program must end by itself with status 0 (valid) or 1
(invalid), in bounded time and memory. Files are checked in batches of a hundred; if a batch
fails, its files are checked one by one, and those that fail are kept for debugging.

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
SECONDS = 20  # per file
MEMORY = 2 << 30  # bytes per process
LONGEST = 1 << 20  # bytes per mutant


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
NUMBER = re.compile(rb"\d+")
PROPERTIES = re.compile(rb"<\{[^\n]*?\}> ?")
NUMBERS = [b"0", b"-1", b"1", b"3", b"1099511627776", b"9223372036854775807",
           b"-9223372036854775808", b"18446744073709551616", b"0x7fffffff", b"1e999",
           b"0xFFFFFFFFFFFFFFFFFFFF", b"?", b"nan"]


def mutate(rng: random.Random, texts: list[bytes]) -> bytes:
    text = rng.choice(texts)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        text = rng.choice(DAMAGES)(rng, text, texts)[:LONGEST]
    return text


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
    one, two = pick(TOKEN, rng, text), pick(TOKEN, rng, text)
    if not one or not two or one.start() == two.start():
        return text
    one, two = sorted((one, two), key=lambda token: token.start())
    return text[:one.start()] + two[0] + text[one.end():two.start()] + one[0] + text[two.end():]


def replace_token(rng, text, texts):
    token, by = pick(TOKEN, rng, text), pick(TOKEN, rng, rng.choice(texts))
    return text[:token.start()] + by[0] + text[token.end():] if token and by else text


def replace_number(rng, text, texts):
    number = pick(NUMBER, rng, text)
    return text[:number.start()] + rng.choice(NUMBERS) + text[number.end():] if number else text


def nest(rng, text, texts):
    """Opens a bracket or a region many times, and sometimes closes it again."""
    depth = rng.choice((10, 1000, 20000))
    opening, closing = rng.choice(((b"(", b")"), (b"[", b"]"), (b"<", b">"), (b"{", b"}"),
                                   (b"tile<", b">"), (b"if %c {\n", b"}\n"), (b"loop {\n", b"}\n"),
                                   (b"cuda_tile.module @m {\n", b"}\n")))
    start, end = span(rng, text, 60)
    tail = closing * depth if rng.random() < 0.5 else b""
    return text[:start] + opening * depth + text[start:end] + tail + text[end:]


def move_line(rng, text, texts):
    """Moves lines, so that values are used before their definition or after their block has ended."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text
    moved = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), moved)
    return b"".join(lines)


def repeat_line(rng, text, texts):
    """Repeats a line, unchanged or as a chain: each copy gets a new result name and takes the previous
    result as an operand; the last copy keeps the old name."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    at = rng.randrange(len(lines))
    line = lines[at]
    count = min(rng.choice((2, 100, 20000)), 1 + LONGEST // len(line))
    copies = [line] * count
    result = re.match(rb"\s*(%[\w$.-]+)\s*=", line)
    operands = list(re.finditer(rb"%[\w$.-]+", line[result.end():])) if result else []
    if operands and rng.random() < 0.75:
        start, end = (result.end() + edge for edge in rng.choice(operands).span())
        names = [b"%s_%d" % (result[1], copy) for copy in range(count - 1)] + [result[1]]
        befores = [line[start:end], *names]
        copies = [line[:result.start(1)] + name + line[result.end(1):start] + before + line[end:]
                  for name, before in zip(names, befores)]
    return b"".join(lines[:at] + copies + lines[at + 1:])


def drop_properties(rng, text, texts):
    """Only the generic form has properties: texts without are replaced by one that has some."""
    if not PROPERTIES.search(text):
        text = rng.choice([other for other in texts if PROPERTIES.search(other)] or [text])
    dropped = pick(PROPERTIES, rng, text)
    return text[:dropped.start()] + text[dropped.end():] if dropped else text


DAMAGES = (flip_byte, cut, truncate, repeat, splice, swap_tokens, replace_token, replace_token,
           replace_number, replace_number, nest, move_line, move_line, repeat_line,
           drop_properties)


def pick(what: re.Pattern, rng: random.Random, text: bytes) -> re.Match | None:
    """A match in the line at a random position, or else the next one after it, or the first
    one: searching all of a long text would take too long."""
    at = rng.randrange(len(text) + 1)
    start, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
    nearby = list(what.finditer(text, start, end if end >= 0 else len(text)))
    return rng.choice(nearby) if nearby else what.search(text, at) or what.search(text)


def span(rng: random.Random, text: bytes, longest: int) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + rng.randrange(1, longest))


# --- Checking -----------------------------------------------------------------------------


class Program:
    def __init__(self, path: str, sanitized: bool):
        self.path = path
        self.sanitized = sanitized

    def culprits(self, mutants: list[pathlib.Path]) -> list[tuple[pathlib.Path, str]]:
        """The mutants for which the program failed, each with a description."""
        how = self.check(mutants)
        if how is None:
            return []
        if len(mutants) == 1:
            return [(mutants[0], how)]
        alone = [culprit for mutant in mutants for culprit in self.culprits([mutant])]
        return alone or [(mutants[0], f"{how}, only together with the {len(mutants) - 1} after it")]

    def check(self, mutants: list[pathlib.Path]) -> str | None:
        """How `tilewright check` failed on these files, or None."""
        try:
            ended = subprocess.run([self.path, "check", *map(str, mutants)], capture_output=True,
                                   timeout=SECONDS + len(mutants), env=ENVIRONMENT,
                                   preexec_fn=None if self.sanitized else limit_memory)
        except subprocess.TimeoutExpired:
            return "did not end in time"
        if ended.returncode in (0, 1):
            return None
        said = ended.stderr.decode(errors="replace").strip().splitlines()
        said = [line for line in said if "ERROR" in line or "runtime error" in line] or said[-1:]
        code = ended.returncode
        return f"{'signal' if code < 0 else 'status'} {abs(code)}: {''.join(said[:1])[:200]}"


# A sanitizer's own exit status must differ from 0 and 1. Sanitizers reserve terabytes of
# address space, so they have to limit memory themselves. The caller's options stay in effect,
# and so do the options built into a program, unless the environment overrides them: our
# sanitized programs have allow_user_poisoning=0, because LLVM's allocators poison memory in
# our code, but LLVM's libraries are not instrumented and do not unpoison it.
SANITIZERS = {
    "ASAN_OPTIONS": f"exitcode=99:hard_rss_limit_mb={MEMORY >> 20}",
    "UBSAN_OPTIONS": "exitcode=99:print_stacktrace=1",
}
ENVIRONMENT = os.environ | {  # later options win
    name: ":".join(filter(None, (os.environ.get(name), options)))
    for name, options in SANITIZERS.items()
}


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main())
