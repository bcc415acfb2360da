# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a page of the API reference as Markdown, for api_reference.py: an index with links, then each name with its
declaration and its documentation. Names in the documentation become links.
"""

import re
import textwrap
from dataclasses import dataclass, field


@dataclass
class Entry:
    """A name, or several that share their documentation."""
    heading: str
    names: list[str]
    code: str
    language: str
    text: str
    attributes: list[tuple[str, str]] = field(default_factory=list)
    """Declarations with their documentation."""
    methods: list["Entry"] = field(default_factory=list)


@dataclass
class Section:
    """A chapter of a file. Its title may be empty."""
    title: str
    entries: list[Entry] = field(default_factory=list)


@dataclass
class Part:
    """What comes from one file or package."""
    title: str
    text: str
    sections: list[Section]


@dataclass
class Page:
    introduction: str
    parts: list[Part]
    errors: list[str]
    subjects: str
    """A pattern: a sentence `SUBJECTS: ...` becomes an item of a list."""

    def text(self) -> str:
        entries = [entry for part in self.parts for section in part.sections for entry in section.entries]
        entries += [method for entry in entries for method in entry.methods]
        self.anchors = {name: slug(entry.heading) for entry in entries for name in entry.names}
        blocks = [self.introduction.strip()]
        for part in self.parts:
            blocks += [f"**[{part.title}](#{slug(part.title)})**", self.index(part)]
        for part in self.parts:
            blocks += [f"## {part.title}", *self.prose(part.text, is_introduction=True)]
            for section in part.sections:
                blocks.append(f"### {section.title}" if section.title else "")
                for entry in section.entries:
                    blocks += self.describe(entry)
        return assembled(blocks)

    def index(self, part: Part) -> str:
        lines = []
        for section in part.sections:
            title = f"[{section.title}](#{slug(section.title)}): " if section.title else ""
            names = [name for entry in section.entries for name in entry.names]
            lines.append(wrapped(title + ", ".join(f"[`{name}`](#{self.anchors[name]})" for name in names), "- "))
        return "\n".join(lines)

    def describe(self, entry: Entry) -> list[str]:
        blocks = [f"#### {entry.heading}", f"```{entry.language}\n{entry.code}\n```", *self.prose(entry.text, entry)]
        if entry.attributes:
            blocks.append("Attributes:")
        blocks += [wrapped(f"`{glued(name)}`: " + self.inline(joined(text), entry), "- ")
                   for name, text in entry.attributes]
        for method in entry.methods:
            blocks += self.describe(method)
        return blocks

    def prose(self, text: str, entry: Entry | None = None, is_introduction: bool = False) -> list[str]:
        """Paragraphs of a comment. Tables and sentences about statuses or parameters become lists; indented code
        becomes a block."""
        blocks = []
        for paragraph in re.split(r"\n(?:[ ]*\n)+", text.strip("\n")):
            if rows := table_rows(paragraph):
                blocks += [wrapped(self.inline(f"`{name}`: {what}"), "- ") for name, what in rows]
            elif paragraph.startswith("    "):
                code = textwrap.dedent(paragraph)
                if blocks and blocks[-1].endswith("\n```"):  # a blank line in the code
                    blocks[-1] = blocks[-1].removesuffix("```") + f"\n{code}\n```"
                else:
                    blocks.append(f"```python\n{code}\n```")
            else:
                first, *items = re.split(rf"(?:^|(?<=\. ))(?=(?:{self.subjects}): )", joined(paragraph))
                first = self.inline(first.strip(), entry)
                blocks.append(wrapped(re.sub(r"^(\w+\.) ", r"**\1** ", first) if is_introduction else first))
                blocks += [wrapped(self.inline(item.strip(), entry), "- ") for item in items]
        return blocks

    def inline(self, text: str, entry: Entry | None = None) -> str:
        """Sets code in backticks, with a link if it is an entry of the page, and escapes the rest."""
        def mark(part: str) -> str:
            name = part.strip("`")
            if name.startswith("docs/") and name == part:
                return f"[{name}](../{name.removeprefix('docs/')})"
            anchor = self.anchors.get(self.resolve(name, entry))
            is_own = entry and name in entry.names
            return f"[`{name}`](#{anchor})" if anchor and not is_own else f"`{glued(name)}`"
        parts = CODE.split(text)
        parts[0::2] = [re.sub(r"([*<])", r"\\\1", part) for part in parts[0::2]]
        parts[1::2] = map(mark, parts[1::2])
        return "".join(parts)

    def resolve(self, name: str, entry: Entry | None) -> str:
        """The full name, seen from an entry: `launch` is `cutile.launch` in the package cutile."""
        name = name.removeprefix("tilewright.")
        scope = entry.names[0].rpartition(".")[0] if entry else ""
        return f"{scope}.{name}" if f"{scope}.{name}" in self.anchors else name


# Outside of backticks: $VARIABLES, paths, *pointers, --options, and names with underscores or several capitals.
CODE = re.compile(r"""(`[^`]*` | "[\w<>,:-]+" | docs/[\w-]+\.md | \$\w[\w/]* | ~/[\w./]*\w
                  | (?<![\w*])\*{1,2}[a-zA-Z]\w* | (?<![\w-])--?[a-zA-Z][\w-]*
                  | \b\w+/[\w/]+\.\w+ | \bTW_\w+\([^)]*\) | \b\w+_[\w.]*\w | \b\w+\.h\b
                  | \b(?!cuTile)[a-z]\w*[a-z0-9][A-Z]\w* | \b[A-Z]\w*(?:Error|Interrupt)\b)""", re.VERBOSE)


def assembled(blocks: list[str]) -> str:
    """Blocks with blank lines between them, except between items of a list."""
    blocks = [block for block in blocks if block]
    text = blocks[0]
    for before, block in zip(blocks, blocks[1:]):
        is_list = before.startswith("- ") and block.startswith("- ")
        text += ("\n" if is_list else "\n\n") + block
    return text + "\n"


def table_rows(paragraph: str) -> list[tuple[str, str]] | None:
    """Rows such as `  twModule    a program`."""
    rows = [re.fullmatch(r" {2}(\w+) {2,}(.*)", line) for line in paragraph.splitlines()]
    return [(row[1], row[2]) for row in rows if row] if all(rows) else None


def joined(text: str) -> str:
    return " ".join(text.split())


def glued(text: str) -> str:
    """Code that does not break."""
    return text.replace(" ", "\0")


def wrapped(text: str, bullet: str = "") -> str:
    text = re.sub(r" (?=(?:[-+]|\d+\.) )", "\0", text)  # at the beginning of a line this would be a list
    return textwrap.fill(text, 120, initial_indent=bullet, subsequent_indent=" " * len(bullet),
                         break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def slug(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
