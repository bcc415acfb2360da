# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What keys do on every page."""

from expecting import chosen_line, events_of_first_block, expect, show_line, texts
from kernels import VIEWS


def moves_by_keys(browser, kernel, document):
    line = next(line["line"] for line in document["lines"] if line["executions"])
    browser.click(show_line(browser, line))
    browser.press("ArrowDown")
    expect("line after the arrow key", chosen_line(browser), line + 1)
    for number, view in enumerate(VIEWS, start=1):
        browser.press(str(number))
        expect(f"view after the key {number}", browser.run("app.tab"), view)
    browser.press("?")
    expect("list of keys is open", browser.run("document.querySelector('#keys').open"), True)
    browser.press("?")
    expect("list of keys is open", browser.run("document.querySelector('#keys').open"), False)


def moves_by_page_keys(browser, kernel, document):
    """In the source, in Time, and in the list of findings."""
    lines = len(document["sources"][browser.run("app.primary.places[0][0][0]")]["text"].rstrip("\n").split("\n"))
    browser.run("document.querySelector('#source .code').focus()")
    for key, line in (("End", lines), ("Home", 1)):
        browser.press(key)
        expect(f"line after the key {key}", chosen_line(browser), line)
    browser.press("PageDown")
    lower = chosen_line(browser)
    browser.press("PageUp")
    assert 1 <= chosen_line(browser) < lower <= lines, f"the page keys lead to lines {lower} and {chosen_line(browser)}"
    browser.click("#tab-time")
    count = len(events_of_first_block(document))
    for focus in ("", "document.querySelector('#panel-time input').focus()"):
        browser.run(focus or "document.activeElement.blur()")
        for key, position in (("Home", 1), ("End", count), ("PageUp", max(1, count - 10)), ("Home", 1),
                              ("PageDown", min(count, 11)), ("Home", 1)):
            browser.press(key)
            expect(f"operation after the key {key}", texts(browser, "#panel-time .position"), [f"{position:,} of {count:,}"])
    if document["findings"]:
        browser.click("#tab-findings")
        browser.run("document.querySelector('#panel-findings .finding').focus()")
        for key, finding in (("End", len(document["findings"]) - 1), ("Home", 0), ("Enter", 0)):
            browser.press(key)
            expect(f"finding after the key {key}", browser.run("app.selection.finding"), finding)
            expect("focus", browser.run("document.activeElement.dataset.finding"), str(finding))


def moves_between_tabs(browser, kernel, document):
    """The arrow keys stay in the list of tabs with the focus."""
    browser.click("#tab-code")
    before = texts(browser, "#panel-code [aria-selected=true]")[0]
    browser.run("document.querySelector('#panel-code [role=tab][aria-selected=true]').focus()")
    browser.press("ArrowRight")
    assert texts(browser, "#panel-code [role=tab][aria-selected=true]")[0] != before, "the arrow key opens no other text"
    expect("view", browser.run("app.tab"), "code")
    browser.press("Home")
    expect("text after the key Home", texts(browser, "#panel-code [role=tab][aria-selected=true]")[0], before)
    browser.run("document.querySelector('#tab-code').focus()")
    browser.press("ArrowLeft")
    expect("view after the arrow key", browser.run("app.tab"), "cost")
    expect("focus", browser.run("document.activeElement.id"), "tab-cost")


def keeps_keys_that_move_nothing(browser, kernel, document):
    """The browser scrolls by keys that have no effect."""
    is_handled = "key => !document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))"
    browser.click("#tab-findings")
    expect("the arrow keys are handled in Findings", browser.run(f"['ArrowLeft', 'ArrowRight'].map({is_handled})"), [False, False])
    browser.click("#tab-time")
    expect("the arrow keys are handled at the first operation",
           browser.run(f"['ArrowLeft', 'Home', 'ArrowRight', 'ArrowLeft'].map({is_handled})"), [False, False, True, True])


def lists_keys(browser, kernel, document):
    browser.press("?")
    expect("marks", texts(browser, "#keys .marks dt"), ["✖", "▲", "●", "8.0×", "12", "▸"])
    expect("the list begins at its top", browser.run("document.getElementById('keys').scrollTop"), 0)
    expect("columns", texts(browser, "#keys .columns dt"),
           ["runs", "instr.", "bytes", "access", "repeats", "banks", "barriers", "copied", ""])
    heads = browser.run("[...document.querySelectorAll('#source .head span')].slice(2).map(head => [head.textContent, `${head.title}.`])")
    explained = dict(zip(texts(browser, "#keys .columns dt"), texts(browser, "#keys .columns dd")))
    expect("tooltips of headings", heads, [[head, explained[head]] for head, _ in heads])
    expect("keys", texts(browser, "#keys dl:not(.marks, .columns) dt"), ["1 – 6" if "compare" in document else "1 – 5", "n, p", "← →", "f", "t", "?", "Esc", "Tab", "Enter", "↑ ↓", "Page ↑ ↓",
                                              "Home, End", "arrow keys", "+ − 0"])
    browser.click("#keys button")
    expect("keys after Close", browser.run("document.getElementById('keys').open"), False)
