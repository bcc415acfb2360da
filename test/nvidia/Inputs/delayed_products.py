# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests delayed products on the PTX machine against NumPy: loops with any number of iterations, and programs that do not
permit a delay.

All kernels sum (a[x] b[:, i]) b[:, i]^T over i < q, or variants of it. Elements are small integers, so that every sum is
exact. `delayed_products.py TILEWRIGHT FOLDER`
"""

import dataclasses
import re
import sys

import numpy as np

from warpgroup_kernels import AHEAD, KEPT, REGISTERS, Case, load, product, store
from warpgroups import check_all

CASE = Case("", tile=(64, 64, 64))
C = CASE.tile_of("c")
DELAYED = "delayed: issued in the next iteration, behind mmaf"
ROWS = "%s0 = addf %s, %s : " + C  # twice the sums so far

LESS = f"""%row = reduce %scores dim=1 identities=[0xFF800000 : f32] : {C} -> tile<64xf32> (%d: tile<f32>, %f: tile<f32>) {{
        %larger = maxf %d, %f : tile<f32>
        yield %larger : tile<f32>
      }}
      %line = reshape %row : tile<64xf32> -> tile<64x1xf32>
      %lines = broadcast %line : tile<64x1xf32> -> {C}
      %less = subf %scores, %lines : {C}"""


def below_maximum(scores, i):
    return scores - scores.max(1, keepdims=True)


def kernel(name: str, *, case: Case = CASE, scores: str = "zeros", first: str = "", between: str = "", lhs: str = "scores",
           rescaled: str = "", sums: str = "s", end: str = "", bounds: str = "%0 to %q, step %1", reason: str = DELAYED,
           carried: str = "more", outer: bool = False, ways: tuple = ((KEPT, AHEAD), (REGISTERS, AHEAD)), **more) -> Case:
    """The loop, with text in some of its places."""
    c, a = case.tile_of("c"), case.tile_of("a")
    view = f"tensor_view<?x?x{case.element}, strides=[1, ?]>"
    turned = f"partition_view<tile=(64x64), padding_value = zero, {view}>"
    inner = f"""%sum = for %i in ({bounds}) : tile<i32> iter_values(%s = %{'o' if outer else 'zeros'}) -> ({c}) {{
      {first}
      {load(case, "b", "r", "%0", "%i")}
      {product(case, "scores", "u", "r", scores)}
      {between}
      %p = ftof %{lhs} : {c} -> {a}
      {rescaled}
      %v, %v_t = load_view_tko weak %tp[%i, %0] : {turned}, tile<i32> -> tile<64x64x{case.element}>, token
      {product(case, "more", "p", "v", sums)}
      {end}
      continue %{carried} : {c}
    }}"""
    if outer:
        inner = f"""%all = for %j in (%0 to %q, step %1) : tile<i32> iter_values(%o = %zeros) -> ({c}) {{
      {inner}
      continue %sum : {c}
    }}"""
    body = f"""%tv = make_tensor_view %b, shape = [%n, %k], strides = [1, %n] : tile<i32> -> {view}
    %tp = make_partition_view %tv : {turned}
    {load(case, "a", "u", "%x", "%0")}
    {inner}
    {store(case, "all" if outer else "sum", column="%0")}"""
    given = {"expected": total(), "sizes": (case.tile[0] + 64, 320, 64), "grid": (2, 1), "ways": ways, "reason": reason} | more
    return dataclasses.replace(case, name=name, body=body, **given)


def term(a, b, i):
    return a @ b[:, 64 * i:64 * i + 64], b[:, 64 * i:64 * i + 64].T


def total(factor: int = 1, weight=lambda scores, i: scores, again=lambda q: range(q)):
    """Each iteration multiplies the sums so far by the factor."""
    def expected(a, b, q):
        sums = np.zeros((a.shape[0], 64))
        for i in again(q):
            scores, right = term(a, b, i)
            sums = factor * sums + weight(scores, i) @ right
        return sums
    return expected


def counts():
    """Numbers of iterations."""
    for q in (0, 1, 2, 5):
        yield kernel(f"{q} iterations", q=q)
    yield kernel("128 rows", case=dataclasses.replace(CASE, tile=(128, 64, 64)), q=3)
    yield kernel("two warpgroups", case=dataclasses.replace(CASE, tile=(256, 64, 64)), q=2, schedules=("random",))
    yield kernel("bf16", case=dataclasses.replace(CASE, element="bf16"), q=1)
    yield kernel("rescaled", rescaled=ROWS, sums="s0", expected=total(2), q=4)
    yield kernel("rescaled twice", rescaled=f"{ROWS}\n      %s1 = subf %s0, %s : {C}\n      %s2 = addf %s1, %s0 : {C}", sums="s2",
                 expected=total(3), q=3)
    # Inner loops have 0, 1, 2 and so on iterations.
    yield kernel("in an outer loop", outer=True, bounds="%0 to %j, step %1", q=4, expected=total(
        again=lambda q: [i for j in range(q) for i in range(j)]))
    yield kernel("in an outer loop, rescaled", outer=True, bounds="%j to %q, step %1", q=3, rescaled=ROWS, sums="s0", expected=total(
        2, again=lambda q: [i for j in range(q) for i in range(j, q)]))


def covers():
    """What is between the products, and what the first one adds to."""
    yield kernel("a first product with accumulators", first=f"%one = constant <f32: 1.0> : {C}", scores="one",
                 expected=total(weight=lambda scores, i: scores + 1))
    yield kernel("a third product", between=product(CASE, "twice", "u", "r", "scores"), lhs="twice",
                 expected=total(weight=lambda scores, i: 2 * scores), ways=((KEPT, AHEAD), (KEPT, AHEAD), (REGISTERS, AHEAD)))
    yield kernel("a branch", between=f"""%odd = remi %i, %2 signed : tile<i32>
      %is = cmpi equal %odd, %1, signed : tile<i32> -> tile<i1>
      %chosen = if %is -> ({C}) {{
        %negative = negf %scores : {C}
        yield %negative : {C}
      }} else {{
        yield %scores : {C}
      }}""", lhs="chosen", expected=total(weight=lambda scores, i: scores * (-1) ** i), q=4)
    yield two_chains()
    yield kernel("a reduction", between=LESS, lhs="less", expected=total(weight=below_maximum), q=3)


def two_chains() -> Case:
    """Two pairs of products; the first of those that could be delayed is."""
    case = kernel("two chains", q=4, expected=total(weight=lambda scores, i: 3 * scores),
                  ways=((KEPT, AHEAD), (REGISTERS, AHEAD), (KEPT, AHEAD), (REGISTERS, AHEAD)),
                  reason="not delayed: another product of the loop is delayed", schedules=("up", "random"))
    loop = case.body[case.body.index("%sum = for"):case.body.index("%stored")]
    lines = loop.splitlines()[1:-2]
    again = "\n".join(lines[:-1]).replace("%s :", "%t :")
    for name in ("r", "r_t", "scores", "p", "v", "v_t", "more"):
        again = re.sub(rf"%{name}\b", f"%{name}2", again)
    again = again.replace("%p2 =", f"%thrice0 = addf %scores2, %scores2 : {C}\n      %p2 =").replace("ftof %scores2", "ftof %thrice0")
    head = f"%sum:2 = for %i in (%0 to %q, step %1) : tile<i32> iter_values(%s = %zeros, %t = %zeros) -> ({C}, {C}) {{"
    body = "\n".join([head, *lines[:-1], again, f"      continue %more, %more2 : {C}, {C}", "    }",
                      f"    %both = addf %sum#0, %sum#1 : {C}\n    "])
    return dataclasses.replace(case, body=case.body.replace(loop, body).replace("weak %sum,", "weak %both,"))


def refused():
    """Programs that do not permit it."""
    half = f"%half = addf %scores, %scores : {C}"
    yield kernel("rescaled before the first product", first=ROWS, sums="s0", expected=total(2),
                 reason="not delayed: its accumulators are rescaled, or its lhs is computed, before mmaf")
    yield kernel("rescaled before lhs is known", between=f"{ROWS}\n      {half}", sums="s0", lhs="half",
                 expected=total(2, lambda scores, i: 2 * scores), reason="not delayed: its accumulators are rescaled before lhs is known")
    other = f"""%row = reduce %s dim=0 identities=[0.0 : f32] : {C} -> tile<64xf32> (%d: tile<f32>, %f: tile<f32>) {{
        %both = addf %d, %f : tile<f32>
        yield %both : tile<f32>
      }}
      %line = reshape %row : tile<64xf32> -> tile<1x64xf32>
      %lines = broadcast %line : tile<1x64xf32> -> {C}
      %s0 = subf %s, %lines : {C}"""

    def lessened(a, b, q):
        sums = np.zeros((a.shape[0], 64))
        for i in range(q):
            scores, right = term(a, b, i)
            for rows in range(0, len(sums), 64):
                sums[rows:rows + 64] -= sums[rows:rows + 64].sum(0)
            sums += scores @ right
        return sums
    yield kernel("accumulators that a reduction reads", rescaled=other, sums="s0", expected=lessened, q=2,
                 reason="not delayed: reduce")
    yield kernel("a message", between='%told = print_tko "%d ", %i : tile<i32> -> token', prints={"0": 2, "1": 2}, q=2,
                 reason="not delayed: print_tko", schedules=("random",))
    yield kernel("a loop", between=f"""%chosen = for %t in (%0 to %q, step %1) : tile<i32> iter_values(%g = %scores) -> ({C}) {{
        %negative = negf %g : {C}
        continue %negative : {C}
      }}""", lhs="chosen", reason="not delayed: for", expected=total(weight=lambda scores, i: -scores), q=3, schedules=("random",))


def main() -> None:
    print(f"{check_all((counts, covers, refused), np.random.default_rng(11))} runs agree")


if __name__ == "__main__":
    main()
