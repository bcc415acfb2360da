# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a reader does with a page, and what must follow."""

import json

import colours
import comparisons
from kernels import VIEWS, line_of


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


# --- Every page ---------------------------------------------------------------------------


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


def shows_figures_of_lines(browser, kernel, document):
    """The executions and the share of every line with counters."""
    source = browser.run("app.primary.places[0][0][0]")
    lines = [line for line in document["lines"]
             if line["file"] == document["sources"][source]["file"] and line["counters"] and line["executions"]]
    assert lines, "no line has counters and executions"
    for line in lines[:5]:
        row = show_line(browser, line["line"])
        shown = texts(browser, f"{row} .gutter > span")
        expect(f"executions of line {line['line']}", shown[2], f"{line['executions']:,}")
        share = 100 * line["counters"]["instruction_share"]
        if abs(float(shown[3].split()[0].removeprefix("<")) - share) > 0.5:
            raise AssertionError(f"line {line['line']}: expected {share:.1f} %, but found {shown[3]}")


def links_lines_with_code(browser, kernel, document):
    """From a source line to every stage, and back."""
    source = browser.run("app.primary.places[0][0][0]")
    of_line = {}
    for stage in document["stages"]:
        for place in filter(None, stage["lines"]):
            of_line.setdefault(tuple(place), set()).add((stage["target"], stage["stage"]))
    place = max((place for place in of_line if place[0] == source), key=lambda place: len(of_line[place]))
    browser.click(show_line(browser, place[1]))
    expect("selected line", chosen_line(browser), place[1])
    browser.click("#tab-code")
    titles = texts(browser, "#panel-code .choices button")
    expect("texts", len(titles), len(document["stages"]) + 1)
    for number, stage in enumerate(document["stages"], start=2):
        browser.click(f"#panel-code .choices button:nth-child({number})")
        lit = set(browser.run("[...document.querySelectorAll('#panel-code .row.lit')].map(row => Number(row.dataset.line))"))
        drawn = set(browser.run("[...document.querySelectorAll('#panel-code .row[data-line]')].map(row => Number(row.dataset.line))"))
        belongs = {line for line, each in enumerate(stage["lines"], start=1) if each == list(place)}
        expect(f"lines of {titles[number - 1]} that are lit up", lit, belongs & drawn)
        if belongs and not lit:
            raise AssertionError(f"{titles[number - 1]}: no line of {sorted(belongs)} is in view")
        other = next((line for line, each in enumerate(stage["lines"], start=1)
                      if each and each != list(place) and line in drawn), None)
        if other and browser.run(f"document.querySelector('#panel-code .row[data-line=\"{other}\"]').getBoundingClientRect().top") > 0:
            browser.click(f'#panel-code .row[data-line="{other}"]')
            expect("selected place", browser.run("app.selection.place"), stage["lines"][other - 1])
            browser.run(f"app.selection.set({{place: {json.dumps(list(place))}}})")


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


def opens_the_source_where_to_look(browser, kernel, document):
    """The first finding is in view, or else the line with most instructions."""
    file = document["sources"][browser.run("app.primary.places[0][0][0]")]["file"]
    found = [finding["location"]["line"] for finding in document["findings"] if (finding["location"] or {}).get("file") == file]
    costs = {line["line"]: line["counters"]["instruction_share"] for line in document["lines"] if line["file"] == file and line["counters"]}
    line = found[0] if found else max(costs, key=costs.get)
    row = f"document.querySelector('#source .row[data-line=\"{line}\"]').getBoundingClientRect()"
    code = "document.querySelector('#source .code').getBoundingClientRect()"
    assert browser.run(f"{row}.top >= {code}.top && {row}.bottom <= {code}.bottom"), f"line {line} is not in view"


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


def keeps_keys_that_move_nothing(browser, kernel, document):
    """The browser scrolls by keys that have no effect."""
    is_handled = "key => !document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))"
    browser.click("#tab-findings")
    expect("the arrow keys are handled in Findings", browser.run(f"['ArrowLeft', 'ArrowRight'].map({is_handled})"), [False, False])
    browser.click("#tab-time")
    expect("the arrow keys are handled at the first operation",
           browser.run(f"['ArrowLeft', 'Home', 'ArrowRight', 'ArrowLeft'].map({is_handled})"), [False, False, True, True])


def fits_a_narrow_window(browser, kernel, document):
    """The views are below the source, and nothing covers anything."""
    browser.resize(900, 800)
    browser.click(show_line(browser, document["lines"][0]["line"]))
    fits_the_window(browser, kernel, document)
    details, side = browser.run("[document.querySelector('#details').getBoundingClientRect().bottom, "
                                "document.querySelector('#side').getBoundingClientRect().top]")
    assert details <= side, f"the details end at {details}, but the views begin at {side}"
    expect("views are hidden", browser.run("document.querySelector('#panels').clientHeight > 300"), True)
    browser.click("#tab-arrays")
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


def has_atomics(kernel, finding) -> bool:
    """Whether atomics of the kernel could order the two accesses of a race."""
    return kernel.name == "race" and finding["device"] == "reference" and finding["check"] == "race"


def lists_findings(browser, kernel, document):
    browser.click("#tab-findings")
    by_group = sorted(document["findings"], key=lambda finding: finding["group"])
    groups = {finding["group"] for finding in document["findings"]}
    expect("findings in sight", browser.run("[...document.querySelectorAll('#panel-findings .finding')].filter("
                                            "card => card.checkVisibility()).map(card => Number(card.dataset.finding))"), sorted(groups))
    browser.run("document.querySelectorAll('#panel-findings details').forEach(group => group.open = true)")
    messages = texts(browser, "#panel-findings .finding .message")
    expect("messages", messages, [finding["message"] for finding in by_group])
    helps = browser.run("[...document.querySelectorAll('#panel-findings .finding')].map(card => card.querySelector('.help')?.textContent)")
    # shows_the_race checks the help that names the atomics.
    expect("help", [found for found, finding in zip(helps, by_group, strict=True) if not has_atomics(kernel, finding)],
           [f"Fix: {finding['help']}" if finding["help"] else None for finding in by_group if not has_atomics(kernel, finding)])
    for index, finding in enumerate(document["findings"]):
        card = f'#panel-findings [data-finding="{index}"]'
        browser.click(f"{card} .message")
        if (finding["location"] or {}).get("file") in [source["file"] for source in document["sources"] if source["text"]]:
            expect("line after a click on a finding", chosen_line(browser), finding["location"]["line"])
            expect("findings of the line", browser.run("[...document.querySelectorAll('#details .finding')].some("
                                                       f"found => found.dataset.finding === '{index}')"), True)


def draws_arrays(browser, kernel, document):
    """Every array has a picture, in the colours of its elements, before and after."""
    browser.click("#tab-arrays")
    expect("pictures", browser.run("document.querySelectorAll('#panel-arrays canvas').length"), len(document["arrays"]))
    for index in range(len(document["arrays"])):
        for button in (1, 2):
            browser.click(f'[data-array="{index}"] .choices button:nth-child({button})')
            count = browser.run(f"""(() => {{
              const canvas = document.querySelector('[data-array="{index}"] canvas');
              const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              return pixels.filter((byte, at) => at % 4 === 3 && byte === 255).length / (canvas.width * canvas.height);
            }})()""")
            if count < 0.5:
                raise AssertionError(f"array {index}: only {100 * count:.0f} % of the picture are painted")


def draws_tiles(browser, kernel, document):
    """The note below the pointer names the block whose tile it is."""
    view = next((view for view in document["views"] if view["accesses"] and view["accesses"][0]["elements"]), None)
    assert view, "no operation accesses an array"
    browser.click("#tab-arrays")
    first = view["accesses"][0]["elements"][0][0]
    note = browser.run(f"""(() => {{
      const panel = app.tabs.get('arrays').view.panels[{view['array']}];
      panel.choose(panel.views.find(each => each.location.line === {view['location']['line']} &&
                                            each.location.column === {view['location']['column']}));
      const {{array}} = panel;
      return panel.ownerText(panel.grid.cellOf(elementAt({first}, array.shape, array.strides)));
    }})()""")
    blocks = ["(" + ", ".join(map(str, access["block"])) + ")" for access in view["accesses"]]
    if not any(f"block {block}" in note for block in blocks):
        raise AssertionError(f"expected one of the blocks {blocks[:4]}, but found '{note}'")


def zooms_arrays(browser, kernel, document):
    browser.click("#tab-arrays")
    window = "app.tabs.get('arrays').view.panels[0].map.window.columns"
    everything = browser.run(window)
    browser.run("document.querySelector('#panel-arrays canvas').focus()")
    browser.press("+")
    if everything > 3 and not browser.run(window) < everything:
        raise AssertionError("the key + does not zoom in")
    browser.press("0")
    expect("columns after the key 0", browser.run(window), everything)


def steps_through_time(browser, kernel, document):
    """The slider goes through the operations of the block, and the source follows."""
    browser.click("#tab-time")
    events = events_of_first_block(document)
    position = "#panel-time .position"
    expect("position", texts(browser, position), [f"1 of {len(events):,}"])
    browser.run("document.querySelector('#panel-time input').focus()")
    browser.press("ArrowRight")
    expect("position after a step", texts(browser, position), [f"2 of {len(events):,}"])
    browser.run("document.activeElement.blur()")
    browser.press("ArrowRight")
    expect("position after the arrow key", texts(browser, position), [f"3 of {len(events):,}"])
    browser.press("ArrowLeft")
    expect("position after the other arrow key", texts(browser, position), [f"2 of {len(events):,}"])
    for index in sorted({1, len(events) // 2, len(events) - 1}):
        browser.run(f"""(() => {{
          const slider = document.querySelector('#panel-time input');
          slider.value = {index};
          slider.dispatchEvent(new Event('input'));
        }})()""")
        event = events[index]
        heading = texts(browser, "#panel-time .values h3")[0]
        if not heading.startswith(event["operation"]):
            raise AssertionError(f"expected the operation {event['operation']}, but found '{heading}'")
        expect("step", browser.run("app.selection.step"), event["step"])
        for side in ("operands", "results"):
            expect(side, sorted(texts(browser, f"#panel-time .{side} .summary")), sorted(value["text"].replace("nan", "NaN") for value in event[side]))
            expect(f"pictures of {side}", browser.run(f"document.querySelectorAll('#panel-time .{side} canvas').length"),
                   sum("values" in value for value in event[side]))
        line = (event["location"] or {}).get("line")
        if line and chosen_line(browser) not in (line, None):
            raise AssertionError(f"expected the source line {line}, but found {chosen_line(browser)}")


def draws_lanes(browser, kernel, document):
    browser.click("#tab-time")
    blocks = {tuple(event["block"]) for event in document["trace"]}
    expect("lanes", browser.run("document.querySelectorAll('#panel-time .lane').length"), min(16, len(blocks)))
    drawn = browser.run("[...document.querySelectorAll('#panel-time .event')].map(found => Number(found.dataset.step))")
    accesses = [event for event in document["trace"] if event["memory"]]
    assert set(drawn) <= {event["step"] for event in accesses}, "a lane has an operation that does not access memory"
    assert drawn, "the lanes have no memory operation"
    edges = sum(step in drawn for event in accesses if event["step"] in drawn for step in event["after"])
    expect("order", browser.run("document.querySelectorAll('#panel-time path.order').length"), edges)
    first = document["trace"][drawn[0]]
    before = sum(event["block"] == first["block"] for event in document["trace"][:drawn[0]])
    name = f"operation {before + 1:,} of block ({', '.join(map(str, first['block']))}): {first['operation']}"
    title = texts(browser, f'#panel-time .event[data-step="{drawn[0]}"] title')[0]
    assert title.startswith(name), f"expected a tooltip that starts with '{name}', but found '{title}'"
    browser.click(f'#panel-time .event[data-step="{drawn[0]}"]')
    expect("step after a click", browser.run("app.selection.step"), drawn[0])


def lists_keys(browser, kernel, document):
    browser.press("?")
    expect("marks", texts(browser, "#keys .marks dt"), ["✖", "▲", "●", "8.0×", "12", "▸"])
    expect("keys", texts(browser, "#keys dl:not(.marks) dt"), ["1 – 6" if "compare" in document else "1 – 5", "n, p", "← →", "f", "t", "?", "Esc", "Tab", "Enter", "↑ ↓", "Page ↑ ↓",
                                              "Home, End", "arrow keys", "+ − 0"])
    browser.click("#keys button")
    expect("keys after Close", browser.run("document.getElementById('keys').open"), False)


def shows_costs(browser, kernel, document):
    browser.click("#tab-cost")
    cost = document["cost"]
    rows = browser.run("[...document.querySelectorAll('#panel-cost table:not(.kinds, .waves) tbody tr')]"
                       ".map(row => [...row.children].map(cell => cell.textContent))")
    expect("occupancy", [[row[0].split("(")[-1].rstrip(")"), row[1], row[2], row[5]] for row in rows],
           [[each["sm"], str(each["blocks"]), str(each["warps"]), each["limiter"]] for each in cost["occupancy"]])
    facts = dict(zip(texts(browser, "#panel-cost dt"), texts(browser, "#panel-cost dd")))
    expect("threads", facts["threads per thread block"], f"{cost['threads']:,}")
    expect("registers", facts["registers per thread"],
           "needs ptxas" if cost["registers"] is None else str(cost["registers"]))
    expect("roofline", browser.run("document.querySelectorAll('#panel-cost .roofline').length"),
           int(bool(cost["bytes_moved"] and cost["operations_by_units"])))
    expect("waves", browser.run("[...document.querySelectorAll('#panel-cost .waves tbody tr')].map(row => row.lastChild.textContent)"),
           [f"{gpu['waves']:,}" for gpu in cost["gpus"]])
    kinds = {kind: count for kind, count in document["counters"]["kinds"].items() if count}
    expect("kinds of instructions", browser.run("Object.fromEntries([...document.querySelectorAll('.kinds tr')].map("
           "row => [row.children[0].textContent, Number(row.children[1].textContent.replaceAll(',', ''))]))"), kinds)


def labels_the_roofline(browser, kernel, document):
    """No label covers another one, for any GPU."""
    browser.click("#tab-cost")
    if not document["cost"]["intensity"]:
        return
    for index, gpu in enumerate(document["cost"]["gpus"]):
        covered = browser.run(f"""(() => {{
          const select = document.querySelector('#panel-cost select');
          select.value = {index};
          select.dispatchEvent(new Event('change'));
          const picture = document.querySelector('.roofline').getBoundingClientRect();
          const boxes = [...document.querySelectorAll('.roofline text')].map(found => [found.textContent, found.getBoundingClientRect()]);
          const outside = boxes.filter(([, box]) => box.left < picture.left || box.right > picture.right || box.bottom > picture.bottom);
          const pairs = boxes.flatMap(([name, a], i) => boxes.slice(i + 1).filter(([, b]) => a.left < b.right && b.left < a.right &&
            a.top + 2 < b.bottom && b.top + 2 < a.bottom).map(([other]) => `${{name}} and ${{other}}`));
          return [...outside.map(([name]) => name), ...pairs];
        }})()""")
        expect(f"labels of {gpu['name']} that overlap or are outside", covered, [])


EVERY_PAGE = [has_every_view, has_both_themes, has_legible_colours, fits_the_window, has_room_for_long_names, shows_figures_of_lines, links_lines_with_code, moves_by_keys,
              moves_by_page_keys, moves_between_tabs, opens_the_source_where_to_look, aligns_figures, scrolls_headings_sideways,
              keeps_keys_that_move_nothing, fits_a_narrow_window, cuts_no_text_silently,
              labels_the_roofline, lists_findings, draws_arrays, draws_tiles, zooms_arrays, steps_through_time, draws_lanes, shows_costs,
              lists_keys]


# --- Single kernels -----------------------------------------------------------------------


def counts_traffic_once(browser, kernel, document):
    """The operands of products are copied asynchronously. Each of 2 x 2 blocks reads a tile row of a, 32 and 8 rows of 32
    f16, and a tile column of b, 32 x 32 f16, and together they write 40 x 64 f32. For its two tensor maps, a block moves a
    sector each."""
    copied = sum(line["counters"]["copied_bytes"] for line in document["lines"] if line["counters"])
    assert copied, "nothing is copied asynchronously"
    traffic = 2 * (32 + 8) * 32 * 2 + 4 * 32 * 32 * 2 + 40 * 64 * 4 + 4 * 2 * 32
    expect("bytes moved", document["cost"]["bytes_moved"], traffic)
    browser.click("#tab-cost")
    facts = dict(zip(texts(browser, "#panel-cost dt"), texts(browser, "#panel-cost dd")))
    expect("global traffic", facts["global traffic"], "23.8 kB")


def shows_copies_at_loads(browser, kernel, document):
    """A producer warp copies keys and values for both products, each 2 tiles of 16 x 16 f16 in 2 blocks."""
    copied = {line["line"]: line["counters"]["copied_bytes"] for line in document["lines"] if line["counters"]}
    lines = document["sources"][0]["text"].splitlines()
    loads, products = ([number for number, line in enumerate(lines, start=1) if any(text in line for text in found)]
                       for found in (("%k_tile, ", "%v_tile, "), (" mmaf ",)))
    expect("copied bytes", [copied[line] for line in loads], [2 * 2 * 16 * 16 * 2] * 2)
    expect("bytes copied by products", [copied[line] for line in products], [0, 0])
    reached = texts(browser, "#panel-cost section p")[0]
    # With 39 registers, each of four partitions has room for 12 warps: 9 blocks of 5 warps, 70 % of 64 warps. One block on
    # a multiprocessor is 7.8 %.
    assert "room for 9 thread blocks at a time: 45 warps, 70 %" in reached, reached
    assert "its 2 tile blocks put at most 1 on each of the 132 multiprocessors of the H100 SXM, which is an occupancy of 7.8 %" in reached, reached
    # 65,536 registers for 11 blocks of 160 threads.
    assert document["cost"]["registers"] is None or "With 32 registers per thread instead of " in reached, reached


def shows_the_wasteful_line(browser, kernel, document):
    """32 elements in 32 sectors of 32 bytes, where 4 would do."""
    line = line_of(kernel, "load_view_tko")
    expect("wasteful lines", texts(browser, "#source .row:has(.waste) .number"), [str(line)])
    expect("waste", texts(browser, "#source .waste"), ["8.0×"])
    expect("repeats", texts(browser, "#source .row:has(.waste) .gutter > span")[-1], "4.0×")
    # 8,192 + 256 sectors; 1,024 + 256 if coalesced.
    expect("summary", texts(browser, "#panel-findings .good, #panel-findings .costs"),
           ["✔ No errors on the inputs of this run.", "Costs: 6.6× the ideal memory traffic"])
    notes = texts(browser, "#panel-findings li")
    small = "because 128 threads load or store a tile of only 32 elements"
    assert f"line {line} repeats most memory accesses: a tile block accesses each sector 4.0 times, on average, {small}" in notes, notes
    # 132 multiprocessors, 64 tile blocks.
    assert any("64 tile blocks leave 68 of the 132 multiprocessors of the H100 SXM idle" in note for note in notes), notes
    note = next(text for text in notes if "wastes" in text)
    assert note.startswith(f"line {line} "), note
    # The columns are 64 f32 apart.
    reason = "because neighbouring threads access elements of 4 bytes, 256 bytes apart"
    assert note.endswith(reason), note
    browser.click(show_line(browser, line))
    details = texts(browser, "#details p")
    # In each of 64 blocks, each of 4 warps loads all 32 elements.
    waste, repeats = (next(text for text in details if start in text) for start in ("Global memory", "Repeats"))
    assert f"8,192 sectors, 8.0× the ideal 1,024, {reason}. Fix: use tiles that are wide" in waste, waste
    assert f"a tile block accesses each sector 4.0 times, on average, {small}. Fix: larger tiles" in repeats, repeats


def shows_the_race(browser, kernel, document):
    """The store by block 0 and the load by block 3, in the array and in time."""
    lines = document["sources"][0]["text"].splitlines()
    store = next(number for number, line in enumerate(lines, start=1) if "%stored = store_ptr_tko" in line)
    load = next(number for number, line in enumerate(lines, start=1) if "%all, %loaded = load_view_tko" in line)
    card = '#panel-findings [data-finding="0"]'
    expect("accesses", texts(browser, f"{card} .actions button")[:2],
           [f"1line {store} by block (0, 0, 0)", f"2line {load} by block (3, 0, 0)"])
    browser.click(f"{card} .actions button:nth-child(1)")
    expect("line of the earlier access", chosen_line(browser), store)
    # One thread of each block stores an element.
    assert "An access to global memory uses only 1 of the 32 threads of a warp, on average." in texts(browser, "#details p")
    browser.click(f"{card} .actions button:nth-child(2)")
    expect("line of the later access", chosen_line(browser), load)
    browser.click(f"{card} .actions button:nth-child(4)")
    expect("view", browser.run("app.tab"), "time")
    expect("labelled lines", browser.run("[...document.querySelectorAll('#source .number[data-access]')].map("
                                         "number => [number.dataset.access, Number(number.textContent)])"), [["1", store], ["2", load]])
    expect("rings", texts(browser, "#panel-time .ring"), ["1", "2"])
    expect("missing edges", browser.run("document.querySelectorAll('#panel-time path.missing').length"), 1)
    # Only the relaxed atomics are between the store and the load.
    atomic = next(number for number, line in enumerate(lines, start=1) if "atomic_rmw_tko relaxed" in line)
    fix = (f"make atomic_rmw_tko at line {atomic} acq_rel instead of relaxed: then the release in block (0, 0, 0) and the acquire in "
           "block (3, 0, 0) order the two accesses")
    expect("missing edge", texts(browser, "#panel-time path.missing title"), [fix])
    expect("ends of the missing edge", browser.run(
        "(({release, acquire}) => [release, acquire].map(event => [event.operation, event.block[0], event.location.line]))"
        "(app.tabs.get('time').view.lanes.missing)"), [["atomic_rmw_tko", 0, atomic], ["atomic_rmw_tko", 3, atomic]])
    expect("fix", texts(browser, '#details [data-finding="0"] .help'), [f"Fix: {fix}"])
    expect("the store happens before the load", browser.run(
        "(steps => app.model.stepsBefore(steps[1]).has(steps[0]))(app.model.accessesOf(app.model.findings[0]).map(access => access.step))"), False)
    rings = browser.run("[...document.querySelectorAll('.ring circle')].map(ring => ring.getAttribute('cy'))")
    assert rings[0] != rings[1], "both accesses are in one lane"
    browser.press("2")
    expect("view", browser.run("app.tab"), "arrays")
    expect("marked element", browser.run("app.tabs.get('arrays').view.panels[0].map.marks.map(mark => mark.cell)"), [0])
    expect("outlines", browser.run("app.tabs.get('arrays').view.panels[0].map.outlines.map(outline => outline.style)"),
           ["tiles", "first", "second"])


def shows_the_first_nan(browser, kernel, document):
    line = line_of(kernel, "sqrt %less")
    expect("title of the finding", texts(browser, "#panel-findings .check"), ["first NaN"])
    browser.click("#panel-findings li button")
    expect("line", chosen_line(browser), line)
    expect("view", browser.run("app.tab"), "time")
    expect("block", browser.run("document.querySelector('#panel-time select').value"), "(0, 0, 0)")
    # The result has NaNs in elements 0 and 1: the square roots of -2 and -1.
    browser.press("2")
    nan = browser.run("[...app.tabs.get('arrays').view.panels[1].grid.states].map((state, cell) => state === State.nan ? cell : -1)"
                      ".filter(cell => cell >= 0)")
    expect("NaNs of y", nan, [0, 1])
    colours = browser.run("""(() => {
      const {map} = app.tabs.get('arrays').view.panels[1];
      const pixels = map.canvas.getContext('2d').getImageData(0, 3, map.width, 1).data;
      const at = cell => [...pixels.slice(4 * Math.round((cell + 0.2) * map.wide))].slice(0, 3);
      return [at(0), at(8)];
    })()""")
    expect("colour of a NaN", colours[0], [0xE0, 0x00, 0x7A])
    assert colours[1] != colours[0], "a number has the colour of a NaN"
    assert "NaN" in texts(browser, '[data-array="1"] .legend')[0]


def shows_unwritten_elements(browser, kernel, document):
    """c was never written before the launch."""
    browser.click("#tab-arrays")
    browser.click('[data-array="2"] .choices button:nth-child(1)')
    expect("unwritten elements", browser.run(
        "app.tabs.get('arrays').view.panels[2].grid.states.filter(state => state === State.unwritten).length"), 256)
    assert "never written" in texts(browser, '[data-array="2"] .legend')[0]
    checks = {finding["check"] for finding in document["findings"]}
    assert "undefined" in checks, checks
    # What the atomic update reads is undefined, which is black.
    browser.press("1")
    browser.click('#panel-findings [data-finding="0"] .message')
    browser.press("3")
    expect("operation", texts(browser, "#panel-time .values h3")[0].split()[0], "atomic_rmw_tko")
    expect("colour of an undefined element", browser.run("[...document.querySelector('#panel-time .results canvas')"
           ".getContext('2d').getImageData(2, 2, 1, 1).data]"), [0x15, 0x17, 0x1A, 255])


def shows_the_access_outside(browser, kernel, document):
    first = document["findings"][0]
    expect("check", first["check"], "bounds")
    expect("block", first["block"], [1, 0, 0])
    browser.click('#panel-findings [data-finding="0"] .message')
    expect("line", chosen_line(browser), first["location"]["line"])
    expect("marker", texts(browser, "#source .row.chosen .marker"), ["✖"])


def shows_python_beside_tile_ir(browser, kernel, document):
    expect("source", texts(browser, "#source [aria-selected=true]")[0], "total.py")
    browser.click(show_line(browser, 10))
    browser.press("5")
    expect("text", texts(browser, "#panel-code [aria-selected=true]")[0], "Tile IR")
    lit = texts(browser, "#panel-code .row.lit code")
    expect("operations of line 10", [("load_ptr_tko" in line) for line in lit], [True])
    browser.click("#panel-code .row[data-line='8']")  # addi
    expect("line of addi", chosen_line(browser), 11)


def groups_failed_assertions(browser, kernel, document):
    """Blocks 2 to 6 fail on the reference machine."""
    browser.click("#tab-findings")
    expect("groups", texts(browser, "#panel-findings summary"), ["4 more like this in blocks (3, 0, 0), (4, 0, 0), (5, 0, 0) and 1 other"])
    for _ in range(2):
        browser.press("n")
    expect("the second finding is in sight", browser.run("document.querySelector('#panel-findings [data-finding=\"1\"]').checkVisibility()"), True)


OF_KERNEL = {
    "matmul": [counts_traffic_once],
    "attention": [shows_copies_at_loads],
    "columns": [shows_the_wasteful_line],
    "race": [shows_the_race],
    "nan": [shows_the_first_nan],
    "split_k": [shows_unwritten_elements],
    "bounds": [shows_the_access_outside],
    "total": [shows_python_beside_tile_ir],
    "rows": comparisons.CHECKS,
    "limits": [groups_failed_assertions],
    "stopped": comparisons.CHECKS_OF_STOPPED,
}
