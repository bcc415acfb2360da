# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests software pipelining: product operands that are copied into shared memory, immediately or some
iterations ahead, on the PTX machine against NumPy.

The kernels are loops over products of a (ROWS x K) and b (K x COLUMNS), with different bounds, steps,
indices, views, paddings and neighbouring operations. Elements are small integers, so that every sum is exact.
Each plan must state how the operands get into shared memory. `pipelines.py TILEWRIGHT FOLDER`
"""

import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

import numpy as np

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
ROWS, COLUMNS, STEP = 32, 64, 32  # tile extents; STEP is along k
AHEAD, COPIED, KEPT, WRITTEN = "ahead", "copied immediately before the product", "before the loop", "stored from registers"


@dataclass
class Case:
    """A kernel with the parameters %a, %b, %c (arrays) and %n (i32), and its expected result."""

    name: str
    body: str
    expected: object  # a function of a, b, n
    ways: list[tuple[str, str]]  # how lhs and rhs are loaded, for each product in order
    n: int = 5
    k: int = 256
    element: str = "f16"
    targets: tuple[str, ...] = ("sm_80", "sm_90a")
    skew: int = 0  # elements before the start of a, which is then not aligned


def views(element: str, k: int, padding: str = "", transposed: bool = False) -> str:
    """The views %ap, %bp and %cp. b may be stored with its columns contiguous."""
    pad = f" padding_value = {padding}," if padding else ""
    a = f"tensor_view<{ROWS}x{k}x{element}, strides=[{k},1]>"
    b = f"tensor_view<{COLUMNS}x{k}x{element}, strides=[{k},1]>" if transposed else \
        f"tensor_view<{k}x{COLUMNS}x{element}, strides=[{COLUMNS},1]>"
    swap = ", dim_map=[1, 0]" if transposed else ""
    b_shape = f"[{COLUMNS}, {k}], strides = [{k}, 1]" if transposed else f"[{k}, {COLUMNS}], strides = [{COLUMNS}, 1]"
    c = f"tensor_view<{ROWS}x{COLUMNS}xf32, strides=[{COLUMNS},1]>"
    return f"""
    %av = make_tensor_view %a, shape = [{ROWS}, {k}], strides = [{k}, 1] : {a}
    %bv = make_tensor_view %b, shape = {b_shape} : {b}
    %cv = make_tensor_view %c, shape = [{ROWS}, {COLUMNS}], strides = [{COLUMNS}, 1] : {c}
    %ap = make_partition_view %av : partition_view<tile=({ROWS}x{STEP}),{pad} {a}>
    %bp = make_partition_view %bv : partition_view<tile=({STEP}x{COLUMNS}),{pad} {b}{swap}>
    %cp = make_partition_view %cv : partition_view<tile=({ROWS}x{COLUMNS}), {c}>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<{ROWS}x{COLUMNS}xf32>"""


class Text:
    """Operations on the views above."""

    def __init__(self, element: str = "f16", k: int = 256, padding: str = "", transposed: bool = False):
        self.element, self.k, self.padding, self.transposed = element, k, padding, transposed
        self.start = views(element, k, padding, transposed)

    def a_type(self) -> str:
        pad = f" padding_value = {self.padding}," if self.padding else ""
        return f"partition_view<tile=({ROWS}x{STEP}),{pad} tensor_view<{ROWS}x{self.k}x{self.element}, strides=[{self.k},1]>>"

    def b_type(self) -> str:
        pad = f" padding_value = {self.padding}," if self.padding else ""
        tensor = f"tensor_view<{COLUMNS}x{self.k}x{self.element}, strides=[{self.k},1]>, dim_map=[1, 0]" if self.transposed \
            else f"tensor_view<{self.k}x{COLUMNS}x{self.element}, strides=[{COLUMNS},1]>"
        return f"partition_view<tile=({STEP}x{COLUMNS}),{pad} {tensor}>"

    def load_a(self, name: str, at: str, index: str = "i32", token: str = "") -> str:
        zero = "%0" if index == "i32" else "%zero"
        return (f"%{name}, %{name}_t = load_view_tko weak %ap[{zero}, {at}]{token} : {self.a_type()}, tile<{index}> -> "
                f"tile<{ROWS}x{STEP}x{self.element}>, token")

    def load_b(self, name: str, at: str, index: str = "i32", token: str = "") -> str:
        zero = "%0" if index == "i32" else "%zero"
        return (f"%{name}, %{name}_t = load_view_tko weak %bp[{at}, {zero}]{token} : {self.b_type()}, tile<{index}> -> "
                f"tile<{STEP}x{COLUMNS}x{self.element}>, token")

    def product(self, name: str, a: str, b: str, c: str) -> str:
        return (f"%{name} = mmaf %{a}, %{b}, %{c} : tile<{ROWS}x{STEP}x{self.element}>, "
                f"tile<{STEP}x{COLUMNS}x{self.element}>, tile<{ROWS}x{COLUMNS}xf32>")

    def store(self, name: str) -> str:
        return (f"%stored = store_view_tko weak %{name}, %cp[%0, %0] : tile<{ROWS}x{COLUMNS}xf32>, "
                f"partition_view<tile=({ROWS}x{COLUMNS}), tensor_view<{ROWS}x{COLUMNS}xf32, strides=[{COLUMNS},1]>>, tile<i32> -> token")


SUMS = f"tile<{ROWS}x{COLUMNS}xf32>"


def plain(text: Text, bounds: str = "%0 to %n, step %1", index: str = "i32", between: str = "", at: str = "%i",
          before: str = "", after: str = "", at_type: str = "") -> str:
    """One loop over a[:, at] b[at]."""
    at_type = at_type or index
    return f"""{text.start}
    {before}
    %sum = for %i in ({bounds}) : tile<{index}> iter_values(%s = %zeros) -> ({SUMS}) {{
      {between}
      {text.load_a("x", at, at_type)}
      {text.load_b("y", at, at_type)}
      {text.product("more", "x", "y", "s")}
      {after}
      continue %more : {SUMS}
    }}
    {text.store("sum")}"""


def steps(a: np.ndarray, b: np.ndarray, which) -> np.ndarray:
    """The sum over these tiles along k; elements beyond the end are 0."""
    total = np.zeros((ROWS, COLUMNS))
    for at in which:
        part = slice(at * STEP, (at + 1) * STEP)
        total += a[:, part] @ b[part]
    return total


def cases():
    f16 = Text()
    both = [(AHEAD, AHEAD)]
    for n in (0, 1, 2, 3, 4, 8):  # fewer iterations than stages, as many, and more
        yield Case(f"{n} iterations", plain(f16), lambda a, b, n: steps(a, b, range(n)), both, n)
    yield Case("from 1 in steps of 3", plain(f16, "%1 to %n, step %three", before="%three = constant <i32: 3> : tile<i32>"),
               lambda a, b, n: steps(a, b, range(1, n, 3)), both, 8)
    yield Case("indices of their own", plain(f16, between="%two = constant <i32: 2> : tile<i32>\n      %d = muli %i, %two : tile<i32>\n"
               "      %e = addi %d, %1 : tile<i32>", at="%e"), lambda a, b, n: steps(a, b, range(1, 2 * n, 2)), both, 4)
    # The next index would overwrite the tile that is still added.
    counted = plain(f16, between="""%line = reshape %i : tile<i32> -> tile<1xi32>
      %ones = constant <i32: 1> : tile<1xi32>
      %next = addi %line, %ones : tile<1xi32>
      %e = reshape %next : tile<1xi32> -> tile<i32>""", at="%e", after=f"""%number = itof %next signed : tile<1xi32> -> tile<1xf32>
      %square = reshape %number : tile<1xf32> -> tile<1x1xf32>
      %all = broadcast %square : tile<1x1xf32> -> {SUMS}
      %more = addf %part, %all : {SUMS}""").replace("%more = mmaf", "%part = mmaf")
    yield Case("an index is used again", counted, lambda a, b, n: steps(a, b, range(1, n + 1)) + n * (n + 1) / 2, [(COPIED, COPIED)], 4)
    yield Case("backwards", plain(f16, between="%last = subi %n, %1 : tile<i32>\n      %d = subi %last, %i : tile<i32>", at="%d"),
               lambda a, b, n: steps(a, b, range(n)), both, 6)
    # Accumulators are updated in place, unless their old values have other users, or they are replaced by other accumulators.
    for name, after, expected in (
            ("sums are read after the product", "%twice = addf %o, %s : {0}\n      continue %more, %twice : {0}",
             lambda a, b, n: sum((steps(a, b, range(i)) for i in range(n)), np.zeros((ROWS, COLUMNS)))),
            ("sums change places", "continue %o, %more : {0}, {0}",
             lambda a, b, n: steps(a, b, range(n - 1, -1, -2)))):
        after = after.format(SUMS).replace(f"%twice : {SUMS}", f"%twice : {SUMS}, {SUMS}")
        yield Case(name, f"""{f16.start}
    %sum:2 = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros, %o = %zeros) -> ({SUMS}, {SUMS}) {{
      {f16.load_a("x", "%i")}
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      {after}
    }}
    {f16.store("sum#1")}""", expected, both)
    yield Case("an inner loop begins with sums of the outer one again", f"""{f16.start}
    %two = constant <i32: 2> : tile<i32>
    %sum = for %j in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> ({SUMS}) {{
      %inner = for %i in (%0 to %two, step %1) : tile<i32> iter_values(%t = %zeros) -> ({SUMS}) {{
        {f16.load_a("x", "%i")}
        {f16.load_b("y", "%i")}
        {f16.product("more", "x", "y", "s")}
        %u = addf %t, %more : {SUMS}
        continue %u : {SUMS}
      }}
      continue %inner : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: (2**n - 1) * steps(a, b, range(2)), both, 3)
    for index, extend in (("i64", "exti %n signed : tile<i32> -> tile<i64>"), ("i16", "trunci %n : tile<i32> -> tile<i16>")):
        before = (f"%zero = constant <{index}: 0> : tile<{index}>\n    %one = constant <{index}: 1> : tile<{index}>\n    %m = {extend}")
        yield Case(f"induction of {index}", plain(f16, "%zero to %m, step %one", index, before=before),
                   lambda a, b, n: steps(a, b, range(n)), both, 5)
    yield Case("a view that the iteration makes", plain(f16, between=f"%again = make_partition_view %av : {f16.a_type()}")
               .replace("weak %ap[", "weak %again["), lambda a, b, n: steps(a, b, range(n)), both)
    columns = Text(transposed=True)
    yield Case("columns of b contiguous", plain(columns), lambda a, b, n: steps(a, b, range(n)), both)
    for padding in ("zero", "neg_zero"):  # asynchronous copies cannot fill in -0
        ragged = Text(k=200, padding=padding)
        yield Case(f"k is no multiple of the step, {padding}", plain(ragged), lambda a, b, n: steps(a, b, range(n)), both, 7, k=200)
    odd = Text(k=203, padding="zero")
    yield Case("rows that are not aligned", plain(odd), lambda a, b, n: steps(a, b, range(n)), both, 7, k=203)
    yield Case("an array that is not aligned", plain(f16), lambda a, b, n: steps(a, b, range(n)), both, skew=1)
    yield Case("nothing ahead without asynchronous copies", plain(f16), lambda a, b, n: steps(a, b, range(n)), [(COPIED, COPIED)],
               targets=("sm_75",))
    yield Case("a fixed factor", f"""{f16.start}
    {f16.load_a("x", "%1")}
    %sum = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> ({SUMS}) {{
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      continue %more : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: a[:, STEP:2 * STEP] @ sum(b[i * STEP:(i + 1) * STEP] for i in range(n)), [(KEPT, AHEAD)])
    yield Case("a fixed factor that is computed", f"""{f16.start}
    {f16.load_a("x", "%1")}
    %xx = addf %x, %x : tile<{ROWS}x{STEP}xf16>
    %sum = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> ({SUMS}) {{
      {f16.load_b("y", "%i")}
      {f16.product("more", "xx", "y", "s")}
      continue %more : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: 2 * a[:, STEP:2 * STEP] @ sum(b[i * STEP:(i + 1) * STEP] for i in range(n)), [(KEPT, AHEAD)])
    yield Case("a factor that each iteration computes", f"""{f16.start}
    %sum = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> ({SUMS}) {{
      {f16.load_a("x", "%i")}
      %xx = addf %x, %x : tile<{ROWS}x{STEP}xf16>
      {f16.load_b("y", "%i")}
      {f16.product("more", "xx", "y", "s")}
      continue %more : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: 2 * steps(a, b, range(n)), [(WRITTEN, AHEAD)])
    yield Case("two products in a loop", f"""{f16.start}
    %sum:2 = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros, %r = %zeros) -> ({SUMS}, {SUMS}) {{
      {f16.load_a("x", "%i")}
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      %j = addi %i, %1 : tile<i32>
      {f16.load_a("z", "%j")}
      {f16.load_b("w", "%i")}
      {f16.product("most", "z", "w", "r")}
      continue %more, %most : {SUMS}, {SUMS}
    }}
    %all = addf %sum#0, %sum#1 : {SUMS}
    {f16.store("all")}""", lambda a, b, n: steps(a, b, range(n)) +
               sum(a[:, (i + 1) * STEP:(i + 2) * STEP] @ b[i * STEP:(i + 1) * STEP] for i in range(n)),
               [(AHEAD, AHEAD), (AHEAD, AHEAD)], n=5)
    yield Case("a loop in a loop", f"""{f16.start}
    %sum = for %j in (%0 to %n, step %1) : tile<i32> iter_values(%t = %zeros) -> ({SUMS}) {{
      {f16.load_a("x", "%j")}
      %inner = for %i in (%j to %n, step %1) : tile<i32> iter_values(%s = %t) -> ({SUMS}) {{
        {f16.load_b("y", "%i")}
        {f16.product("more", "x", "y", "s")}
        continue %more : {SUMS}
      }}
      continue %inner : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: sum(a[:, j * STEP:(j + 1) * STEP] @ b[i * STEP:(i + 1) * STEP]
                                              for j in range(n) for i in range(j, n)), [(KEPT, AHEAD)])
    yield Case("a reduction beside it, which takes shared memory", plain(f16, after=f"""%row = reduce %more dim=0 identities=[0.0 : f32] : {SUMS} -> tile<{COLUMNS}xf32>
      (%p: tile<f32>, %q: tile<f32>) {{
        %pq = addf %p, %q : tile<f32>
        yield %pq : tile<f32>
      }}
      %line = reshape %row : tile<{COLUMNS}xf32> -> tile<1x{COLUMNS}xf32>
      %lines = broadcast %line : tile<1x{COLUMNS}xf32> -> {SUMS}
      %shifted = subf %more, %lines : {SUMS}""").replace("continue %more", "continue %shifted"),
               lambda a, b, n: shifted(a, b, n), both, n=3)
    yield Case("a product behind the loop", f"""{plain(f16)}
    {f16.load_a("u", "%1")}
    {f16.load_b("v", "%0")}
    {f16.product("end", "u", "v", "sum")}
    %ended = store_view_tko weak %end, %cp[%0, %0] token = %stored : {SUMS}, partition_view<tile=({ROWS}x{COLUMNS}), tensor_view<{ROWS}x{COLUMNS}xf32, strides=[{COLUMNS},1]>>, tile<i32> -> token""",
               lambda a, b, n: steps(a, b, range(n)) + a[:, STEP:2 * STEP] @ b[:STEP], [(AHEAD, AHEAD), (COPIED, COPIED)])
    yield Case("iterations that may end early", f"""{f16.start}
    %two = constant <i32: 2> : tile<i32>
    %sum = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> ({SUMS}) {{
      %odd = remi %i, %two signed : tile<i32>
      %is = cmpi equal %odd, %1, signed : tile<i32> -> tile<i1>
      if %is {{
        continue %s : {SUMS}
      }}
      {f16.load_a("x", "%i")}
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      continue %more : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: steps(a, b, range(0, n, 2)), [(COPIED, COPIED)], n=7)
    yield Case("a loop with break", f"""{f16.start}
    %sum:2 = loop iter_values(%s = %zeros, %i = %0) : {SUMS}, tile<i32> -> {SUMS}, tile<i32> {{
      %is = cmpi equal %i, %n, signed : tile<i32> -> tile<i1>
      if %is {{
        break %s, %i : {SUMS}, tile<i32>
      }}
      {f16.load_a("x", "%i")}
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      %j = addi %i, %1 : tile<i32>
      continue %more, %j : {SUMS}, tile<i32>
    }}
    {f16.store("sum#0")}""", lambda a, b, n: steps(a, b, range(n)), [(COPIED, COPIED)])
    # Each iteration stores a tile of a that the next one loads, ordered by tokens.
    narrow = f"tile<{ROWS}x{STEP}xf16>"
    yield Case("loads that wait for stores", f"""{f16.start}
    %t0 = make_token : token
    %sum:2 = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros, %t = %t0) -> ({SUMS}, token) {{
      {f16.load_a("x", "%i", token=" token = %t")}
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      %j = addi %i, %1 : tile<i32>
      {f16.load_a("z", "%j", token=" token = %t")}
      %zz = addf %z, %z : {narrow}
      %u = join_tokens %x_t, %z_t : token
      %next = store_view_tko weak %zz, %ap[%0, %j] token = %u : {narrow}, {f16.a_type()}, tile<i32> -> token
      continue %more, %next : {SUMS}, token
    }}
    {f16.store("sum#0")}""", lambda a, b, n: steps(a, b, [0]) + 2 * steps(a, b, range(1, n)), [(COPIED, AHEAD)], n=4)
    # Both loads come after the store, and one barrier suffices for both; a fence also orders them.
    ones = f"%ones = constant <f16: 1.0> : {narrow}\n    %more_ones = constant <f16: 1.0> : tile<{STEP}x{COLUMNS}xf16>"
    for fence, name in (("", "two loads that wait for stores"),
                        ("%w = memory_fence_alias_tko %t", "loads that wait for a fence"),
                        ("%w = gdc_wait_tko token = %t -> token", "loads that wait for another launch")):
        after = " token = %w" if fence else " token = %t"
        yield Case(name, f"""{f16.start}
    {ones}
    %t0 = make_token : token
    %sum:2 = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros, %t = %t0) -> ({SUMS}, token) {{
      {fence}
      {f16.load_a("x", "%i", token=after)}
      {f16.load_b("y", "%i", token=after)}
      {f16.product("more", "x", "y", "s")}
      %j = addi %i, %1 : tile<i32>
      %u = join_tokens %x_t, %y_t : token
      %v = store_view_tko weak %ones, %ap[%0, %j] token = %u : {narrow}, {f16.a_type()}, tile<i32> -> token
      %next = store_view_tko weak %more_ones, %bp[%j, %0] token = %v : tile<{STEP}x{COLUMNS}xf16>, {f16.b_type()}, tile<i32> -> token
      continue %more, %next : {SUMS}, token
    }}
    {f16.store("sum#0")}""", lambda a, b, n: steps(a, b, [0]) + STEP * (n - 1), [(COPIED, COPIED)], n=4)
    yield Case("loads that wait for another launch, and no store", f"""{f16.start}
    %t0 = make_token : token
    %sum:2 = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros, %t = %t0) -> ({SUMS}, token) {{
      %w = gdc_wait_tko token = %t -> token
      {f16.load_a("x", "%i", token=" token = %w")}
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      continue %more, %w : {SUMS}, token
    }}
    {f16.store("sum#0")}""", lambda a, b, n: steps(a, b, range(n)), [(COPIED, AHEAD)])
    yield Case("a fixed factor that the loop overwrites", f"""{f16.start}
    {ones}
    {f16.load_a("x", "%1")}
    %sum:2 = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros, %t = %x_t) -> ({SUMS}, token) {{
      %next = store_view_tko weak %ones, %ap[%0, %1] token = %t : {narrow}, {f16.a_type()}, tile<i32> -> token
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      continue %more, %next : {SUMS}, token
    }}
    {f16.store("sum#0")}""", lambda a, b, n: a[:, STEP:2 * STEP] @ sum(b[i * STEP:(i + 1) * STEP] for i in range(n)), [("stored once", AHEAD)])
    yield Case("inner loops that may have no iteration", f"""{f16.start}
    %sum = for %j in (%0 to %n, step %1) : tile<i32> iter_values(%t = %zeros) -> ({SUMS}) {{
      {f16.load_a("x", "%j")}
      %three = constant <i32: 3> : tile<i32>
      %end = remi %j, %three signed : tile<i32>
      %inner = for %i in (%0 to %end, step %1) : tile<i32> iter_values(%s = %t) -> ({SUMS}) {{
        {f16.load_b("y", "%i")}
        {f16.product("more", "x", "y", "s")}
        continue %more : {SUMS}
      }}
      continue %inner : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: sum(a[:, j * STEP:(j + 1) * STEP] @ b[i * STEP:(i + 1) * STEP]
                                              for j in range(n) for i in range(j % 3)), [(KEPT, AHEAD)], n=7)
    yield Case("a store between the load and the product", f"""{f16.start}
    {f16.load_a("x", "%0")}
    %twice = addf %x, %x : {narrow}
    {f16.load_a("z", "%0")}
    %u = join_tokens %x_t, %z_t : token
    %next = store_view_tko weak %twice, %ap[%0, %0] token = %u : {narrow}, {f16.a_type()}, tile<i32> -> token
    {f16.load_b("y", "%0")}
    {f16.product("more", "z", "y", "zeros")}
    {f16.store("more")}""", lambda a, b, n: steps(a, b, [0]), [(WRITTEN, COPIED)])
    # On sm_80, shared memory has room for the stages of two of these products; others use most of a step's.
    many = "\n      ".join(text for at in range(4) for text in (f16.load_a(f"x{at}", "%i"), f16.load_b(f"y{at}", "%i"),
                                                              f16.product(f"p{at}", f"x{at}", f"y{at}", f"p{at - 1}" if at else "s")))
    yield Case("more products than stages", f"""{f16.start}
    %sum = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> ({SUMS}) {{
      {many}
      continue %p3 : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: 4 * steps(a, b, range(n)), [(AHEAD, AHEAD)] * 2 + [(COPIED, COPIED)] * 2, targets=("sm_80",))
    high = "tile<256x1xf32>, tile<1x128xf32>, tile<256x128xf32>"
    yield Case("a product that takes shared memory beside it", f"""{f16.start}
    %tall = iota : tile<256xi32>
    %tall_f = itof %tall signed : tile<256xi32> -> tile<256xf32>
    %lhs = reshape %tall_f : tile<256xf32> -> tile<256x1xf32>
    %rhs = constant <f32: 1.0> : tile<1x128xf32>
    %large = constant <f32: 0.0> : tile<256x128xf32>
    %outer = mmaf %lhs, %rhs, %large : {high}
    %some = extract %outer[%1, %1] : tile<256x128xf32> -> {SUMS}
    %sum = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %some) -> ({SUMS}) {{
      {f16.load_a("x", "%i")}
      {f16.load_b("y", "%i")}
      {f16.product("more", "x", "y", "s")}
      continue %more : {SUMS}
    }}
    {f16.store("sum")}""", lambda a, b, n: steps(a, b, range(n)) + np.arange(ROWS, 2 * ROWS)[:, None], both, targets=("sm_80",))
    for element, ways in (("bf16", (AHEAD, AHEAD)), ("tf32", (AHEAD, WRITTEN)), ("f8E5M2", (AHEAD, AHEAD))):
        yield Case(f"factors of {element}", plain(Text(element)), lambda a, b, n: steps(a, b, range(n)), [ways], element=element,
                   targets=("sm_90a",))
    for element in ("tf32", "f8E5M2"):
        yield Case(f"factors of {element}, columns contiguous", plain(Text(element, transposed=True)),
                   lambda a, b, n: steps(a, b, range(n)), both, element=element, targets=("sm_90a",))


    # Two 8-bit products update the same accumulators: one rhs has contiguous rows, the other contiguous columns.
    f8, f8_columns = Text("f8E5M2"), Text("f8E5M2", transposed=True)
    columns_view = views("f8E5M2", 256, transposed=True).replace("%bv", "%bw").replace("%bp", "%bq")
    other_view = "\n".join(line for line in columns_view.splitlines() if "%bw" in line)
    yield Case("sums of rows and of columns", f"""{f8.start}{other_view}
    %sum = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> ({SUMS}) {{
      {f8.load_a("x", "%i")}
      {f8.load_b("y", "%i")}
      {f8.product("more", "x", "y", "s")}
      {f8_columns.load_b("z", "%0").replace("%bp", "%bq")}
      {f8.load_a("w", "%i")}
      {f8.product("most", "w", "z", "more")}
      continue %most : {SUMS}
    }}
    {f8.store("sum")}""", lambda a, b, n: steps(a, b, range(n)) + sum(a[:, i * STEP:(i + 1) * STEP] for i in range(n)) @
               b.ravel().reshape(COLUMNS, -1)[:, :STEP].T, [(AHEAD, AHEAD), (AHEAD, WRITTEN)], element="f8E5M2",
               targets=("sm_90a",))
    turned = f"tile<{COLUMNS}x{STEP}xf8E5M2>"
    b_rows = f"tensor_view<{COLUMNS}x256xf8E5M2, strides=[256,1]>"
    b_tiles = f"partition_view<tile=({COLUMNS}x{STEP}), {b_rows}>"
    yield Case("columns contiguous, by permute", f"""{f8.start}
    %bw = make_tensor_view %b, shape = [{COLUMNS}, 256], strides = [256, 1] : {b_rows}
    %bq = make_partition_view %bw : {b_tiles}
    %sum = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> ({SUMS}) {{
      {f8.load_a("x", "%i")}
      %z, %z_t = load_view_tko weak %bq[%0, %i] : {b_tiles}, tile<i32> -> {turned}, token
      %y = permute %z [1, 0] : {turned} -> tile<{STEP}x{COLUMNS}xf8E5M2>
      {f8.product("more", "x", "y", "s")}
      continue %more : {SUMS}
    }}
    {f8.store("sum")}""", lambda a, b, n: steps(a, b, range(n)), [(AHEAD, AHEAD)], element="f8E5M2", targets=("sm_90a",))


def shifted(a, b, n):
    total = np.zeros((ROWS, COLUMNS))
    for at in range(n):
        total += steps(a, b, [at])
        total -= total.sum(0)
    return total


def run(*words) -> str:
    done = subprocess.run([tilewright, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


BITS = {"f16": lambda x: x.astype(np.float16), "tf32": lambda x: x.astype(np.float32),
        "bf16": lambda x: (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16),
        "f8E5M2": lambda x: (x.astype(np.float16).view(np.uint16) >> 8).astype(np.uint8)}


def main() -> None:
    rng = np.random.default_rng(3)
    count = 0
    for case in cases():
        element = case.element
        is_transposed = "contiguous" in case.name
        source = folder / "loop.mlir"
        first = f"%first = constant <i32: {case.skew}> : tile<i32>\n    %a = offset %a0, %first : tile<ptr<{element}>>, tile<i32> -> tile<ptr<{element}>>"
        source.write_text(f"cuda_tile.module @m {{\n  entry @k(%a0: tile<ptr<{element}>>, %b: tile<ptr<{element}>>, "
                          f"%c: tile<ptr<f32>>, %n: tile<i32>) {{\n    {first}{case.body}\n    return\n  }}\n}}\n")
        a, b = rng.integers(-2, 3, (ROWS, case.k)), rng.integers(-2, 3, (case.k, COLUMNS))
        stored = np.concatenate([np.zeros(case.skew), a.ravel()])
        np.save(folder / "a.npy", BITS[element](stored))
        np.save(folder / "b.npy", BITS[element](b.T.copy() if is_transposed else b))
        for target in case.targets:
            plan = run("compile", source, "--target", target, "--emit", "plan")
            ways = re.findall(r": lhs is (.*), rhs is (.*)", plan)
            # The producer warp copies ahead, too, if arrays are aligned, which the kernel asks.
            fits = [want == found or (want != COPIED and want in found) or
                    (want == AHEAD and found.startswith("copied by the producer warp"))
                    for wants, founds in zip(case.ways, ways) for want, found in zip(wants, founds)]
            if len(ways) != len(case.ways) or not all(fits):
                sys.exit(f"{case.name}, {target}: must be {case.ways}, but the plan has {ways}")
            for turns in ("up", "down", "random"):
                run("run", source, "--device", "ptx", "--target", target, "--schedule", turns, "--grid", "1",
                    "--arg", f"{folder / 'a.npy'}", "--arg", f"{folder / 'b.npy'}",
                    "--arg", f"empty({ROWS}x{COLUMNS}xf32),out={folder / 'c.npy'}", "--arg", case.n)
                found, expected = np.load(folder / "c.npy"), case.expected(a, b, case.n)
                if not np.array_equal(found, expected):
                    sys.exit(f"{case.name}, {target}, {turns}: {np.sum(found != expected)} of {found.size} sums differ")
                count += 1
    print(f"{count} runs agree")


if __name__ == "__main__":
    main()
