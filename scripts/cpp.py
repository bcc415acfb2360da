# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the declarations and definitions in a C++ file, from its tokens and without a compiler, so that
the whole tree takes only seconds. The tokens in front of a brace tell what it opens (a namespace, class,
function or initializer). This suffices for code that clang-format formats and whose names follow the style
guide (types are UpperCamel, namespaces and functions are not).
"""

import pathlib
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"""
    (?P<skip> //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n]*\\\n)*[^\n]* | \s+ )
  | (?P<text> R"(\w*)\(.*?\)\w*" | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)+' )
  | (?P<token> [A-Za-z_]\w* | \d[\w.']* | :: | -> | && | \|\| | . )
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
CLASS_KEYS = {"class", "struct", "union"}
NO_MEMBER = {"using", "typedef", "friend", "static_assert", "enum"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, set(")]}")


@dataclass
class Class:
    name: str  # with enclosing classes: Outer::Inner
    line: int
    functions: list[str] = field(default_factory=list)


class Source:
    """The tokens of a file, the classes it declares, and the classes whose functions it defines."""

    def __init__(self, file: pathlib.Path):
        self.text = file.read_text(errors="replace")
        self.includes = re.findall(r'^\s*#\s*include\s+"((?:tilewright|tools)/[^"]+)"',
                                   self.text, re.MULTILINE)
        self.tokens, self.lines = tokenize(self.text)
        self.pairs = pair_up(self.tokens)
        self.classes: list[Class] = []
        # For functions defined out of line: the namespace, if it has a name, and Outer::Inner.
        self.defined: set[tuple[str, str]] = set()
        self.read_scope(0, len(self.tokens), None)

    # A scope is read declaration by declaration: up to `;`, or to the closing brace of a body.

    def read_scope(self, at: int, end: int, inside: Class | None) -> None:
        start = at
        while at < end:
            token = self.tokens[at]
            if token == ";":
                self.read_declaration(start, at, inside)
                start = at + 1
            elif token == ":" and self.tokens[at - 1] in ("public", "private", "protected"):
                start = at + 1
            elif token == "{":
                close = self.pairs.get(at, end)
                if self.read_braces(start, at, close, inside):
                    start = close + 1
                at = close
            elif token in OPENING:
                at = self.pairs.get(at, end)
            at += 1

    def read_braces(self, start: int, at: int, close: int, inside: Class | None) -> bool:
        """Returns whether the declaration ends with the closing brace."""
        head = without_template(self.tokens[start:at])
        if not head or "namespace" in head[:2] or head == ["extern"]:
            self.read_scope(at + 1, close, inside)
            return True
        if name := class_name(head):
            outer = f"{inside.name}::" if inside else ""
            found = Class(outer + name, self.lines[at])
            self.classes.append(found)
            self.read_scope(at + 1, close, found)
            return False  # `;`, or the name of an object
        parameters = parameters_of(head)
        if parameters is None or is_member_initializer(head, parameters):
            return False
        self.read_declaration(start, at, inside)
        return True

    def read_declaration(self, start: int, end: int, inside: Class | None) -> None:
        head = without_template(self.tokens[start:end])
        if not head or head[0] in NO_MEMBER or head[0] in CLASS_KEYS:
            return
        parameters = parameters_of(head)
        if inside and parameters is not None:
            inside.functions.append(declared_name(head, parameters)[1])
        elif inside is None and parameters is not None:
            owners = declared_name(head, parameters)[0]
            namespace = [owner for owner in owners if not owner[:1].isupper()]
            if len(namespace) < len(owners):
                self.defined.add(("".join(namespace[-1:]), "::".join(owners[len(namespace):])))


def tokenize(text: str) -> tuple[list[str], list[int]]:
    """The tokens and their lines. Comments, directives and white space are dropped; string and character
    literals become ""."""
    tokens, lines, line, last = [], [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        if match.lastgroup != "skip":
            tokens.append(match["token"] or '""')
            lines.append(line)
    return tokens, lines


def pair_up(tokens: list[str]) -> dict[int, int]:
    """Maps each opening parenthesis, bracket or brace to its closing one."""
    pairs, open_ones = {}, []
    for at, token in enumerate(tokens):
        if token in OPENING:
            open_ones.append(at)
        elif token in CLOSING and open_ones:
            pairs[open_ones.pop()] = at
    return pairs


def end_of_angles(tokens: list[str], at: int) -> int | None:
    """The index of the matching `>`, if the `<` at this index opens a template argument list."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i] in (";", "{", "}"):
            return None
        depth += {"<": 1, ">": -1}.get(tokens[i], 0)
        if depth == 0:
            return i
    return None


def without_template(head: list[str]) -> list[str]:
    """A declaration without its prefixes: `template <...>`, attributes, `alignas(...)`."""
    while head:
        if head[0] == "template" and (end := end_of_angles(head, 1)):
            head = head[end + 1:]
        elif head[:2] == ["[", "["]:
            head = head[head.index("]") + 2:]
        elif head[0] == "alignas":
            head = head[head.index(")") + 1:]
        else:
            break
    return head


def class_name(head: list[str]) -> str | None:
    """The name, if these tokens begin a class."""
    if head[0] not in CLASS_KEYS or parameters_of(head) is not None:
        return None
    name = []
    for token in head[1:]:
        if token in (":", "final", "{", "<", "="):
            break
        if token != "::":
            name.append(token)
    return "::".join(n for n in name if n[0].isupper()) or None


def parameters_of(head: list[str]) -> int | None:
    """The index where the parameters of a function begin; None if it is not a function."""
    if "operator" in head:
        at = head.index("operator") + 2
        while at < len(head) and head[at] != "(":
            at += 1
        return at if at < len(head) else None
    at = 0
    while at < len(head):
        if head[at] == "<" and at and (end := end_of_angles(head, at)):
            at = end
        elif head[at] in ("=", "{", "["):
            return None
        elif head[at] == "(":
            is_name = at and re.match(r"[A-Za-z_]", head[at - 1]) and head[at - 1] != "decltype"
            if is_name and head[at + 1:at + 2] != ["*"]:
                return at
            return None
        at += 1
    return None


def is_member_initializer(head: list[str], parameters: int) -> bool:
    """Whether a brace after these tokens is a `member{...}` in a constructor's initializer list."""
    depth = 0
    for at in range(parameters, len(head)):
        depth += {"(": 1, ")": -1}.get(head[at], 0)
        if depth == 0 and head[at] == ":":
            return bool(re.match(r"[A-Za-z_>]", head[-1]))
    return False


def declared_name(head: list[str], parameters: int) -> tuple[list[str], str]:
    """The namespaces and classes that qualify the name of a function, and the name."""
    at = head.index("operator") if "operator" in head else parameters - 1
    name = "".join(head[at:parameters])
    at -= head[at - 1] == "~"
    owners = []
    while at >= 2 and head[at - 1] == "::":
        at -= 2
        if head[at] == ">":  # Owner<T>::name
            depth = 1
            while depth and at:
                at -= 1
                depth += {"<": -1, ">": 1}.get(head[at], 0)
            at -= 1
        owners.insert(0, head[at])
    return owners, name
