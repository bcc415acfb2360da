# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests products by `tcgen05.mma`, with accumulators in tensor memory, on the PTX machine against NumPy.

Elements are small integers, so that every sum is exact. First come tiles, types and initial accumulators of loops; then
the cases of warpgroups.py, for sm_100a: results must agree, and the plan must use `tcgen05.mma` or say why not.
`tensor_products.py TILEWRIGHT FOLDER [NAME]` runs all cases, or those whose name contains NAME.
"""

import re
import sys

import numpy as np

import warpgroups
from tensor_lhs import stored_lhs
from warpgroup_kernels import SCHEDULES, Case, less_sums_of_rows, load, loop, product, store
from warpgroup_loops import control, effects, persistent, several
from warpgroup_slices import loaded, returns, shared
from warpgroups import BYTES, arrays, asked, check, folder, forms, run, shapes

FEW = {"schedules": ("random",)}
KINDS = {"f16": "f16", "bf16": "f16", "tf32": "tf32", "f8E4M3FN": "f8f6f4", "f8E5M2": "f8f6f4", "i8": "i8"}
INSTRUCTION = re.compile(r": by tcgen05\.mma\.kind::(\S+) of (\d+) x (\d+) x (\d+), (\d+) x (\d+) blocks")
REASON = re.compile(r"tcgen05\.mma is not used: (.+)")


#===-- Cases ------------------------------------------------------------------------------------===#

def tiles():
    """Tiles, element types, orders of operands."""
    for tile, sizes, more in (
            ((64, 16, 16), (80, 48, 80), {}), ((64, 64, 64), (96, 80, 144), {}), ((64, 256, 32), (80, 272, 80), FEW),
            ((64, 512, 32), (80, 528, 80), FEW), ((128, 16, 16), (144, 48, 80), {}), ((128, 32, 128), (144, 48, 272), {}),
            ((128, 64, 64), (144, 80, 208), {}), ((128, 128, 64), (144, 144, 464), {}), ((128, 256, 64), (144, 272, 208), FEW),
            ((256, 64, 32), (272, 80, 80), FEW), ((256, 128, 64), (272, 144, 208), FEW), ((512, 64, 32), (528, 80, 80), FEW)):
        yield Case("x".join(map(str, tile)), tile=tile, sizes=sizes, **more)
    for order in ("rows columns", "columns rows", "columns columns"):
        yield Case(f"order {order}", order=order, tile=(128, 64, 64), sizes=(144, 80, 208))
        yield Case(f"order {order}, 64 rows", order=order, tile=(64, 128, 32), sizes=(80, 144, 80), **FEW)
        yield Case(f"order {order}, blocks", order=order, tile=(256, 128, 32), sizes=(272, 144, 80), **FEW)
    yield Case("bf16", element="bf16", tile=(128, 64, 32))
    yield Case("bf16, 64 rows by columns", element="bf16", order="columns rows", tile=(64, 64, 32), **FEW)
    yield Case("ten iterations", tile=(128, 64, 16), sizes=(128, 64, 160))
    yield Case("no iteration", tile=(128, 64, 32), sizes=(144, 80, 0))


def types():
    """Other element types. tf32 is not transposed, so its operands are contiguous along k."""
    yield Case("tf32", element="tf32", order="rows columns", tile=(128, 64, 32))
    yield Case("tf32, 64 rows", element="tf32", order="rows columns", tile=(64, 64, 16), **FEW)
    yield Case("tf32, blocks", element="tf32", order="rows columns", tile=(256, 128, 32), sizes=(272, 144, 80), **FEW)
    for element, total in (("i8", "i32"), ("f8E4M3FN", "f32"), ("f8E5M2", "f32")):
        for order in ("rows rows", "rows columns", "columns rows", "columns columns"):
            more = {"element": element, "total": total, "order": order}
            yield Case(f"{element}, {order}", tile=(128, 64, 64), **more)
            yield Case(f"{element}, {order}, 64 rows", tile=(64, 128, 128), sizes=(80, 144, 272), **more, **FEW)
        yield Case(f"{element}, blocks", tile=(256, 64, 64), sizes=(272, 80, 144), element=element, total=total, **FEW)
    signs = Case("", element="i8", total="i32", tile=(128, 64, 32))
    for lhs, rhs in (("signed", "unsigned"), ("unsigned", "signed"), ("unsigned", "unsigned")):
        def expected(a, b, q, lhs=lhs, rhs=rhs):
            return (a if lhs == "signed" else a % 256) @ (b if rhs == "signed" else b % 256)
        yield Case(f"i8, {lhs} {rhs}", loop(signs).replace("signed signed", f"{lhs} {rhs}") + f"\n    {store(signs, 'sum')}", expected,
                   element="i8", total="i32", tile=signs.tile, **FEW)


def large():
    """Accumulators that are in local memory after the loop."""
    for tile, sizes in (((256, 256, 16), (272, 272, 48)), ((128, 512, 16), (144, 528, 48)), ((512, 128, 16), (528, 144, 48))):
        yield Case("x".join(map(str, tile)), tile=tile, sizes=sizes, **FEW)
    case = Case("", tile=(256, 256, 16), sizes=(256, 256, 48))
    yield Case("constants, 256x256", f"""%three = constant <f32: 3.0> : {case.tile_of("c")}
    {loop(case, initial="three")}
    {store(case, "sum")}""", lambda a, b, q: a @ b + 3, tile=case.tile, sizes=case.sizes, **FEW)


def pairs():
    """Pairs of CTAs multiply tiles with 256 rows and more, unless something crosses the CTAs, or a hint forbids it."""
    pair = {"plan": ("pair of CTAs: each has half of the rows",)}
    small = {"tile": (256, 64, 32), "sizes": (400, 80, 144)}
    yield Case("pair", **small, **pair)
    yield Case("pair by hint", hints="sm_100 = {num_cta_in_cga = 2}", plan=("honoured: a tile block is a cluster of 2 CTAs",), **small)
    yield Case("no pair by hint", hints="sm_100 = {num_cta_in_cga = 1}", plan=("sm_100a, 128 + 32 + 32 threads",), **small)
    yield Case("pair, 256x256x64", tile=(256, 256, 64), sizes=(272, 528, 272), plan=(*pair["plan"], "2 x (256 + 32 + 32) threads"))
    for order in ("rows columns", "columns rows", "columns columns"):
        yield Case(f"pair, order {order}", order=order, **small, **pair)
    yield Case("pair, 256x32x32", tile=(256, 32, 32), sizes=(272, 48, 80), **pair)
    yield Case("pair, 256x16x32, columns", tile=(256, 16, 32), order="rows columns", sizes=(272, 48, 80), **pair)
    yield Case("pair, 512x64x32", tile=(512, 64, 32), sizes=(528, 80, 80), **pair, **FEW)
    # Two stages of one CTA would not fit in shared memory.
    yield Case("pair, 256x256x128", tile=(256, 256, 128), sizes=(272, 272, 272), **pair, **FEW)
    yield Case("pair, many rounds", tile=small["tile"], sizes=(256, 64, 32 * 15), **pair)
    yield Case("pair, tiles outside", tile=small["tile"], sizes=(272, 80, 80), grid=(3, 5), **pair)
    yield Case("pair, rows of one CTA", tile=small["tile"], sizes=(48, 80, 144), **pair)
    yield Case("pair, k is 0", tile=small["tile"], sizes=(272, 80, 0), **pair)
    yield Case("pair, occupancy 2", hints="sm_100 = {occupancy = 2}", **small, plan=(*pair["plan"], "for 2 CTAs per"))
    each = persistent((256, 64, 32))
    each.name, each.sizes, each.plan = "pair, tiles in turn", (528, 208, 144), pair["plan"]
    yield each
    for tile, more in ((small["tile"], {}), ((256, 256, 64), FEW)):
        m, n, _ = tile
        unknown = {"tile": tile, "aligned": False, **more, **pair}
        yield Case(f"pair, alignment unknown, {m}x{n}", sizes=(m + 144, n + 16, 144), asked="yes", **unknown)
        yield Case(f"pair, rows not aligned, {m}x{n}", sizes=(m + 143, n + 7, 133), asked="no", **unknown)
    case = Case("", tile=small["tile"])
    c = case.tile_of("c")
    yield Case("pair, two loops", f"""{loop(case)}
    {loop(case, "%1 to %q, step %1").replace("%sum =", "%less =")}
    %all = subf %sum, %less : {c}
    {store(case, "all")}""", lambda a, b, q: a @ b - a[:, 32:96] @ b[32:96], **small, **pair)
    yield Case("pair, print and an atomic counter", f"""%p1 = print_tko "before %d ", %x : tile<i32> -> token
    {loop(case)}
    %old, %ot = atomic_rmw_tko relaxed device %e, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    {store(case, "sum")}""", prints={"before": 4}, e_after=(4, 0, 0, 0, 0, 0, 0, 0), **small, **pair)
    for tile, sizes in (((256, 64, 32), (400, 64, 144)), ((256, 256, 32), (400, 256, 80))):
        yield Case(f"pair, sums of rows of {tile[1]}", less_sums_of_rows(Case("", tile=tile)),
                   lambda a, b, q: a @ b - (a @ b).sum(1)[:, None], tile=tile, sizes=sizes, **pair)


def alone():
    """No pairs, and why."""
    case = Case("", tile=(256, 64, 32), sizes=(272, 64, 80))
    c = case.tile_of("c")
    why = "one CTA, not a pair of CTAs that multiply together: "
    yield Case("no pair, sums of columns", f"""{loop(case)}
    %row = reduce %sum dim=0 identities=[0.0 : f32] : {c} -> tile<64xf32> (%p: tile<f32>, %t: tile<f32>) {{
      %both = addf %p, %t : tile<f32>
      yield %both : tile<f32>
    }}
    %line = reshape %row : tile<64xf32> -> tile<1x64xf32>
    %lines = broadcast %line : tile<1x64xf32> -> {c}
    {store(case, "lines")}""", lambda a, b, q: np.concatenate([np.repeat(part.sum(0)[None], len(part), 0)
                                                               for part in ((a @ b)[:256], (a @ b)[256:])]),
               tile=case.tile, sizes=case.sizes, plan=(why + "reduce at",), **FEW)
    yield Case("no pair, rows of 32 bytes", tile=(256, 16, 32), sizes=(272, 48, 80),
               plan=(why + "mmaf at", "two CTAs could not compute it by tcgen05.mma: rhs: rows of a CTA's part of the tile have less than 32 bytes"), **FEW)
    yield Case("no pair, 8 columns", element="tf32", order="rows columns", tile=(256, 8, 32), sizes=(272, 24, 80),
               plan=(why + "mmaf at", "its tile has fewer than 16 columns"), **FEW)
    yield Case("no pair, 128 rows", tile=(128, 64, 32), hints="sm_100 = {num_cta_in_cga = 2}",
               plan=("not honoured: a tile block is one CTA, not a cluster: mmaf at", "its tile has fewer than 256 rows"), **FEW)


def read_beside():
    """The loop reads accumulators, so they are in tensor memory during each product only."""
    for rows in (64, 128):
        case = Case("", tile=(rows, 64, 32), sizes=(rows, 64, 80))
        c = case.tile_of("c")
        partial = loop(case).replace("%sum =", "%sum, %all =").replace(f"iter_values(%s = %zeros) -> ({c}", f"iter_values(%s = %zeros, %t = %zeros) -> ({c}, {c}")
        partial = partial.replace(f"continue %more : {c}", f"%u = addf %t, %s : {c}\n      continue %more, %u : {c}, {c}")
        yield Case(f"read beside the product, {rows} rows", f"{partial}\n    {store(case, 'all')}",
                   lambda a, b, q: sum(a[:, :32 * i] @ b[:32 * i] for i in range(-(-a.shape[1] // 32))), tile=case.tile, sizes=case.sizes, **FEW)


def initials():
    """Accumulators with which loops begin, and loops that run several times."""
    for tile in ((64, 64, 32), (128, 64, 32), (256, 64, 32)):
        case = Case("", tile=tile, sizes=(tile[0], 64, 80))
        c = case.tile_of("c")
        three = f"%three = constant <f32: 3.0> : {c}\n    "
        yield Case(f"constants, {tile[0]} rows", three + loop(case, initial="three") + f"\n    {store(case, 'sum')}",
                   lambda a, b, q: a @ b + 3, tile=tile, sizes=case.sizes)
        yield Case(f"constants without iterations, {tile[0]} rows",
                   three + loop(case, initial="three") + f"\n    {store(case, 'sum')}",
                   lambda a, b, q: np.full((len(a), b.shape[1]), 3), tile=tile, sizes=(tile[0], 64, 0), **FEW)
        columns = f"""%numbers = iota : tile<64xi32>
    %flat = reshape %numbers : tile<64xi32> -> tile<1x64xi32>
    %wide = broadcast %flat : tile<1x64xi32> -> tile<{tile[0]}x64xi32>
    %initial = itof %wide signed : tile<{tile[0]}x64xi32> -> {c}
    """
        yield Case(f"column numbers, {tile[0]} rows", columns + loop(case, initial="initial") + f"\n    {store(case, 'sum')}",
                   lambda a, b, q: a @ b + np.arange(64), tile=tile, sizes=case.sizes)
    case = Case("", tile=(128, 64, 32))
    yield Case("sums of the loop before", f"""{loop(case)}
    {loop(case, "%1 to %q, step %1", initial="sum").replace("%sum =", "%all =")}
    {store(case, "all")}""", lambda a, b, q: a @ b + a[:, 32:96] @ b[32:96], tile=case.tile, sizes=(144, 80, 144))
    for tile in ((64, 64, 32), (128, 64, 32)):
        each = persistent(tile)
        each.name, each.sizes = f"tiles in turn, {tile[0]} rows", (144, 208, 144)
        yield each
    # A larger tile needs two warpgroups, each of which has 8 of the 16 columns.
    small = Case("", tile=(64, 16, 32))
    yield Case("two warpgroups share few columns", f"""%numbers = iota : tile<65536xi32>
    %most = reduce %numbers dim=0 identities=[0 : i32] : tile<65536xi32> -> tile<i32> (%p: tile<i32>, %r0: tile<i32>) {{
      %both = maxi %p, %r0 signed : tile<i32>
      yield %both : tile<i32>
    }}
    %kept = store_ptr_tko weak %e, %most : tile<ptr<i32>>, tile<i32> -> token
    %three = constant <f32: 3.0> : {small.tile_of("c")}
    {loop(small, initial="three")}
    {store(small, "sum")}""", lambda a, b, q: a @ b + 3, tile=small.tile, sizes=(64, 16, 80), e_after=(65535, *[0] * 7))
    # LLVM must not copy the instructions that store the second accumulators into branches of single lanes.
    for tile in ((64, 16, 16), (128, 64, 32)):
        pair = Case("", tile=tile)
        c = pair.tile_of("c")
        yield Case(f"two accumulators are stored before a loop, {tile[0]} rows", f"""%three = constant <f32: 3.0> : {c}
    %all:2 = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%u = %zeros, %v = %three) -> ({c}, {c}) {{
      %sums:2 = for %i in (%0 to %steps, step %1) : tile<i32> iter_values(%s = %u, %o = %v) -> ({c}, {c}) {{
        {load(pair, "a", "l", "%x", "%i")}
        {load(pair, "b", "r", "%i", "%y")}
        {product(pair, "more", "l", "r", "s")}
        {product(pair, "less", "l", "r", "o")}
        continue %more, %less : {c}, {c}
      }}
      continue %sums#0, %sums#1 : {c}, {c}
    }}
    %t = addf %all#0, %all#1 : {c}
    {store(pair, "t")}""", lambda a, b, q: 2 * q * (a @ b) + 3, tile=tile, sizes=(tile[0] + 16, tile[1] + 16, 80))


#===-- Plans ------------------------------------------------------------------------------------===#

def plan_of(source) -> str:
    return run("compile", source, "--target", "sm_100a", "--emit", "plan")


def must_be_in_tensor_memory(case: Case, source) -> None:
    m, n, k = case.tile
    is_pair = m >= 256 and n <= 256 and "num_cta_in_cga = 1" not in case.hints
    rows, columns = min(m, 256 if is_pair else 128), min(n, 256)
    wanted = (KINDS[case.element], *map(str, (rows, columns, 32 // BYTES[case.element], m // rows, n // columns)))
    plan = plan_of(source)
    found = INSTRUCTION.findall(plan)
    if not found or any(each != wanted for each in found):
        raise RuntimeError(f"the plan must have blocks of {wanted}, but has {found}")
    must_ask(case, plan)


def must_ask(case: Case, plan: str) -> None:
    if ("asked at run time" in plan) != bool(case.asked):
        raise RuntimeError(f"the kernel must {'' if case.asked else 'not '}ask about arrays, but the plan is\n{plan}")


def must_say(case: Case, source) -> None:
    plan = plan_of(source)
    for text in case.plan:
        if text not in plan:
            raise RuntimeError(f"the plan must say '{text}', but is\n{plan}")


used, reasons = 0, set()


def may_be_in_tensor_memory(case: Case, source) -> None:
    global used
    plan = plan_of(source)
    products = len(re.findall(r"^  mma.*: lhs is", plan, re.M))
    found, why = INSTRUCTION.findall(plan), REASON.findall(plan)
    if len(found) + len(why) != products:
        raise RuntimeError(f"of {products} products, {len(found)} use tcgen05.mma, and {len(why)} have reasons against it")
    case.producer = bool(found)
    if case.asked and found:
        must_ask(case, plan)
    case.asked = (case.asked or "yes") if "asked at run time" in plan else ""
    used += bool(found)
    reasons.update(why)


#===-- Running ----------------------------------------------------------------------------------===#

def run_all(groups, check_plan, schedules=None) -> int:
    warpgroups.check_plan = check_plan
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    rng = np.random.default_rng(11)
    runs = 0
    for group in groups:
        for case in group():
            if wanted not in case.name:
                continue
            case.target = "sm_100a"
            case.stores = None  # these are for sm_90a
            case.schedules = schedules or case.schedules
            try:
                runs += check(case, rng)
            except RuntimeError as problem:
                sys.exit(f"{case.name}: {problem}")
    return runs


def main() -> None:
    print(f"{run_all((tiles, types, large, pairs, read_beside, initials), must_be_in_tensor_memory)} runs agree")
    print(f"{run_all((stored_lhs,), must_say)} runs agree with lhs of threads")
    print(f"{run_all((alone,), may_be_in_tensor_memory)} runs agree without pairs")
    others = (forms, arrays, asked, shapes, control, loaded, returns, shared, several, effects)
    runs = run_all(others, may_be_in_tensor_memory, SCHEDULES[-1:])
    print(f"{runs} runs agree, {used} of them with tcgen05.mma")
    for reason in sorted(reasons):
        print(f"not used: {reason}")


if __name__ == "__main__":
    main()
