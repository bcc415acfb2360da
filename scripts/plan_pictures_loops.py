# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures of the CPU compiler's values and loops (see plan_pictures.py)."""

from svg import Picture

REGISTER = 8  # lanes of f32 in a register of x86-64-v3
LOOP_COLORS = ("blue", "orange", "green")
LOOP = r"loop of (?:(\d+) x )?(\d+): "


def placement(page) -> Picture:
    """The softmax: which loop computes what, and what is in the arena in between."""
    arena, = page.numbers("Placement", r"@softmax: (\d+) bytes")
    buffers = page.all("Placement", r"buffer \[(\d+), (\d+)\)  (?:reduce|exp)")
    maximum, row, total = [(int(begin), int(end)) for begin, end in buffers]
    p = Picture("Placement of the tiles of a softmax")
    loops = [
        ("loop 1", [("load x", "yellow"), ("reduce max", "purple")]),
        ("loop 2", [("load x again", "yellow"), ("broadcast max", "yellow"), ("x - max", "yellow"),
                    ("e = exp", "teal"), ("reduce sum", "purple")]),
        ("loop 3", [("broadcast sum", "yellow"), ("e / sum", "yellow"), ("store y", "")])]
    places = {}
    for column, (name, operations) in enumerate(loops):
        x = 12 + column * 200
        p.text(x, 22, f"{name}, for each row", "title")
        for number, (operation, color) in enumerate(operations):
            y = 34 + 34 * number
            p.box(x, y, 130, 24, color, operation)
            places[operation] = (x, y)
            if number and operation != "broadcast max":
                p.arrow((x + 65, y - 10), (x + 65, y))
    x, y = places["x - max"]  # reads the loaded row, too
    loaded = places["load x again"][1] + 12
    p.arrow((x + 130, loaded), (x + 142, loaded), (x + 142, y + 12), (x + 130, y + 12))
    top, scale = 264, 560 / arena
    p.text(12, top + 62, f"the arena: {arena} bytes", "title")
    p.box(12, top, arena * scale, 26, "", "", "edge")
    for (begin, end), color, label in ((maximum, "purple", "max"), (row, "teal", "one row of e"),
                                       (total, "purple", "sum")):
        p.box(12 + begin * scale, top, (end - begin) * scale, 26, color, label if end - begin > 64 else "", "edge")
        p.text(12 + begin * scale, top + 40, str(begin), "small")
    p.text(12 + arena * scale, top + 40, str(arena), "small end")
    middle = {name: 12 + (begin + end) / 2 * scale for name, (begin, end) in
              (("max", maximum), ("e", row), ("sum", total))}
    # Values that pass through the arena.
    x, y = places["reduce max"]
    p.arrow((middle["max"], y + 24), (middle["max"], top))
    bx, by = places["broadcast max"]
    p.arrow((middle["max"], top - 34), (bx - 24, top - 34), (bx - 24, by + 12), (bx, by + 12))
    x, y = places["e = exp"]
    p.arrow((x + 130, y + 12), (x + 150, y + 12), (x + 150, top))
    dx, dy = places["e / sum"]
    p.arrow((dx - 36, top), (dx - 36, dy + 12), (dx, dy + 12))
    x, y = places["reduce sum"]
    p.arrow((x + 65, y + 24), (x + 65, top - 22), (middle["sum"] - 4, top - 22), (middle["sum"] - 4, top))
    sx, sy = places["broadcast sum"]
    p.arrow((middle["sum"] + 4, top), (middle["sum"] + 4, top - 22), (sx + 150, top - 22), (sx + 150, sy + 12),
            (sx + 130, sy + 12))
    p.legend(12, top + 74, ("yellow", "fused: in registers of the loop that reads it, recomputed in each"),
             ("purple", "buffer: one element per row"), ("teal", "row buffer"))
    return p


def group(page) -> Picture:
    """The order in which three loops visit the rows."""
    rows, columns = page.numbers("Fusion group", r"fusion group over (\d+)x(\d+)")
    loops = len(page.all("Fusion group", LOOP))
    p = Picture("Order of the loops of a fusion group")
    for side, (title, order, note) in enumerate((
            ("one loop nest after the other", lambda row, loop: loop * rows + row,
             f"live between loops: all of e, {rows * columns * 4} bytes"),
            ("a fusion group", lambda row, loop: row * loops + loop,
             f"live between loops: a row of e, {columns * 4} bytes"))):
        left = 12 + side * 320
        p.text(left, 22, title, "title")
        for loop in range(loops):
            p.text(left + 60 + loop * 72 + 32, 42, f"loop {loop + 1}", "middle")
        for row in range(rows):
            y = 50 + row * 30
            p.text(left, y + 17, f"row {row}")
            for loop in range(loops):
                p.box(left + 60 + loop * 72, y, 64, 24, LOOP_COLORS[loop], str(order(row, loop) + 1), "edge")
        visits = sorted((order(row, loop), row, loop) for row in range(rows) for loop in range(loops))
        for (_, row, loop), (_, to_row, to_loop) in zip(visits, visits[1:]):
            x0, y0 = left + 92 + loop * 72, 62 + row * 30
            x1, y1 = left + 92 + to_loop * 72, 62 + to_row * 30
            if to_loop == loop:
                p.arrow((x0 + 20, y0 + 6), (x0 + 20, y1 - 6))
            elif to_row == row:
                p.arrow((x0 + 20, y0), (x1 - 20, y1))
            elif side:  # to the next row
                p.line((x0 + 20, y0 + 6), (x1 - 20, y1 - 6), classes="line dashed")
            else:  # to the next loop
                p.line((x0, y0 + 12), (x1, y1 - 12), classes="line dashed")
        p.text(left, 50 + rows * 30 + 16, note)
    return p


def vectors(page) -> Picture:
    """One row in each loop of the softmax, in iterations, vectors and registers."""
    columns, = page.numbers("Fusion group", r"fusion group over \d+x(\d+)")
    loops = [(int(chains or 1), int(width)) for chains, width in page.all("Fusion group", LOOP)]
    chain_colors = ("blue", "orange", "green", "purple")
    p, cell = Picture("A row in iterations, vectors and registers"), 9
    left, right = 120, 120 + columns * cell
    for number, (chains, width) in enumerate(loops):
        y = 40 + number * 74
        p.text(12, y + 8, f"loop {number + 1}", "title")
        p.text(12, y + 24, (f"{chains} x " if chains > 1 else "") + str(width))
        for element in range(columns):
            p.box(left + element * cell, y, cell, 22, chain_colors[element // width % chains])
        for register in range(0, columns, REGISTER):
            p.box(left + register * cell, y, REGISTER * cell, 22, classes="edge")
        for vector in range(0, columns, width):
            p.text(left + (vector + width / 2) * cell, y - 6, f"vector {vector // width % chains}", "small middle")
        step = chains * width
        for first in range(0, columns, step):
            begin, end = left + first * cell + 2, left + (first + step) * cell - 2
            p.line((begin, y + 26), (begin, y + 31), (end, y + 31), (end, y + 26))
            p.text((begin + end) / 2, y + 43, f"iteration {first // step}", "small middle")
    y = 40 + len(loops) * 74 - 12
    p.line((left, y), (left + cell, y), classes="edge")
    p.text(left + cell + 6, y + 4, "a lane", "small")
    p.line((left + 90, y), (left + 90 + REGISTER * cell, y), classes="edge")
    p.text(left + 96 + REGISTER * cell, y + 4, f"a register: {REGISTER} lanes", "small")
    p.line((left + 300, y), (left + 300 + loops[0][1] * cell, y), classes="edge")
    p.text(left + 306 + loops[0][1] * cell, y + 4, f"a vector: {loops[0][1]} lanes", "small")
    p.reach(right, 0)
    return p


def shared_row(page) -> Picture:
    """All rows of a group read one row of memory."""
    rows, columns = page.numbers("Shared row", r"fusion group over (\d+)x(\d+)")
    page.find("Shared row", r"broadcast row: load_view_tko")
    p = Picture("A shared row")
    shown = (0, 1, 2, None, rows - 1)
    p.text(60, 22, f"x in memory: {rows} rows, {rows * columns * 4} bytes", "title")
    p.text(420, 22, f"bias in memory: 1 row, {columns * 4} bytes", "title")
    target = 34 + 2 * 26
    p.box(420, target, 200, 20, "orange", "b", "edge")
    for number, row in enumerate(shown):
        y = 34 + number * 26
        if row is None:
            p.text(160, y + 14, "...", "middle")
            continue
        p.text(12, y + 14, f"row {row}")
        p.box(60, y, 200, 20, "blue", f"x + {row * columns * 4}", "edge")
        p.text(300, y + 14, "+", "middle")
        p.arrow((418, target + 10 + (number - 2) * 3), (312, y + 10))
    return p


def reduction(page) -> Picture:
    """Left: chains and lanes become one element. Right: each lane has a result of its own."""
    chains, width = page.numbers("Fusion group", r"loop of (\d+) x (\d+): load_view_tko %\w+, reduce")
    page.find("Reduction", r"reduce: sequential, vectorized along another dimension")
    p, cell = Picture("Reductions along a row and along a column"), 6
    p.text(12, 22, "along the row: the maximum", "title")
    y, count, lanes = 40, chains, width
    while True:
        for chain in range(count):
            left = 12 + chain * (width + 1) * cell
            for lane in range(lanes):
                p.box(left + lane * cell, y, cell, 16, ("blue", "orange", "green", "purple")[chain])
            p.box(left, y, lanes * cell, 16, classes="edge")
        note = f"{count} chains of {lanes} lanes" if count > 1 else f"{lanes} lanes" if lanes > 1 else "the result"
        p.text(24 + chains * (width + 1) * cell, y + 12, note, "small")
        if count == lanes == 1:
            break
        if count > 1:
            count //= 2
            p.arrow((12 + (count + .5) * (width + 1) * cell, y + 17), (12 + width * cell / 2 + 20, y + 30))
        else:
            lanes //= 2
            p.arrow((12 + lanes * 1.5 * cell, y + 17), (12 + lanes / 2 * cell, y + 30))
        y += 32
    left = 60 + chains * (width + 1) * cell + 110
    rows, = page.numbers("Reduction", r"tile<(\d+)x\d+xf32> -> tile")
    p.text(left, 22, "along the columns: a sum", "title")
    for row in range(rows):
        y = 40 + row * 20
        p.text(left, y + 12, f"row {row}", "small")
        for lane in range(width):
            p.box(left + 40 + lane * 12, y, 12, 16, "blue")
        p.box(left + 40, y, width * 12, 16, classes="edge")
    bottom = 40 + rows * 20
    for lane in range(width):
        x = left + 46 + lane * 12
        p.arrow((x, 44), (x, bottom + 10))
        p.box(x - 6, bottom + 10, 12, 16, "orange")
    p.box(left + 40, bottom + 10, width * 12, 16, classes="edge")
    p.text(left + 40, bottom + 42, f"{width} results at once, one per lane", "small")
    return p


def scan(page) -> Picture:
    """Sums of the lanes of one register, step by step."""
    lanes, = page.numbers("Scan", r"vectors of (\d+) elements, log-step prefix \(distances 1, 2, 4")
    p, cell, left = Picture("A scan of one register"), 46, 150
    values, prefix, y = [3, 1, 4, 1, 5, 9, 2, 6][:lanes], 20, 20

    def row(values: list[int], note: str, colors: list[str]) -> None:
        p.text(12, y + 15, note)
        for lane, value in enumerate(values):
            p.box(left + lane * cell, y, cell, 22, colors[lane], str(value), "edge")

    row(values, "elements", ["blue"] * lanes)
    distance = 1
    while distance < lanes:
        values = [value + (values[lane - distance] if lane >= distance else 0) for lane, value in enumerate(values)]
        for lane in range(lanes):
            x = left + (lane + .5) * cell
            if lane >= distance:
                p.arrow((x - distance * cell + 6, y + 22), (x - 6, y + 46))
                p.arrow((x, y + 22), (x, y + 46))
            else:
                p.line((x, y + 22), (x, y + 46), classes="line dashed")
        y += 46
        row(values, f"distance {distance}", ["orange" if lane >= distance else "blue" for lane in range(lanes)])
        distance *= 2
    for lane in range(lanes):
        p.arrow((left + (lane + .5) * cell, y + 22), (left + (lane + .5) * cell, y + 46))
    y += 46
    row([value + prefix for value in values], f"+ the prefix, {prefix}", ["green"] * lanes)
    p.arrow((left + lanes * cell, y + 11), (left + lanes * cell + 34, y + 11))
    p.text(left + lanes * cell + 40, y + 15, f"{prefix + values[-1]}: the next prefix")
    return p


PICTURES = {"placement": placement, "group": group, "vectors": vectors, "shared-row": shared_row,
            "reduction": reduction, "scan": scan}
