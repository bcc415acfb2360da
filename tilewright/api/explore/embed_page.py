#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the assets of the explore page into its template, and writes that as C++ string literals, and so live.js.

`assets.txt` lists the style sheets and scripts in order. In `page.html`, their texts replace
<!--STYLE--> and <!--SCRIPTS-->; <!--DATA--> stays, for Page.cpp.
"""

import sys
from pathlib import Path

# Compilers need not support longer literals (C++, annex B).
LONGEST_LITERAL = 60_000


def page(folder: Path) -> str:
    """The page without its data."""
    names = (folder / "assets.txt").read_text().split()
    texts = {name: (folder / name).read_text() for name in names}
    styles = [text for name, text in texts.items() if name.endswith(".css")]
    scripts = [text for name, text in texts.items() if name.endswith(".js")]
    if len(styles) + len(scripts) != len(names):
        sys.exit(f"{folder}/assets.txt: expected .css and .js files, but got {' '.join(names)}")
    html = (folder / "page.html").read_text()
    for mark in ("<!--STYLE-->", "<!--SCRIPTS-->", "<!--DATA-->", "img-src data:", "<body>", "</body>"):
        if html.count(mark) != 1:
            sys.exit(f"{folder}/page.html: expected one {mark}, but got {html.count(mark)}")
    head, rest = html.split("<!--STYLE-->")
    body, end = rest.split("<!--SCRIPTS-->")
    return head + "\n".join(styles) + body + "\n".join(scripts) + end


def literals(text: str) -> str:
    """A raw string literal for each piece of the text."""
    if ')page"' in text:
        sys.exit('the page contains )page", which ends the string literal')
    lines, pieces = text.splitlines(keepends=True), [""]
    for line in lines:
        if len((pieces[-1] + line).encode()) > LONGEST_LITERAL:
            pieces.append("")
        pieces[-1] += line
    return "".join(f'R"page({piece})page",\n' for piece in pieces)


if __name__ == "__main__":
    folder, output = map(Path, sys.argv[1:])
    (output / "Page.inc").write_text(literals(page(folder)))
    (output / "Live.inc").write_text(literals((folder / "live.js").read_text()))
