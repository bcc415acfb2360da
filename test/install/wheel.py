# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py BUILD: tests that the wheels in BUILD/wheels work without the build tree, and which systems they support.

pip installs the wheel for this Python in a new virtual environment. Its dependencies come from the environment of the
Python that runs this, so that no network is needed. wheel_symbols.py then checks all wheels for the systems that they
support, and younger.c tests the functions that they provide for older ones. `./dev wheel --try` tests more, on other
systems.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="tilewright-wheel-") as name:
        folder = pathlib.Path(name).resolve()
        programs = make_environment(folder / "venv", build / "wheels")
        # Programs get nothing from the caller's environment: no PYTHONPATH leads to a build.
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder)}
        examples = ROOT / "examples"
        commands = [
            [programs / "python", ROOT / "packaging/try_wheel.py", examples / "vector_add.mlir"],
            [programs / "tilewright", "exec", programs / "python", examples / "python/vector_add_ct_launch.py"],
            [programs / "tilewright", "run", examples / "vector_add.mlir", "--grid", "3",
             *("--arg", "array:iota(2500xf32)") * 2, "--arg", "array:zeros(2500xf32)"],
            [programs / "tilewright", "compile", examples / "vector_add.mlir", "-o", folder / "vector_add.so"],
            [programs / "python", "-c", "import ctypes; ctypes.CDLL('./vector_add.so').vector_add_launch"],
            [sys.executable, HERE / "wheel_symbols.py", build / "wheels", build / "lib/libtilewright-runtime.so"],
            build_younger(folder, build / "glibc") + ["here"]]
        for command in commands:
            print("+", *command, flush=True)
            status = subprocess.run(command, env=environment, cwd=folder).returncode
            if status:
                print(f"{pathlib.Path(command[0]).name} ended with {status}")
                return 1
    return 0


def make_environment(folder: pathlib.Path, wheels: pathlib.Path) -> pathlib.Path:
    """Returns the folder of its programs."""
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    packages = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                              check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index",
                    "--no-deps", "--find-links", wheels, "tilewright"], check=True)
    # After the environment's own packages.
    pathlib.Path(packages, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python.parent


def build_younger(folder: pathlib.Path, stubs: pathlib.Path) -> list:
    """A command that runs younger.c, linked with the same archive as the wheels."""
    shutil.copy(HERE / "younger.c", folder)
    program = folder / "younger"
    subprocess.run([os.environ.get("CC", "clang-22"), "-fuse-ld=lld", "-Wall", "-Wextra", "-Werror", f"-L{stubs}",
                    "-Wl,--allow-shlib-undefined", folder / "younger.c", "-o", program], check=True)
    return [program]


if __name__ == "__main__":
    sys.exit(main())
