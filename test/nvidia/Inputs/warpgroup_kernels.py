# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of kernels that multiply a (M x K) by b (K x N), for warpgroups.py."""

import dataclasses

import numpy as np

AHEAD, COPIED, WRITTEN = "prefetched", "copied immediately before the product", "stored from registers"
KEPT, REGISTERS = "once before the loop", "passed in registers"
SCHEDULES = ("up", "down", "random")


@dataclasses.dataclass
class Case:
    """A kernel with the parameters %a, %b, %c (arrays), %e (an array of i32), %m, %n, %k (extents) and %q (i32)."""

    name: str
    body: str = ""  # after the views; the loop over all tiles along k, if empty
    expected: object = None  # a function of a, b and q; their product, if none
    producer: bool = True
    ways: tuple = ((AHEAD, AHEAD),)
    instruction: str = None  # found from the tile, if none; "mma" if it must not be wgmma
    sizes: tuple = (96, 80, 144)
    tile: tuple = (64, 64, 32)
    grid: tuple = None
    element: str = "f16"
    total: str = "f32"
    fast: bool = False  # fast_acc
    order: str = "rows rows"  # of a and b: rows or columns are contiguous
    padding: str = "zero"
    aligned: bool = True  # whether the kernel assumes it
    assumes: dict = dataclasses.field(default_factory=dict)  # divisors other than 16, by parameter
    index: str = "i32"  # the type of extents and strides
    views: str = None  # instead of the usual ones
    q: int = 3
    e: tuple = (0,) * 8
    e_after: tuple = None
    prints: dict = dataclasses.field(default_factory=dict)  # text that must be printed so many times
    schedules: tuple = SCHEDULES
    reason: str = ""  # why there is no producer
    asked: str = ""  # the answer of the kernel, "yes" or "no", if it asks whether arrays permit tensor maps
    target: str = "sm_90a"
    stores: int = None  # how many stores use tensor maps, if that matters
    hints: str = ""  # of the entry
    load_hints: tuple = ("", "")  # of the loads of a and b
    plan: tuple = ()  # texts in the plan

    def tensor(self, which: str) -> str:
        strides = "[1, ?]" if which in "ab" and self.is_by_columns(which) else "[?, 1]"
        return f"tensor_view<?x?x{self.element if which in 'ab' else self.total}, strides={strides}>"

    def view(self, which: str) -> str:
        m, n, k = self.tile
        rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n)}[which]
        pad = f" padding_value = {self.padding}," if self.padding and which != "c" else ""
        return f"partition_view<tile=({rows}x{columns}),{pad} {self.tensor(which)}>"

    def tile_of(self, which: str) -> str:
        m, n, k = self.tile
        rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n)}[which]
        return f"tile<{rows}x{columns}x{self.element if which in 'ab' else self.total}>"

    def is_by_columns(self, which: str) -> bool:
        return self.order.split()["ab".index(which)] == "columns"


def usual_views(case: Case) -> str:
    text = []
    for which, shape in (("a", ("m", "k")), ("b", ("k", "n")), ("c", ("m", "n"))):
        by_columns = which in "ab" and case.is_by_columns(which)
        strides = f"[1, %{shape[0]}]" if by_columns else f"[%{shape[1]}, 1]"
        text += [f"%{which}v = make_tensor_view %{which}, shape = [%{shape[0]}, %{shape[1]}], strides = {strides} : "
                 f"tile<{case.index}> -> {case.tensor(which)}",
                 f"%{which}p = make_partition_view %{which}v : {case.view(which)}"]
    text.append(f"%rows, %steps = get_index_space_shape %ap : {case.view('a')} -> tile<i32>")
    return "\n    ".join(text)


def load(case: Case, which: str, name: str, row: str, column: str, token: str = "", index: str = "i32") -> str:
    hints = case.load_hints["ab".index(which)] if which in "ab" else ""
    hints = f" optimization_hints = <{hints}>" if hints else ""
    return (f"%{name}, %{name}_t = load_view_tko weak %{which}p[{row}, {column}]{token}{hints} : {case.view(which)}, "
            f"tile<{index}> -> {case.tile_of(which)}, token")


def product(case: Case, name: str, lhs: str, rhs: str, sums: str) -> str:
    op, signs = ("mmai", " signed signed") if case.element == "i8" else ("mmaf", " fast_acc" if case.fast else "")
    return f"%{name} = {op} %{lhs}, %{rhs}, %{sums}{signs} : {case.tile_of('a')}, {case.tile_of('b')}, {case.tile_of('c')}"


def store(case: Case, name: str, row: str = "%x", column: str = "%y", token: str = "", result: str = "stored") -> str:
    return f"%{result} = store_view_tko weak %{name}, %cp[{row}, {column}]{token} : {case.tile_of('c')}, {case.view('c')}, tile<i32> -> token"


def loop(case: Case, bounds: str = "%0 to %steps, step %1", row: str = "%x", column: str = "%y", at: str = "%i",
         before: str = "", after: str = "", sums: str = "sum", initial: str = "zeros", tokens: str = "") -> str:
    """The sum of a[row, at] b[at, column] over `at`."""
    c = case.tile_of("c")
    return f"""%{sums} = for %i in ({bounds}) : tile<i32> iter_values(%s = %{initial}) -> ({c}) {{
      {before}
      {load(case, "a", "l", row, at, tokens)}
      {load(case, "b", "r", at, column, tokens)}
      {product(case, "more", "l", "r", "s")}
      {after}
      continue %more : {c}
    }}"""


def less_sums_of_rows(case: Case) -> str:
    """Stores a b less the sum of its row in the tile."""
    m, n, _ = case.tile
    return f"""{loop(case)}
    %row = reduce %sum dim=1 identities=[0.0 : f32] : tile<{m}x{n}xf32> -> tile<{m}xf32> (%p: tile<f32>, %t: tile<f32>) {{
      %both = addf %p, %t : tile<f32>
      yield %both : tile<f32>
    }}
    %line = reshape %row : tile<{m}xf32> -> tile<{m}x1xf32>
    %lines = broadcast %line : tile<{m}x1xf32> -> {case.tile_of("c")}
    %less = subf %sum, %lines : {case.tile_of("c")}
    {store(case, "less")}"""


def text_of(case: Case) -> str:
    types = {"a": f"ptr<{case.element}>", "b": f"ptr<{case.element}>", "c": f"ptr<{case.total}>", "e": "ptr<i32>",
             "m": case.index, "n": case.index, "k": case.index, "q": "i32"}
    assumed = "abcmnk" if case.aligned else "".join(case.assumes)
    divisors = {name: case.assumes.get(name, 16) for name in assumed}
    parameters = ", ".join(f"%{name}{'0' if name in divisors else ''}: tile<{type_}>" for name, type_ in types.items())
    assumes = "".join(f"    %{name} = assume div_by<{divisor}>, %{name}0 : tile<{types[name]}>\n"
                      for name, divisor in divisors.items())
    nothing = "0" if case.total == "i32" else "0.0"
    body = case.body or f"{loop(case)}\n    {store(case, 'sum')}"
    return f"""cuda_tile.module @m {{
  entry @k({parameters}){f" optimization_hints=<{case.hints}>" if case.hints else ""} {{
{assumes}    {case.views or usual_views(case)}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %zeros = constant <{case.total}: {nothing}> : {case.tile_of("c")}
    {body}
    return
  }}
}}
"""


def parts(case_or_tile, a, b, which):
    """The sum of the products of these tiles along k."""
    step = case_or_tile[2]
    total = np.zeros((a.shape[0], b.shape[1]))
    for at in which:
        total += a[:, at * step:(at + 1) * step] @ b[at * step:(at + 1) * step]
    return total
