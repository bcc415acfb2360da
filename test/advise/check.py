# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what `tilewright advise` says about a kernel with the comments of the kernel, and repeats every witness.

    // ADVISE: --grid 2 --arg i32[0]
    // FIX: @f: relaxed device -> release device; @g: relaxed device -> acquire device
    // TOGETHER: @f: release device -> relaxed device
    %s = store_ptr_tko release device %p, ... // @f ordering: needed; token: no token

The comment at the end of a line lists the ordering, the scope and the tokens of its operation, each with `needed` or
with the weakest forms; what is not listed must not be advised. `@f` names the line. A kernel with FIX lines has races,
and these are all fixes.

A witness is a schedule of the changed kernel. The change is made in the text here, and `tilewright run` must report in
this schedule what the advice says. `--expect-not-exhaustive`: the advice must not claim to be about all executions.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


class Check:
    def __init__(self, tilewright: str, file: pathlib.Path, options: list[str]):
        self.tilewright, self.file = tilewright, file
        self.lines = file.read_text(encoding="utf-8").splitlines()
        self.launch = shlex.split(self.noted("ADVISE")[0])
        done = subprocess.run([tilewright, "advise", str(file), *self.launch, "--json", *options],
                              capture_output=True, text=True, timeout=600, check=False)
        if not done.stdout:
            raise SystemExit(f"status {done.returncode}: {done.stderr}")
        self.status, self.advice = done.returncode, json.loads(done.stdout)
        self.failures = []

    def noted(self, word: str) -> list[str]:
        return re.findall(rf"^// {word}: (.*)$", "\n".join(self.lines), re.MULTILINE)

    def expect(self, what: str, expected, found) -> None:
        if expected != found:
            self.failures.append(f"{what}: expected {expected}, found {found}")

    def label(self, line: int) -> str:
        found = re.search(r"// (@\w+)", self.lines[line - 1])
        return found[1] if found else f"line {line}"

    def changes(self, changes: list[dict]) -> frozenset:
        return frozenset(f"{self.label(c['place']['line'])}: {c['change']}" for c in changes)

    # -- Verdicts

    def compare(self, exhaustive: bool) -> None:
        self.expect("exhaustive", exhaustive, self.advice["exhaustive"])
        fixes = {frozenset(fix.split("; ")) for fix in self.noted("FIX")}
        self.expect("status", 3 if fixes else 0, self.status)
        self.expect("fixes", fixes, {self.changes(fix) for fix in self.advice["fixes"]})
        if fixes:
            return
        expected = [(number, part, verdict) for number, line in enumerate(self.lines, 1)
                    for part, verdict in re.findall(r"(ordering|scope|token): ([^;]+)", line.partition(" // ")[2])]
        found = [(row["place"]["line"], row["part"], " or ".join(row["weakest"]) or row["verdict"])
                 for row in self.advice["operations"]]
        self.expect("verdicts", sorted(set(expected) - set(found)), sorted(set(found) - set(expected)))
        self.expect("number of verdicts", len(expected), len(found))
        for together in self.noted("TOGETHER"):
            self.expect("together", frozenset(together.split("; ")), self.changes(self.advice["together"]))

    # -- Witnesses

    def changed(self, row: dict, form: str) -> str:
        """The kernel with a weaker form of an operation. `no token, but ...` is not made here."""
        lines = list(self.lines)
        line = lines[row["place"]["line"] - 1]
        if row["part"] == "token":
            line, count = re.subn(r" " + re.escape(row["form"]) + r"\b", "", line, count=1)
        else:
            count = line.count(f"_tko {row['form']} ")
            line = line.replace(f"_tko {row['form']} ", f"_tko {form} ", 1)
        assert count == 1, (row, line)
        lines[row["place"]["line"] - 1] = line
        return "\n".join(lines) + "\n"

    @staticmethod
    def shows(witness: dict, stdout: str, stderr: str) -> bool:
        """An outcome in the list of all outcomes, or in the arrays at the end."""
        outcome = re.fullmatch(r"a new outcome: (.*)", witness["what"])
        if not outcome:
            return witness["what"] in stderr
        if witness["schedule"] == "exhaustive":
            return outcome[1].replace(",", ";") + ";" in stdout
        arrays = {int(number): values.split(", ") for number, values in
                  re.findall(r"^--arg (\d+) .*\n\[(.*)\]", stdout, re.MULTILINE)}
        return all(arrays[int(number)][int(index)] == value for number, index, value in
                   re.findall(r"parameter (\d+) \([^)]*\)\[(\d+)\] = (-?\d+)", outcome[1]))

    def repeat(self, text: str, witness: dict, what: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / self.file.name
            file.write_text(text, encoding="utf-8")
            shows = "" if witness["schedule"] == "exhaustive" else ",print"
            launch = [word + shows if word.startswith("i32[") else word for word in self.launch]
            done = subprocess.run([self.tilewright, "run", str(file), *launch, "--device", "reference",
                                   "--schedule", *witness["schedule"].split()],
                                  capture_output=True, text=True, timeout=600, check=False)
        if not self.shows(witness, done.stdout, done.stderr):
            self.failures.append(f"{what}: --schedule {witness['schedule']} does not show '{witness['what']}': "
                                 f"{done.stdout}{done.stderr}")

    def repeat_all(self) -> None:
        for error in self.advice["errors"]:
            self.repeat("\n".join(self.lines) + "\n", error["witness"], "as it is")
        for row in self.advice["operations"]:
            for form in row["tried"]:
                if form["witness"] and "," not in form["form"] and row["operation"] != "join_tokens":
                    self.repeat(self.changed(row, form["form"]), form["witness"],
                                f"line {row['place']['line']}, {form['form']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True)
    parser.add_argument("--expect-not-exhaustive", action="store_true")
    parser.add_argument("file", type=pathlib.Path)
    parsed, options = parser.parse_known_args()
    check = Check(parsed.tilewright, parsed.file, options)
    check.compare(not parsed.expect_not_exhaustive)
    check.repeat_all()
    if check.failures:
        sys.exit("\n".join(check.failures))


if __name__ == "__main__":
    main()
