# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Summarises pictures, which must be well-formed XML.

Prints a line for each: the kind of document, the numbers of labels, details and hatched table cells,
and any external resources.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
REFERENCES = ("href", "src", "{http://www.w3.org/1999/xlink}href")


def main() -> None:
    for name in sys.argv[1:]:
        root = ElementTree.parse(name).getroot()
        print(f"{pathlib.Path(name).name}: {describe(root)}")


def describe(root: ElementTree.Element) -> str:
    hatched = sum(1 for rect in root.iter(f"{SVG}rect") if rect.get("fill") == "url(#hatch)")
    legend = 1 if hatched else 0
    return (f"{root.tag.removeprefix(SVG)}, {labels(root, 'l')} labels, {labels(root, 'd')} details, "
            f"{hatched - legend} hatched, elsewhere: {elsewhere(root) or 'none'}")


def labels(root: ElementTree.Element, style: str) -> int:
    return sum(len(text) for text in root.iter(f"{SVG}text") if text.get("class") == style)


def elsewhere(root: ElementTree.Element) -> str:
    found = [element.get(name) for element in root.iter() for name in REFERENCES if element.get(name)]
    found += [element.tag for element in root.iter() if element.tag in ("link", "img", "iframe")]
    found += ["import" for element in root.iter() if "@import" in (element.text or "")]
    return ", ".join(found)


main()
