# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the rules of the source tree:

layers       a room includes only rooms that the table in CONTRIBUTING.md lets it use,
             directly or through another room; its tests also those after "tests:"
licence      every source file names it in its first lines
leftovers    there are no notes about unfinished work, which belong in issues
length       a source file with more than 400 lines gets a warning, not an error
words        comments and documents use the terms of the field (WORDS has those to avoid, and what to say)
reference    docs/reference/ is up to date with the C headers and the Python package (api_reference.py)
benchmarks   the tables of docs/benchmarks.md and README.md agree with bench/results (benchmark_page.py)
mistakes     the edits that planted_mistakes.py makes still apply
thresholds   an emitter has no thresholds, which belong in the compiler's Tuning.h: its constant integers are facts
             (EMITTERS lists them); the tables of names in Tuning.cpp spell them as the fields
house        sizes of classes and folders, include cycles, lists of operations: house.py measures
             them, house_limits.txt has the limits

./dev lint also runs clang-format.
"""

import pathlib
import re
import subprocess
import sys

import api_reference
import benchmark_page
import planted_mistakes
from house import House, check, reachable

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCE = {".h", ".cpp", ".td", ".py", ".cmake", ".sh", ".rs", ".jl", ".js", ".css", ".html"}
SOURCE_NAMES = {"CMakeLists.txt", "dev", "run"}
LEFTOVER = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
# What this project used to say, and the standard term.
WORDS = {
    r"(kernels?|scripts?) of cuTile": "cuTile kernel, cuTile script",
    r"arrays? of (NumPy|CuPy|JAX)": "NumPy array",
    r"tensors? of PyTorch": "PyTorch tensor",
    r"(past|around) the caches?": "non-temporal",
    r"held rows?": "register-resident accumulators",
    r"shared factors?": "packed-operand cache",
    r"(take|takes|taking) turns": "interleave, rasterization order, thread schedule",
    r"lane swaps?": "lane shuffle",
    r"copied ahead": "prefetched asynchronously",
    r"steps of (the )?banks?": "bank-conflict cycles",
    r"in all executions": "across all executions",
    r"mended|breach": "fixed, violation",
    r"nobody wants|wants to know|who holds": "say who does what to what",
}
WORD = re.compile(r"\b(" + "|".join(WORDS) + r")\b", re.IGNORECASE)
# The constant integers of emitters, by folder: facts of an ISA, a format or the runtime, which nobody tunes.
EMITTERS = {
    "tilewright/cpu/emit": {
        "offsetOfThreads",              # in twLaunch
        "firstLeft", "firstRight",      # AMX tiles; the accumulators take the first four
        "registerBits",                 # SSE2's and NEON's, the shortest vectors
        "bytesOfAvx2",                  # the registers
        "nansOfASign", "least",         # of f32 and i32
    },
}
CONSTANT = re.compile(
    r"^\s*(?:(?:static|inline)\s+)*constexpr\s+(?:static\s+)?(?:std::)?(?:unsigned|int|long|size_t|u?int\d+_t)\b([^(]*?=.*)")
# One constant of another form, whose value is spelled out: const, auto, double, in braces, or an array.
LITERAL = re.compile(
    r"^\s*(?:(?:static|inline|const|constexpr)\s+)*(?:const|constexpr)\s+(?:static\s+)?(?:std::)?"
    r"(?:auto|double|float|unsigned|int|long|size_t|u?int\d+_t|array<[^>]*>)\s+(\w+)\s*(?:\[[^\]]*\]\s*)?"
    r"(?:=\s*\{?|\{)(?=[^;]*\d)[-+*/<>()\d\s.,'xXa-fA-FuUlLp]+\}?;")
CONSTANT_NAME = re.compile(r"(\w+)\s*=(?!=)")
THRESHOLD_ROW = re.compile(r'\{"([^"]*)", &Tuning::(\w+)')
COMMENT = re.compile(r"^\s*(//|#|\*|/\*)|\s//\s")
TEST = re.compile(r"_test\.\w+$")
LONG = 400


def main() -> int:
    files = tracked_files()
    sources = [f for f in files if f.suffix in SOURCE or f.name in SOURCE_NAMES]
    errors = check_layers(sources) + check_licence(sources) + check_leftovers(files)
    errors += check_words(files) + check_thresholds(sources)
    errors += api_reference.check(ROOT) + benchmark_page.check(ROOT) + planted_mistakes.check()
    errors += check(House(ROOT), ROOT)
    for error in errors:
        print(error)
    for warning in check_length(sources):
        print(warning)
    print(f"lint: {len(files)} files, {len(errors)} errors")
    return 1 if errors else 0


def tracked_files() -> list[pathlib.Path]:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [pathlib.Path(n) for n in names if (ROOT / n).is_file()]


def lines_of(file: pathlib.Path) -> list[str]:
    return (ROOT / file).read_text(errors="replace").splitlines()


# --- Layers ---------------------------------------------------------------------------


def check_layers(sources: list[pathlib.Path]) -> list[str]:
    table, for_tests = read_house_table()
    rooms = reachable(table)
    errors = []
    for file in sources:
        if file.parts[0] != "tilewright" or len(file.parts) < 3:
            continue
        room = file.parts[1]
        if room not in rooms:
            errors.append(f"{file}: the table in CONTRIBUTING.md has no room '{room}'")
            continue
        allowed = set(rooms[room])
        if TEST.search(file.name):
            allowed.update(for_tests[room], *(rooms[used] for used in for_tests[room]))
        for number, line in enumerate(lines_of(file), start=1):
            include = re.match(r'\s*#?\s*include\s+"tilewright/(\w+)/', line)
            used = include and include[1]
            if used and used != room and used not in allowed:
                errors.append(f"{file}:{number}: {room}/ may not use {used}/")
    return errors


def read_house_table() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Maps each room to the rooms it may use, and to those that only its tests may use, from the rows
    "| `room/` | ... | uses; tests: uses |"."""
    rows = re.findall(r"^\| `(\w+)/` \|.*\| ([^|]*?) \|$",
                      (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    table, for_tests = {}, {}
    for room, cell in rows:
        uses, _, of_tests = cell.partition("tests:")
        table[room] = set(re.findall(r"`(\w+)/`", uses))
        for_tests[room] = set(re.findall(r"`(\w+)/`", of_tests))
    for room, uses in rows:
        if "every room" in uses:
            table[room] = set(table) - {room}
    if not table:
        sys.exit("lint: found no table of rooms in CONTRIBUTING.md")
    return table, for_tests


# --- The other rules --------------------------------------------------------------------


def check_licence(sources: list[pathlib.Path]) -> list[str]:
    return [f"{file}: no line '{LICENCE}'" for file in sources
            if not any(LICENCE in line for line in lines_of(file)[:3])]


def check_leftovers(files: list[pathlib.Path]) -> list[str]:
    errors = []
    for file in files:
        if file.suffix == ".png":
            continue
        for number, line in enumerate(lines_of(file), start=1):
            if found := LEFTOVER.search(line):
                errors.append(f"{file}:{number}: {found[0]}: finish it or open an issue")
    return errors


def check_words(files: list[pathlib.Path]) -> list[str]:
    """In documents outside of code blocks, and in comments."""
    errors = []
    for file in files:
        if file.suffix not in SOURCE | {".md"} or file.name == "lint.py":
            continue
        is_code = False
        for number, line in enumerate(lines_of(file), start=1):
            is_code ^= file.suffix == ".md" and line.lstrip().startswith("```")
            if is_code or (file.suffix != ".md" and not COMMENT.search(line)):
                continue
            if found := WORD.search(line):
                term = next(term for pattern, term in WORDS.items() if re.fullmatch(pattern, found[0], re.IGNORECASE))
                errors.append(f"{file}:{number}: '{found[0]}': {term}")
    return errors


def constants_in(line: str) -> list[str]:
    constant, literal = CONSTANT.match(line), LITERAL.match(line)
    names = CONSTANT_NAME.findall(constant[1]) if constant else []
    return names or ([literal[1]] if literal else [])


def check_thresholds(sources: list[pathlib.Path]) -> list[str]:
    errors, unused = [], {(folder, name) for folder, facts in EMITTERS.items() for name in facts}
    for file in sources:
        folders = [f for f in EMITTERS if f"{f}/" in file.as_posix() and not TEST.search(file.name)]
        for number, line in enumerate(lines_of(file) if folders else [], start=1):
            for name in constants_in(line):
                unused -= {(folder, name) for folder in folders}
                if not any(name in EMITTERS[folder] for folder in folders):
                    errors.append(f"{file}:{number}: '{name}': a threshold belongs in Tuning.h, a fact in EMITTERS (lint.py)")
        for number, line in enumerate(lines_of(file) if file.name == "Tuning.cpp" else [], start=1):
            for name, field in THRESHOLD_ROW.findall(line):
                spelled = re.sub("[A-Z]", lambda letter: "-" + letter[0].lower(), field)
                if name != spelled:
                    errors.append(f"{file}:{number}: '{name}': the field '{field}' is spelled '{spelled}'")
    return errors + [f"lint.py: {folder} has no constant '{name}': remove it from EMITTERS"
                     for folder, name in sorted(unused)]


def check_length(sources: list[pathlib.Path]) -> list[str]:
    lengths = [(file, len(lines_of(file))) for file in sources]
    return [f"{file}: warning: {length} lines; is there a chapter that wants its own file?"
            for file, length in lengths if length > LONG]


if __name__ == "__main__":
    sys.exit(main())
