# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py BUILD OUTPUT: packs two wheels from the build in BUILD: one for its Python, one for the stable ABI.

Writes them to OUTPUT, and deletes other wheels for the same processor there. Nothing is rebuilt: scikit-build-core
reads names and dependencies from pyproject.toml, CMake installs the files. Then the wheels are checked: auditwheel
detects whether one needs a newer system than its tag, or a library that not all systems have; this script checks the
list of files, their hashes in RECORD, and the symbols that the libraries export and need.
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

import abi3info
from elftools.elf.elffile import ELFFile
from scikit_build_core.build import prepare_metadata_for_build_wheel

# The components that CMake installs for both wheels, and for each of them (packaging/Python.cmake).
COMMON, MODULES = "python", ("python-version", "python-abi3")

# The processor names in wheel tags.
PROCESSORS = {"x64": "x86_64", "AArch64": "aarch64"}

# The projects that are linked into the libraries, and their licence files.
LINKED = {
    "boost": "/usr/share/doc/libboost1.74-dev/copyright",
    "cli11": "/usr/share/doc/libcli11-dev/copyright",
    "lld": "/usr/share/doc/liblld-22-dev/copyright",
    "libstdc++": "/usr/share/doc/libstdc++-12-dev/copyright",
    "llvm": "/usr/share/doc/llvm-22-dev/copyright",
    "nanobind": importlib.metadata.distribution("nanobind").locate_file(
        f"nanobind-{importlib.metadata.version('nanobind')}.dist-info/licenses/LICENSE"),
    "zlib": "/usr/share/doc/zlib1g-dev/copyright",
    "zstd": "/usr/share/doc/libzstd-dev/copyright",
}

# Patterns of the files in a wheel: each matches at least one file, and every file matches one.
CONTENTS = [
    r"tilewright/(\w+/)?\w+\.py", r"tilewright/__init__\.py", r"tilewright/_program\.py",
    r"tilewright/_version\.py", r"tilewright/cutile/__init__\.py", r"tilewright/py\.typed",
    r"tilewright/_cuda/site/sitecustomize\.py", r"tilewright/_native\.pyi",
    r"tilewright/_native\.[\w.-]+\.so", r"tilewright/bin/tilewright",
    r"tilewright/libexec/tilewright/cuda/bin/tileiras",
    r"tilewright/libexec/tilewright/cuda/bin/tileirdisasm",
    r"tilewright/libexec/tilewright/cuda/management/nvidia-smi",
    r"tilewright/libexec/tilewright/cuda/lib/libcuda\.so\.1",
    r"tilewright/libexec/tilewright/cuda/lib/libnvidia-ml\.so\.1",
    r"tilewright/lib\w*/libtilewright\.so\.\d+", r"tilewright/lib\w*/libtilewright-runtime\.so\.\d+",
    r"tilewright-[^/]+\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|sboms/[^/]+)",
    r"tilewright-[^/]+\.dist-info/licenses/LICENSE",
    *(rf"tilewright-[^/]+\.dist-info/licenses/{re.escape(name)}\.txt" for name in LINKED),
]


def main() -> int:
    build, output = map(pathlib.Path, sys.argv[1:])
    output.mkdir(parents=True, exist_ok=True)
    glibc = re.search("^TILEWRIGHT_GLIBC:STRING=(.+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    if not glibc:
        print(f"{build} was configured without TILEWRIGHT_GLIBC, so what it links runs on this system alone")
        return 1

    stages = [stage(build, module) for module in MODULES]
    arch = processor(stages[0])
    for old in output.glob(f"*_{arch}.whl"):
        old.unlink()
    errors = [error for folder in stages for error in pack(folder, output, glibc[1], arch)]
    for error in errors:
        print(error)
    return 1 if errors else 0


def stage(build, module) -> pathlib.Path:
    """The files of the wheel with this module."""
    folder = build / "wheel" / "stage" / module
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for component in COMMON, module:
        run("cmake", "--install", build, "--component", component, "--prefix", folder)
    return folder


def processor(folder) -> str:
    with extension_module(folder).open("rb") as module:
        return PROCESSORS[ELFFile(module).get_machine_arch()]


def extension_module(folder) -> pathlib.Path:
    [module] = folder.glob("tilewright/_native.*.so")
    return module


def tag(module) -> str:
    """The tag of the Pythons that can load _native.abi3.so or _native.cpython-311-x86_64-linux-gnu.so."""
    if module.name.endswith(".abi3.so"):
        return "cp312-abi3" # the oldest stable ABI that nanobind supports
    version = re.search(r"\.cpython-(\d+)-", module.name)[1]
    return f"cp{version}-cp{version}"


def pack(folder, output, glibc, arch) -> list[str]:
    """Writes a wheel with the files in `folder`, and returns the errors that checks find."""
    module, platform = extension_module(folder), f"manylinux_{glibc.replace('.', '_')}_{arch}"
    info = folder / prepare_metadata_for_build_wheel(str(folder))
    # scikit-build-core writes the tag of this Python and this system.
    wheel_file = info / "WHEEL"
    wheel_file.write_text(re.sub("^Tag: .*$", f"Tag: {tag(module)}-{platform}", wheel_file.read_text(),
                                 flags=re.MULTILINE))
    for name, licence in LINKED.items():
        shutil.copyfile(licence, info / "licenses" / f"{name}.txt")
    run(sys.executable, "-m", "wheel", "pack", "--dest-dir", output, folder)
    [wheel] = output.glob(f"*-{tag(module)}-{platform}.whl")
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")

    errors = check(wheel) + check_exports(next(folder.glob("tilewright/lib*/libtilewright.so.*")))
    errors += check_platform(wheel, glibc, arch)
    if "-abi3-" in wheel.name:
        errors += check_stable_abi(module)
    return [f"{wheel}: {error}" for error in errors]


def run(*command) -> None:
    print("+", *command, file=sys.stderr, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def check(path: pathlib.Path) -> list[str]:
    """The errors in the files of a wheel and in its RECORD."""
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


def check_platform(wheel: pathlib.Path, glibc: str, arch: str) -> list[str]:
    """The errors in a wheel's platform tag; auditwheel prints the oldest platform that the wheel supports."""
    said = subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], check=True, capture_output=True,
                          text=True).stdout
    found = re.search(r'platform tag:\s+"(\w+)"', said)
    oldest = re.fullmatch(rf"manylinux_(\d+)_(\d+)_{arch}", found[1]) if found else None
    if oldest and tuple(map(int, oldest.groups())) <= tuple(map(int, glibc.split("."))):
        print(f"auditwheel: {oldest[0]}")
        return []
    return [f"expected the platform manylinux of glibc {glibc} or older, but auditwheel says:\n{said}"]


def check_exports(library: pathlib.Path) -> list[str]:
    """The exports of a library, except for the C API, the programs' functions and version names."""
    allowed = r"tw[A-Z]\w*|_ZN10tilewright5tools14runCommandLine\w*|TILEWRIGHT_\w+"
    return [f"{library} exports {name}" for name in dynamic_symbols(library, "--defined-only")
            if not re.fullmatch(allowed, name)]


def check_stable_abi(module: pathlib.Path) -> list[str]:
    """The Python symbols that a module uses, except for those in the stable ABI of 3.12."""
    known = {symbol.name: entry.added for table in (abi3info.FUNCTIONS, abi3info.DATAS)
             for symbol, entry in table.items()}
    used = [name for name in dynamic_symbols(module, "--undefined-only") if re.match("_?Py", name)]
    errors = [f"{module} uses {name}, which the stable ABI of Python 3.12 lacks" for name in used
              if name not in known or (known[name].major, known[name].minor) > (3, 12)]
    return errors if used else [f"{module} uses nothing of Python"]


def dynamic_symbols(library: pathlib.Path, which: str) -> list[str]:
    listing = subprocess.run(["nm", "--dynamic", which, library], check=True, capture_output=True, text=True).stdout
    return [line.split()[-1].partition("@")[0] for line in listing.splitlines()]


if __name__ == "__main__":
    sys.exit(main())
