# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""excluded.py TILEWRIGHT KERNEL...: each kernel fails for the launch in its line LAUNCH, so its proof must exclude it.

The operations that fail must be unknown, or have a condition that the launch does not satisfy.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import proved  # noqa: E402  pylint: disable=wrong-import-position


def output(command: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def launch_of(arguments: list[str], parameters: list[str]) -> dict:
    values = [value for option, value in zip(arguments[::2], arguments[1::2]) if option == "--arg"]
    names = dict(zip(("grid.x", "grid.y", "grid.z"), map(int, arguments[1].split(","))))
    for parameter, value in zip(parameters, values, strict=True):
        array = re.fullmatch(r"zeros\((\d+)x\w+\)", value)
        if array or "[" in value:
            names[f"len({parameter})"] = int(array[1]) if array else value.count(",") + 1
            names[f"address({parameter})"] = proved.ADDRESS
        else:
            names[parameter] = int(value)
    return {"names": names}


def main() -> None:
    program, *files = sys.argv[1:]
    assert files
    for file in files:
        arguments = shlex.split(re.search("// LAUNCH: (.*)", pathlib.Path(file).read_text())[1])
        ran = output([program, "run", file, *arguments, "--check", "all"])
        lines = {int(line) for line in re.findall(r"mlir:(\d+):\d+: error: block", ran.stderr)}
        assert ran.returncode == 3 and lines, (file, ran)
        proof = json.loads(output([program, "prove", file, "--json", "--proof-only"]).stdout)
        launch = launch_of(arguments, proof["parameters"])
        failing = [row for row in proof["operations"] if row["place"]["line"] in lines]
        assert failing, (file, ran.stderr)
        for row in failing:
            excluded = any(not proved.holds(condition, launch) for condition in row["conditions"])
            assert row["verdict"] in ("unknown", "counterexample") or excluded, (file, row, ran.stderr)
        print(f"{pathlib.Path(file).stem}: excluded")


main()
