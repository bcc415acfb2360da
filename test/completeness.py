# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every operation and every rule of the dialects is tested.

The operations come from the registry (`tilewright ops`), the rules from the diagnostics that the
sources of tilewright/tile/ and tilewright/layout/, and the code generated from their records, can
emit. Every module in test/ and examples/ covers something: a valid one covers its operations, if
printing and parsing it again changes nothing, in custom and in generic form; an invalid one covers
the rule that its diagnostics state. Tests that expect a diagnostic under some option, and unit tests
that expect its text, also cover a rule. The results of an operation are covered by its case file,
test/ops/<mnemonic>.mlir. Operations and rules that are not covered are listed.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPLIT = "// -----"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright and tilewright-opt (%(default)s)")
    programs = parser.parse_args().programs.resolve()
    tools = Tools(programs)

    modules = read_modules()
    with tempfile.TemporaryDirectory(prefix="tilewright-completeness-") as folder:
        valid, diagnostics = tools.check(modules, pathlib.Path(folder))
    generic, changed = round_trips(tools, valid)

    operations = tools.operations()
    diagnostics += read_expectations()
    shown = {operation for module in generic for operation in operations_in(module)}
    unshown = sorted(operations - shown)
    caseless = [(operation, why) for operation in sorted(operations)
                if (why := missing_case(operation, generic))]
    rules = read_rules(programs.parent)
    unbroken = [rule for rule in rules if not any(rule.pattern.search(d) for d in diagnostics)]

    for module in changed:
        print(f"{module.place}: printing and parsing changes this module")
    for operation in unshown:
        print(f"{operation}: no valid module in test/ or examples/ has this operation")
    for operation, why in caseless:
        print(f"{operation}: {why}")
    for rule in unbroken:
        print(f"{rule.place}: no test breaks the rule \"{rule.text}\"")
    print(f"operations: {len(operations) - len(unshown)} of {len(operations)} in a round trip")
    print(f"case files: {len(operations) - len(caseless)} of {len(operations)} operations "
          "compute what one expects")
    print(f"round trips: {len(valid) - len(changed)} of {len(valid)} modules, custom and generic")
    print(f"rules: {len(rules) - len(unbroken)} of {len(rules)} broken by a test")
    complete = not (changed or unshown or caseless or unbroken)
    return 0 if complete and operations and rules else 1


# --- Modules ----------------------------------------------------------------------------


@dataclass
class Module:
    place: str  # file:line
    text: str


def read_modules() -> list[Module]:
    """The .mlir files of the repository, split as the test tools split them."""
    modules = []
    for folder in ("examples", "test"):
        for file in sorted((ROOT / folder).rglob("*.mlir")):
            line, start, lines = 1, 1, []
            for line, text in enumerate(file.read_text(errors="replace").splitlines(), start=1):
                if text.startswith((SPLIT, "//--- ")):
                    modules.append(Module(f"{file.relative_to(ROOT)}:{start}", "\n".join(lines)))
                    start, lines = line + 1, []
                else:
                    lines.append(text)
            modules.append(Module(f"{file.relative_to(ROOT)}:{start}", "\n".join(lines)))
    return [m for m in modules if re.search(r"^\s*[^/\s]", m.text, re.MULTILINE)]


def round_trips(tools: "Tools", valid: list[Module]) -> tuple[list[Module], list[Module]]:
    """The modules in generic form, and the modules that a round trip changes. Parts that the custom
    form omits, such as attributes of arguments (textual format, 12.4), are also missing from its
    generic form, so that one is compared with the custom form again."""
    custom = tools.print(valid)
    generic = tools.print(valid, "--mlir-print-op-generic")
    again = {
        "custom, custom": (tools.print(custom), custom),
        "generic, generic": (tools.print(generic, "--mlir-print-op-generic"), generic),
        "generic, custom": (tools.print(generic), custom),
        "custom, generic, custom": (
            tools.print(tools.print(custom, "--mlir-print-op-generic")), custom),
    }
    changed = [module for index, module in enumerate(valid)
               if any(have[index].text != want[index].text for have, want in again.values())]
    return generic, changed


def operations_in(generic: Module) -> set[str]:
    return set(re.findall(r'"cuda_tile\.(\w+)"', generic.text))


# --- Case files -------------------------------------------------------------------------

# A kernel's expected results are in CASE lines, which %check runs, or, for its output, in FileCheck
# lines.
CASES = re.compile(r"^// RUN: %check %s\b.*\n(?:.*\n)*?// CASE @", re.MULTILINE)
PRINTED = re.compile(r"// RUN: %tilewright run %s .*\| FileCheck %s\b.*\n(?:.*\n)*?\s*// CHECK")


def missing_case(operation: str, generic: list[Module]) -> str | None:
    """What is missing in the operation's case file, or None."""
    name = f"test/ops/{operation}.mlir"
    if not (ROOT / name).exists():
        return f"there is no case file {name}"
    text = (ROOT / name).read_text()
    if not CASES.search(text) and not PRINTED.search(text):
        return f"{name} has no CASE line that %check runs, and checks no printed output"
    modules = [m for m in generic if m.place.startswith(f"{name}:")]
    if not any(operation in operations_in(m) for m in modules):
        return f"no valid module in {name} has this operation"
    return None


# --- Rules ------------------------------------------------------------------------------


@dataclass
class Rule:
    place: str  # file:line
    text: str
    pattern: re.Pattern


# From the call that starts a diagnostic or an expectation to the end of its statement.
STATEMENT = r"\s*\((?:[^;\"]|\"(?:[^\"\\]|\\.)*\")*;"
DIAGNOSTIC = re.compile(rf"\bemit(?:Op)?Error{STATEMENT}")
ASSERTION = re.compile(rf"\b(?:EXPECT|ASSERT)_\w+{STATEMENT}")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
NEIGHBOURS = re.compile(rf"{STRING.pattern}(?:\s*{STRING.pattern})+")
ALTERNATIVES = re.compile(rf"\?\s*{STRING.pattern}\s*:\s*{STRING.pattern}")


# The rooms that define a dialect.
DIALECTS = ("tile", "layout")

# Messages that the generators emit for traits and constraints, besides their own errors. "Any type"
# is not a constraint.
DECLARED = re.compile(r"^must be (?!variadic of any type|any type)|^failed to verify that"
                      r"|^requires attribute")


def read_rules(build: pathlib.Path) -> list[Rule]:
    """The diagnostics of the dialects, hand-written and generated from their records. Equal texts are
    one rule."""
    rules = {}
    for root in (ROOT, build):
        files = [file for room in DIALECTS for file in (root / "tilewright" / room).rglob("*")]
        sources = [f for f in files if f.suffix in (".h", ".cpp", ".inc")]
        for file in sorted(f for f in sources if not f.name.endswith("_test.cpp")):
            for rule in rules_in(file, file.relative_to(root)):
                if root == ROOT or DECLARED.search(rule.text):
                    rules.setdefault(rule.text, rule)
    return list(rules.values())


def rules_in(file: pathlib.Path, name: pathlib.Path) -> Iterator[Rule]:
    source = file.read_text()
    for statement in DIAGNOSTIC.finditer(source):
        if parts := fixed_parts(statement[0]):
            line = source.count("\n", 0, statement.start()) + 1
            yield Rule(f"{name}:{line}", " ... ".join(parts),
                       re.compile(".*".join(map(re.escape, parts))))


def fixed_parts(statement: str) -> list[str]:
    """The texts that a statement can emit: its string literals, with adjacent ones joined as in C++,
    without alternatives and separators."""
    joined = NEIGHBOURS.sub(lambda match: '"' + "".join(STRING.findall(match[0])) + '"', statement)
    certain = ALTERNATIVES.sub("", joined)
    return [text.replace(r"\"", '"').replace(r"\\", "\\").strip()
            for text in STRING.findall(certain) if re.search(r"[a-z]", text)]


def read_expectations() -> list[str]:
    """The diagnostics that lit tests expect, with any options."""
    expected = re.compile(r"expected-(?:error|warning)[^{\n]*\{\{(.*)\}\}|// [A-Z]\S*:\s.*?error: (.*)")
    texts = [f.read_text(errors="replace") for f in (ROOT / "test").rglob("*")
             if f.suffix in (".mlir", ".test")]
    # Some rules cannot be violated by text, only by C++ code that builds types and attributes.
    units = [f.read_text() for room in DIALECTS
             for f in (ROOT / "tilewright" / room).rglob("*_test.cpp")]
    assertions = [statement[0] for text in units for statement in ASSERTION.finditer(text)]
    return ([one or two for text in texts for one, two in expected.findall(text)]
            + [part for statement in assertions for part in fixed_parts(statement)])


# Entries without a module: `tilewright` accepts them, MLIR's parser does not.
BARE = re.compile(r"(?:\s+|//[^\n]*\n)*(?:entry|global)\b")

# --- Programs ---------------------------------------------------------------------------


class Tools:
    def __init__(self, programs: pathlib.Path):
        self.tilewright = programs / "tilewright"
        self.opt = programs / "tilewright-opt"
        for program in (self.tilewright, self.opt):
            if not program.exists():
                sys.exit(f"completeness: there is no program {program}")

    def operations(self) -> set[str]:
        command = [self.tilewright, "ops", "--json"]
        listing = subprocess.run(command, capture_output=True, text=True, check=True)
        return {operation["mnemonic"] for operation in json.loads(listing.stdout)}

    def check(self, modules: list[Module], folder: pathlib.Path) -> tuple[list[Module], list[str]]:
        """The valid modules, and the diagnostics of the others. Errors are told apart by file name;
        a module with its own locations may name any file, so it is checked alone."""
        alone = [m for m in modules if "loc(" in m.text]
        together = [m for m in modules if "loc(" not in m.text]
        valid, diagnostics = [], []
        for group in [together, *([m] for m in alone)]:
            files = [folder / f"{index:05}.mlir" for index in range(len(group))]
            for module, file in zip(group, files):
                file.write_text(module.text)
            ended = subprocess.run([self.tilewright, "check", *files], capture_output=True, text=True)
            if ended.returncode not in (0, 1):
                sys.exit(f"completeness: tilewright check ended with {ended.returncode}\n{ended.stderr}")
            errors = re.findall(r"^(\S+?):[^\n]*?\berror: ([^\n]*)", ended.stderr, re.MULTILINE)
            diagnostics += [message for _, message in errors]
            if len(group) == 1:
                valid += group if ended.returncode == 0 else []
                continue
            invalid = {pathlib.Path(name).name for name, _ in errors}
            valid += [m for m, file in zip(group, files) if file.name not in invalid]
        return [module for module in valid if not BARE.match(module.text)], diagnostics

    def print(self, modules: list[Module], *options: str) -> list[Module]:
        text = f"\n{SPLIT}\n".join(m.text for m in modules)
        ended = subprocess.run([self.opt, "--split-input-file", *options, "-"], input=text,
                               capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"completeness: tilewright-opt {' '.join(options)} refuses what tilewright "
                     f"check accepts, or what it printed itself\n{ended.stderr}")
        printed = re.split(rf"^{SPLIT}\n", ended.stdout, flags=re.MULTILINE)
        if len(printed) != len(modules):
            sys.exit(f"completeness: printed {len(printed)} modules of {len(modules)}")
        return [Module(m.place, text.strip()) for m, text in zip(modules, printed)]


if __name__ == "__main__":
    sys.exit(main())
