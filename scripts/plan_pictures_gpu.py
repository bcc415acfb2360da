# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures of the GPU compiler's plan (see plan_pictures.py), except for those of layouts, which
`tilewright draw` draws."""

from svg import Picture

FOUR = ("blue", "orange", "green", "red")


def fragments(page) -> Picture:
    """The accumulators of a product: warps, their fragments, and the lanes of a fragment."""
    section = "Fragment"
    rows, columns = page.numbers(section, r"(\d+)x(\d+): 32 elements per thread")
    along_m, along_n, warps_m, warps_n = page.numbers(
        section, r"(\d+) x (\d+) fragments in each of (\d+) x (\d+) warps")
    m, n = page.numbers(section, r"by mma\.m(\d+)n(\d+)k")
    assert m * along_m * warps_m == rows and n * along_n * warps_n == columns
    p, scale = Picture("Fragments of a matrix product"), 5
    p.text(12, 22, f"{rows} x {columns} accumulators", "title")
    for row in range(0, rows, m):
        for column in range(0, columns, n):
            warp = row // (m * along_m) * warps_n + column // (n * along_n)
            p.box(12 + column * scale, 32 + row * scale, n * scale, m * scale, FOUR[warp])
    high, wide = m * along_m * scale, n * along_n * scale
    for warp in range(warps_m * warps_n):
        x, y = 12 + warp % warps_n * wide, 32 + warp // warps_n * high
        p.box(x, y, wide, high, classes="edge thick")
        p.text(x + wide / 2, y + high / 2 - 6, f"warp {warp}", "label middle")
    p.box(12 + n * scale, 32, n * scale, m * scale, classes="edge thick")
    left, cell = 12 + columns * scale + 90, 34
    p.text(left, 22, f"a fragment: {m} x {n}, with lane and register", "title")
    for row in range(m):
        for column in range(n):
            lane, register = row % 8 * 4 + column // 2, row // 8 * 2 + column % 2
            p.box(left + column * cell, 32 + row * 20, cell, 20, FOUR[column // 2] if row in (0, 8) else "",
                  f"{lane}:{register}")
    p.line((12 + 2 * n * scale, 32), (left, 32), classes="line dashed")
    p.line((12 + 2 * n * scale, 32 + m * scale), (left, 32 + m * 20), classes="line dashed")
    return p


def lanes(page) -> Picture:
    """A layout conversion: pairs of lanes exchange half of their elements, once per pair of bits."""
    section = "Lane shuffle"
    swaps = [(int(lane), int(slot)) for lane, slot in page.all(section, r"lane bit (\d) and register bit (\d)")]
    # Four lanes share 32 columns of a row: slot bit 0 and bits 2 and 3 select a column, bit 1 a row.
    columns, slots = 32, (0, 2, 3)
    place = {0: ("slot", 0), 1: ("lane", 0), 2: ("lane", 1), 3: ("slot", 2), 4: ("slot", 3)}
    p, cell = Picture("A layout conversion by lane shuffles"), 18

    def positions() -> dict[int, tuple[int, int]]:
        """Column to lane and position in the lane."""
        found = {}
        for column in range(columns):
            lane = slot = 0
            for bit, (kind, number) in place.items():
                value = column >> bit & 1
                if kind == "lane":
                    lane |= value << number
                else:
                    slot |= value << slots.index(number)
            found[column] = lane, slot
        return found

    def centre(at: tuple[int, int], y: float) -> tuple[float, float]:
        return 12 + at[0] * (8 * cell + 14) + at[1] * cell + cell / 2, y

    y, before = 44, positions()
    home = {column: lane for column, (lane, _) in before.items()}
    for lane in range(4):
        p.text(12 + lane * (8 * cell + 14) + 4 * cell, 30, f"lane {lane}", "middle title")
    steps = [("columns, in the order of registers", None)] + [
        (f"after swapping lane bit {lane} and register bit {slot}", (lane, slot)) for lane, slot in swaps]
    for title, swap in steps:
        if swap:
            lane, slot = ("lane", swap[0]), ("slot", swap[1])
            exchanged = {lane: slot, slot: lane}
            place = {bit: exchanged.get(where, where) for bit, where in place.items()}
            after = positions()
            for column in range(columns):
                if before[column][0] != after[column][0]:
                    p.line(centre(before[column], y + 22), centre(after[column], y + 66))
            y += 66
            before = after
        for column, at in before.items():
            x, _ = centre(at, y)
            p.box(x - cell / 2, y, cell, 22, FOUR[home[column]], str(column), "edge")
        p.text(12 + 4 * (8 * cell + 14), y + 15, title, "small")
    return p


def stages(page) -> Picture:
    """The ring buffer of a software-pipelined loop over time."""
    ahead, count, size = page.numbers(
        "Staged copy", r"lhs is prefetched (\d+) iterations ahead \((\d+) pipeline stages of (\d+)")
    p, wide, iterations = Picture("Stages of a software-pipelined loop"), 96, 6
    columns = ["before the loop"] + [f"k = {k}" for k in range(iterations)]
    for number, name in enumerate(columns):
        p.text(90 + number * wide + wide / 2, 22, name, "middle title" if number else "middle")
    p.text(12, 45, "copies")
    p.text(12, 75, "product")
    colors = FOUR[:count]

    def copy(slot: int, k: int, y: int) -> None:
        p.box(92 + slot * wide, y, wide - 4, 20 if slot else 12, colors[k % count], f"tiles {k}", "edge")

    for k in range(ahead):
        copy(0, k, 30 + k * 13)
    for k in range(iterations):
        if k + ahead < iterations:
            copy(k + 1, k + ahead, 30)
        p.box(92 + (k + 1) * wide, 60, wide - 4, 20, colors[k % count], f"reads {k}", "edge")
    for stage in range(count):
        y = 100 + stage * 26
        p.text(12, y + 14, f"stage {stage}")
        for k in range(stage, iterations, count):
            begin = 92 + max(k - ahead + 1, 0) * wide
            p.box(begin, y, 92 + (k + 2) * wide - 4 - begin, 20, colors[stage], f"tiles {k}", "edge")
    p.text(90, 100 + count * 26 + 16,
           f"A stage has {size} bytes for lhs and as many for rhs. A copy has {ahead} iterations until its product.")
    return p


def held(page) -> Picture:
    """Live tiles of two products: one holds its operands in registers, the other one does not."""
    pressures = [int(words) for words, in page.all("Held tile", r"pressure of live tiles: (\d+) words")]
    p, scale, wide = Picture("Register pressure of two matrix products"), 1.2, 74
    operations = ("load lhs", "load rhs", "mmaf", "continue")
    accumulator = min(pressures)
    base = 32 + 100 * scale + 14
    for side, (title, tiles) in enumerate((
            ("f32: multiply-adds", [("accumulators", "blue", 0, 4), ("lhs", "orange", 0, 3), ("rhs", "green", 1, 3)]),
            ("f16: matrix instructions", [("accumulators", "blue", 0, 4)]))):
        assert pressures[side] == accumulator * len(tiles)
        left = 60 + side * 400
        p.text(left, 22, title, "title")
        for number, (name, color, begin, end) in enumerate(tiles):
            y = base - (number + 1) * accumulator * scale
            p.box(left + begin * wide, y, (end - begin) * wide, accumulator * scale, color,
                  f"{name}: {accumulator}", "edge")
        p.line((left, 32), (left, base), (left + 4 * wide, base))
        top = base - pressures[side] * scale
        p.line((left - 4, top), (left + 4 * wide, top), classes="line dashed")
        p.text(left - 8, top + 4, str(pressures[side]), "end")
        for number, operation in enumerate(operations):
            p.text(left + (number + .5) * wide, base + 16, operation, "small middle")
    p.text(60, base + 40, "words per thread while an iteration runs; lhs and rhs of the f16 product are only in "
           "shared memory")
    return p


PICTURES = {"fragments": fragments, "lanes": lanes, "stages": stages, "held": held}
