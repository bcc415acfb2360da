# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py FOLDER: does the wheel in FOLDER work in a virtual environment that knows no build tree?

The environment is a new one, in which pip installs the wheel. What the wheel depends on comes from
the environment of the Python that runs this, so that no network is needed. `./dev wheel --try` does
more, on a Debian without packages of LLVM.
"""

import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main() -> int:
    wheels = list(pathlib.Path(sys.argv[1]).resolve().glob("*.whl"))
    if len(wheels) != 1:
        print(f"expected one wheel in {sys.argv[1]}, but there are {len(wheels)}")
        return 1
    with tempfile.TemporaryDirectory(prefix="tilewright-wheel-") as name:
        folder = pathlib.Path(name).resolve()
        programs = make_environment(folder / "venv", wheels[0])
        # Of what runs here, nothing of the caller's environment: no PYTHONPATH leads to a build.
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder)}
        examples = ROOT / "examples"
        for command in (
                [programs / "python", ROOT / "packaging/try_wheel.py", examples / "vector_add.mlir"],
                [programs / "tilewright", "exec", programs / "python", examples / "python/vector_add_ct_launch.py"],
                [programs / "tilewright", "run", examples / "vector_add.mlir", "--grid", "3",
                 *("--arg", "array:iota(2500xf32)") * 2, "--arg", "array:zeros(2500xf32)"]):
            print("+", *command, flush=True)
            status = subprocess.run(command, env=environment, cwd=folder).returncode
            if status:
                print(f"{command[0].name} ended with {status}")
                return 1
    return 0


def make_environment(folder: pathlib.Path, wheel: pathlib.Path) -> pathlib.Path:
    """Returns the folder of its programs."""
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    packages = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                              check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index",
                    "--no-deps", wheel], check=True)
    # Behind its own packages.
    pathlib.Path(packages, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python.parent


if __name__ == "__main__":
    sys.exit(main())
