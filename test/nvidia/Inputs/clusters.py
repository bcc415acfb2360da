# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests tile blocks that are clusters of two CTAs, because a hint asks for it or the tile is large, like warpgroups.py.

`clusters.py TILEWRIGHT FOLDER [NAME]` runs all cases, or those whose name contains NAME.
"""

import sys

import numpy as np

from warpgroup_kernels import AHEAD, KEPT, WRITTEN, Case, less_sums_of_rows, load, loop, product, store
from warpgroup_loops import persistent
from warpgroups import check_all, check_launch

HINT = "sm_90 = {num_cta_in_cga = 2}"
CLUSTER = ("cluster of 2 CTAs", "honoured: a tile block is a cluster of 2 CTAs")
SMALL = {"hints": HINT, "plan": CLUSTER, "tile": (128, 64, 32), "sizes": (200, 80, 144)}
LARGE = {"schedules": ("random",)}


def tiles():
    """Element types, tiles, and orders of operands: panels or rows of rhs are divided, rows or columns of lhs."""
    yield Case("128x64x32", **SMALL)
    yield Case("256x256x64", tile=(256, 256, 64), sizes=(272, 528, 272), plan=CLUSTER[:1], schedules=("up", "random"))
    yield Case("bf16, 256x256x64", tile=(256, 256, 64), element="bf16", sizes=(272, 272, 272), plan=CLUSTER[:1], **LARGE)
    by_hint = {"hints": HINT, "plan": CLUSTER}
    for order in ("rows columns", "columns rows", "columns columns"):
        yield Case(f"cluster, order {order}", order=order, **SMALL)
    yield Case("128x256x64", tile=(128, 256, 64), sizes=(144, 272, 272), **by_hint, **LARGE)
    yield Case("256x128x64, columns", tile=(256, 128, 64), order="columns columns", sizes=(272, 144, 272), **by_hint, **LARGE)
    yield Case("512x64x32", tile=(512, 64, 32), sizes=(528, 80, 144), **by_hint, **LARGE)
    yield Case("128x512x32", tile=(128, 512, 32), sizes=(144, 528, 112), **by_hint, **LARGE)
    yield Case("128x16x32", tile=(128, 16, 32), sizes=(144, 48, 80), **by_hint)
    yield Case("128x16x32, columns", tile=(128, 16, 32), order="rows columns", sizes=(144, 48, 80), **by_hint)
    yield Case("128x512x16, columns", tile=(128, 512, 16), order="rows columns", sizes=(144, 528, 80), **by_hint, **LARGE)
    yield Case("tf32", element="tf32", order="rows columns", **SMALL)
    yield Case("tf32, 128x8x64", element="tf32", order="rows columns", **SMALL | {"tile": (128, 8, 64), "sizes": (144, 48, 144)})
    yield Case("i8", element="i8", total="i32", order="rows columns", **SMALL | {"tile": (128, 64, 64)})
    yield Case("fp8", element="f8E4M3FN", order="rows columns", **SMALL | {"tile": (128, 64, 128)})
    yield Case("f16 sums", total="f16", stores=1, **SMALL)
    yield Case("stored by maps, 256x256x64", tile=(256, 256, 64), total="f16", stores=1, sizes=(272, 272, 208),
               plan=CLUSTER[:1], **LARGE)
    yield Case("hint of 4", **SMALL | {"hints": HINT.replace("2}", "4}"), "plan": ("2 CTAs, the nearest possible number",)})
    yield Case("occupancy 2", **SMALL | {"hints": "sm_90 = {num_cta_in_cga = 2, occupancy = 2}", "plan": (*CLUSTER, "for 2 CTAs per")})
    yield Case("8 warps", tile=(256, 64, 32), sizes=(272, 80, 144), plan=(*CLUSTER, "honoured: 8 warps", "2 x (256 + 32) threads"),
               hints="sm_90 = {num_cta_in_cga = 2, num_worker_warps_per_cta = 8}")


def grids():
    """Edges of arrays and grids, and control flow."""
    yield Case("k is 0", **SMALL | {"sizes": (200, 80, 0)})
    yield Case("m is 0", grid=(1, 1), **SMALL | {"sizes": (0, 80, 144)})
    yield Case("n is 0", grid=(1, 1), **SMALL | {"sizes": (200, 0, 144)})
    yield Case("rows of one CTA", **SMALL | {"sizes": (48, 80, 144)})
    yield Case("tiles outside", grid=(3, 5), **SMALL)
    yield Case("many rounds", **SMALL | {"sizes": (128, 64, 32 * 15)})
    yield Case("panels of blocks", grid=(3, 11), **SMALL | {"sizes": (330, 696, 48), "plan": (*CLUSTER, "panels of 8 rows")}, **LARGE)
    nest = persistent((128, 64, 32))
    nest.name, nest.hints, nest.plan, nest.sizes = "tiles in turn", HINT, CLUSTER, (272, 144, 208)
    yield nest
    early = """%limit = constant <i32: 1> : tile<i32>
    %outside = cmpi greater_than_or_equal %y, %limit, signed : tile<i32> -> tile<i1>
    if %outside {
      return
    }
    """
    case = Case("", tile=SMALL["tile"])
    yield Case("early return", f"{early}{loop(case)}\n    {store(case, 'sum')}",
               lambda a, b, q: (a @ b) * (np.arange(b.shape[1]) < 64), **SMALL)
    yield Case("two loops", f"""{loop(case)}
    {loop(case, initial="sum").replace("%sum =", "%all =")}
    {store(case, "all")}""", lambda a, b, q: 2 * (a @ b), ways=((AHEAD, AHEAD),) * 2, **SMALL)


def unknown():
    """What the kernel asks about arrays; if the answer is no, the first CTA runs another plan."""
    small = {**SMALL, "aligned": False}
    yield Case("alignment unknown", asked="yes", **small)
    yield Case("rows not aligned", asked="no", **small | {"sizes": (199, 71, 133)})
    yield Case("rows not aligned, 256x256x64", asked="no", aligned=False, tile=(256, 256, 64), sizes=(264, 260, 133),
               plan=CLUSTER[:1], **LARGE)


def epilogues():
    """Elements move between threads through shared memory, but not between the CTAs."""
    def less_rows(a, b, q):
        return a @ b - (a @ b).sum(1)[:, None]
    yield Case("sums of rows", less_sums_of_rows(Case("", tile=(128, 64, 32))), less_rows, **SMALL | {"sizes": (200, 64, 144)})
    yield Case("sums of rows across warps", less_sums_of_rows(Case("", tile=(128, 512, 32))), less_rows, **SMALL | {"tile": (128, 512, 32), "sizes": (144, 512, 112)})
    case = Case("", tile=SMALL["tile"])
    turned = "tensor_view<?x?xf32, strides=[1, ?]>"
    view = f"partition_view<tile=(128x64), {turned}>"
    yield Case("stored by columns", f"""%turned = make_tensor_view %c, shape = [%m, %n], strides = [1, %m] : tile<i32> -> {turned}
    %columns = make_partition_view %turned : {view}
    {loop(case)}
    %stored = store_view_tko weak %sum, %columns[%x, %y] : {case.tile_of("c")}, {view}, tile<i32> -> token""",
               lambda a, b, q: (a @ b).T.reshape(a.shape[0], b.shape[1]), **SMALL)
    view = f"partition_view<tile=(64x128), {case.tensor('c')}>"
    yield Case("stored transposed", f"""%turned = make_tensor_view %c, shape = [%n, %m], strides = [%m, 1] : tile<i32> -> {case.tensor("c")}
    %lines = make_partition_view %turned : {view}
    {loop(case)}
    %other = permute %sum [1, 0] : {case.tile_of("c")} -> tile<64x128xf32>
    %stored = store_view_tko weak %other, %lines[%y, %x] : tile<64x128xf32>, {view}, tile<i32> -> token""",
               lambda a, b, q: (a @ b).T.reshape(a.shape[0], b.shape[1]), **SMALL)


def by_threads():
    """Threads copy or write operands into shared memory of their CTA: its rows of lhs, and all of rhs."""
    plan = (CLUSTER[1],)
    case = Case("", tile=SMALL["tile"])
    c = case.tile_of("c")
    rows = SMALL | {"tile": (128, 8, 64), "sizes": (144, 24, 80), "instruction": "mma.m"}
    yield Case("16-byte rows", **rows | {"producer": False, "plan": (*plan, "accumulators and lhs, and all of rhs", "2 x 128 threads")})
    yield Case("8 columns", order="rows columns", **rows | {"plan": (*plan, "accumulators and lhs, and all of rhs", "2 x (128 + 32) threads")})
    yield Case("kept lhs", f"""{load(case, "a", "u", "%x", "%1")}
    %sum = for %i in (%0 to %q, step %1) : tile<i32> iter_values(%s = %zeros) -> ({c}) {{
      {load(case, "b", "r", "%i", "%y")}
      {product(case, "more", "u", "r", "s")}
      continue %more : {c}
    }}
    {store(case, "sum")}""", lambda a, b, q: a[:, 32:64] @ sum(b[32 * i:32 * i + 32] for i in range(q)), ways=((KEPT, AHEAD),), **SMALL)
    for of in ("lhs", "rhs"):
        which, name = ("a", "l") if of == "lhs" else ("b", "r")
        body = f"%two = constant <f16: 2.0> : {case.tile_of(which)}\n    {loop(case)}".replace(product(case, "more", "l", "r", "s"), product(
            case, "more", *("two" if each == name else each for each in "lr"), "s"))
        yield Case(f"constant {of}", f"{body}\n    {store(case, 'sum')}",
                   lambda a, b, q, of=of: 2 * (np.ones_like(a) @ b) if of == "lhs" else 2 * (a @ np.ones_like(b)),
                   ways=((KEPT, AHEAD) if of == "lhs" else (AHEAD, KEPT),), **SMALL | {"plan": plan, "sizes": (256, 64, 160)})
    for of, ways in (("lhs", (WRITTEN, AHEAD)), ("rhs", (AHEAD, WRITTEN)), ("lhs and rhs", (WRITTEN, WRITTEN))):
        name, type_ = ("l", case.tile_of("a")) if of == "lhs" else ("r", case.tile_of("b"))
        twice = "\n      ".join(f"%{name}2 = addf %{name}, %{name} : {case.tile_of(which)}"
                              for name, which in (("l", "a"), ("r", "b")) if {"a": "lhs", "b": "rhs"}[which] in of)
        body = loop(case).replace(product(case, "more", "l", "r", "s"), twice + "\n      " +
                                  product(case, "more", "l2" if "lhs" in of else "l", "r2" if "rhs" in of else "r", "s"))
        factor = 4 if "and" in of else 2
        yield Case(f"computed {of}", f"{body}\n    {store(case, 'sum')}", lambda a, b, q, factor=factor: factor * (a @ b), ways=(ways,),
                   **SMALL | {"producer": WRITTEN != ways[0] or WRITTEN != ways[1], "plan": plan})
    unaligned = {"aligned": False, "asked": "no", "plan": CLUSTER[:1]}
    for element, total, order in (("i8", "i32", "rows columns"), ("i8", "i32", "rows rows"), ("f8E4M3FN", "f32", "rows rows"),
                                  ("bf16", "f32", "columns columns")):
        by_pairs = {"instruction": "mma.m", "asked": "", "producer": False} if (element, order) in (("i8", "rows rows"), ("f8E4M3FN", "rows rows")) else {}
        yield Case(f"{element}, {order}, rows not aligned, 256x256x64", element=element, total=total, order=order, tile=(256, 256, 64),
                   sizes=(261, 259, 133), **unaligned | LARGE | by_pairs)
    # Threads would hold different elements of one load for lhs and for rhs, so a single CTA runs the other plan.
    square = Case("", tile=(128, 128, 32))
    lhs, rhs = square.tile_of("a"), square.tile_of("b")
    turned = f"%r = permute %l [1, 0] : {lhs} -> {rhs}"
    body = loop(square, before="").replace(load(square, "b", "r", "%i", "%y"), turned)
    for sizes, answer in (((128, 128, 133), "no"), ((128, 128, 144), "yes")):
        yield Case(f"by its transpose, {sizes[2]}", f"{body}\n    {store(square, 'sum')}", lambda a, b, q: a @ a.T, tile=square.tile,
                   sizes=sizes, aligned=False, asked=answer, hints=HINT, plan=CLUSTER)
    each = persistent((256, 256, 64))
    each.name, each.sizes, each.plan, each.schedules = "tiles in turn, rows not aligned", (261, 515, 133), CLUSTER[:1], ("random",)
    each.aligned, each.asked = False, "no"
    yield each


COUNTER = "%old, %ot = atomic_rmw_tko relaxed device %e, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token"


def scalars():
    """One thread of the cluster prints, stores and updates memory for all."""
    case = Case("", tile=SMALL["tile"])
    yield Case("print and assert", f"""%is = cmpi greater_than_or_equal %q, %0, signed : tile<i32> -> tile<i1>
    assert %is, "never" : tile<i1>
    %p1 = print_tko "before %d ", %x : tile<i32> -> token
    {loop(case)}
    {store(case, "sum")}""", prints={"before": 4}, **SMALL)
    counted = {"body": f"{loop(case)}\n    {COUNTER}\n    {store(case, 'sum')}", "e_after": (4, 0, 0, 0, 0, 0, 0, 0)}
    yield Case("an atomic counter", **counted, **SMALL)
    yield Case("an atomic counter, rows not aligned", asked="counted", aligned=False, **counted, **SMALL | {"sizes": (199, 71, 133)})


def ordered():
    """Where tokens order accesses, the CTAs wait for each other."""
    case = Case("", tile=SMALL["tile"])
    yield Case("stores of a loop in order", f"""%none = make_token : token
    %end = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%t = %none) -> (token) {{
      {loop(case, "%0 to %j, step %1")}
      {store(case, "sum", token=" token=%t")}
      continue %stored : token
    }}""", lambda a, b, q: a[:, :64] @ b[:64], **SMALL)
    ways = (("f16", {"stores": 2}), ("f32", {"stores": 0}), ("f32", {"aligned": False, "asked": "no", "sizes": (128, 79, 133)}))
    for total, more in ways:
        half = Case("", tile=SMALL["tile"], total=total)
        c, view = half.tile_of("c"), half.view("c")
        # Rows of the other CTA: the second tile begins in the middle of the first one.
        strided = f"strided_view<tile=(128x64), traversal_strides=[64,64], padding_value = zero, {half.tensor('c')}>"
        yield Case(f"stored, loaded and stored, {total}{', rows not aligned' if 'asked' in more else ''}", f"""%shifted = make_strided_view %cv : {strided}
    {loop(half)}
    {store(half, "sum", result="first")}
    %again, %again_t = load_view_tko weak %shifted[%1, %y] token=%first : {strided}, tile<i32> -> {c}, token
    %stored = store_view_tko weak %again, %cp[%0, %y] token=%again_t : {c}, {view}, tile<i32> -> token""",
                   lambda a, b, q: np.concatenate([(a @ b)[64:], 0 * (a @ b)[64:]]), total=total, grid=(1, 2),
                   **SMALL | {"sizes": (128, 80, 144)} | more)


def refused():
    """What would cross the CTAs: the tile block is one CTA, and the plan says why."""
    case = Case("", tile=SMALL["tile"])
    c = case.tile_of("c")

    def alone(name: str, body: str, *why: str, expected=None, **more) -> Case:
        return Case(f"no cluster, {name}", body, expected, **SMALL | {"plan": ("not a cluster: ", *why)} | more)
    plain = f"{loop(case)}\n    {store(case, 'sum')}"
    no_product = {"ways": None, "producer": False}
    yield alone("64 rows", "", "its rows cannot be divided between two CTAs", tile=(64, 64, 32))
    columns = f"""{loop(case)}
    %row = reduce %sum dim=0 identities=[0.0 : f32] : {c} -> tile<64xf32> (%p: tile<f32>, %t: tile<f32>) {{
      %both = addf %p, %t : tile<f32>
      yield %both : tile<f32>
    }}
    %line = reshape %row : tile<64xf32> -> tile<1x64xf32>
    %lines = broadcast %line : tile<1x64xf32> -> {c}
    {store(case, "lines")}"""
    yield alone("sums of columns", columns, "reduce at", expected=lambda a, b, q: np.repeat((a @ b).sum(0)[None], 128, 0),
                sizes=(128, 80, 144))
    yield alone("running sums of rows", f"""{loop(case)}
    %run = scan %sum dim=1 reverse=false identities=[0.0 : f32] : {c} -> {c} (%p: tile<f32>, %t: tile<f32>) {{
      %both = addf %p, %t : tile<f32>
      yield %both : tile<f32>
    }}
    {store(case, "run")}""", "scan at", "may move elements between the CTAs", expected=lambda a, b, q: np.cumsum(a @ b, 1), sizes=(200, 64, 144))
    yield alone("printed tile", f"{loop(case)}\n    %p = print_tko \"%f\", %sum : {c} -> token\n    {store(case, 'sum')}", "print_tko at",
                sizes=(64, 64, 48))
    yield alone("a counter for all", f"""{COUNTER}
    %many = constant <i32: 1000> : tile<i32>
    %first = divi %old, %many signed : tile<i32>
    {loop(case, row="%first")}
    {store(case, "sum", "%x")}""", "atomic_rmw_tko at", "may move elements between the CTAs",
                expected=lambda a, b, q: np.concatenate([a[:128] @ b, (a[:128] @ b)[:72]]), e_after=(4, 0, 0, 0, 0, 0, 0, 0), **no_product)
    yield alone("loads ordered after stores", f"""{load(case, "a", "u", "%x", "%0")}
    %uu = addf %u, %u : {case.tile_of("a")}
    %st = store_view_tko weak %uu, %ap[%x, %0] token=%u_t : {case.tile_of("a")}, {case.view("a")}, tile<i32> -> token
    {loop(case, tokens=" token=%st")}
    {store(case, "sum")}""", "a token orders a load that producer warps would copy after", expected=lambda a, b, q: a @ b + a[:, :32] @ b[:32], sizes=(200, 64, 144), grid=(2, 1))
    yield alone("an alloca", f"""%memory = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    {plain}""", "alloca at", "its memory is that of one CTA", **no_product)


def main() -> None:
    rng = np.random.default_rng(5)
    check_launch(Case("", tile=SMALL["tile"], hints=HINT), rng)
    print(f"{check_all((tiles, grids, unknown, epilogues, by_threads, scalars, ordered, refused), rng, ' '.join(sys.argv[3:]))} runs agree")


if __name__ == "__main__":
    main()
