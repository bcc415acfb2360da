# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation testing of warp specialisation: checks that mistakes planted in the PTX of products are detected.

Each mistake is an edit of one place. It is detected if the PTX machine reports something in one of two schedules, or if
the result differs.
"""

import re
import subprocess
import sys

import numpy as np

from warpgroup_kernels import Case, text_of
from warpgroups import bits, folder, run, tilewright

rng = np.random.default_rng(7)
SCHEDULES = (("up",), ("random", "--seed", "1"))


def outcome(text: str, arguments: list, grid: int, schedule: tuple) -> str:
    """The name of the machine's finding, or the bytes of the result."""
    threads = re.search(r"\.reqntid (\d+)", text)[1]
    (folder / "mistake.ptx").write_text(text)
    done = subprocess.run([tilewright, "ptx", folder / "mistake.ptx", "--block", threads, "--grid", str(grid), "--max-steps", "30000000",
                           "--schedule", *schedule, *(word for a in arguments for word in ("--arg", str(a)))],
                          capture_output=True, text=True)
    if done.returncode == 3:
        return "finding: " + done.stderr
    if done.returncode:
        sys.exit(f"exit status {done.returncode}: {done.stdout}{done.stderr}")
    return np.load(folder / "out.npy").tobytes().hex()


def edit(text: str, place: re.Match, replacement) -> str:
    new = replacement(place) if callable(replacement) else place.expand(replacement)
    return text[:place.start()] + new + text[place.end():]


def plant(name: str, case: Case, mistakes: list, grid: int = 1) -> None:
    """`mistakes` are the name, the pattern, and its replacement."""
    source = folder / "mistake.mlir"
    source.write_text(text_of(case))
    text = run("compile", source, "--target", case.target, "--emit", "ptx", "-o", "-")
    m, n, k = case.sizes
    for which, shape in (("a", (m, k)), ("b", (k, n))):
        np.save(folder / f"{which}.npy", bits(rng.integers(-2, 3, shape), case.element))
    plant_in(name, text, [folder / "a.npy", folder / "b.npy", f"zeros({m}x{n}x{case.total}),out={folder / 'out.npy'}",
                          "zeros(8xi32)", m, n, k, case.q], mistakes, grid)


def plant_in(name: str, text: str, arguments: list, mistakes: list, grid: int = 1) -> None:
    """The same for a PTX text, which writes its result to out.npy."""
    right = [outcome(text, arguments, grid, schedule) for schedule in SCHEDULES]
    for each in right:
        if each != right[0] or ":" in each:
            sys.exit(f"{name}: without a mistake: {each[:2000]}")
    for what, pattern, replacement in mistakes:
        places = list(re.finditer(pattern, text, re.M))
        missed = []
        for number, place in enumerate(places):
            changed = edit(text, place, replacement)
            assert changed != text, (what, place[0])
            if all(outcome(changed, arguments, grid, schedule) == right[0] for schedule in SCHEDULES):
                missed.append(f"{number}: {place[0].strip()}")
        print(f"{name}: {what}: {len(places) - len(missed)} of {len(places)} found", *missed, sep="\n  not found: ", flush=True)


def immediate(change):
    """Replaces the last operand, a register, by what `change` makes of the number that was moved into it."""
    def replace(place: re.Match) -> str:
        moved = re.findall(rf"mov\.b32 \t{re.escape(place[2])}, (\d+);", place.string[:place.start()])
        return f"{place[1]}{change(int(moved[-1]))};"
    return replace


def before(text: str):
    """Inserts an instruction with the groups of the place."""
    return lambda place: text.format(*(place[number] for number in range(len(place.groups()) + 1))) + " " + place[0]


LINE = r"^\s*{}[^;\n]*;$"
BARRIERS = [
    ("no wait for a stage", r"\{ \.reg \.pred p; \$again: mbarrier\.try_wait[^}]*\}", ""),
    ("the parity of a wait stays 0", r"(try_wait\.parity\S* p, \[%r\d+\]), %r\d+;", r"\1, 0;"),
    ("the parity of a wait stays 1", r"(try_wait\.parity\S* p, \[%r\d+\]), %r\d+;", r"\1, 1;"),
    ("a stage is not released", LINE.format(r"mbarrier\.arrive\.shared"), ""),
    ("bytes are not expected", LINE.format(r"mbarrier\.arrive\.expect_tx"), ""),
    ("too few bytes are expected", r"(expect_tx\S* _, \[%r\d+\], )(%r\d+);", immediate(lambda bytes: bytes - 16)),
    ("too many bytes are expected", r"(expect_tx\S* _, \[%r\d+\], )(%r\d+);", immediate(lambda bytes: bytes + 16)),
    ("a copy less", LINE.format(r"cp\.async\.bulk\.tensor"), ""),
    ("no fence after mbarrier.init", LINE.format(r"fence\.mbarrier_init"), ""),
    ("an mbarrier is not initialised", LINE.format(r"mbarrier\.init"), ""),
    ("one arrival more", r"(mbarrier\.init\S* \[%r\d+\], )(%r\d+);", immediate(lambda count: count + 1)),
    ("two arrivals less, or one", r"(mbarrier\.init\S* \[%r\d+\], )(%r\d+);", immediate(lambda count: max(count - 2, 1) if count > 1 else 2)),
    ("a barrier of the CTA less", r"^\s*bar\.sync \s*0;$", ""),
]
MAPS = [
    ("a field of a map is not set", LINE.format(r"tensormap\.replace"), ""),
    ("an extent of 8 less", r"(tensormap\.replace\.tile\.global_dim\S* \[%r\d+\], \d, )(%r\d+);",
     lambda p: f"sub.s32 {p[2]}, {p[2]}, 8;\n{p[0]}\nadd.s32 {p[2]}, {p[2]}, 8;"),
    ("an extent of 8 more", r"(tensormap\.replace\.tile\.global_dim\S* \[%r\d+\], \d, )(%r\d+);",
     lambda p: f"add.s32 {p[2]}, {p[2]}, 8;\n{p[0]}\nsub.s32 {p[2]}, {p[2]}, 8;"),
    ("a stride of 16 bytes more", r"tensormap\.replace\.tile\.global_stride\S* \[%r\d+\], 0, (%rd\d+);",
     lambda p: f"add.s64 {p[1]}, {p[1]}, 16;\n{p[0]}"),
    ("a box of half the extent", r"(tensormap\.replace\.tile\.box_dim\S* \[%r\d+\], \d, )(%r\d+);", immediate(lambda box: box // 2)),
    ("elements of a stride of 2", r"(tensormap\.replace\.tile\.element_stride\S* \[%r\d+\], \d, )(%r\d+);", immediate(lambda step: 2)),
    ("a narrower swizzle", r"(tensormap\.replace\.tile\.swizzle_mode\S* \[%r\d+\]), 3;", r"\1, 2;"),
    ("another fill", r"(tensormap\.replace\.tile\.fill_mode\S* \[%r\d+\]), 0;", r"\1, 1;"),
    ("another element type", r"(tensormap\.replace\.tile\.elemtype\S* \[%r\d+\]), 1;", r"\1, 2;"),
    ("another address", r"tensormap\.replace\.tile\.global_address\S* \[%r\d+\], (%rd\d+);",
     lambda p: f"add.s64 {p[1]}, {p[1]}, 16;\n{p[0]}"),
    ("a map is not copied", LINE.format(r"tensormap\.cp_fenceproxy"), ""),
    ("a map is not acquired", LINE.format(r"fence\.proxy\.tensormap"), ""),
    ("lanes do not wait for each other", r"^\s*bar\.warp\.sync -1;$", ""),
]
HANDING_OVER = [
    ("no commit", LINE.format(r"tcgen05\.commit"), ""),
    ("no arrival", LINE.format(r"mbarrier\.arrive\.shared"), ""),
    ("no fence before", LINE.format(r"tcgen05\.fence::before"), ""),
    ("no fence after", LINE.format(r"tcgen05\.fence::after"), ""),
    ("no wait for loads or stores", r"tcgen05\.wait::\w\w\.sync\.aligned;", ""),
    ("lanes do not wait for each other", r"^\s*bar\.warp\.sync -1;$", ""),
]
PAIR = [
    ("a barrier of the cluster less", r"^\s*barrier\.cluster\.arrive\.aligned;\s*barrier\.cluster\.wait\.aligned;$", ""),
    ("no commit", LINE.format(r"tcgen05\.commit"), ""),
    ("a commit for CTA 0", r"(tcgen05\.commit[^;]*), %rs\d+;", r"\1, 1;"),
    ("no arrival", LINE.format(r"mbarrier\.arrive\.release"), ""),
    ("the own barrier", r"mapa\.shared::cluster\.u32 (%r\d+), (%r\d+), 0;",
     r"{ .reg .b32 own; mov.u32 own, %cluster_ctarank; mapa.shared::cluster.u32 \1, \2, own; }"),
    ("copies signal one CTA", r"complete_tx::bytes\.cta_group::2", "complete_tx::bytes"),
    ("both expect bytes, or multiply", r"mov\.u32 \t(%r\d+), %cluster_ctarank;", r"mov.u32 \t\1, 0;"),
    ("no fence before", LINE.format(r"tcgen05\.fence::before"), ""),
    ("no fence after", LINE.format(r"tcgen05\.fence::after"), ""),
    ("the columns of one CTA", r"(tcgen05\.(alloc|dealloc|relinquish_alloc_permit|mma|cp)\.cta_group)::2", r"\1::1"),
    ("columns are not freed", LINE.format(r"tcgen05\.dealloc"), ""),
]
