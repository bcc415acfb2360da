# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel_symbols.py FOLDER NEWER: checks the symbols of the wheels in FOLDER, as the loader would see them.

Every library and program of every wheel may need at most glibc 2.28, no libstdc++, and only libraries that
manylinux_2_28 guarantees. A symbol without a version belongs to Python, zlib or our own driver. Any other would be
undefined, and loading the wheel would fail. NEWER is a library that needs a newer system; it verifies that
this test detects such libraries.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

# The policy of manylinux_2_28.
NEWEST = {"GLIBC": (2, 28), "GCC": (7, 0, 0), "ZLIB": (1, 2, 9)}
OWN = {"TILEWRIGHT_0", "TILEWRIGHT_PROGRAM"}
LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "libgcc_s.so.1", "libz.so.1",
             "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libtilewright.so.1", "libcuda.so.1",
             "libnvidia-ml.so.1"}
WITHOUT_VERSION = {"libtilewright.so.1": r"compress2|uncompress|crc32|adler32|deflate\w*", "_native": r"_?Py\w+",
                   "libnvidia-ml.so.1": r"cu[A-Z]\w+", "nvidia-smi": r"nvml\w+"}


def main() -> int:
    folder, newer = map(pathlib.Path, sys.argv[1:])
    wheels = sorted(folder.glob("*.whl"))
    errors = [] if wheels else [f"there is no wheel in {folder}"]
    for wheel in wheels:
        errors += [f"{wheel.name}: {error}" for error in wrong_in(wheel)]
    if len(wrong_with(newer)) < 2: # the versions and libstdc++
        errors.append(f"{newer} is linked for this system, but nothing is found to be wrong with it")
    for error in errors:
        print(error)
    return 1 if errors else 0


def wrong_in(wheel) -> list[str]:
    tag = wheel.stem.split("-")[-1]
    errors = [] if re.fullmatch(r"manylinux_2_28_(x86_64|aarch64)", tag) else [f"its platform is {tag}"]
    with tempfile.TemporaryDirectory() as name:
        zipfile.ZipFile(wheel).extractall(name)
        files = [file for file in pathlib.Path(name).rglob("*")
                 if file.is_file() and file.open("rb").read(4) == b"\x7fELF"]
        if len(files) < 9:
            errors.append(f"expected 9 libraries and programs or more, found {len(files)}")
        for file in files:
            errors += wrong_with(file)
        newest = max(version for file in files for version in versions_needed(file) if version[0] == "GLIBC")
    print(f"{wheel.name}: {len(files)} libraries and programs, which need glibc {'.'.join(map(str, newest[1]))}")
    return errors


def wrong_with(file) -> list[str]:
    errors = []
    for name, number in versions_needed(file):
        if name not in NEWEST or number > NEWEST[name]:
            errors.append(f"{file.name} needs {name}_{'.'.join(map(str, number))}")
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", readelf(file, "--dynamic")):
        if library not in LIBRARIES:
            errors.append(f"{file.name} needs {library}")
    allowed = next((names for part, names in WITHOUT_VERSION.items() if part in file.name), "")
    for name in re.findall(r" GLOBAL +DEFAULT +UND (\w+)(?: .*)?$", readelf(file, "--dyn-syms"), re.MULTILINE):
        if not re.fullmatch(allowed, name):
            errors.append(f"{file.name} needs {name}, of which no library is known")
    return errors


def versions_needed(file) -> set[tuple]:
    needed = readelf(file, "--version-info").partition("Version needs section")[2]
    names = set(re.findall(r"Name: (\S+)", needed)) - OWN
    return {(name, tuple(map(int, number.split("."))))
            for name, _, number in (name.rpartition("_") for name in names)}


def readelf(file, question) -> str:
    return subprocess.run(["readelf", "--wide", question, file], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
