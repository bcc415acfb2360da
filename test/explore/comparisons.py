# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the view Compare shows of two versions of a kernel: rows.mlir after columns.mlir, and stopped.mlir, which never ends,
after limits.mlir.
"""

import json

from expecting import expect


def _rows(browser, selector: str) -> list[list[str]]:
    return browser.run(f"[...document.querySelectorAll('#panel-compare {selector} tbody tr')]"
                       ".map(row => [...row.children].map(cell => cell.textContent))")


def shows_two_versions(browser, kernel, document):
    browser.press("6")
    expect("view after the key 6", browser.run("app.tab"), "compare")
    expect("outcomes", _rows(browser, ".outcomes"), [["reference machine", "succeeded", "misbehaved"],
                                                     ["PTX machine", "succeeded", "succeeded"]])


def shows_elements_that_differ(browser, kernel, document):
    """columns.mlir transposes x[i, j] = 64 i + j. rows.mlir leaves the lower half, rows 32 to 63, as it is: zero."""
    browser.press("6")
    text = browser.run("document.querySelector('#panel-compare .elements').parentElement.textContent")
    assert "1,024 of 2,048 elements differ: those in [32–63, 0–31]. The largest difference is 2047." in text, text
    expect("elements", _rows(browser, ".elements"), [[f"[32, {i}]", str(64 * i + 32), "0"] for i in range(16)])
    in_sight = "[...document.querySelectorAll('#panel-compare .elements tbody tr')].filter(row => row.checkVisibility()).length"
    expect("rows in sight", browser.run(in_sight), 4)
    expect("others", browser.run("document.querySelector('#panel-compare .elements + details summary').textContent"), "1,020 more")
    browser.click("#panel-compare .elements + details summary")
    expect("rows in sight after a click", browser.run(in_sight), 16)


def shows_totals_and_whole_lines(browser, kernel, document):
    """The totals are in sight, and the lines have the width of the window, so that none is cut."""
    for size in ((1400, 900), (900, 800)):
        browser.resize(*size)
        browser.press("6")
        expect("the source is visible", browser.run("document.querySelector('#source').checkVisibility()"), False)
        bottom = browser.run("document.querySelector('#panel-compare .totals').getBoundingClientRect().bottom")
        assert bottom <= size[1], f"the totals end at {bottom}, in a window of {size}"
        cut = browser.run("(box => [...document.querySelectorAll('#panel-compare .line')].filter(line => line.scrollWidth > line.clientWidth || "
                          "line.getBoundingClientRect().right > box.right + 1).map(line => line.textContent))"
                          "(document.querySelector('#panel-compare .scroll').getBoundingClientRect())")
        expect(f"lines that are cut in a window of {size}", cut, [])
        narrow = browser.run("Math.min(...[...document.querySelectorAll('#panel-compare .line')].map(line => line.clientWidth))")
        assert narrow > 240, f"a line has only {narrow} pixels"
    browser.resize()
    browser.press("1")
    expect("the source is visible", browser.run("document.querySelector('#source').checkVisibility()"), True)


def shows_the_line_of_a_finding(browser, kernel, document):
    """The button of a new finding scrolls to its line in both versions."""
    browser.press("6")
    browser.click("#panel-compare .list.new .actions button")
    line = document["findings"][document["compare"]["findings"]["new"][0]]["location"]["line"]
    chosen = browser.run("""[...document.querySelectorAll('#panel-compare .lines tr.chosen')].map(row => [
      row.lastChild.querySelector('.at').textContent, row.getBoundingClientRect().bottom < innerHeight + 1])""")
    expect("chosen lines, and whether they are in sight", chosen, [[str(line), True]])


def shows_a_line_that_was_chosen_elsewhere(browser, kernel, document):
    browser.press("6")
    last = "[...document.querySelectorAll('#panel-compare .lines tr.linked')].at(-1)"
    line = browser.run(f"Number({last}.lastChild.querySelector('.at').textContent)")
    browser.press("1")
    browser.run(f"app.selection.set({{place: [app.model.document.compare.text.after, {line}], finding: null}})")
    browser.press("6")
    expect("chosen, and in sight", browser.run(f"[{last}.classList.contains('chosen'), {last}.getBoundingClientRect().bottom < innerHeight + 1]"),
           [True, True])


def shows_new_findings(browser, kernel, document):
    """There are 32 rows, but 64 blocks: indices outside. On the PTX machine, such accesses are masked."""
    browser.press("6")
    messages = browser.run("[...document.querySelectorAll('#panel-compare .list.new .message')].map(found => found.textContent)")
    expect("new findings", messages, [finding["message"] for finding in document["findings"]])
    assert messages, "there are no new findings"


def shows_totals_with_their_change(browser, kernel, document):
    """More findings are worse. Fewer sectors are no gain, because the kernel misbehaves."""
    browser.press("6")
    totals = {row["name"]: row for row in document["compare"]["totals"]}
    rows = browser.run("Object.fromEntries([...document.querySelectorAll('#panel-compare [data-total]')].map("
                       "row => [row.dataset.total, [...row.children].slice(1).map(cell => cell.textContent)]))")
    expect("totals", set(rows), set(totals))
    before, after = totals["sectors"]["before"], totals["sectors"]["after"]
    # Before, 2 x 64 blocks x 32 f32; now half of them.
    expect("sectors of the data", rows["data_sectors"], ["512", "256", "−50 %"])
    expect("sectors", rows["sectors"], [f"{before:,}", f"{after:,}", f"−{100 * (before - after) / before:.0f} %"])
    expect("threads", rows["threads"][2], "same")
    kinds = browser.run("['sectors', 'findings', 'threads'].map(name => "
                        "document.querySelector(`#panel-compare [data-total=${name}] .change`).title)")
    expect("judgements", kinds, ["", "worse", ""])
    verdict = browser.run("document.querySelector('#panel-compare .verdict').textContent")
    assert "does not run without errors" in verdict, verdict


def shows_lines_beside_each_other(browser, kernel, document):
    """The load of columns.mlir is beside that of rows.mlir, and a click selects the line of the latter."""
    browser.press("6")
    number = next(index for index, line in enumerate(document["sources"][0]["text"].splitlines(), start=1)
                  if "load_view_tko" in line)
    cells = next(row for row in _rows(browser, ".lines") if row[-1].startswith(f"+ {number}"))
    assert "%columns[%zero, %x]" in cells[-2] and "%rows[%x, %zero]" in cells[-1], cells
    line = next(row for row in document["compare"]["lines"] if row["after"] == number)
    assert any(cell.startswith(f"{line['sectors'][0]:,} → {line['sectors'][1]:,}") for cell in cells[:-2]), cells
    browser.run(f"""[...document.querySelectorAll('#panel-compare .lines tr')].find(
      row => row.lastChild.textContent.startsWith('+ {number}')).click()""")
    expect("selected line", browser.run("app.selection.place"), [0, number])


def chooses_lines_by_key(browser, kernel, document):
    """One line can have the focus; the arrow keys choose the line and move it on, to the last one and no further."""
    browser.press("6")
    linked = "[...document.querySelectorAll('#panel-compare .lines tr.linked')]"
    numbers = browser.run(f"{linked}.map(row => Number(row.lastChild.querySelector('.at').textContent))")
    expect("lines in the order of tabs", browser.run(f"{linked}.map(row => row.tabIndex)"), [0] + [-1] * (len(numbers) - 1))
    browser.run(f"{linked}[0].focus()")
    for key, index in (("Enter", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", -1), ("ArrowDown", -1)):
        browser.press(key)
        expect(f"selected line after {key}", browser.run("app.selection.place"), [0, numbers[index]])
        expect(f"focus after {key}", browser.run(f"{linked}.indexOf(document.activeElement)"), index % len(numbers))


def chooses_findings_by_key(browser, kernel, document):
    browser.press("6")
    cards = "[...document.querySelectorAll('#panel-compare .list.new article')]"
    browser.run(f"{cards}[0].focus()")
    browser.press("ArrowDown")
    expect("selected finding", browser.run("app.selection.finding"), document["compare"]["findings"]["new"][1])
    expect("focus", browser.run(f"{cards}.indexOf(document.activeElement)"), 1)
    expect("view", browser.run("app.tab"), "compare")


def says_what_ended_early(browser, kernel, document):
    """Before, an assertion ended the PTX machine; now both run to the step limit. Nothing of this is better or worse, except
    for registers and memory, which are those of the code."""
    browser.press("6")
    expect("outcomes", _rows(browser, ".outcomes"), [["reference machine", "failed", "failed, ended early"],
                                                     ["PTX machine", "failed, ended early", "failed, ended early"]])
    changes = browser.run("Object.fromEntries([...document.querySelectorAll('#panel-compare [data-total]')].map("
                          "row => [row.dataset.total, [row.lastChild.textContent, row.lastChild.className]]))")
    for name in ("findings", "operations", "instructions", "sectors", "barriers"):
        expect(name, changes[name], ["ended early", "figure change same"])
    judged = browser.run("[...document.querySelectorAll('#panel-compare .lines .change')].map(cell => cell.className)")
    expect("changes of lines", judged, [])


def groups_gone_findings(browser, kernel, document):
    """Five blocks failed the assertion on the reference machine, and one on the PTX machine. As this version did not run to
    its end, they are not called gone."""
    browser.press("6")
    text = browser.run("document.querySelector('#panel-compare .list.gone').previousSibling.textContent")
    expect("title", text, "6 findings may be gone: this version did not run to its end.")
    expect("groups", browser.run("[...document.querySelectorAll('#panel-compare .list.gone summary')].map(each => each.textContent)"),
            ["4 more like this in blocks (3, 0, 0), (4, 0, 0), (5, 0, 0) and 1 other"])


def calls_gone_what_was_reached_again(browser, kernel, document):
    """One machine ran this version to its end."""
    title = "found => [found.previousSibling.className, found.previousSibling.textContent]"
    found = browser.run(_changed("devices.reference.complete = true", f"[...root.querySelectorAll('.list.gone')].filter("
                                 f"list => list.parentElement.matches('section')).map({title})"))
    expect("titles", found, [["better", "✔ 5 findings gone"],
                             ["note", "1 finding may be gone: this version did not run to its end."]])
    found = browser.run(_changed("devices.reference.complete = devices.ptx.complete = true; devices.reference.unlisted_findings = 2",
                                 f"[...root.querySelectorAll('.list.gone')].filter(list => list.parentElement.matches('section')).map({title})"))
    expect("titles if findings are not listed", found, [["better", "✔ 1 finding gone"],
                                                        ["note", "5 findings may be gone: this version has findings that are not listed."]])


def says_why_figures_are_missing(browser, kernel, document):
    """Registers need ptxas, unless there is no code at all."""
    cost = {"threads": 128, "registers": None, "ptxas_failure": "… there is no program ptxas in PATH …"}
    for change, expected in (({}, "needs ptxas"), ({"ptxas_failure": "ptxas: error"}, "ptxas failed"), ({"threads": None}, "not compiled")):
        expect(str(change), browser.run(f"whyUnknown({{cost: {json.dumps({**cost, **change})}}}, 'registers')[0]"), expected)
    ptx = {"devices": {"ptx": {"failure": "no"}}, "cost": cost}
    for name, expected in (("sectors", ["not counted", "no"]), ("intensity", ["not counted", "no"]), ("floating_point_operations", ["–", ""])):
        expect(name, browser.run(f"whyUnknown({json.dumps(ptx)}, '{name}')"), expected)


def _changed(change: str, result: str) -> str:
    """What a comparison shows after a change of its document."""
    return f"""(() => {{
      const document = structuredClone(app.model.document), {{compare, devices}} = document, root = element('div');
      {change};
      new CompareView({{model: new Model(document), selection: new Selection(), showFinding() {{}}, openTab() {{}}}}, root);
      return {result};
    }})()"""


def says_what_the_ptx_machine_cannot_run(browser, kernel, document):
    """Findings of both machines are counted, but only one machine runs both versions; operations are those of that machine."""
    change = "(total => root.querySelector(`[data-total=${total}] .change`))"
    shown = browser.run(_changed("compare.other.devices.ptx = {failure: 'no addf'}; compare.complete.ptx = false; "
                                 "compare.totals.find(({name}) => name === 'findings').change = null",
                                 f"['findings', 'operations'].map({change}).map(cell => [cell.textContent, cell.title])"))
    expect("findings", shown[0], ["not comparable", "no addf"])
    assert shown[1][0] not in ("not comparable", "ended early"), shown[1]
    both = browser.run(_changed("compare.other.devices.ptx = {failure: 'no addf'}; compare.complete = {reference: false, ptx: false}; "
                                "compare.totals.forEach(total => { total.change = null; })",
                                f"['findings', 'operations'].map({change}).map(cell => cell.textContent)"))
    expect("changes if the reference machine ended early, too", both, ["ended early", "ended early"])


def _titles_of_findings(change: str) -> str:
    return _changed(change, "[...root.querySelectorAll('.list:is(.new, .gone, .unmatched)')].filter(list => !list.closest('details')).map("
                            "list => [list.previousSibling.className, list.previousSibling.textContent, list.querySelectorAll('article').length])")


def calls_new_what_was_reached_before(browser, kernel, document):
    """All findings are those of the reference machine."""
    new = len(document["compare"]["findings"]["new"])
    expect("complete", browser.run(_titles_of_findings("")), [["worse", f"▲ {new} new findings", new]])
    expect("ended early", browser.run(_titles_of_findings("compare.other.devices.reference.complete = false")),
           [["note", f"{new} findings may be new: the version before did not run to its end.", new]])
    expect("not all listed", browser.run(_titles_of_findings("compare.other.devices.reference.unlisted_findings = 3")),
           [["note", f"{new} findings may be new: the version before has findings that are not listed.", new]])
    expect("unlisted", browser.run(_changed("compare.other.devices.reference.unlisted_findings = 3; devices.ptx.unlisted_findings = 1",
                                            "root.querySelector('.overview > div:last-child > section:last-child').lastChild.textContent")),
           "Not listed, and so not compared: 3 more findings before, 1 more finding now.")
    expect("unlisted in one", browser.run(_changed("devices.ptx.unlisted_findings = 2",
                                                   "root.querySelector('.overview > div:last-child > section:last-child').lastChild.textContent")),
           "Not listed, and so not compared: 2 more findings now.")
    # One of them on a machine that could not run the version before.
    expect("both", browser.run(_titles_of_findings("document.findings[0].device = 'ptx'; compare.other.devices.ptx = {failure: 'no'}")),
            [["worse", f"▲ {new - 1} new finding{'s' if new > 2 else ''}", new - 1], ["note", "1 finding may be new: the version before cannot run on the PTX machine.", 1]])


def says_what_is_not_matched(browser, kernel, document):
    """Two of this version's findings, and one before: the title is before the list of the latter."""
    found = browser.run(_titles_of_findings("compare.other.findings = [document.findings[0]]; "
                                            "compare.findings = {new: [], gone: [], unmatched: {before: [0], after: [0, 1]}}"))
    text = ("1 finding before and 2 now are not matched: bytecode without debug information has no lines, and their operations are "
            "not equally many. Some of them may be new or gone.")
    expect("title", found[0], ["note", text, 1])
    expect("findings in the lists", [count for _, _, count in found], [1, 2])


CHECKS_OF_STOPPED = [says_what_ended_early, groups_gone_findings, calls_gone_what_was_reached_again,
                     says_why_figures_are_missing]
CHECKS = [shows_two_versions, shows_elements_that_differ, shows_totals_and_whole_lines, shows_the_line_of_a_finding,
          shows_a_line_that_was_chosen_elsewhere, shows_new_findings, shows_totals_with_their_change,
          shows_lines_beside_each_other, chooses_lines_by_key, chooses_findings_by_key, says_what_the_ptx_machine_cannot_run,
          calls_new_what_was_reached_before, says_what_is_not_matched]
