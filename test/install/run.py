# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that an installation works without the build tree.

Installs twice: everything, staged with DESTDIR for another prefix and then moved away from both, and the
runtime with the development files alone. Programs in C and C++ are built against both trees, with
find_package and with pkg-config, and run. Prints what was tested.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="the build tree (default: %(default)s)")
    build = pathlib.Path(parser.parse_args().build).resolve()
    with tempfile.TemporaryDirectory(prefix="tilewright-install-") as folder:
        work = pathlib.Path(folder)
        try:
            whole = install_staged(build, work)
            alone = work / "alone"
            for component in ("runtime", "development"):
                run("cmake", "--install", build, "--prefix", alone, "--component", component)
            documented = take_documented_program(work)
            names_no_other_place(whole, build)
            agrees_on_the_version(whole)
            explains_itself(whole)
            kernels = compiles_against_its_own_runtime(whole, work)
            builds_by_cmake(whole, work / "by-cmake", documented)
            builds_by_pkg_config(whole, work / "by-pkg-config", kernels, documented)
            runtime_stands_alone(alone, work, kernels)
            says_what_is_missing(alone, work)
        except Wrong as wrong:
            print(f"install: {wrong}")
            return 1
    return 0


class Wrong(Exception):
    pass


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise Wrong(what)


def run(*command, expected_status=0, **environment) -> str:
    command = [str(word) for word in command]
    ended = subprocess.run(command, env={**os.environ, **environment}, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(ended.returncode == expected_status,
           f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def take_documented_program(work) -> pathlib.Path:
    """Writes add.c, as shown in docs/library.md."""
    program = work / "add.c"
    text = (ROOT / "docs/library.md").read_text()
    program.write_text(re.search(r"^\$ cat add\.c\n(.*?)^\$ ", text, re.MULTILINE | re.DOTALL)[1])
    return program


def install_staged(build, work) -> pathlib.Path:
    run("cmake", "--install", build, "--prefix", "/opt/tilewright", DESTDIR=str(work / "stage"))
    return (work / "stage/opt/tilewright").rename(work / "moved")


# --- The tree -------------------------------------------------------------------------------------


def names_no_other_place(tree, build) -> None:
    """Checks that no file contains the build tree or the prefix that it was staged for."""
    files = [file for file in tree.rglob("*") if file.is_file() and not file.is_symlink()]
    for file in files:
        said = file.read_bytes()
        if said.startswith(b"\x7fELF"):
            said = "\n".join(run_paths(file)).encode()
        for place in (str(build), "/opt/tilewright"):
            expect(place.encode() not in said, f"{file.relative_to(tree)} names {place}")
    print(f"{len(files)} installed files name no other place")


def run_paths(file) -> list[str]:
    return re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", run("readelf", "-d", file))


def agrees_on_the_version(tree) -> None:
    version = re.search(r"project\(Tilewright VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    for program in sorted((tree / "bin").iterdir()):
        line = run(program, "--version").splitlines()[0]
        expect(line.startswith(f"{program.name} {version} ("), f"{program.name} is '{line}'")
    for name in ("tilewright", "tilewright-runtime"):
        said = pkg_config(tree, "--modversion", name)
        expect(said == [version], f"pkg-config says that {name} is {said}")
        library = (tree / f"lib/lib{name}.so").resolve()
        expect(library.name == f"lib{name}.so.{version}", f"lib{name}.so is {library.name}")
    print(f"programs, libraries and pkg-config files say {version}")


def explains_itself(tree) -> None:
    """Checks manual pages for all commands, and completion scripts."""
    listed = run(tree / "bin/tilewright", "help").split("\nCommands:\n")[1].split("\n\n")[0]
    commands = re.findall(r"^  (\w+)", listed, re.MULTILINE)
    pages = {page.name for page in (tree / "share/man/man1").iterdir()}
    expected = {"tilewright.1", *(f"tilewright-{command}.1" for command in commands)}
    expect("run" in commands and pages == expected, f"there are the manual pages {pages}")
    for shell, file in (("bash", "bash-completion/completions/tilewright"),
                        ("zsh", "zsh/site-functions/_tilewright"),
                        ("fish", "fish/vendor_completions.d/tilewright.fish")):
        script = (tree / "share" / file).read_text()
        expect(script == run(tree / "bin/tilewright", "completion", shell), f"{file} is another script")
    print("there are manual pages of all commands, and completion for three shells")


def compiles_against_its_own_runtime(tree, work) -> pathlib.Path:
    """Compiles the kernels for programs that cannot compile."""
    kernels = work / "kernels"
    kernels.mkdir()
    for ending in ("o", "so"):
        run(tree / "bin/tilewright", "compile", ROOT / "examples/vector_add.mlir",
            "-o", kernels / f"vector_add.{ending}", "--header", kernels / "vector_add.h")
    found = run_paths(kernels / "vector_add.so")
    expect(found == [str(tree / "lib")], f"a compiled library looks for its runtime in {found}")
    print("a compiled library is linked with the runtime that is installed")
    return kernels


# --- Programs that are built against it -----------------------------------------------------------


def configure(tree, build, *options, expected_status=0) -> str:
    return run("cmake", "-S", HERE, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={tree}",
               *options, expected_status=expected_status)


def builds_by_cmake(tree, build, documented) -> None:
    configure(tree, build, f"-DDOCUMENTED={documented}")
    run("cmake", "--build", build)
    launches(build / "launch", build / "vector_add.so")
    converts(build / "convert")
    adds(build / "add", tree, build)
    print("by find_package: a program in C launches, a program in C++ converts,")
    print("the program of docs/library.md compiles bytecode, launches it and reports a finding")


def builds_by_pkg_config(tree, folder, kernels, documented) -> None:
    """Builds the C programs as in docs/install.md, with this prefix: only the commands there locate the
    libraries."""
    folder.mkdir()
    strict = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
    for source, name in ((HERE / "launch.c", "main.c"), (documented, "checker.c"),
                         (kernels / "vector_add.o", "vector_add.o"), (kernels / "vector_add.h", "vector_add.h")):
        shutil.copy(source, folder / name)
    text = (ROOT / "docs/install.md").read_text()
    commands = re.search(r"## With pkg-config\n+```\n(.*?)```", text, re.DOTALL)[1]
    commands = commands.replace("/opt/tilewright", str(tree)).replace("cc ", f"cc -std=c11 {' '.join(strict)} ")
    run("sh", "-ec", f"cd {folder}\n{commands}")
    run("c++", "-std=c++17", *strict, HERE / "convert.cpp", f"-Wl,-rpath,{tree}/lib",
        *pkg_config(tree, "--cflags", "--libs", "tilewright"), "-o", folder / "convert")
    launches(folder / "product", kernels / "vector_add.so")
    converts(folder / "convert")
    adds(folder / "checker", tree, folder)
    print("by pkg-config, as docs/install.md does: the same")


def pkg_config(tree, *question) -> list[str]:
    return run("pkg-config", *question, PKG_CONFIG_LIBDIR=str(tree / "lib/pkgconfig")).split()


def launches(program, kernel) -> None:
    said = run(program, kernel)
    expect(said.count(": right\n") == 8, f"{program} printed\n{said}")


def converts(program) -> None:
    said = run(program)
    expect("k:1:36: error: custom op 'retrun' is unknown" in said, f"{program} printed\n{said}")


def adds(program, tree, folder) -> None:
    bytecode = folder / "add.tileirbc"
    run(tree / "bin/tilewright", "as", ROOT / "examples/vector_add.mlir", "-o", bytecode)
    said = run(program, bytecode)
    expect(said == "2499 + 0.5 = 2499.5\n", f"{program} printed\n{said}")
    # With 2600 as the extent of vectors with 2500 elements, the third block reads past the end.
    said = run(program, bytecode, "2600", expected_status=3)
    expect("bounds in tile block (2, 0, 0)" in said, f"{program} printed\n{said}")


# --- The runtime alone ----------------------------------------------------------------------------


def runtime_stands_alone(tree, work, kernels) -> None:
    shutil.rmtree(work / "moved")
    build = work / "alone-by-cmake"
    configure(tree, build, "-DWANTED_COMPONENTS=runtime", f"-DKERNELS={kernels}")
    run("cmake", "--build", build)
    program = build / "launch"
    launches(program, kernels / "vector_add.so") # was linked against the other installation
    for file in (program, tree / "lib/libtilewright-runtime.so"):
        needed = run("ldd", file)
        expect("not found" not in needed, f"{file} lacks libraries:\n{needed}")
        expect(not re.search("LLVM|MLIR", needed), f"{file} needs LLVM:\n{needed}")
    print("the runtime alone launches kernels; it needs no LLVM")


def says_what_is_missing(tree, work) -> None:
    for options, message in (
            (["-DWANTED_COMPONENTS=compiler"],
             r"The component compiler needs\s+\S+/lib/libtilewright.so.\d+,\s+which is not\s+installed"),
            (["-DWANTED_COMPONENTS=runtimes"],
             r"There is no component runtimes:\s+expected runtime,\s+compiler or tools"),
            (["-DWANTED_COMPONENTS=runtime", "-DWANTED_VERSION=0.2"],
             r'compatible with requested\s+version "0.2"')):
        said = configure(tree, work / "missing", *options, expected_status=1)
        shutil.rmtree(work / "missing")
        expect(re.search(message, said), f"find_package with {options} says\n{said}")
    print("find_package says which component or version is missing")


if __name__ == "__main__":
    sys.exit(main())
