# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What checks share: comparing values, reading a page, and finding lines."""

import json


def expect(what: str, found, expected) -> None:
    if found != expected:
        raise AssertionError(f"{what}: expected {expected!r}, but found {found!r}")


def texts(browser, selector: str) -> list[str]:
    return browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(found => found.textContent)")


def chosen_line(browser) -> int | None:
    return browser.run("app.selection.place?.[1] ?? null")


def show_line(browser, line: int) -> str:
    """Scrolls a line of the source into view; returns its selector."""
    browser.run(f"app.source.code.scrollTo([{line - 1}])")
    return f'#source .row[data-line="{line}"]'


def events_of_first_block(document) -> list[dict]:
    """The traced operations of the first block."""
    return [event for event in document["trace"] if event["block"] == document["trace"][0]["block"]]
