# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures of the CPU compiler's accesses, products and lane shuffles (see plan_pictures.py)."""

from svg import Picture

REGISTER = 8  # lanes of f32 in a register of x86-64-v3


def access(page) -> Picture:
    """Lanes and the memory that they read, in three ways."""
    page.find("Contiguous, masked, gathered", r"(gather/scatter: addresses are not known)")
    page.find("Contiguous, masked, gathered", r"(vector accesses if the tile is in bounds with unit stride)")
    p, cell, left, words = Picture("Contiguous, masked and gathered lanes"), 22, 90, 22
    cases = (("contiguous", list(range(4, 4 + REGISTER)), words, "one load"),
             ("masked", list(range(words - 5, words + 3)), words, "one load with a mask; padding in 3 lanes"),
             ("gathered", [9, 2, 17, 2, 12, 20, 5, 14], words, f"{REGISTER} addresses"))
    for number, (name, addresses, extent, note) in enumerate(cases):
        y = 16 + number * 116
        p.text(12, y + 16, name, "title")
        p.text(12, y + 78, "memory")
        shift = 4 if name != "masked" else words - 10
        for word in range(extent):
            p.box(left + word * cell, y + 62, cell, 24, "orange" if word in addresses else "grey")
        for lane, address in enumerate(addresses):
            x, target = left + (lane + shift) * cell + cell / 2, left + (address + .5) * cell
            inside = address < extent
            p.box(x - cell / 2, y, cell, 24, "blue" if inside else "", str(lane) if inside else "-", "edge")
            if inside:
                p.arrow((target, y + 62), (x, y + 24))
        p.text(left + (shift + REGISTER) * cell + 10, y + 16, note)
    p.text(left + words * cell + 8, 16 + 116 + 78, "the end of the tensor", "small")
    return p


def accumulators(page) -> Picture:
    """The order in which a loop visits the rows of its tiles, as written and interchanged."""
    section = "Register-resident accumulators"
    rows, columns = page.numbers(section, r"tile<(\d+)x(\d+)xf32>\) \{")
    block, = page.numbers(section, r"keeps (\d+) row of its accumulators in registers")
    iterations = 4
    p, cell = Picture("Order of the loops, as written and interchanged"), 34
    for side, (title, order, note) in enumerate((
            ("as written", lambda row, k: k * rows + row,
             (f"{rows * iterations} times, a row of accumulators", "is loaded and stored")),
            ("interchanged", lambda row, k: (row // block * iterations + k) * block + row % block,
             (f"{rows // block} times: registers hold a row", f"for all {iterations} iterations")))):
        left = 12 + side * 300
        p.text(left, 22, title, "title")
        for k in range(iterations):
            p.text(left + 50 + (k + .5) * (cell + 6), 40, f"k = {k}", "small middle")
        for row in range(rows):
            y = 46 + row * 16
            p.text(left, y + 11, f"row {row}", "small")
            resident = side and row == 1
            for k in range(iterations):
                p.box(left + 50 + k * (cell + 6), y, cell, 14, "orange" if (row == 1 if side else k == 1) else "blue",
                      str(order(row, k) + 1))
        if side:
            p.arrow((left + 44 + iterations * (cell + 6), 46 + 23), (left + 58 + iterations * (cell + 6), 46 + 23))
            p.text(left + 64 + iterations * (cell + 6), 46 + 27, f"{columns} accumulators", "small")
            p.text(left + 64 + iterations * (cell + 6), 46 + 39, "in registers", "small")
        for number, line in enumerate(note):
            p.text(left, 46 + rows * 16 + 18 + number * 15, line)
    return p


def packed(page) -> Picture:
    """A block of accumulators, what it needs of the operands, and the order of packed words."""
    section = "Packed operand"
    m, n = page.numbers(section, r"tile<(\d+)x(\d+)xf32>\) \{")
    rows, width, rest = page.numbers(section, r"blocks of (\d+) x (\d+) .*, \d+ block of (\d+) x")
    vectors = width // REGISTER
    p, scale = Picture("Packed operands of a matrix product"), 3
    left, top = 60 + m * scale + 24, 108
    # lhs is on the left, and rhs above, with fewer steps along k than it has.
    p.text(left, 22, f"rhs: panels of {width} columns", "title")
    for panel in range(n // width):
        p.box(left + panel * width * scale, 32, width * scale, 64, "orange" if panel == 1 else "", "", "edge")
        p.text(left + (panel + .5) * width * scale, 68, str(panel), "middle label" if panel == 1 else "middle")
    p.text(60, top - 10, "lhs: rows", "title")
    p.text(left, top + m * scale + 16, f"{m} x {n} accumulators", "")
    y = top
    for block in range((m + rows - 1) // rows):
        count = rows if (block + 1) * rows <= m else rest
        chosen = block == 2
        p.box(60, y, m * scale, count * scale, "blue" if chosen else "", "", "edge")
        for panel in range(n // width):
            p.box(left + panel * width * scale, y, width * scale, count * scale,
                  "green" if chosen and panel == 1 else "", "", "edge")
        y += count * scale
    middle = top + 2.5 * rows * scale
    p.arrow((60 + m * scale, middle), (left + width * scale, middle))
    p.arrow((left + 1.5 * width * scale, 96), (left + 1.5 * width * scale, top + 2 * rows * scale))
    # The block, enlarged, and the packed words.
    right = left + n * scale + 50
    p.text(right, 22, f"the block: {rows} x {vectors} registers of {REGISTER}", "title")
    for row in range(rows):
        for vector in range(vectors):
            p.box(right + vector * 84, 32 + row * 13, 80, 11, "green")
    y = 32 + rows * 13 + 26
    p.text(right, y, "packed rhs", "title")
    names = ["panel 0", "panel 1", "panel 2", "panel 3"][:n // width]
    for number, name in enumerate(names):
        p.box(right + number * 92, y + 8, 92, 20, "orange" if number == 1 else "grey", name, "edge")
    p.line((right + 92, y + 28), (right, y + 48), classes="line dashed")
    p.line((right + 184, y + 28), (right + 368, y + 48), classes="line dashed")
    for step in range(4):
        name = f"k = {step}: {width} words" if step < 3 else "..."
        p.box(right + step * 105, y + 48, 105 if step < 3 else 53, 20, "orange", name, "edge")
    y += 96
    p.text(right, y, "packed lhs", "title")
    for row in range(3):
        p.box(right + row * 122, y + 8, 122, 20, "blue", f"row {row}: k = 0, 1, 2, ...", "edge")
    return p


def packings(blocks: list[tuple[int, int]], lhs_slots: int, rhs_slots: int) -> list[tuple[bool, bool]]:
    """For each block (row and column), whether it packs lhs and rhs, or finds them in the cache."""
    lhs, rhs, packs = {}, {}, []
    for i, j in blocks:
        packs.append((lhs.get(i % max(lhs_slots, 1)) != i, rhs.get(j % rhs_slots) != j))
        if lhs_slots:
            lhs[i % lhs_slots] = i
        rhs[j % rhs_slots] = j
    return packs


def cache(page) -> Picture:
    """The order of the tile blocks of a launch, and what a thread packs."""
    section = "Packed-operand cache"
    across, = page.numbers(section, r"rasterization order: (\d+) interleaved columns")
    lhs_slots, = page.numbers(section, r"cache for lhs: (\d+) entry")
    rhs_slots, = page.numbers(section, r"cache for rhs: (\d+) entries")
    extent, cell = 8, 26
    columnwise = [(i, j) for j in range(extent) for i in range(extent)]
    interleaved = [(i, first + j) for first in range(0, extent, across) for i in range(extent)
                   for j in range(across)]
    p = Picture("Rasterization order and the packed-operand cache")
    for side, (title, blocks, slots) in enumerate((("x fastest, no entry for lhs", columnwise, (0, 1)),
                                                   (f"{across} columns interleaved", interleaved,
                                                    (lhs_slots, rhs_slots)))):
        left = 12 + side * 330
        p.text(left, 22, title, "title")
        p.text(left + 44 + extent * cell / 2, 40, "y: columns of rhs", "small middle")
        p.text(left, 60, "x: rows", "small")
        p.text(left, 72, "of lhs", "small")
        packs = packings(blocks, *slots)
        for number, ((i, j), (lhs, rhs)) in enumerate(zip(blocks, packs)):
            color = {(True, True): "red", (True, False): "orange", (False, True): "yellow"}.get((lhs, rhs), "green")
            p.box(left + 44 + j * cell, 48 + i * cell, cell, cell, color, str(number + 1), "edge")
        y = 48 + extent * cell + 18
        p.text(left, y, f"tiles of lhs are packed {sum(lhs for lhs, _ in packs)} times,")
        p.text(left, y + 16, f"those of rhs {sum(rhs for _, rhs in packs)} times, per iteration")
    p.legend(12 + 660, 48, ("red", "packs both"), ("orange", "packs lhs, finds rhs"),
             ("yellow", "packs rhs, finds lhs"), ("green", "finds both in the cache"))
    y = 48 + 4 * 18 + 24
    p.text(672, y, "entries after block 16", "title")
    lhs, rhs = interleaved[15][0], [j for _, j in interleaved[12:16]]
    p.box(672, y + 10, 60, 22, "blue", f"lhs {lhs}", "edge")
    for number, j in enumerate(sorted(rhs)):
        p.box(672 + number * 48, y + 40, 48, 22, "purple", f"rhs {j}", "edge")
    return p


def shuffles(page) -> Picture:
    """The steps of a lane-shuffle program on the first two vectors."""
    section = "Lane-shuffle program"
    lanes, = page.numbers(section, r"lane-shuffle program of 1 x (\d+) lanes, 4 loads, 8 shuffles, 4 computed, 4 stores")
    patterns = [[int(lane) for lane in pattern.split(", ")]
                for pattern, in page.all(section, r"vector\.shuffle \[(.*)\]")]
    separate = [pattern for pattern in patterns if pattern[1] - pattern[0] == 2]
    combine = [pattern for pattern in patterns if pattern[1] - pattern[0] == lanes]
    p, cell, gap, left = Picture("A lane-shuffle program"), 34, 30, 120
    names = [list(range(lanes)), list(range(lanes, 2 * lanes))]

    def place(vector: int, lane: int) -> float:
        return left + vector * (lanes * cell + gap) + lane * cell

    def row(y: float, labels: list[list], colors: list[list[str]]) -> None:
        for vector in range(2):
            for lane in range(lanes):
                p.box(place(vector, lane), y, cell, 22, colors[vector][lane], str(labels[vector][lane]), "edge")

    def shuffle(y: float, pattern: list[int], vector: int) -> None:
        for lane, source in enumerate(pattern):
            p.line((place(source // lanes, source % lanes) + cell / 2, y),
                   (place(vector, lane) + cell / 2, y + 44), classes="line")

    both = names[0] + names[1]
    parities = [[("blue", "orange")[number % 2] for number in vector] for vector in names]
    p.text(12, 35, "2 loads")
    row(20, names, parities)
    taken = [[both[lane] for lane in pattern] for pattern in separate]
    p.text(12, 68, "2 shuffles")
    for vector, pattern in enumerate(separate):
        shuffle(42, pattern, vector)
    row(86, taken, [["blue"] * lanes, ["orange"] * lanes])
    p.text(12, 101, "a and b")
    p.text(12, 134, "2 computed")
    for vector, name in enumerate(("minf", "maxf")):
        centre = place(vector, 0) + lanes * cell / 2
        p.arrow((place(0, 0) + lanes * cell / 2, 108), (centre - 12, 146))
        p.arrow((place(1, 0) + lanes * cell / 2, 108), (centre + 12, 146))
    extremes = [[f"{name}{lane}" for lane in range(lanes)] for name in ("lo", "hi")]
    row(146, extremes, [["green"] * lanes, ["purple"] * lanes])
    p.text(12, 161, "low and high")
    p.text(12, 194, "2 shuffles")
    for vector, pattern in enumerate(combine):
        shuffle(168, pattern, vector)
    results = [[(extremes[0] + extremes[1])[lane] for lane in pattern] for pattern in combine]
    row(212, results, [["green" if label.startswith("lo") else "purple" for label in vector] for vector in results])
    p.text(12, 227, "2 stores")
    return p


def prefetch(page) -> Picture:
    """Which row is read, and which is prefetched, over time."""
    page.find("Prefetch", r"prefetch in loop 2: (%tile) of the next tile block")
    rows, columns = page.numbers("Prefetch", r"fusion group over (\d+)x(\d+)")
    p, wide = Picture("Prefetches of the next tile block"), 150
    p.text(12, 24, "tile blocks", "title")
    p.text(12, 84, "L1 cache", "title")
    p.text(12, 150, "memory", "title")
    for block in range(2):
        for loop in range(2):
            x = 110 + (2 * block + loop) * wide
            p.box(x, 10, wide - 4, 24, ("blue", "orange")[loop], f"row {block}, loop {loop + 1}", "edge")
            if loop:
                p.text(x + wide / 2, 60, "prefetches row " + str(block + 1), "small middle")
    for block in range(3):
        x = 110 + max(2 * block - 1, 0) * wide
        end = 110 + min(2 * block + 2, 4) * wide
        p.box(x, 70 + (12 if block % 2 else 0), end - x - 4, 12, ("purple", "teal", "pink")[block], f"row {block}")
    for block in range(2):
        for step in range(4):
            x = 130 + (2 * block + 1) * wide + step * 34
            p.arrow((x, 136), (x, 82 if block else 94))
    p.box(110, 136, 4 * wide - 4, 20, "grey", f"rows of {rows * columns * 4} bytes", "edge")
    p.arrow((110, 176), (110 + 4 * wide, 176))
    p.text(12, 180, "time")
    return p


def nontemporal(page) -> Picture:
    """How often a line moves when it is stored."""
    page.find("Non-temporal store", r"\n(nontemporal)\n")
    p = Picture("An ordinary and a non-temporal store")
    for side, title in enumerate(("an ordinary store", "a non-temporal store")):
        left = 12 + side * 320
        p.text(left, 22, title, "title")
        for number, (name, color) in enumerate((("registers", "blue"), ("caches", "orange"), ("memory", "grey"))):
            p.box(left, 34 + number * 64, 150, 26, color if number != 1 or not side else "", name, "edge")
    p.arrow((30, 60), (30, 98))
    p.text(36, 83, "store", "small")
    p.arrow((30, 162), (30, 124))
    p.text(36, 147, "1: read the line", "small")
    p.arrow((136, 124), (136, 162))
    p.text(142, 147, "2: write it back, later", "small")
    p.arrow((340, 60), (340, 162))
    p.text(352, 83, "lines of 64 bytes", "small")
    return p


PICTURES = {"access": access, "accumulators": accumulators, "packed": packed, "cache": cache,
            "shuffles": shuffles, "prefetch": prefetch, "nontemporal": nontemporal}
