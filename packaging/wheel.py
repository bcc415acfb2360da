# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py BUILD OUTPUT: packs the component `python` of the build in BUILD as a wheel in OUTPUT.

What pip would make of this checkout, without building it a second time: pyproject.toml says through
scikit-build-core what the wheel is called and needs, CMake what is in it. auditwheel says on which
systems it runs, and fails where a library is missing that not all of them have. Then RECORD has to
list what a wheel needs, and each file with its hash.
"""

import base64
import csv
import hashlib
import importlib.metadata
import io
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

from scikit_build_core.build import prepare_metadata_for_build_wheel

# What becomes a part of the libraries, and the file with its licence.
LINKED = {
    "cli11": "/usr/share/doc/libcli11-dev/copyright",
    "lld": "/usr/share/doc/liblld-22-dev/copyright",
    "llvm": "/usr/share/doc/llvm-22-dev/copyright",
    "nanobind": importlib.metadata.distribution("nanobind").locate_file(
        f"nanobind-{importlib.metadata.version('nanobind')}.dist-info/licenses/LICENSE"),
    "zstd": "/usr/share/doc/libzstd-dev/copyright",
}

# Patterns of the files that a wheel has: each matches one or more, and every file matches one.
CONTENTS = [
    r"tilewright/(\w+/)?\w+\.py", r"tilewright/__init__\.py", r"tilewright/_program\.py",
    r"tilewright/_version\.py", r"tilewright/cutile/__init__\.py", r"tilewright/py\.typed",
    r"tilewright/_cuda/site/sitecustomize\.py", r"tilewright/_native\.pyi",
    r"tilewright/_native\.[\w.-]+\.so", r"tilewright/bin/tilewright",
    r"tilewright/libexec/tilewright/cuda/bin/tileiras",
    r"tilewright/libexec/tilewright/cuda/bin/tileirdisasm",
    r"tilewright/libexec/tilewright/cuda/lib/libcuda\.so\.1",
    r"tilewright/lib\w*/libtilewright\.so\.\d+", r"tilewright/lib\w*/libtilewright-runtime\.so\.\d+",
    r"tilewright-[^/]+\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|sboms/[^/]+)",
    r"tilewright-[^/]+\.dist-info/licenses/LICENSE",
    *(rf"tilewright-[^/]+\.dist-info/licenses/{name}\.txt" for name in LINKED),
]


def main() -> int:
    build, output = map(pathlib.Path, sys.argv[1:])
    stage, packed = build / "wheel" / "stage", build / "wheel" / "packed"
    for folder in stage, packed, output:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    run("cmake", "--install", build, "--component", "python", "--strip", "--prefix", stage)
    info = stage / prepare_metadata_for_build_wheel(str(stage))
    for name, licence in LINKED.items():
        shutil.copyfile(licence, info / "licenses" / f"{name}.txt")
    run(sys.executable, "-m", "wheel", "pack", "--dest-dir", packed, stage)
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", output, *packed.glob("*.whl"))

    [wheel] = output.glob("*.whl")
    errors = check(wheel) + check_exports(next(stage.glob("tilewright/lib*/libtilewright.so.*")))
    for error in errors:
        print(f"{wheel}: {error}")
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")
    return 1 if errors else 0


def run(*command) -> None:
    print("+", *command, file=sys.stderr, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def check(path: pathlib.Path) -> list[str]:
    """What is wrong with the files of a wheel and with its RECORD."""
    with zipfile.ZipFile(path) as wheel:
        files = {entry.filename: entry for entry in wheel.infolist() if not entry.is_dir()}
        [record] = (name for name in files if name.endswith(".dist-info/RECORD"))
        hashes = {name: digest for name, digest, _ in
                  csv.reader(io.StringIO(wheel.read(record).decode()))}
        errors = [f"RECORD lists {name}, which is not there" for name in hashes.keys() - files.keys()]
        for name in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest())
            expected = "" if name == record else "sha256=" + digest.decode().rstrip("=")
            if hashes.get(name) != expected:
                errors.append(f"RECORD has {hashes.get(name)!r} of {name}, expected {expected!r}")
            if not any(re.fullmatch(pattern, name) for pattern in CONTENTS):
                errors.append(f"{name} does not belong there")
        for pattern in CONTENTS:
            found = [name for name in files if re.fullmatch(pattern, name)]
            if not found:
                errors.append(f"there is no {pattern}")
            errors += [f"{name} is not executable" for name in found
                       if "/bin/" in name and not files[name].external_attr >> 16 & 0o111]
    return errors


def check_exports(library: pathlib.Path) -> list[str]:
    """What a library exports beyond the C API, the programs and the names of their versions."""
    listing = subprocess.run(["nm", "--dynamic", "--defined-only", library], check=True,
                             capture_output=True, text=True).stdout
    names = [line.split()[-1].partition("@")[0] for line in listing.splitlines()]
    allowed = r"tw[A-Z]\w*|_ZN10tilewright5tools14runCommandLine\w*|TILEWRIGHT_\w+"
    return [f"{library} exports {name}" for name in names if not re.fullmatch(allowed, name)]


if __name__ == "__main__":
    sys.exit(main())
