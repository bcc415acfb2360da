# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for warpgroups.py: control flow around products, several products, and effects beside them."""

import numpy as np

from warpgroup_kernels import AHEAD, COPIED, KEPT, REGISTERS, WRITTEN, Case, load, loop, parts, product, store


def control():
    """Loops, branches and jumps around products."""
    case = Case("")
    c = case.tile_of("c")
    tile = case.tile
    yield Case("from 1 in steps of 3", loop(case, "%1 to %q, step %three", before="").replace(
        "%sum =", "%three = constant <i32: 3> : tile<i32>\n    %sum =") + f"\n    {store(case, 'sum')}",
        lambda a, b, q: parts(tile, a, b, range(1, q, 3)), q=40, sizes=(64, 64, 32 * 40))
    yield Case("many rounds", sizes=(64, 64, 32 * 15))
    yield Case("computed indices", loop(case, "%0 to %q, step %1", before="%last = subi %q, %1 : tile<i32>\n      %j = subi %last, %i : tile<i32>",
               at="%j") + f"\n    {store(case, 'sum')}", lambda a, b, q: parts(tile, a, b, range(q)))
    yield Case("a loop in a loop", f"""%all = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%o = %zeros) -> ({c}) {{
      {loop(case, "%j to %steps, step %1", initial="o")}
      continue %sum : {c}
    }}
    {store(case, "all")}""", lambda a, b, q: sum(parts(tile, a, b, range(j, 5)) for j in range(q)))
    yield Case("inner loops without iterations", f"""%all = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%o = %zeros) -> ({c}) {{
      %end = remi %j, %2 signed : tile<i32>
      {loop(case, "%0 to %end, step %1", initial="o")}
      continue %sum : {c}
    }}
    {store(case, "all")}""", lambda a, b, q: 3 * parts(tile, a, b, [0]), q=7)
    yield Case("a branch around the loop", f"""%odd = remi %x, %2 signed : tile<i32>
    %is = cmpi equal %odd, %0, signed : tile<i32> -> tile<i1>
    %all = if %is -> ({c}) {{
      {loop(case)}
      yield %sum : {c}
    }} else {{
      %one = constant <f32: 1.0> : {c}
      yield %one : {c}
    }}
    {store(case, "all")}""", lambda a, b, q: np.where(np.arange(len(a))[:, None] // 64 % 2 == 0, a @ b, 1))
    yield Case("both branches have loops", f"""%odd = remi %x, %2 signed : tile<i32>
    %is = cmpi equal %odd, %0, signed : tile<i32> -> tile<i1>
    %all, %which = if %is -> ({c}, tile<i32>) {{
      {loop(case)}
      yield %sum, %1 : {c}, tile<i32>
    }} else {{
      {loop(case, "%1 to %steps, step %1").replace("%sum", "%other")}
      yield %other, %2 : {c}, tile<i32>
    }}
    {store(case, "all", "%x")}""", lambda a, b, q: np.where(np.arange(len(a))[:, None] // 64 % 2 == 0, a @ b,
                                                          parts(tile, a, b, range(1, 5))), ways=((AHEAD, AHEAD),) * 2)
    yield Case("continue in a branch of the outer loop", f"""%all = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%o = %zeros) -> ({c}) {{
      %odd = remi %j, %2 signed : tile<i32>
      %is = cmpi equal %odd, %1, signed : tile<i32> -> tile<i1>
      if %is {{
        continue %o : {c}
      }}
      {loop(case, "%j to %steps, step %1", initial="o")}
      continue %sum : {c}
    }}
    {store(case, "all")}""", lambda a, b, q: sum(parts(tile, a, b, range(j, 5)) for j in range(0, q, 2)), q=5)
    yield Case("an outer loop with break", f"""%all, %end = loop iter_values(%o = %zeros, %j = %0) : {c}, tile<i32> -> {c}, tile<i32> {{
      %is = cmpi equal %j, %q, signed : tile<i32> -> tile<i1>
      if %is {{
        break %o, %j : {c}, tile<i32>
      }}
      {loop(case, "%j to %steps, step %1", initial="o")}
      %next = addi %j, %1 : tile<i32>
      continue %sum, %next : {c}, tile<i32>
    }}
    {store(case, "all")}""", lambda a, b, q: sum(parts(tile, a, b, range(j, 5)) for j in range(q)))
    yield Case("a product in a loop with break", f"""%all, %end = loop iter_values(%o = %zeros, %j = %0) : {c}, tile<i32> -> {c}, tile<i32> {{
      %is = cmpi equal %j, %q, signed : tile<i32> -> tile<i1>
      if %is {{
        break %o, %j : {c}, tile<i32>
      }}
      {load(case, "a", "l", "%x", "%j")}
      {load(case, "b", "r", "%j", "%y")}
      {product(case, "more", "l", "r", "o")}
      %next = addi %j, %1 : tile<i32>
      continue %more, %next : {c}, tile<i32>
    }}
    {store(case, "all")}""", lambda a, b, q: parts(tile, a, b, range(q)), producer=False, ways=((COPIED, COPIED),))
    yield Case("carried scalars and pointers that the copies do not need",
               f"""%sum:4 = for %i in (%0 to %steps, step %1) : tile<i32> iter_values(%s = %zeros, %p = %e, %f = %half, %j = %0) -> ({c}, tile<ptr<i32>>, tile<f32>, tile<i32>) {{
      {load(case, "a", "l", "%x", "%i")}
      {load(case, "b", "r", "%i", "%y")}
      {product(case, "more", "l", "r", "s")}
      %q1 = offset %p, %1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %f1 = addf %f, %half : tile<f32>
      %j1 = addi %j, %1 : tile<i32>
      continue %more, %q1, %f1, %j1 : {c}, tile<ptr<i32>>, tile<f32>, tile<i32>
    }}
    %first = addi %x, %y : tile<i32>
    %is = cmpi equal %first, %0, signed : tile<i32> -> tile<i1>
    if %is {{
      %int = ftoi %sum#2 signed : tile<f32> -> tile<i32>
      %et = store_ptr_tko weak %sum#1, %int : tile<ptr<i32>>, tile<i32> -> token
    }}
    {store(case, "sum#0")}""".replace("%sum:4", "%half = constant <f32: 0.5> : tile<f32>\n    %sum:4"),
               e_after=(0, 0, 0, 0, 0, 3, 0, 0))
    yield Case("a bound from a loop, and an index from a branch", f"""%bound = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%u = %0) -> (tile<i32>) {{
      %is = cmpi equal %j, %1, signed : tile<i32> -> tile<i1>
      if %is {{
        continue %u : tile<i32>
      }}
      %more_u = addi %u, %2 : tile<i32>
      continue %more_u : tile<i32>
    }}
    %none = cmpi equal %x, %0, signed : tile<i32> -> tile<i1>
    %row, %unused = if %none -> (tile<i32>, {c}) {{
      yield %x, %zeros : tile<i32>, {c}
    }} else {{
      %before = subi %x, %1 : tile<i32>
      yield %before, %zeros : tile<i32>, {c}
    }}
    {loop(case, "%0 to %bound, step %1", row="%row")}
    {store(case, "sum")}""", lambda a, b, q: np.concatenate([parts(tile, a, b, range(4))[:64]] * 2), sizes=(128, 64, 144))
    yield Case("rows that an outer loop carries", f"""%all, %end = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%o = %zeros, %row = %x) -> ({c}, tile<i32>) {{
      {loop(case, row="%row", initial="o")}
      %next = subi %1, %row : tile<i32>
      continue %sum, %next : {c}, tile<i32>
    }}
    {store(case, "all")}""", lambda a, b, q: 2 * (a @ b) + np.roll(a @ b, 64, axis=0), sizes=(128, 64, 144))
    yield Case("induction of i64", f"""%first = constant <i64: 0> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %last = exti %steps signed : tile<i32> -> tile<i64>
    %wx = exti %x signed : tile<i32> -> tile<i64>
    %wy = exti %y signed : tile<i32> -> tile<i64>
    %sum = for unsigned %i in (%first to %last, step %one) : tile<i64> iter_values(%s = %zeros) -> ({c}) {{
      {load(case, "a", "l", "%wx", "%i", index="i64")}
      {load(case, "b", "r", "%i", "%wy", index="i64")}
      {product(case, "more", "l", "r", "s")}
      continue %more : {c}
    }}
    {store(case, "sum")}""")
    yield Case("a bound from a reduction", f"""%four = iota : tile<4xi32>
    %bound = reduce %four dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%p: tile<i32>, %r0: tile<i32>) {{
      %both = maxi %p, %r0 signed : tile<i32>
      yield %both : tile<i32>
    }}
    {loop(case, "%0 to %bound, step %1")}
    {store(case, "sum")}""", lambda a, b, q: parts(tile, a, b, range(3)), producer=False, reason="reduce")
    yield persistent()


def persistent(size: tuple = (64, 64, 32)) -> Case:
    """A block computes several tiles, one after the other."""
    case = Case("", tile=size)
    return Case("tiles in turn", f"""%crows, %ccolumns = get_index_space_shape %cp : {case.view("c")} -> tile<i32>
    %count = muli %crows, %ccolumns : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    for %t in (%x to %count, step %gx) : tile<i32> {{
      %tx = divi %t, %ccolumns signed : tile<i32>
      %ty = remi %t, %ccolumns signed : tile<i32>
      {loop(case, row="%tx", column="%ty")}
      %twice = addf %sum, %sum : {case.tile_of("c")}
      {store(case, "twice", "%tx", "%ty")}
    }}""", lambda a, b, q: 2 * (a @ b), sizes=(144, 144, 208), grid=(2, 1), tile=size)


def several():
    """Several products."""
    case = Case("")
    c, tile = case.tile_of("c"), case.tile
    yield Case("two products in a loop", f"""%sum:2 = for %i in (%0 to %q, step %1) : tile<i32> iter_values(%s = %zeros, %o = %zeros) -> ({c}, {c}) {{
      {load(case, "a", "l", "%x", "%i")}
      {load(case, "b", "r", "%i", "%y")}
      {product(case, "more", "l", "r", "s")}
      %j = addi %i, %1 : tile<i32>
      {load(case, "a", "l2", "%x", "%j")}
      {load(case, "b", "r2", "%i", "%y")}
      {product(case, "most", "l2", "r2", "o")}
      continue %more, %most : {c}, {c}
    }}
    %all = addf %sum#0, %sum#1 : {c}
    {store(case, "all")}""", lambda a, b, q: parts(tile, a, b, range(q)) + sum(
        a[:, 32 * i + 32:32 * i + 64] @ b[32 * i:32 * i + 32] for i in range(q)), ways=((AHEAD, AHEAD),) * 2)
    yield Case("two loops after each other", f"""{loop(case)}
    {loop(case, "%1 to %q, step %1", initial="sum").replace("%sum =", "%all =")}
    {store(case, "all")}""", lambda a, b, q: a @ b + parts(tile, a, b, range(1, q)), ways=((AHEAD, AHEAD),) * 2)
    again = f"%dv = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> {case.tensor('b')}\n    " \
            f"%dp = make_partition_view %dv : {case.view('b')}"
    second = loop(case, "%1 to %q, step %1", initial="sum").replace("%sum =", "%all =").replace("%bp[", "%dp[")
    for name, first, between, reason in (("before", again, "", ""), ("after", "", again, "made before the first loop")):
        yield Case(f"arrays of the second loop are made {name} the first one", f"""{first}
    {loop(case)}
    {between}
    {second}
    {store(case, "all")}""", lambda a, b, q: a @ b + parts(tile, a, b, range(1, q)), ways=((AHEAD, AHEAD),) * 2, reason=reason)
    # One loop has a producer, the other one has not, whichever is first.
    odd = f"%dv = make_tensor_view %shifted, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> {case.tensor('b')}\n    " \
          f"%dp = make_partition_view %dv : {case.view('b')}\n    " \
          f"%fv = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> {case.tensor('a')}\n    " \
          f"%fp = make_partition_view %fv : {case.view('a')}"
    shifted = "%shifted = offset %b, %1 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>\n    "
    other = loop(case, "%0 to %q, step %1").replace("%bp[", "%dp[").replace("%ap[", "%fp[")
    for name, loops in (("first", (other, loop(case, initial="sum").replace("%sum =", "%all ="))),
                        ("second", (loop(case), other.replace("%sum =", "%all =").replace("%zeros", "%sum")))):
        yield Case(f"only the {name} loop has unknown alignment", f"""{shifted}{odd}
    {loops[0]}
    {loops[1]}
    {store(case, "all")}""", lambda a, b, q: a @ b + parts(tile, a, np.append(b.ravel()[1:], 0).reshape(b.shape), range(q)),
                   ways=((AHEAD, AHEAD),) * 2, asked="no")
    yield Case("a product behind the loop", f"""{loop(case)}
    {load(case, "a", "u", "%x", "%1")}
    {load(case, "b", "v", "%0", "%y")}
    {product(case, "end", "u", "v", "sum")}
    {store(case, "end")}""", lambda a, b, q: a @ b + a[:, 32:64] @ b[:32], ways=((AHEAD, AHEAD), (COPIED, COPIED)))
    yield Case("a kept lhs", f"""{load(case, "a", "u", "%x", "%1")}
    %sum = for %i in (%0 to %q, step %1) : tile<i32> iter_values(%s = %zeros) -> ({c}) {{
      {load(case, "b", "r", "%i", "%y")}
      {product(case, "more", "u", "r", "s")}
      continue %more : {c}
    }}
    {store(case, "sum")}""", lambda a, b, q: a[:, 32:64] @ sum(b[32 * i:32 * i + 32] for i in range(q)), ways=((KEPT, AHEAD),))
    yield Case("a kept lhs in an outer loop", f"""%all = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%o = %zeros) -> ({c}) {{
      {load(case, "a", "u", "%x", "%j")}
      %uu = addf %u, %u : {case.tile_of("a")}
      %sum = for %i in (%0 to %q, step %1) : tile<i32> iter_values(%s = %o) -> ({c}) {{
        {load(case, "b", "r", "%i", "%y")}
        {product(case, "more", "uu", "r", "s")}
        continue %more : {c}
      }}
      continue %sum : {c}
    }}
    {store(case, "all")}""", lambda a, b, q: 2 * sum(a[:, 32 * j:32 * j + 32] for j in range(q)) @ sum(b[32 * i:32 * i + 32] for i in range(q)),
               ways=((KEPT, AHEAD),))
    yield Case("lhs is computed", loop(case).replace(load(case, "a", "l", "%x", "%i"), load(case, "a", "u", "%x", "%i")
               + f"\n      %l = addf %u, %u : {case.tile_of('a')}") + f"\n    {store(case, 'sum')}", lambda a, b, q: 2 * (a @ b),
               ways=((WRITTEN, AHEAD),))
    yield Case("a reduction in the loop", loop(case, "%0 to %q, step %1", after=f"""%row = reduce %more dim=0 identities=[0.0 : f32] : {c} -> tile<64xf32> (%p: tile<f32>, %t: tile<f32>) {{
        %both = addf %p, %t : tile<f32>
        yield %both : tile<f32>
      }}
      %line = reshape %row : tile<64xf32> -> tile<1x64xf32>
      %lines = broadcast %line : tile<1x64xf32> -> {c}
      %less = subf %more, %lines : {c}""").replace("continue %more", "continue %less") + f"\n    {store(case, 'sum')}",
               reduced, sizes=(64, 64, 96), grid=(1, 1))
    yield attention("chained products", 64)
    yield attention("chained products of 128 rows", 128)


def attention(name: str, rows: int) -> Case:
    """(a[x] b[:, i]) b[:, i]^T, summed over i: the second product takes the first one's result."""
    case = Case("", tile=(rows, 64, 64))
    c = case.tile_of("c")
    turned = f"partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[1, ?]>>"
    body = f"""%tv = make_tensor_view %b, shape = [%n, %k], strides = [1, %n] : tile<i32> -> tensor_view<?x?xf16, strides=[1, ?]>
    %tp = make_partition_view %tv : {turned}
    {load(case, "a", "u", "%x", "%0")}
    %sum = for %i in (%0 to %q, step %1) : tile<i32> iter_values(%s = %zeros) -> ({c}) {{
      {load(case, "b", "r", "%0", "%i")}
      {product(case, "scores", "u", "r", "zeros")}
      %p = ftof %scores : {c} -> {case.tile_of("a")}
      %v, %v_t = load_view_tko weak %tp[%i, %0] : {turned}, tile<i32> -> tile<64x64xf16>, token
      {product(case, "more", "p", "v", "s")}
      continue %more : {c}
    }}
    {store(case, "sum", column="%0")}"""
    return Case(name, body, lambda a, b, q: sum((a @ b[:, 64 * i:64 * i + 64]) @ b[:, 64 * i:64 * i + 64].T for i in range(q)),
                ways=((KEPT, AHEAD), (REGISTERS, AHEAD)), tile=(rows, 64, 64), sizes=(rows + 64, 192, 64), grid=(2, 1))


def reduced(a, b, q):
    total = np.zeros((a.shape[0], b.shape[1]))
    for i in range(q):
        total += a[:, 32 * i:32 * i + 32] @ b[32 * i:32 * i + 32]
        total -= total.sum(0)
    return total


def effects():
    """Accesses, tokens, and messages beside products."""
    case = Case("")
    c, tile = case.tile_of("c"), case.tile
    a_half = case.tile_of("a")
    yield Case("loads ordered after a store", f"""{load(case, "a", "u", "%x", "%0")}
    %uu = addf %u, %u : {a_half}
    %st = store_view_tko weak %uu, %ap[%x, %0] token=%u_t : {a_half}, {case.view("a")}, tile<i32> -> token
    {loop(case, tokens=" token=%st")}
    {store(case, "sum")}""", lambda a, b, q: a @ b + a[:, :32] @ b[:32], sizes=(96, 64, 144), grid=(2, 1))
    yield Case("loads ordered after loads", f"""%e1, %et = load_ptr_tko weak %e : tile<ptr<i32>> -> tile<i32>, token
    {load(case, "a", "u", "%x", "%0", " token=%et")}
    %both = join_tokens %u_t, %et : token
    {loop(case, tokens=" token=%both")}
    {store(case, "sum")}""")
    yield Case("loads ordered after an acquire", f"""%e1, %et = load_ptr_tko acquire device %e : tile<ptr<i32>> -> tile<i32>, token
    {loop(case, tokens=" token=%et")}
    {store(case, "sum")}""")
    yield Case("loads ordered after stores of an outer loop", f"""%none = make_token : token
    %all:2 = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%o = %zeros, %t = %none) -> ({c}, token) {{
      {loop(case, tokens=" token=%t", initial="o")}
      {load(case, "a", "u", "%x", "%j", " token=%t")}
      %uu = addf %u, %u : {a_half}
      %before = join_tokens %t, %u_t : token
      %st = store_view_tko weak %uu, %ap[%x, %j] token=%before : {a_half}, {case.view("a")}, tile<i32> -> token
      continue %sum, %st : {c}, token
    }}
    {store(case, "all#0")}""", lambda a, b, q: 3 * (a @ b) + 2 * a[:, :32] @ b[:32] + a[:, 32:64] @ b[32:64], sizes=(96, 64, 144), grid=(2, 1))
    yield Case("loads ordered after atomics in a branch", f"""%none = make_token : token
    %all:2 = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%o = %zeros, %t = %none) -> ({c}, token) {{
      {loop(case, tokens=" token=%t", initial="o")}
      %odd = remi %j, %2 signed : tile<i32>
      %is = cmpi equal %odd, %0, signed : tile<i32> -> tile<i1>
      %end = if %is -> (token) {{
        %old, %ot = atomic_rmw_tko acq_rel device %e, add, %1 token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
        yield %ot : token
      }} else {{
        yield %t : token
      }}
      continue %sum, %end : {c}, token
    }}
    {store(case, "all#0")}""", lambda a, b, q: 5 * (a @ b), q=5, e_after=(12, 0, 0, 0, 0, 0, 0, 0))
    yield Case("loads ordered after two stores", f"""{load(case, "a", "u", "%x", "%0")}
    %uu = addf %u, %u : {a_half}
    %st1 = store_view_tko weak %uu, %ap[%x, %0] token=%u_t : {a_half}, {case.view("a")}, tile<i32> -> token
    {load(case, "a", "v", "%x", "%1")}
    %vv = addf %v, %v : {a_half}
    %st2 = store_view_tko weak %vv, %ap[%x, %1] token=%v_t : {a_half}, {case.view("a")}, tile<i32> -> token
    %both = join_tokens %st1, %st2 : token
    {loop(case, tokens=" token=%both")}
    {store(case, "sum")}""", lambda a, b, q: a @ b + a[:, :64] @ b[:64], sizes=(96, 64, 144), grid=(2, 1))
    yield Case("loads ordered after a print", f"""%printed = print_tko "first " -> token
    {loop(case, tokens=" token=%printed")}
    {store(case, "sum")}""", prints={"first": 4}, producer=False, reason="what a producer cannot wait for")
    yield Case("tokens around the loop", f"""%none = make_token : token
    %sum:2 = for %i in (%0 to %steps, step %1) : tile<i32> iter_values(%s = %zeros, %t = %none) -> ({c}, token) {{
      {load(case, "a", "l", "%x", "%i", " token=%t")}
      {load(case, "b", "r", "%i", "%y")}
      {product(case, "more", "l", "r", "s")}
      %both = join_tokens %l_t, %r_t : token
      continue %more, %both : {c}, token
    }}
    {store(case, "sum#0", token=" token=%sum#1")}""")
    yield Case("a fence", f"""%none = make_token : token
    %fenced = memory_fence_alias_tko %none
    {loop(case)}
    {store(case, "sum")}""", producer=False, reason="fence")
    yield Case("an atomic epilogue", f"""{loop(case)}
    %done = atomic_red_view_tko relaxed device %cp[%x, %y], addf, %sum : {c}, {case.view("c")}, tile<i32> -> token
    {loop(case, "%0 to %1, step %1").replace("%sum", "%more_sums")}
    %done2 = atomic_red_view_tko relaxed device %cp[%x, %y], addf, %more_sums : {c}, {case.view("c")}, tile<i32> -> token""",
               lambda a, b, q: a @ b + a[:, :32] @ b[:32], ways=((AHEAD, AHEAD),) * 2)
    yield Case("an atomic counter", f"""{loop(case)}
    %old, %ot = atomic_rmw_tko relaxed device %e, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    {store(case, "sum")}""", e_after=(4, 0, 0, 0, 0, 0, 0, 0))
    yield Case("print and assert", f"""%is = cmpi greater_than_or_equal %q, %0, signed : tile<i32> -> tile<i1>
    assert %is, "never" : tile<i1>
    %p1 = print_tko "before %d ", %x : tile<i32> -> token
    {loop(case, "%0 to %q, step %1", after='%p2 = print_tko "in %d ", %i : tile<i32> -> token')}
    %p3 = print_tko "after" -> token
    {store(case, "sum")}""", lambda a, b, q: parts(tile, a, b, range(q)), prints={"before": 4, "in ": 12, "after": 4})
    yield Case("a store in an outer loop", f"""%none = make_token : token
    %end = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%t = %none) -> (token) {{
      {loop(case, "%0 to %j, step %1")}
      {store(case, "sum", token=" token=%t")}
      continue %stored : token
    }}""", lambda a, b, q: parts(tile, a, b, range(q - 1)))
