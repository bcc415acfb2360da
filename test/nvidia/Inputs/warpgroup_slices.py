# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for warpgroups.py: producers that load scalars from memory, blocks that return early, and loads for
several products."""

import numpy as np

from warpgroup_kernels import AHEAD, COPIED, KEPT, REGISTERS, WRITTEN, Case, load, loop, parts, product, store

ROW = "tensor_view<8xi32, strides=[1]>"
ONE = f"partition_view<tile=(1), {ROW}>"
VIEW = f"""%ev = make_tensor_view %e, shape = [8], strides = [1] : {ROW}
    %ep = make_partition_view %ev : {ONE}"""


def element(name: str, at: str, token: str = "") -> str:
    """An element of %e, as cuTile loads one: a tile of one element, which is reshaped."""
    return f"""%{name}_1, %{name}_t = load_view_tko weak %ep[{at}]{token} : {ONE}, tile<i32> -> tile<1xi32>, token
    %{name} = reshape %{name}_1 : tile<1xi32> -> tile<i32>"""


def rows_below(a, b, limit: int):
    return np.where(np.arange(len(a))[:, None] < limit, a @ b, 0)


def loaded():
    """Both roles load lengths, offsets and tables."""
    case = Case("")
    c, tile = case.tile_of("c"), case.tile
    yield Case("a bound from memory", f"""%bound, %bt = load_ptr_tko weak %e : tile<ptr<i32>> -> tile<i32>, token
    {loop(case, "%0 to %bound, step %1")}
    {store(case, "sum")}""", lambda a, b, q: parts(tile, a, b, range(2)), e=(2, 0, 0, 0, 0, 0, 0, 0))
    yield Case("a bound from a view, computed in tiles", f"""{VIEW}
    %bound_1, %bt = load_view_tko weak %ep[%q] : {ONE}, tile<i32> -> tile<1xi32>, token
    %ones = constant <i32: 1> : tile<1xi32>
    %more_1 = addi %bound_1, %ones : tile<1xi32>
    %bound = reshape %more_1 : tile<1xi32> -> tile<i32>
    {loop(case, "%0 to %bound, step %1")}
    {store(case, "sum")}""", lambda a, b, q: parts(tile, a, b, range(3)), e=(9, 9, 9, 2, 9, 9, 9, 9))
    yield Case("groups of tiles", f"""{VIEW}
    %last:2 = for %g in (%0 to %q, step %1) : tile<i32> iter_values(%from = %0, %o = %zeros) -> (tile<i32>, {c}) {{
      {element("many", "%g")}
      %to = addi %from, %many : tile<i32>
      {loop(case, "%from to %to, step %1", initial="o")}
      continue %to, %sum : tile<i32>, {c}
    }}
    {store(case, "last#1")}""", lambda a, b, q: parts(tile, a, b, range(4)), e=(1, 0, 3, 9, 9, 9, 9, 9))
    yield Case("a table of tiles", f"""{VIEW}
    {loop(case, before=element("page", "%i"), at="%page")}
    {store(case, "sum")}""", lambda a, b, q: 2 * parts(tile, a, b, [0]) + parts(tile, a, b, [1, 3, 4]), e=(3, 0, 4, 1, 0, 9, 9, 9))
    yield Case("a table whose elements are stored, too", f"""{VIEW}
    {loop(case, before=element("page", "%i"), at="%page", after="%s2 = addf %more, %page_f : " + c).replace("continue %more", "continue %s2")
     .replace("%s2 = addf", f"%one_f = itof %page_1 signed : tile<1xi32> -> tile<1xf32>; %wide = reshape %one_f : tile<1xf32> -> tile<1x1xf32>;"
              f" %page_f = broadcast %wide : tile<1x1xf32> -> {c}; %s2 = addf").replace("; ", chr(10) + "      ")}
    {store(case, "sum")}""", lambda a, b, q: 2 * parts(tile, a, b, [0]) + parts(tile, a, b, [1, 3, 4]) + 8,
               e=(3, 0, 4, 1, 0, 9, 9, 9), producer=False, ways=((COPIED, COPIED),))
    yield Case("a bound that is overwritten", f"""{VIEW}
    {element("bound", "%q")}
    %three = constant <i32: 1> : tile<1xi32>
    %written = store_view_tko weak %three, %ep[%q] token=%bound_t : tile<1xi32>, {ONE}, tile<i32> -> token
    {loop(case, "%0 to %bound, step %1")}
    {store(case, "sum")}""", lambda a, b, q: parts(tile, a, b, range(4)), e=(0, 0, 0, 4, 0, 0, 0, 0), e_after=(0, 0, 0, 1, 0, 0, 0, 0),
               sizes=(64, 64, 144), producer=False, reason="load_view_tko is ordered with a write by a token")
    yield Case("a bound loaded after a store", f"""{VIEW}
    %three = constant <i32: 3> : tile<1xi32>
    %written = store_view_tko weak %three, %ep[%q] : tile<1xi32>, {ONE}, tile<i32> -> token
    {element("bound", "%q", " token=%written")}
    {loop(case, "%0 to %bound, step %1")}
    {store(case, "sum")}""", lambda a, b, q: parts(tile, a, b, range(3)), e=(0,) * 8, e_after=(0, 0, 0, 3, 0, 0, 0, 0),
               sizes=(64, 64, 144), producer=False, reason="load_view_tko is ordered with a write by a token")
    yield Case("a bound from an acquire", f"""%bound, %bt = load_ptr_tko acquire device %e : tile<ptr<i32>> -> tile<i32>, token
    {loop(case, "%0 to %bound, step %1")}
    {store(case, "sum")}""", lambda a, b, q: parts(tile, a, b, range(2)), e=(2, 0, 0, 0, 0, 0, 0, 0), producer=False,
               reason="load_ptr_tko has effects")


def returns():
    """Blocks without work."""
    case = Case("")
    c, tile = case.tile_of("c"), case.tile
    leaves = """if %is {
      return
    }"""
    yield Case("an early return", f"""%is = cmpi equal %x, %1, signed : tile<i32> -> tile<i1>
    {leaves}
    {loop(case)}
    {store(case, "sum")}""", lambda a, b, q: rows_below(a, b, 64))
    yield Case("an early return by a length", f"""{VIEW}
    {element("used", "%0")}
    %is = cmpi greater_than_or_equal %x, %used, signed : tile<i32> -> tile<i1>
    {leaves}
    {element("bound", "%1")}
    {loop(case, "%0 to %bound, step %1")}
    {store(case, "sum")}""", lambda a, b, q: np.where(np.arange(len(a))[:, None] < 64, parts(tile, a, b, range(4)), 0),
               e=(1, 4, 0, 0, 0, 0, 0, 0))
    yield Case("a return between loops", f"""{loop(case)}
    {store(case, "sum")}
    %is = cmpi equal %y, %0, signed : tile<i32> -> tile<i1>
    {leaves}
    {loop(case, "%1 to %q, step %1").replace("%sum", "%other")}
    {store(case, "other", result="stored2")}""",
               lambda a, b, q: np.where(np.arange(b.shape[1])[None, :] < 64, a @ b, parts(tile, a, b, range(1, q))), ways=((AHEAD, AHEAD),) * 2)
    yield Case("a return in a loop around", f"""%end = loop iter_values(%j = %1) : tile<i32> -> tile<i32> {{
      {loop(case, "%0 to %j, step %1")}
      {store(case, "sum")}
      %is = cmpi equal %j, %2, signed : tile<i32> -> tile<i1>
      {leaves}
      %next = addi %j, %1 : tile<i32>
      continue %next : tile<i32>
    }}""", lambda a, b, q: parts(tile, a, b, range(2)), q=5)
    yield Case("a return that a tile decides", f"""%four = iota : tile<4xi32>
    %bound = reduce %four dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%p: tile<i32>, %r0: tile<i32>) {{
      %both = maxi %p, %r0 signed : tile<i32>
      yield %both : tile<i32>
    }}
    %is = cmpi less_than %bound, %x, signed : tile<i32> -> tile<i1>
    {leaves}
    {loop(case)}
    {store(case, "sum")}""", producer=False, reason="a return depends on what a producer cannot compute: reduce")


def tiles(a, rows: int, columns: int, which: str = "columns"):
    """The tiles of the first row or column of tiles."""
    count = -(-a.shape[1] // columns) if which == "columns" else -(-a.shape[0] // rows)
    for i in range(count):
        tile = np.zeros((rows, columns))
        part = a[:rows, i * columns:(i + 1) * columns] if which == "columns" else a[i * rows:(i + 1) * rows, :columns]
        tile[:part.shape[0], :part.shape[1]] = part
        yield tile


def shared():
    """Several products read one load."""
    case = Case("", tile=(64, 64, 64))
    half, c = case.tile_of("a"), case.tile_of("c")
    before = f"%sum = for %i in (%0 to %steps, step %1) : tile<i32> iter_values(%s = %zeros) -> ({c}) {{"
    after = f"""continue %more : {c}
    }}
    {store(case, "sum")}"""
    two = f"""%sum:2 = for %i in (%0 to %steps, step %1) : tile<i32> iter_values(%s = %zeros, %t = %zeros) -> ({c}, {c}) {{
      {load(case, "a", "l", "%x", "%i")}
      {load(case, "b", "r", "%i", "%y")}
      {load(case, "b", "u", "%i", "%0")}
      {product(case, "more", "l", "r", "s")}
      {product(case, "other", "l", "u", "t")}
      continue %more, %other : {c}, {c}
    }}
    %both = subf %sum#0, %sum#1 : {c}
    {store(case, "both")}"""
    yield Case("lhs of two products", two, lambda a, b, q: a @ (b - np.pad(b[:, :64], ((0, 0), (0, 64)))[:, np.arange(128) % 64]),
               ways=((AHEAD, AHEAD),) * 2, tile=(64, 64, 64), sizes=(96, 128, 144))
    yield Case("rhs of two products, once permuted", f"""{load(case, "a", "u", "%x", "%0")}
    {before.replace("%steps", "%q")}
      {load(case, "b", "r", "%0", "%i")}
      {product(case, "scores", "u", "r", "zeros")}
      %p = ftof %scores : {c} -> {half}
      %v = permute %r [1, 0] : {half} -> {half}
      {product(case, "more", "p", "v", "s")}
      {after.replace("%y", "%0")}""",
               lambda a, b, q: sum((a @ b[:, 64 * i:64 * i + 64]) @ b[:, 64 * i:64 * i + 64].T for i in range(q)),
               ways=((KEPT, AHEAD), (REGISTERS, AHEAD)), tile=(64, 64, 64), sizes=(128, 192, 64), grid=(2, 1))
    gram = {"sizes": (64, 64, 208), "tile": (64, 64, 64), "grid": (1, 1)}
    yield Case("both operands from one load", f"""{before}
      {load(case, "a", "l", "%x", "%i")}
      %r = permute %l [1, 0] : {half} -> {half}
      {product(case, "more", "l", "r", "s")}
      {after}""", lambda a, b, q: a @ a.T, **gram)
    yield Case("lhs permuted, rhs not", f"""{before}
      {load(case, "b", "r", "%i", "%y")}
      %l = permute %r [1, 0] : {half} -> {half}
      {product(case, "more", "l", "r", "s")}
      {after}""", lambda a, b, q: b.T @ b, **gram)
    yield Case("a load for a product and for others", f"""{before}
      {load(case, "a", "l", "%x", "%i")}
      {load(case, "b", "r", "%i", "%y")}
      %twice = addf %r, %r : {half}
      {product(case, "one", "l", "r", "s")}
      {product(case, "more", "l", "twice", "one")}
      {after}""", lambda a, b, q: 3 * (a @ b), ways=((AHEAD, WRITTEN),) * 2, **gram)
    yield Case("a load for an operand and for accumulators", f"""{before}
      {load(case, "a", "l", "%x", "%i")}
      %r = permute %l [1, 0] : {half} -> {half}
      %o = ftof %l : {half} -> {c}
      {product(case, "one", "l", "r", "o")}
      %more = addf %one, %s : {c}
      {after}""", lambda a, b, q: a @ a.T + sum(tiles(a, 64, 64)), ways=((REGISTERS, WRITTEN),), producer=False, **gram)
