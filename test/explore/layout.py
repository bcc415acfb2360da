# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How every page looks: themes, colours, windows of several sizes, and headings."""

import json

import colours
from expecting import events_of_first_block, expect, show_line, texts
from kernels import VIEWS


def has_every_view(browser, kernel, document):
    tabs = browser.run("[...document.querySelectorAll('#tabs [role=tab]')].map(tab => tab.id.replace('tab-', ''))")
    expect("views", tabs, VIEWS + ["compare"] * ("compare" in document))
    expect("absent views", texts(browser, ".absent"), [])
    for view in VIEWS:
        browser.click(f"#tab-{view}")
        expect(f"panel of {view} is hidden", browser.run(f"document.querySelector('#panel-{view}').hidden"), False)
        if browser.run(f"document.querySelector('#panel-{view}').textContent.trim().length") < 20:
            raise AssertionError(f"the view {view} is empty")


def has_both_themes(browser, kernel, document):
    colour = "getComputedStyle(document.body).backgroundColor"
    light = browser.run(colour)
    browser.use_dark_theme(True)
    dark = browser.run(colour)
    expect("light background", light, "rgb(255, 255, 255)")
    expect("dark background", dark, "rgb(21, 24, 29)")
    browser.click("#theme")
    expect("background after a click", browser.run(colour), light)


def has_legible_colours(browser, kernel, document):
    texts_of = ["ink", "quiet", "accent", "error", "warning", "good", "comment", "string", "number", "word", "value", "type", "name",
                "first", "second"]
    papers_of = ["paper", "pane", "chosen", "lit", "hover"]
    # White is contrast 21 with black, and 1 with itself.
    expect("contrast", [round(colours.contrast("#ffffff", other), 1) for other in ("#000000", "#ffffff")], [21.0, 1.0])
    for theme, dark in (("light", False), ("dark", True)):
        browser.use_dark_theme(dark)
        values = browser.run(f"""(style => Object.fromEntries({json.dumps(texts_of + papers_of)}.map(
          name => [name, style.getPropertyValue('--' + name).trim()])))(getComputedStyle(document.documentElement))""")
        expect(f"{theme}: illegible text", colours.illegible({name: values[name] for name in texts_of},
                                                             {name: values[name] for name in papers_of}), [])
        expect(f"{theme}: accesses that look alike", colours.alike({name: values[name] for name in ("first", "second", "ink")}), [])
        cells = browser.run(f"(({{states, sequential}}) => [...states.slice(1), ...sequential])(palettes.{theme})")
        names = ["NaN", "infinite", "never written", "undefined", "lowest", "low", "high", "highest"]
        expect(f"{theme}: cells that look alike", colours.alike(dict(zip(names, cells, strict=True))), [])


def fits_the_window(browser, kernel, document):
    expect("the page scrolls", browser.run(
        "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"), False)


def has_room_for_long_names(browser, kernel, document):
    """Names of kernels and files are not limited."""
    browser.run("document.querySelector('h1').textContent = 'k'.repeat(400)")
    browser.click(show_line(browser, document["lines"][0]["line"]))
    browser.run("document.querySelector('#details h3').textContent = 'f'.repeat(400)")
    fits_the_window(browser, kernel, document)
    expect("the details scroll sideways", browser.run("(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)"
                                                      "(document.querySelector('#details'))"), False)
    browser.click("#theme")


def aligns_figures(browser, kernel, document):
    """Each heading ends where its figures end."""
    ends = "row => [...row.querySelectorAll('.gutter > span')].map(cell => cell.getBoundingClientRect().right)"
    head, row = browser.run(f"['.row.head', '.rows .row'].map(each => ({ends})(document.querySelector('#source ' + each)))")
    expect("columns", len(row), len(head))
    assert all(abs(a - b) <= 1 for a, b in zip(head, row)), f"the headings end at {head}, but the figures at {row}"
    wide = browser.run("[...document.querySelectorAll('#source .head .gutter > span')].filter("
                       "cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)")
    expect("headings that are too wide", wide, [])


def scrolls_headings_sideways(browser, kernel, document):
    """Headings and figures stay at the left edge, and the longest line can be read to its end."""
    browser.run("document.querySelector('#source .code').scrollLeft = 1e6")
    left = "row => document.querySelector(`#source ${row} .gutter`).getBoundingClientRect().left"
    head, row, code = browser.run(f"[...['.row.head', '.rows .row'].map({left}), document.querySelector('#source .code').getBoundingClientRect().left]")
    expect("left edges of headings and figures", [head - code, row - code], [0, 0])
    hidden = browser.run("(right => [...document.querySelectorAll('#source .row code')].filter(code => [...code.childNodes].length && "
                         "code.getBoundingClientRect().right > right + 1).map(code => code.textContent))"
                         "(document.querySelector('#source .code').getBoundingClientRect().right)")
    expect("lines whose ends are hidden", hidden, [])


def fits_a_narrow_window(browser, kernel, document):
    """The views are below the source, and nothing covers anything."""
    browser.resize(900, 800)
    browser.click(show_line(browser, document["lines"][0]["line"]))
    fits_the_window(browser, kernel, document)
    details, side = browser.run("[document.querySelector('#details').getBoundingClientRect().bottom, "
                                "document.querySelector('#side').getBoundingClientRect().top]")
    assert details <= side, f"the details end at {details}, but the views begin at {side}"
    if document["findings"]:
        browser.click('#panel-findings [data-finding="0"] .message')
    browser.click("#tab-time")
    top, bottom = browser.run("(({top, bottom}) => [top, bottom])(document.querySelector('#panel-time').getBoundingClientRect())")
    assert top + 300 < bottom <= 800, f"the view Time is between {top} and {bottom}, but the window has 800 pixels"
    browser.resize()


def cuts_no_text_silently(browser, kernel, document):
    """What does not fit in Time ends with an ellipsis, and a tooltip has all of it."""
    browser.click("#tab-time")
    for index in range(min(12, len(events_of_first_block(document)))):
        browser.run(f"app.tabs.get('time').view.goTo({index})")
        cut = browser.run("""[...document.querySelectorAll('#panel-time .values *')].filter(found => {
          const style = getComputedStyle(found);
          if (style.overflow !== 'hidden' || (found.scrollWidth <= found.clientWidth && found.scrollHeight <= found.clientHeight))
            return false;
          const hasEllipsis = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
          const plain = text => text.replace(/\\W/g, '');
          return !hasEllipsis || !plain(found.title).includes(plain(found.textContent));
        }).map(found => found.textContent)""")
        expect("texts that are cut", cut, [])
