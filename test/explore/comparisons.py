# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the view Compare shows of two versions of a kernel: rows.mlir after columns.mlir."""


def _expect(what: str, found, expected) -> None:
    if found != expected:
        raise AssertionError(f"{what}: expected {expected!r}, but found {found!r}")


def _rows(browser, selector: str) -> list[list[str]]:
    return browser.run(f"[...document.querySelectorAll('#panel-compare {selector} tbody tr')]"
                       ".map(row => [...row.children].map(cell => cell.textContent))")


def shows_two_versions(browser, kernel, document):
    browser.press("6")
    _expect("view after the key 6", browser.run("app.tab"), "compare")
    _expect("outcomes", _rows(browser, ".outcomes"), [["reference machine", "succeeded", "misbehaved"],
                                                      ["PTX machine", "succeeded", "succeeded"]])


def shows_elements_that_differ(browser, kernel, document):
    """columns.mlir transposes x[i, j] = 64 i + j. rows.mlir leaves the lower half, rows 32 to 63, as it is: zero."""
    browser.press("6")
    text = browser.run("document.querySelector('#panel-compare .elements').parentElement.textContent")
    assert "1,024 of 2,048 elements differ. The largest difference is 2047." in text, text
    _expect("elements", _rows(browser, ".elements"), [[f"[32, {i}]", str(64 * i + 32), "0"] for i in range(16)])


def shows_new_findings(browser, kernel, document):
    """There are 32 rows, but 64 blocks: indices outside. On the PTX machine, such accesses are masked."""
    browser.press("6")
    messages = browser.run("[...document.querySelectorAll('#panel-compare .list.new .message')].map(found => found.textContent)")
    _expect("new findings", messages, [finding["message"] for finding in document["findings"]])
    assert messages, "there are no new findings"


def shows_totals_with_their_change(browser, kernel, document):
    """Fewer sectors are better, more findings worse, and fewer threads neither."""
    browser.press("6")
    totals = {row["name"]: row for row in document["compare"]["totals"]}
    rows = browser.run("Object.fromEntries([...document.querySelectorAll('#panel-compare [data-total]')].map("
                       "row => [row.dataset.total, [...row.children].slice(1).map(cell => cell.textContent)]))")
    _expect("totals", set(rows), set(totals))
    before, after = totals["sectors"]["before"], totals["sectors"]["after"]
    _expect("sectors", rows["sectors"], [f"{before:,}", f"{after:,}", f"−{100 * (before - after) / before:.0f} %"])
    _expect("threads", rows["threads"][2], "same")
    kinds = browser.run("['sectors', 'findings', 'threads'].map(name => "
                        "document.querySelector(`#panel-compare [data-total=${name}] .change`).title)")
    _expect("judgements", kinds, ["better", "worse", ""])


def shows_lines_beside_each_other(browser, kernel, document):
    """The load of columns.mlir is beside that of rows.mlir, and a click selects the line of the latter."""
    browser.press("6")
    number = next(index for index, line in enumerate(document["sources"][0]["text"].splitlines(), start=1)
                  if "load_view_tko" in line)
    cells = next(row for row in _rows(browser, ".lines") if row[-1].startswith(f"+ {number}"))
    assert "%columns[%zero, %x]" in cells[-2] and "%rows[%x, %zero]" in cells[-1], cells
    line = next(row for row in document["compare"]["lines"] if row["after"] == number)
    assert any(cell == f"{line['sectors'][0]:,} → {line['sectors'][1]:,}" for cell in cells[:-2]), cells
    browser.run(f"""[...document.querySelectorAll('#panel-compare .lines tr')].find(
      row => row.lastChild.textContent.startsWith('+ {number}')).click()""")
    _expect("selected line", browser.run("app.selection.place"), [0, number])


CHECKS = [shows_two_versions, shows_elements_that_differ, shows_new_findings, shows_totals_with_their_change,
          shows_lines_beside_each_other]
