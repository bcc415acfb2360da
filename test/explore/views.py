# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the views of every page show, and what clicks do."""

import json

from expecting import chosen_line, events_of_first_block, expect, show_line, texts


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


def opens_the_source_where_to_look(browser, kernel, document):
    """The first finding is in view, or else the line with most instructions."""
    file = document["sources"][browser.run("app.primary.places[0][0][0]")]["file"]
    found = [finding["location"]["line"] for finding in document["findings"] if (finding["location"] or {}).get("file") == file]
    costs = {line["line"]: line["counters"]["instruction_share"] for line in document["lines"] if line["file"] == file and line["counters"]}
    line = found[0] if found else max(costs, key=costs.get)
    row = f"document.querySelector('#source .row[data-line=\"{line}\"]').getBoundingClientRect()"
    code = "document.querySelector('#source .code').getBoundingClientRect()"
    assert browser.run(f"{row}.top >= {code}.top && {row}.bottom <= {code}.bottom"), f"line {line} is not in view"


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
    for key, count in (("ArrowRight", 2), ("ArrowLeft", 1)):
        browser.press(key)
        expect("view after the click and an arrow key", browser.run("app.tab"), "time")
        expect("position after the click and an arrow key", texts(browser, position), [f"{count} of {len(events):,}"])
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
