# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""old_glibc.py VERSION FOLDER NONSHARED COMPILER...: writes stub libraries to link against instead of glibc's own, so
that the resulting binaries run on glibc VERSION and newer.

glibc keeps all versions of its symbols: the installed libc.so.6 still has `pthread_create@GLIBC_2.2.5` beside
`pthread_create@@GLIBC_2.34`. For each symbol, the stub libraries in FOLDER have the newest version up to VERSION;
symbols that VERSION lacks are missing. They contain no code: `-L FOLDER` makes the linker find them first, and
the loader never uses them.

`libc.so` is a linker script, as in glibc. It adds the archive NONSHARED, which defines functions that VERSION lacks
(Younger.c), and libpthread and libdl, which were separate libraries before glibc 2.34. COMPILER is a C compiler for
the target, with its options.
"""

import pathlib
import re
import subprocess
import sys

LOADERS = ["ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"]
# glibc 2.34 moved the symbols of these to libc.so.6, and keeps the empty libraries. The loader looks a symbol up by
# name and version in all libraries of a program, so with an older glibc it finds the symbols in these libraries.
EMPTY = ["libpthread.so.0", "libdl.so.2"]


def main() -> int:
    newest, folder, nonshared = tuple(map(int, sys.argv[1].split("."))), pathlib.Path(sys.argv[2]), sys.argv[3]
    compiler = sys.argv[4:]
    folder.mkdir(parents=True, exist_ok=True)

    loader = next(name for name in LOADERS if installed(compiler, name).is_file())
    for library in "libc.so.6", "libm.so.6", loader:
        write_stub(folder / library, offered_by(installed(compiler, library), newest), compiler)
    for library in EMPTY:
        write_stub(folder / library, {}, compiler)
    link(folder / "libm.so", "libm.so.6")
    members = [folder / name for name in ("libc.so.6", *EMPTY)]
    script = f"GROUP ({nonshared} {' '.join(map(str, members))} AS_NEEDED ({folder / loader}))\n"
    (folder / "libc.so").write_text(script)
    return 0


def installed(compiler, library) -> pathlib.Path:
    """The path of a library; only its name if the compiler does not find it."""
    return pathlib.Path(run(*compiler, f"-print-file-name={library}").strip())


def offered_by(library, newest) -> dict[str, tuple]:
    """Name: (version, type, size) of each symbol's newest version up to `newest`."""
    found = {}
    for line in run("readelf", "--dyn-syms", "--wide", library).splitlines():
        symbol = re.match(r"\s*\d+: \w+ +(\w+) (FUNC|IFUNC|OBJECT) +\w+ +DEFAULT +(\w+) (\w+)@@?GLIBC_([\d.]+)", line)
        if not symbol or symbol[3] == "UND":
            continue
        size, kind, _, name, version = symbol.groups()
        number = tuple(map(int, version.split(".")))
        if number <= newest and (name not in found or number > found[name][0]):
            found[name] = (number, "object" if kind == "OBJECT" else "function", int(size, 0))
    return found


def write_stub(library, symbols, compiler) -> None:
    """Assembles labels, whose versions come from a version script."""
    lines, versions = [".data"], {}
    for name, (version, kind, size) in symbols.items():
        lines += [f".globl {name}", f".type {name}, %{kind}", f".size {name}, {size}", f"{name}: .skip {size}"]
        versions.setdefault(version, []).append(name)
    assembly, script = (library.with_name(library.name + ending) for ending in (".s", ".map"))
    assembly.write_text("\n".join(lines) + "\n")
    script.write_text("".join(f"GLIBC_{'.'.join(map(str, version))} {{ global: {'; '.join(names)}; }};\n"
                              for version, names in sorted(versions.items())))
    options = [f"-Wl,--version-script={script}"] if symbols else []
    run(*compiler, "-shared", "-nostdlib", f"-Wl,-soname,{library.name}", *options, assembly, "-o", library)


def link(path, target) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def run(*command) -> str:
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if ended.returncode:
        sys.exit(f"old_glibc.py: this command ended with {ended.returncode}: {' '.join(map(str, command))}")
    return ended.stdout


if __name__ == "__main__":
    sys.exit(main())
