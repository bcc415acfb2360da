#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the API reference: docs/reference/c.md is generated from the C headers, docs/reference/python.md from the
source of the Python package. --update writes the pages. A public name without documentation is an error.

C: a comment documents the declarations that follow it up to the next blank line or comment. Members of structs and
enumerations are documented where they are declared. `/* ---- Title ---- */` begins a section.
Python: docstrings, also those that follow an attribute. A constructor is public if it has a docstring.
"""

import argparse
import ast
import inspect
import pathlib
import re
import sys
import textwrap

from reference_page import Entry, Page, Part, Section, glued, table_rows

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = "docs/reference"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the pages")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the source tree (%(default)s)")
    arguments = parser.parse_args()
    errors = check(arguments.root, arguments.update)
    for error in errors:
        print(error)
    return 1 if errors else 0


def check(root: pathlib.Path, update: bool = False) -> list[str]:
    pages = {"c.md": c_page(root), "python.md": python_page(root)}
    if missing := [error for page in pages.values() for error in page.errors]:
        return missing
    errors = []
    for name, page in pages.items():
        file, text = root / FOLDER / name, page.text()
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            errors.append(f"{FOLDER}/{name}: outdated; scripts/api_reference.py --update writes it")
    return errors


# --- C ------------------------------------------------------------------------------------------

HEADERS = ("Tilewright.h", "TilewrightPtx.h")
C_INTRODUCTION = """# C API reference

`scripts/api_reference.py` generates this page from
[`Tilewright.h`](../../tilewright/api/Tilewright.h) and [`TilewrightPtx.h`](../../tilewright/api/TilewrightPtx.h). See
[Tilewright as a library](../library.md) for complete programs. Functions marked `static inline` are part of the header:
`libtilewright.so` does not export them.
"""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def c_page(root: pathlib.Path) -> Page:
    errors: list[str] = []
    parts = [header_part(root, f"tilewright/api/{name}", errors) for name in HEADERS]
    return Page(C_INTRODUCTION, parts, errors, r"TW_\w+(?:, TW_\w+)*")


def header_part(root: pathlib.Path, name: str, errors: list[str]) -> Part:
    lines = (root / name).read_text().splitlines()
    part = Part(pathlib.Path(name).name, "", [])
    section = Section("Basics")
    at, conditions, comment = 0, 0, ""
    handles: dict[str, str] = {}
    entry: Entry | None = None  # declarations that follow without a blank line join it
    while at < len(lines):
        line, begin = lines[at], at
        at += 1
        if not line:
            comment, entry = "", None
        elif line.startswith("/*"):
            while "*/" not in lines[at - 1]:
                at += 1
            comment, entry = comment_text(lines[begin:at]), None
            if title := re.fullmatch(r"-+ (.*?) -+", comment):
                section, comment = Section(title[1]), ""
            elif not part.text:
                part.text = comment.partition("\n")[2]  # the first line is the licence
                handles = dict(row for paragraph in part.text.split("\n\n") for row in table_rows(paragraph) or [])
        elif line.startswith("#") and not line.startswith("#define"):
            conditions += {"#if": 1, "#en": -1}.get(line[:3], 0)
            comment = ""
        elif conditions == 1 and not re.fullmatch(r"#define \w+", line):  # not the include guard
            if not line.startswith("#"):
                at = end_of_declaration(lines, begin)
            code = shown("\n".join(lines[begin:at]))
            names = declared(code)
            if entry is None:
                text = comment or sentence(handles.get(names[0], ""))
                if not text:
                    errors.append(f"{name}:{begin + 1}: {', '.join(names)}: no comment")
                entry = Entry("", [], "", "c", text)
                if section not in part.sections:
                    part.sections.append(section)
                section.entries.append(entry)
            entry.names += names
            many = len(entry.names) > 4
            entry.heading = f"{entry.names[0]} to {entry.names[-1]}" if many else ", ".join(entry.names)
            entry.code += ("\n" if entry.code else "") + code
    return part


def sentence(text: str) -> str:
    return text and text[0].upper() + text[1:] + "."


def comment_text(lines: list[str]) -> str:
    text = "\n".join(lines).removeprefix("/*").removesuffix("*/").rstrip()
    return re.sub(r"^ \*? ?", "", text, flags=re.MULTILINE)


def end_of_declaration(lines: list[str], begin: int) -> int:
    for end in range(begin + 1, len(lines) + 1):
        code = COMMENT.sub("", "\n".join(lines[begin:end])).rstrip()
        if code.count("{") == code.count("}") and code.endswith((";", "}")):
            return end
    sys.exit(f"api_reference: the declaration in line {begin + 1} does not end: {lines[begin]}")


def shown(code: str) -> str:
    """Without macros and the body of a function."""
    if code.startswith("TW_API "):
        return code.replace("TW_API ", "", 1).replace("\n" + " " * len("TW_API "), "\n")
    if code.startswith("static inline"):
        return code.partition(" {\n")[0] + ";"
    return code.replace(" TW_BITS", "")


def declared(code: str) -> list[str]:
    """The name of a declaration; for an enumeration without one, its members."""
    code = COMMENT.sub("", code)
    if code.startswith("enum {"):
        return re.findall(r"\b\w+(?= = )", code)
    name = re.match(r"#define (\w+)", code) or re.match(r"typedef (?:struct|enum) (\w+)", code) \
        or re.match(r"typedef \w+ (\w+);", code) or re.search(r"(\w+)\(", code)
    return [name[1]] if name else sys.exit(f"api_reference: cannot read the declaration {code}")


# --- Python -------------------------------------------------------------------------------------

PYTHON_INTRODUCTION = """# Python API reference

`scripts/api_reference.py` generates this page from the docstrings in [`python/tilewright`](../../python/tilewright).
The guides are [Tilewright from Python](../python.md) and [Kernels in JAX, PyTorch and Dask](../frameworks.md).
`tilewright.__version__` is the version of the package.
"""
SECTIONS = {"_module": "Programs", "_code": "Compiled code", "_draw": "Pictures", "_inspect": "Compilation stages",
            "_explore": "What a kernel does, costs and does wrong", "_diff": "Which operation a device computes wrongly",
            "_estimate": "What launches cost on GPUs", "_prove": "Proofs for all sizes",
            "_advise": "Memory orders", "_benchmark": "Measurements",
            "_arrays": "Floats of 4 and 8 bits", "_records": "Reports and exceptions"}
PARAMETER = r"`\w+`(?: \([^)]*\))?"
LITERALS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'


def python_page(root: pathlib.Path) -> Page:
    errors: list[str] = []
    package = Source(root, "python/tilewright/__init__.py", errors)
    places = package.value("_PLACES")
    sections = []
    for module in dict.fromkeys(places.values()):
        source = Source(root, f"python/tilewright/{module}.py", errors)
        names = [name for name, place in places.items() if place == module]
        if module not in SECTIONS:
            sys.exit(f"api_reference: SECTIONS has no title for {source.file}")
        sections.append(Section(SECTIONS[module], [source.entry(name) for name in names]))
    parts = [Part("tilewright", ast.get_docstring(package.tree, clean=False) or "", sections)]
    for module in (*package.value("_MODULES"), *package.value("_FRAMEWORKS")):
        file = next(file for file in (f"python/tilewright/{module}.py", f"python/tilewright/{module}/__init__.py")
                    if (root / file).exists())
        source = Source(root, file, errors, f"{module}.")
        section = Section("", [source.entry(name) for name in source.value("__all__")])
        parts.append(Part(f"tilewright.{module}", ast.get_docstring(source.tree, clean=False) or "", [section]))
    return Page(PYTHON_INTRODUCTION, parts, errors, rf"{PARAMETER}(?:(?:,| and) {PARAMETER})*")


class Source:
    """A Python file. `scope` is what its public names begin with."""

    def __init__(self, root: pathlib.Path, file: str, errors: list[str], scope: str = ""):
        self.root, self.file, self.errors, self.scope = root, file, errors, scope
        text = (root / file).read_text()
        self.lines = text.splitlines()
        self.tree = ast.parse(text)

    def value(self, name: str):
        """The value of a constant."""
        return ast.literal_eval(self.find(name).value)

    def find(self, name: str) -> ast.stmt:
        for node in self.tree.body:
            if name in (getattr(node, "name", None), assigned(node)) or isinstance(node, ast.ImportFrom) and name in (
                    alias.name for alias in node.names):
                return node
        sys.exit(f"api_reference: {self.file} has no {name}")

    def entry(self, name: str) -> Entry:
        node, full = self.find(name), self.scope + name
        if isinstance(node, ast.ImportFrom):
            return self.native(name)
        if isinstance(node, ast.ClassDef):
            return self.class_entry(node, full)
        if isinstance(node, ast.FunctionDef):
            return self.function(node, full)
        text = dict(documented(self.tree.body))[node]
        return Entry(full, [full], full, "python", self.expect(text, node, full))

    def class_entry(self, node: ast.ClassDef, name: str) -> Entry:
        bases = ", ".join(map(ast.unparse, node.bases))
        entry = Entry(f"class {name}", [name], f"class {name}" + (f"({bases})" if bases else ""), "python",
                      self.expect(ast.get_docstring(node), node, name))
        for member, text in documented(node.body):
            if isinstance(member, ast.FunctionDef) and member.name == "__init__":
                if text := ast.get_docstring(member):
                    entry.code = "class " + self.signature(member).replace("__init__", name, 1)
                    entry.text += "\n\n" + text
                self.add_attributes(entry, member.body, "self.", types_of(member))
            elif isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                full = f"{name}.{member.name}"
                if any("property" in ast.unparse(decorator) for decorator in member.decorator_list):
                    text = self.expect(ast.get_docstring(member), member, full)
                    entry.attributes.append((typed(member.name, member.returns), text))
                else:
                    entry.methods.append(self.function(member, full))
        self.add_attributes(entry, node.body, "", {})
        return entry

    def add_attributes(self, entry: Entry, body: list[ast.stmt], prefix: str, types: dict) -> None:
        """Those that are assigned in a class or its constructor come before properties."""
        found = []
        for node, text in documented(body):
            name = assigned(node) or ""
            attribute = name.removeprefix(prefix)
            if name.startswith(prefix) and attribute and not attribute.startswith("_"):
                type = getattr(node, "annotation", None) or types.get(ast.unparse(node.value))
                text = self.expect(text, node, f"{entry.names[0]}.{attribute}")
                found.append((typed(attribute, type), text))
        entry.attributes[:0] = found

    def function(self, node: ast.FunctionDef, name: str) -> Entry:
        code = self.signature(node).replace(node.name, name, 1)
        return Entry(name, [name], code, "python", self.expect(ast.get_docstring(node), node, name))

    def signature(self, node: ast.FunctionDef) -> str:
        """As it is written, without `self` and names of private modules."""
        lines = [line.strip() for line in self.lines[node.lineno - 1:node.body[0].lineno - 1]]
        text = re.sub(r"\b_\w+\.(?=[A-Z])", "", " ".join(lines)).removeprefix("def ").removesuffix(":")
        name, _, rest = text.partition("(")
        rest = re.sub(r"^self(, )?", "", rest)
        return textwrap.fill(f"{name}({glued_in_brackets(rest)}", 100, subsequent_indent="    ", break_long_words=False,
                             break_on_hyphens=False).replace("\0", " ")

    def native(self, name: str) -> Entry:
        """A class that the extension module defines."""
        file = f"python/src/{name}.cpp"
        text = (self.root / file).read_text()
        found = re.search(rf'"{name}",\s*{LITERALS}\);', text)
        if not found:
            sys.exit(f"api_reference: {file} has no documentation of the class {name}")
        entry = Entry(f"class {name}", [name], f"class {name}", "python", literal(found[1]))
        for member in text[found.end():].split(".def_prop_ro(")[1:]:
            attribute = re.match(r'\s*"(\w+)"', member)[1]
            documentation = re.search(rf",\s*{LITERALS}\)", member)
            if not documentation:
                self.errors.append(f"{file}: {name}.{attribute}: no docstring")
            entry.attributes.append((attribute, literal(documentation[1]) if documentation else ""))
        return entry

    def expect(self, text: str | None, node: ast.stmt, name: str) -> str:
        if not text:
            self.errors.append(f"{self.file}:{node.lineno}: {name}: no docstring")
        return re.sub(r"(?<=\.)\s+(?=Raises )", "\n\n", text or "")


def literal(literals: str) -> str:
    """Adjacent string literals of C++."""
    return ast.literal_eval(f"({literals})")


def assigned(node: ast.stmt) -> str | None:
    """The target of an assignment to one name or attribute."""
    if isinstance(node, ast.AnnAssign):
        return ast.unparse(node.target)
    return ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else None


def documented(body: list[ast.stmt]) -> list[tuple[ast.stmt, str | None]]:
    """Statements, with the string that follows each."""
    return [(node, inspect.cleandoc(after.value.value) if isinstance(after, ast.Expr)
             and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str) else None)
            for node, after in zip(body, [*body[1:], None])]


def types_of(function: ast.FunctionDef) -> dict[str, ast.expr]:
    return {argument.arg: argument.annotation for argument in function.args.args if argument.annotation}


def typed(name: str, type: ast.expr | None) -> str:
    return f"{name}: {ast.unparse(type)}" if type else name


def glued_in_brackets(parameters: str) -> str:
    """Lets lines break after the commas between parameters, not after those in types."""
    depth, out = 0, []
    for before, character in zip(" " + parameters, parameters):
        depth += (character in "[(") - (character in "])")
        out.append("\0" if character == " " and (before != "," or depth) else character)
    return "".join(out)


if __name__ == "__main__":
    sys.exit(main())
