# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the reference machine produces exactly the outcomes that the memory model allows.

    check.py --tilewright PROGRAM FILE       the tests of a table (*.test)
    check.py --tilewright PROGRAM FILE.mlir  a kernel with a line `// LITMUS: notation`
    check.py --tilewright PROGRAM --random COUNT --seed N
    check.py --tilewright PROGRAM --device ptx ...   compiled for GPUs, on the PTX machine
    check.py --tilewright PROGRAM --device gpu ...  the same on a GPU, --seeds N times

For each test, all outcomes of `--schedule=exhaustive` are compared with those that model.py
allows, and with the verdicts in the table if there are any. With --seeds N, the outcomes of
N runs with `--schedule=random` must be among them.

On the PTX machine each test runs with the thread schedules up and down, and with --seeds N with N
random ones. Every outcome must be allowed, and the machine must report nothing. Tests that the
model calls undefined are left out.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from math import prod

import kernel
import model
import notation

UNREAD = -1
ELEMENT = re.compile(r"parameter ([12]) \([^)]*\)\[(\d+)\] = (-?\d+);")


class Runner:
    def __init__(self, tilewright, device, seeds):
        self.tilewright, self.device, self.seeds = tilewright, device, seeds
        self.count, self.undefined, self.failures = 0, 0, []

    def arguments(self, test):
        zeros = ", ".join(["0"] * len(test.locations))
        unread = ", ".join([str(UNREAD)] * max(len(test.registers), 1))
        return ["--grid", str(len(test.blocks)),
                "--arg", f"i32[{zeros}]", "--arg", f"i32[{unread}]"]

    def run(self, *arguments):
        return subprocess.run([self.tilewright, "run", "--device", self.device, *arguments],
                              capture_output=True, text=True, timeout=600, check=False)

    def explored(self, test, file):
        """In the format of model.outcomes."""
        done = self.run("--schedule=exhaustive", file, *self.arguments(test))
        if done.returncode == 3 and "race on" in done.stderr:
            return None
        if done.returncode or "not all executions" in done.stdout:
            raise RuntimeError(f"status {done.returncode}: {done.stdout}{done.stderr}")
        found = set()
        for line in re.findall(r"^outcome \d+:.*", done.stdout, re.MULTILINE):
            outcome = {name: 0 for name in test.locations}
            for array, index, value in ELEMENT.findall(line):
                names = test.locations if array == "1" else test.registers
                outcome[names[int(index)]] = int(value) & model.MASK
            found.add(frozenset(outcome.items()))
        return found

    def schedules(self):
        """The options of each run, besides the exhaustive one."""
        seeds = range(self.seeds)
        if self.device == "gpu":  # the hardware determines the order
            return [[]] * max(1, self.seeds)
        if self.device == "ptx":
            return [["--schedule", "up"], ["--schedule", "down"],
                    *(["--schedule", "random", f"--seed={seed}"] for seed in seeds)]
        return [["--schedule=random", f"--seed={seed}", "--check=none"] for seed in seeds]

    def scheduled(self, test, file, schedule):
        """The outcome of one schedule."""
        memory, registers = (a + ",print" for a in self.arguments(test)[3::2])
        done = self.run(*schedule, file, "--grid", str(len(test.blocks)), "--arg", memory,
                        "--arg", registers)
        if done.returncode:
            raise RuntimeError(f"status {done.returncode}: {done.stdout}{done.stderr}")
        arrays = [re.findall(r"-?\d+", row) for row in
                  re.findall(r"\[([-\d, ]*)\]", done.stdout)][-2:]
        outcome = {name: int(v) & model.MASK for name, v in zip(test.locations, arrays[0])}
        outcome |= {name: int(v) & model.MASK for name, v in zip(test.registers, arrays[1])
                    if int(v) != UNREAD}
        return frozenset(outcome.items())

    def check(self, name, test, file=None, verdicts=()):
        self.count += 1
        if file is None:
            with tempfile.NamedTemporaryFile("w", suffix=".mlir") as written:
                written.write(str(kernel.Kernel(test)))
                written.flush()
                return self.compare(name, test, written.name, verdicts)
        return self.compare(name, test, file, verdicts)

    def compare(self, name, test, file, verdicts):
        allowed = model.outcomes(test)
        if self.device == "reference":
            self.compare_all(name, test, file, verdicts, allowed)
        if allowed is None:
            self.undefined += 1
            return
        for schedule in self.schedules():
            try:
                outcome = self.scheduled(test, file, schedule)
            except RuntimeError as error:
                self.fail(name, test, f"{' '.join(schedule)}: {error}")
                continue
            if outcome not in allowed:
                self.fail(name, test, f"{' '.join(schedule)}: {text_of(outcome)} is not allowed")

    def compare_all(self, name, test, file, verdicts, allowed):
        for wanted, verdict in verdicts:
            if verdict != judge(allowed, wanted):
                self.fail(name, test, f"{text_of(wanted.items())} is {verdict} by the table, "
                                      f"{judge(allowed, wanted)} by the model")
        try:
            explored = self.explored(test, file)
        except RuntimeError as error:
            return self.fail(name, test, str(error))
        if explored != allowed:
            self.fail(name, test, differences(explored, allowed))

    def fail(self, name, test, why):
        self.failures.append(name)
        print(f"FAILED {name}: {test.text}\n  {why}")


def judge(allowed, wanted):
    if allowed is None:
        return "UB"
    return "allowed" if any(wanted.items() <= dict(o).items() for o in allowed) else "forbidden"


def text_of(outcome):
    return " ".join(f"{name}={value}" for name, value in sorted(outcome))


def differences(explored, allowed):
    if explored is None or allowed is None:
        return f"the {'model' if allowed is None else 'machine'} alone says that it is undefined"
    return "; ".join([f"{text_of(o)} is allowed, but not produced" for o in allowed - explored]
                     + [f"{text_of(o)} is produced, but not allowed" for o in explored - allowed])


def table(path):
    """Yields (name, test, verdicts) for each entry: a line with its name, one with the blocks, and
    indented lines `outcome: verdict`."""
    entry = None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("//") or not line.strip():
                continue
            if not line.startswith(" "):
                if entry:
                    yield entry
                entry = [line.strip(), None, []]
            elif entry[1] is None:
                entry[1] = notation.Test(line.strip())
            else:
                outcome, verdict = line.strip().split(":")
                wanted = dict(part.split("=") for part in outcome.split() if part != "any")
                entry[2].append(({k: int(v) for k, v in wanted.items()}, verdict.strip()))
    yield entry


class RandomBlock:
    """Generates a few operations on two locations, within various control flow."""

    def __init__(self, choose, names, most):
        self.choose, self.names = choose, names
        # The remaining number of executed operations.
        self.left = most
        self.registers = []

    def join(self):
        return self.choose.choice(["->", "=>", ";", ";"])

    def body(self, least, most, times=1, loop=None, depth=0):
        """The nodes of a body that is executed `times` times."""
        words = []
        for number in range(self.choose.randint(least, most)):
            if self.left < times:
                break
            words.append(self.join() if number or depth else "")
            if self.choose.random() < 0.12:
                words += [self.choose.choice(notation.PASSES), self.join()]
            draw = self.choose.random()
            if self.registers and depth < 3 and draw < 0.45:
                words.append(self.branch(times, loop, depth))
            elif times == 1 and self.left >= 2 and draw < 0.55:
                words.append(self.loop(depth))
            else:
                words.append(self.operation(times))
        return " ".join(words)

    def guarded(self):
        """A condition on a value that was read, and operations after those that depend on it."""
        self.left -= 1  # Kept for the end.
        start = self.loop(0) if self.choose.random() < 0.15 else self.operation(1, "RUU")
        branch = self.branch(1, None, 0)
        self.left += 1
        return f"{start} {self.join()} {branch} {self.join()} {self.body(1, 2)}"

    def loop(self, depth):
        kind = self.choose.choice(["for", "loop"])
        read = self.operation(2, "RU")
        return f"{kind} 2 {{ {read} {self.body(1, 2, 2, kind, depth + 1)} }}"

    def branch(self, times, loop, depth):
        register, value = self.choose.choice(self.registers), self.choose.choice([0, 1, 1, 2, 2])
        words = ["iff", f"{register}={value} {{", self.way(times, loop, depth), "}"]
        if self.choose.random() < 0.35:
            words += ["else {", self.way(times, loop, depth), "}"]
        return " ".join(words)

    def way(self, times, loop, depth):
        """A branch, which may jump elsewhere."""
        jumps = {None: ["return"], "for": ["continue"], "loop": ["break", "continue"]}[loop]
        if self.choose.random() < 0.3:
            body = self.body(1, 1, times, loop, depth + 1) if self.choose.random() < 0.4 else ""
            return body + " " + self.choose.choice(jumps)
        return self.body(1, 2, times, loop, depth + 1)

    def operation(self, times, kinds="WWWRRUU"):
        self.left -= times
        location = self.choose.choice("XXXY")
        kind = self.choose.choice(kinds)
        scope = self.choose.choice([""] * 16 + [".blk", ".sys"])
        if kind == "W":
            value = self.choose.choice(["1", "2", "2", *self.registers,
                                        *(r + "+1" for r in self.registers)])
            order = self.choose.choice(["wk"] + ["rlx" + scope] * 7 + ["rel" + scope] * 3)
            return f"W {location} {value} {order}"
        register = next(self.names)
        change = self.choose.choice(["+1", ":=1", ":=2", "cas(0,1)", "max(2)"]) if kind == "U" else ""
        order = self.choose.choice(["rlx", "acq", "rel", "a/r"] if kind == "U"
                                   else ["rlx", "acq", "acq"]) + scope
        if kind == "R" and self.choose.random() < 0.07:
            order = "wk"
        self.registers.append(register)
        return f"{register}={kind} {location} {change} {order}"


def random_test(choose):
    """One to three blocks, with few enough operations for brute force."""
    while True:
        names = iter("abcdefghijklmnop")
        most = choose.choice([[4], [5], [5], [4, 1], [4, 2], [3, 1, 1]])
        first = RandomBlock(choose, names, most[0])
        blocks = [first.guarded() if choose.random() < 0.7 else first.body(2, 4)]
        blocks += [RandomBlock(choose, names, count).body(1, 3) for count in most[1:]]
        test = notation.Test(" || ".join(blocks))
        writes = [sum(prod(counts) for op, counts in test.ops
                      if op.location == location and op.kind != "R")
                  for location in test.locations]
        if max(writes) <= 4:
            return test


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tilewright", required=True)
    parser.add_argument("--device", choices=("reference", "ptx", "gpu"), default="reference")
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    runner = Runner(options.tilewright, options.device, options.seeds)
    for path in options.files:
        if path.endswith(".mlir"):
            with open(path, encoding="utf-8") as file:
                text = " ".join(re.findall(r"^// LITMUS: (.*)", file.read(), re.MULTILINE))
            runner.check(path, notation.Test(text), file=path)
        else:
            for name, test, verdicts in table(path):
                runner.check(name, test, verdicts=verdicts)
    choose = random.Random(options.seed)
    for number in range(options.random):
        runner.check(f"random test {number}", random_test(choose))
    undefined = f", {runner.undefined} are undefined" if options.device != "reference" else ""
    print(f"{runner.count} tests, {len(set(runner.failures))} failed{undefined}")
    sys.exit(1 if runner.failures or not runner.count else 0)


if __name__ == "__main__":
    main()
