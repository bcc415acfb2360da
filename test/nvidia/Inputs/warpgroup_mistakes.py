# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation testing of warp specialisation: checks that mistakes planted in the PTX of `wgmma` products are detected.

Each mistake is an edit of one place. It is detected if the PTX machine reports something in one of two schedules, or if
the result differs. `warpgroup_mistakes.py TILEWRIGHT FOLDER`
"""

import re
import subprocess
import sys

import numpy as np

from warpgroup_kernels import Case, load, loop, store, text_of
from warpgroup_loops import persistent
from warpgroup_stores import twice
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
    """`mistakes` are the name, the pattern, its replacement, and perhaps which places change nothing."""
    source = folder / "mistake.mlir"
    source.write_text(text_of(case))
    text = run("compile", source, "--target", "sm_90a", "--emit", "ptx", "-o", "-")
    m, n, k = case.sizes
    for which, shape in (("a", (m, k)), ("b", (k, n))):
        np.save(folder / f"{which}.npy", bits(rng.integers(-2, 3, shape), case.element))
    arguments = [folder / "a.npy", folder / "b.npy", f"zeros({m}x{n}x{case.total}),out={folder / 'out.npy'}",
                 "zeros(8xi32)", m, n, k, case.q]
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
WGMMA = [
    ("no wgmma.fence", r"wgmma\.fence\.sync\.aligned; ", ""),
    ("no commit", r"wgmma\.commit_group\.sync\.aligned; ", ""),
    ("no wait for the group", r"wgmma\.wait_group\.sync\.aligned 0; ", ""),
    ("a wait for all groups but one", r"wgmma\.wait_group\.sync\.aligned 0; ", "wgmma.wait_group.sync.aligned 1; "),
    ("rhs along k", r"(wgmma\.mma_async[^;]*), 1;", r"\1, 0;"),
    ("lhs not along k", r"(wgmma\.mma_async[^;]*), 0, 1;", r"\1, 1, 1;"),
    ("a step along k of lhs from elsewhere", r"(add\.s64 a, %rd\d+), (?!0;)\d+;", r"\1, 0;"),
    ("a step along k of rhs from elsewhere", r"(add\.s64 b, %rd\d+), (?!0;)\d+;", r"\1, 0;"),
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
# Three stages, seven iterations, with edges on all sides.
extents = {"m": 8, "n": 8, "k": 8}
plant("product", Case("", tile=(64, 64, 128), sizes=(56, 56, 824), assumes=extents), BARRIERS + WGMMA + MAPS)
# The rings go on from tile to tile.
nest = persistent()
nest.assumes, nest.sizes, nest.tile = extents, (56, 184, 264), (64, 64, 32)
plant("tiles in turn", nest, BARRIERS[:9] + WGMMA[:4])
# Threads transpose rhs of tf32 beside the ring of lhs. (A warp that writes lhs writes what it reads itself.)
written = Case("", element="tf32", tile=(256, 128, 16), sizes=(200, 120, 120), assumes=extents)
plant("rhs of threads", written, [
    ("no proxy fence", LINE.format(r"fence\.proxy\.async"), ""),
    ("a barrier of the consumers less", r"^\s*bar\.sync \s*1, 256;$", ""),
    BARRIERS[0], WGMMA[2]])
# All threads copy.
copied = Case("", tile=(64, 64, 128), sizes=(56, 56, 824), aligned=False)
plant("copies of all threads", copied, [
    ("no proxy fence", LINE.format(r"fence\.proxy\.async"), ""),
    ("a barrier less", BARRIERS[-1][1], ""),
    ("no wait for copies", LINE.format(r"cp\.async\.wait_group"), ""),
    *WGMMA[:4]])
# The producer meets the consumers behind a store.
case = Case("")
half, view = case.tile_of("a"), case.view("a")
meeting = Case("", f"""{load(case, "a", "u", "%0", "%0")}
    %uu = addf %u, %u : {half}
    %st = store_view_tko weak %uu, %ap[%0, %0] token=%u_t : {half}, {view}, tile<i32> -> token
    {loop(case, tokens=" token=%st")}
    {store(case, "sum", "%0", "%0")}""", sizes=(56, 56, 120), assumes=extents)
SYNC = ("lanes do not wait for each other", r"^\s*bar\.warp\.sync -1;$", "")
plant("a store before", meeting, [BARRIERS[0], BARRIERS[3], SYNC, ("no proxy fence", LINE.format(r"fence\.proxy\.async"), "")])
# Lanes read fragments of `mma.sync` at different times.
plant("mma.sync", Case("", tile=(32, 64, 32), sizes=(24, 56, 248), assumes=extents), [BARRIERS[0], BARRIERS[3], SYNC])
# A tile is stored, loaded, and stored again.
plant("stores by maps", Case("", twice(), total="f16", sizes=(56, 56, 120), assumes=extents), [
    ("no proxy fence", r"^\s*fence\.proxy\.async;$", ""),
    ("a barrier of the consumers less", r"^\s*bar\.sync \s*1, 128;$", ""),
    ("a copy less", LINE.format(r"cp\.async\.bulk\.tensor\S*global\.shared"), ""),
    ("no commit", LINE.format(r"cp\.async\.bulk\.commit_group"), ""),
    ("no wait", LINE.format(r"cp\.async\.bulk\.wait_group"), ""),
    ("a wait for reads only", r"cp\.async\.bulk\.wait_group 0;", "cp.async.bulk.wait_group.read 0;"),
    ("a map is not copied", LINE.format(r"tensormap\.cp_fenceproxy"), ""),
    ("a map is not acquired", LINE.format(r"fence\.proxy\.tensormap"), "")])
