# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dev.py FOLDER ARGUMENTS...: shows what ./dev ARGUMENTS would do.

Runs a copy of the script in FOLDER, where every program that it calls is replaced by a stub. The stubs of
ctest and lit list the tests: the rooms `tile` and `cpu`, and some files under test/. The benchmarks are
`bench_math`, `bench_text` and two scripts.
The script's output goes to standard output; the exit status is the script's.
"""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTS = {"ops/addi.mlir": "%check", "ops/mulhii.mlir": "%check",
         "tile/types.mlir": "tilewright-opt", "tools/lsp.test": "tilewright-lsp-server"}
VENV = ("requirements.txt", "test/requirements.txt")
PROGRAMS = {
    "dpkg-query": "echo installed",
    "llvm-config-22": 'dirname "$0"',
    "cmake": 'case "$*" in *help) printf "%s: phony\\n" bench_math bench_text benchmarks ;; esac\n'
             "exit ${BROKEN:-0}",
    "ctest": 'case "$*" in *-N) printf "  Test  #1: tile\\n  Test #10: cpu\\n" ;; esac',
    "lit": 'case $1 in --show-tests) echo "-- Available Tests --"\n'
           f'  printf "  tilewright :: %s\\n" {" ".join(TESTS)} ;;\n'
           '*) for last; do :; done; case $last in @*) cat "${last#@}" ;; esac ;; esac',
}


def main() -> int:
    house, *arguments = sys.argv[1:]
    house = pathlib.Path(house).resolve()
    shutil.rmtree(house, ignore_errors=True)
    for script in ("dev", "scripts/tests.sh"):
        write(house / script, (ROOT / script).read_text())
    for name, body in PROGRAMS.items():
        write(house / "programs" / name, f"#!/bin/sh\n{body}\n")
    for name, text in TESTS.items():
        write(house / "test" / name, text)
    write(house / "CMakePresets.json", "")
    write(house / "build" / "build.ninja", "")
    write(house / "build-asan" / "build.ninja", "")
    write(house / "build" / "results" / "of the last run", "")
    for benchmark in ("build/bin/bench_math", "build/bin/bench_text", "bench/startup.py",
                      "bench/kernel_speed.py"):
        write(house / benchmark, "#!/bin/sh\n")
    make_python(house, ".venv", *VENV)
    make_python(house, ".venv-bench", *VENV, "bench/requirements.txt")
    done = subprocess.run([house / "dev", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=os.environ | {
                              "PATH": f"{house / 'programs'}{os.pathsep}{os.environ['PATH']}",
                              "JOBS": "2", "CI": ""})
    print(done.stdout, end="")
    for kept in sorted((house / "build" / "results").iterdir()):
        print("results:", kept.name)
    return done.returncode


def make_python(house: pathlib.Path, venv: str, *requirements: str) -> None:
    """An environment that ./dev accepts as one that it has created from these requirements."""
    write(house / venv / "bin" / "python", "#!/bin/sh\n")
    for each in requirements:
        write(house / each, "")
    system = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else "python3"
    stamp = subprocess.run(f"{system} --version; sha256sum {' '.join(requirements)}", shell=True,
                           cwd=house, check=True, capture_output=True, text=True).stdout
    write(house / venv / "stamp", stamp)


def write(file: pathlib.Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


if __name__ == "__main__":
    sys.exit(main())
