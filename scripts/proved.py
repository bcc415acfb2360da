# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much does `tilewright prove` show, and is it true?

Without options, prints a table: of each example and benchmark kernel, how many accesses hold, hold under a
condition, or are unknown. The exit status is 1 if fewer than 70 % are proved or have a condition.

With `--mutants N`, plants a mistake or two in kernels (a comparison, a constant, a block id, an extent or an
argument is another one, an index is off by one, or a mask is missing), proves each mutant, and runs it on the
reference machine with random launches. No operation may fail in a launch that satisfies its conditions. The
exit status is 1 if one does, or if so few launches satisfy conditions, or fail without them, that a wrong
condition would hardly be found. The figures say how many mutants have other answers than their kernel: the
others have a mistake that no access depends on.

    ./dev build tilewright && .venv/bin/python scripts/proved.py [--mutants 300] [--seed 1]
"""

import argparse
import functools
import json
import pathlib
import random
import re
import string
import subprocess
import sys
import tempfile
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent
GEMM = {"T": "f32", "S": "f32", "TM": 64, "TN": 64, "TK": 32, "mma": "mmaf", "signs": "", "nothing": "0.0"}
ROWS = {"N": 1024, "share": 0.0009765625}
VALUES = {"gemm": GEMM, "transpose": {"TM": 32, "TN": 32}, "vector_add": ROWS, "softmax": ROWS, "rms_norm": ROWS,
          "layer_norm": ROWS, "swiglu": ROWS}
LEAST_SHARE = 0.7
SHOWN = ("holds", "holds-if")
# A finding at an operation that is proved; slices of `extract`, for example, are not.
OF_PROVED = re.compile(r":(\d+):(\d+): error: block \(.*?\): (?:load_|store_|atomic_|multimem_|assume)")
MOST_STEPS = 20000
CHECKS = "bounds,lifetime,index-space,assumption"
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 128, 129, 255, 256, 257, 300,
         -1, -3, 46341, 65536, 2**31 - 1, -(2**31))
ADDRESS = 1 << 44  # the reference machine aligns arrays


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, default=ROOT / "build/bin/tilewright", help="(%(default)s)")
    parser.add_argument("--mutants", type=int, default=0, metavar="N", help="plant N mistakes (%(default)s)")
    parser.add_argument("--launches", type=int, default=6, help="of each mutant (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(arguments.tilewright, pathlib.Path(folder))
        return mutants(checker, arguments) if arguments.mutants else table(checker)


def kernels() -> dict[str, str]:
    """The texts, by path."""
    found = {}
    for folder in ("examples", "examples/plan", "bench/kernels"):
        for path in sorted((ROOT / folder).glob("*.mlir")):
            name = str(path.relative_to(ROOT))
            text = path.read_text()
            found[name] = string.Template(text).substitute(VALUES[path.stem]) if "$" in text else text
    return found


class Checker:
    """Runs the program on texts."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path):
        self.program = program
        self.file = folder / "kernel.mlir"

    def prove(self, text: str) -> dict | None:
        """None if the text is no valid program."""
        self.file.write_text(text)
        done = subprocess.run([self.program, "prove", self.file, "--json", "--proof-only"], capture_output=True,
                              text=True, check=False, timeout=300)
        if done.returncode < 0:
            sys.exit(f"prove: signal {-done.returncode} for\n{text}\n{done.stderr}")
        return json.loads(done.stdout) if done.stdout else None

    def findings(self, grid: list[int], values: list[str]) -> dict[tuple[int, int], str]:
        """What the reference machine reports of a launch of the last text, by line and column."""
        command = [self.program, "run", self.file, "--grid", ",".join(map(str, grid)), "--check", CHECKS,
                   "--max-steps", str(MOST_STEPS)]
        for value in values:
            command += ["--arg", value]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode not in (0, 1, 3):
            sys.exit(f"{command}: exit status {done.returncode}\n{done.stderr}")
        found = [(OF_PROVED.search(line), line) for line in done.stderr.splitlines() if done.returncode == 3]
        return {(int(place[1]), int(place[2])): line for place, line in found if place}


def table(checker: Checker) -> int:
    total = Counter()
    print("| kernel | accesses | hold | hold under conditions | unknown |\n|---|---|---|---|---|")
    for name, text in kernels().items():
        proof = checker.prove(text)
        if proof is None:
            sys.exit(f"{name} is no valid program")
        verdicts = Counter(row["verdict"] for row in proof["operations"] if row["kind"] == "access")
        total += verdicts
        print(f"| `{name}` | {verdicts.total()} | {verdicts['holds']} | {verdicts['holds-if']} | "
              f"{verdicts['unknown'] + verdicts['counterexample']} |")
    shown = sum(total[verdict] for verdict in SHOWN)
    print(f"\n{shown} of {total.total()} accesses ({shown / total.total():.0%}) hold, perhaps under conditions")
    return 0 if shown >= LEAST_SHARE * total.total() else 1


# Mistakes: each is a pattern and what replaces it.
MISTAKES = [
    (r"cmpi less_than ", "cmpi less_than_or_equal "),
    (r"cmpi .*-> (tile<[\dx]*i1>)", lambda match: f"constant <i1: true> : {match[1]}"),
    (r"andi (.*i1>)", lambda match: f"ori {match[1]}"),
    (r" signed", " unsigned"),
    (r"cmpi less_than_or_equal ", "cmpi less_than "),
    (r"cmpi greater_than_or_equal ", "cmpi greater_than "),
    (r"<i32: (\d+)>", lambda match: f"<i32: {int(match[1]) + 1}>"),
    (r"<i32: (\d+)>", lambda match: f"<i32: {int(match[1]) - 1}>"),
    (r"<i32: (\d+)>", lambda match: f"<i32: {int(match[1]) * 2}>"),
    (r"<i32: (\d+)>", f"<i32: {2**31 - 1}>"),
    (r"<i32: (\d+)>", f"<i32: {-(2**31)}>"),
    (r"yield %\w+ : tile<i32>", "%planted = constant <i32: 1000> : tile<i32>\nyield %planted : tile<i32>"),
    (r"select (%\w+), (%\w+), (%\w+)", lambda match: f"select {match[1]}, {match[3]}, {match[2]}"),
    (r"cmpi (\w+) (%\w+), (%\w+)", lambda match: f"cmpi {match[1]} {match[3]}, {match[2]}"),
    (r"addi ", "subi "),
    (r"subi ", "addi "),
    (r"maxi ", "mini "),
    (r"mini ", "maxi "),
    (r"divi (.*?)( rounding<[a-z_]*>)? :", lambda match: f"divi {match[1]} rounding<positive_inf> :"),
    (r"%(\w+), %(\w+), %(\w+) = get_tile_block_id", lambda match: f"%{match[2]}, %{match[1]}, %{match[3]} = get_tile_block_id"),
    (r"shape = \[(%\w+), (%\w+)\]", lambda match: f"shape = [{match[2]}, {match[1]}]"),
    (r"(load_view_tko weak %\w+)\[(%\w+), (%\w+)\]", lambda match: f"{match[1]}[{match[3]}, {match[2]}]"),
    (r"in \((%\w+) to (%\w+),", lambda match: f"in ({match[2]} to {match[1]},"),
]
# The same for whole lines: operands that are one too large.
ONE_MORE = [r"(.*(?:load|store)_view_tko .*\[)(%\w+)(.*)", r"(.*(?:load|store)_view_tko .*, )(%\w+)(\].*)",
            r"(.*shape = \[)(%\w+)(.*)", r"(.*shape = \[.*, )(%\w+)(\].*)", r"(.*strides = \[)(%\w+)(.*)",
            r"(.* for .* in \(%\w+ to )(%\w+)(.*)"]
MISTAKES += [(f"(?m)^{line}$", lambda match: f"%one_more = constant <i32: 1> : tile<i32>\n"
              f"%planted = addi {match[2]}, %one_more : tile<i32>\n{match[1]}%planted{match[3]}") for line in ONE_MORE]


def mutated(text: str, chance: random.Random) -> str | None:
    if chance.random() < 0.2:
        return with_another_argument(text, chance)
    pattern, replacement = chance.choice(MISTAKES)
    places = list(re.finditer(pattern, text))
    if not places:
        return None
    place = chance.choice(places)
    new = replacement if isinstance(replacement, str) else replacement(place)
    return text[:place.start()] + new + text[place.end():]


def with_another_argument(text: str, chance: random.Random) -> str | None:
    """Uses an integer argument in place of another one."""
    begin = re.search(r"entry @\w+\(.*?\).*?{\n", text, re.DOTALL)
    integers = re.findall(r"(%\w+): (?:!cuda_tile\.)?tile<i32>", begin[0])
    uses = [use for use in re.finditer(r"%\w+", text) if use.start() > begin.end() and use[0] in integers]
    if not uses:
        return None
    use = chance.choice(uses)
    return text[:use.start()] + chance.choice(integers) + text[use.end():]


def mutants(checker: Checker, arguments) -> int:
    chance = random.Random(arguments.seed)
    sources = kernels() | {str(path.relative_to(ROOT)): path.read_text()
                           for path in sorted((ROOT / "test/prove/Inputs").rglob("*.mlir"))}
    answers = functools.cache(lambda name: answers_of(checker.prove(sources[name])))
    count = Counter()
    while count["mutants"] < arguments.mutants:
        name = chance.choice(sorted(sources))
        text = mutated(sources[name], chance)
        if text and chance.random() < 0.3:
            text = mutated(text, chance)
        known = answers(name)
        proof = checker.prove(text) if text else None
        if proof is None:
            continue
        count["mutants"] += 1
        count["noticed"] += answers_of(proof) != known
        shown = [row for row in proof["operations"] if row["verdict"] in SHOWN]
        count["shown"] += len(shown) == len(proof["operations"])
        for number in range(arguments.launches if shown else 0):
            conditions = chance.choice([proof["conditions"], *(row["conditions"] for row in shown)])
            launch = launch_for(proof, conditions, text, chance, number % 3 > 0)
            judge(checker, name, text, shown, launch, count)
    print(f"{count['mutants']} mutants: {count['noticed']} have other answers than their kernel; "
          f"all operations of {count['shown']} hold, perhaps under conditions. "
          f"{count['launches']} launches: an operation's conditions are satisfied {count['satisfying']} times, "
          f"{count['false']} of these fail; they are not {count['violating']} times, {count['failing']} of these fail")
    return 1 if count["false"] or has_gone_blind(count) else 0


def has_gone_blind(count: Counter) -> bool:
    """Whether wrong conditions would hardly be found: few mutants have other answers, few launches satisfy the
    conditions of an operation, or few of those that do not satisfy them fail."""
    judged = count["satisfying"] + count["violating"]
    shares = {"mutants with other answers": (count["noticed"], count["mutants"], 1 / 3),
              "satisfied conditions": (count["satisfying"], judged, 1 / 4),
              "failures with violated conditions": (count["failing"], count["violating"], 1 / 2)}
    few = [f"{what}: {found} of {total}, expected at least {least:.0%}"
           for what, (found, total, least) in shares.items() if not total or found < least * total]
    for line in few:
        print(f"TOO FEW: {line}")
    return bool(few)


def answers_of(proof: dict) -> list:
    return [(row["operation"], row["verdict"], row["conditions"]) for row in proof["operations"]]


def judge(checker: Checker, name: str, text: str, shown: list[dict], launch: dict, count: Counter) -> None:
    findings = checker.findings(launch["grid"], launch["values"])
    count["launches"] += 1
    for row in shown:
        satisfied = all(holds(condition, launch) for condition in row["conditions"])
        finding = findings.get((row["place"]["line"], row["place"]["column"]))
        count["satisfying" if satisfied else "violating"] += 1
        if finding:
            count["false" if satisfied else "failing"] += 1
        if finding and satisfied:
            print(f"FALSE: {name}: {launch}\n{row}\n{finding}\n{text}", flush=True)


def launch_for(proof: dict, conditions: list[str], text: str, chance: random.Random, satisfying: bool) -> dict:
    """A random one; it satisfies the conditions if it should, and if one that does is found."""
    for _ in range(200):
        launch = random_launch(proof, conditions, text, chance)
        if all(holds(condition, launch) for condition in conditions) or not satisfying:
            break
    return launch


def random_launch(proof: dict, conditions: list[str], text: str, chance: random.Random) -> dict:
    """Arrays are as long as the conditions require, if that is possible, or a little shorter."""
    header = re.search(r"entry @\w+\((.*?)\) *(optimization_hints.*)?{", text, re.DOTALL)[1]
    types = re.findall(r": *(?:!cuda_tile\.)?tile<(?:ptr<)?(\w+)(>?)>", header)
    launch = {"grid": [chance.choice((1, 1, 2, 3)) for _ in range(3)], "values": [], "names": {}}
    launch["names"] |= {f"grid.{axis}": extent for axis, extent in zip("xyz", launch["grid"])}
    for parameter, (_, is_pointer) in zip(proof["parameters"], types):
        if not is_pointer:
            launch["names"][parameter] = chance.choice(SIZES)
    for parameter, (element, is_pointer) in zip(proof["parameters"], types):
        if not is_pointer:
            launch["values"].append(str(launch["names"][parameter]))
            continue
        length = max(least_length(parameter, conditions, launch) - chance.choice((0, 0, 0, 1)), 0)
        launch["names"][f"len({parameter})"] = length
        launch["names"][f"address({parameter})"] = ADDRESS
        launch["values"].append(f"zeros({length}x{element})")
    return launch


def least_length(parameter: str, conditions: list[str], launch: dict) -> int:
    begin, least = f"len({parameter}) >= ", 0
    for condition in conditions:
        parts = condition.split(" or ")
        lengths = [value(part.removeprefix(begin), launch) for part in parts
                   if part.startswith(begin) and part.count("len(") == 1]
        if lengths and not any(value(part, launch) for part in parts if "len(" not in part):
            least = max(least, min(lengths))
    return min(least, 1 << 20)


def holds(condition: str, launch: dict) -> bool:
    return any(value(part, launch) for part in condition.split(" or "))


def value(expression: str, launch: dict) -> int:
    """Evaluates with Python: `ceil(a / b)` is exact, and names may have dots and parentheses."""
    names, text = {}, expression
    for number, name in enumerate(sorted(launch["names"], key=len, reverse=True)):
        text = re.sub(rf"(?<![\w.(]){re.escape(name)}(?![\w.])|(?<=\(){re.escape(name)}(?![\w.])", f"_{number}_", text)
        names[f"_{number}_"] = launch["names"][name]
    text = re.sub(r"ceil\((.*) / (\d+)\)", r"(-(-(\1) // \2))", text)
    text = re.sub(r"floor\((.*) / (\d+)\)", r"((\1) // \2)", text)
    return 0 if text == "never" else eval(text, {"__builtins__": {}}, names)  # pylint: disable=eval-used


if __name__ == "__main__":
    sys.exit(main())
