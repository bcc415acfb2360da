# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pages of single kernels show: values worked out by hand from the kernel."""

from expecting import chosen_line, expect, show_line, texts
from kernels import line_of


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
    waves, reached, roofline = texts(browser, "#panel-cost section p")[:3]
    assert "130 of 132 are idle. Smaller tiles make more tile blocks." in waves, waves
    # With 39 registers, each of four partitions has room for 12 warps: 9 blocks of 5 warps, 70 % of 64 warps. One block on
    # a multiprocessor is 7.8 %.
    assert "room for 9 thread blocks at a time: 45 warps, 70 %" in reached, reached
    assert "its 2 tile blocks put at most 1 on each of the 132 multiprocessors of the H100 SXM, which is an occupancy of 7.8 %. A larger grid comes first" in reached, reached
    assert "Once the grid fills the GPU, at " in roofline, roofline
    # 65,536 registers for 11 blocks of 160 threads.
    assert document["cost"]["registers"] is None or "With 32 registers per thread instead of " in reached, reached


def shows_the_wasteful_line(browser, kernel, document):
    """32 elements in 32 sectors of 32 bytes, where 4 would do."""
    line = line_of(kernel, "load_view_tko")
    expect("wasteful lines", texts(browser, "#source .row:has(.waste) .number"), [str(line)])
    expect("waste", texts(browser, "#source .waste"), ["8.0×"])
    expect("repeats", texts(browser, "#source .row:has(.waste) .gutter > span")[-1], "4.0×")
    # 8,192 + 256 sectors; 1,024 + 256 if coalesced; the data fills 256 + 256.
    expect("summary", texts(browser, "#panel-findings .good, #panel-findings .costs"),
           ["✔ No errors on the inputs of this run.",
            "Global memory costs 6.6× coalesced accesses, 2.5× repeats: together 17× the data."])
    notes = texts(browser, "#panel-findings li")
    small = "because 128 threads load or store a tile of only 32 elements"
    assert f"line {line} repeats most memory accesses: a tile block moves its data 4.0 times, on average, {small}" in notes, notes
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
    assert f"8,192 sectors, 8.0× coalesced accesses (1,024), {reason}. Fix: use tiles that are wide" in waste, waste
    assert f"a tile block moves its data 4.0 times, on average, {small}. Fix: larger tiles" in repeats, repeats
    assert "8.0× coalesced accesses, 4.0× repeats: together 32× the data, which would fit in 256 sectors." in details, details


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
    expect("operand", texts(browser, "#panel-findings .note")[0], "Operand: %less[0] = -2")
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


def tells_waste_from_repeats(browser, kernel, document):
    """Each of two instructions updates every other element: twice the sectors of coalesced accesses, but no element twice."""
    line = line_of(kernel, "atomic_rmw_tko")
    heads = texts(browser, "#source .head span")
    assert "repeats" not in heads, heads
    expect("access", texts(browser, f"{show_line(browser, line)} .gutter > span")[heads.index("access")], "2.0×")
    browser.click(show_line(browser, line))
    details = texts(browser, "#details p")
    assert any("128 sectors, 2.0× coalesced accesses (64), because" in text for text in details), details
    assert not any("Repeats" in text for text in details), details


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
