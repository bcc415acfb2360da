# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of control flow: small programs, each beside the same program in Python
(operations, 5)."""

import functools

import numpy as np

import samples
from combinations import Combination, of
from formats import WIDTHS, word
from kernel import Case, Kernel, tile
from model.integers import read, wrap


def cases() -> list[Case]:
    made = [Case((c,), functools.partial(counted_loop, c)) for c in of("for")
            if c.modifiers[0] in ("", "unsigned")]
    made += [Case((c,), functools.partial(chosen_tile, c)) for c in of("if")
             if c.types and c.modifiers == ("results",)]
    made += [Case((c,), functools.partial(carried_tile, c)) for c in of("for", "loop")
             if c.modifiers == ("carried",) and c.types not in ((), ("token",))]
    token = tuple(c for c in of("for", "loop", "if") if c.types == ("token",))
    made.append(Case(token, carried_token))
    programs = {
        "continue": (no_more_than, "for i32 continue", "continue early", "continue values"),
        "nested": (nested_for, "for i32 nested"),
        "no values": (for_effect, "for i32 no values", "continue no values"),
        "if": (if_effects, "if no results", "if else", "yield no values"),
        "nested if": (nested_if, "if nested", "yield values", "if results"),
        "collatz": (collatz, "loop carried", "loop other results", "break early", "break values"),
        "spin": (loop_effect, "loop no values", "break no values"),
        "constant loop": (results_only, "loop results only"),
        "nested loop": (nested_loop, "loop nested", "yield early"),
        "yield reduce": (aggregate_yields, "yield reduce", "yield scan"),
    }
    named = {str(c): c for c in of("for", "if", "loop", "break", "continue", "yield", "return")}
    made += [Case(tuple(named[n] for n in names), build) for build, *names in programs.values()]
    made += [Case((named["return implicit"],), plain_return),
             Case((named["return explicit"],), explicit_return, alone=True),
             Case((named["return early"],), early_return, alone=True, grid=(4,)),
             Case((named["return in a loop"],), return_in_loop, alone=True, grid=(4,))]
    return made


def scalar(k: Kernel, value: int, element: str = "i32") -> str:
    """A value that is unknown at compile time."""
    return k.load(element, (), np.array([value & (1 << WIDTHS[element]) - 1], word(element)))


def check(k: Kernel, value: str, expected: int, element: str = "i32") -> None:
    k.store(value, element, (), np.array([wrap(expected, WIDTHS[element])], word(element)))


# --- for ----------------------------------------------------------------------------------


def counted_loop(c: Combination, k: Kernel) -> None:
    """The iteration count, the last induction value and the sum; including loops in which another
    step would overflow."""
    (element,), width = c.types, WIDTHS[c.types[0]]
    reading = "unsigned" if c.modifiers[0] else "signed"
    low, high = (0, (1 << width) - 1) if reading == "unsigned" else \
        (-(1 << width - 1), (1 << width - 1) - 1)
    bounds = [(0, 10, 1), (0, 10, 3), (5, 5, 1), (6, 5, 1), (low, low + 9, 4), (high - 9, high, 4),
              (low, high, high // 2 + 1), (high, low, 1), (-5, 5, 2), (0, high, high),
              (high - 1, high, high), (low, high, high)]
    for bound in bounds:
        first, end, step = (read(wrap(b, width), width, reading) for b in bound)
        if step <= 0 or len(range(first, end, step)) > 100:
            continue
        turns = range(first, end, step)
        begin, stop, by = (scalar(k, b, element) for b in bound)
        zero, count, one = k.constant(element, 0), k.constant("i32", 0), k.constant("i32", 1)
        last, total, number = (f"%{k.name()}" for _ in range(3))
        iv, l, s, n = (f"%{k.name()}" for _ in range(4))
        unsigned = "unsigned " if c.modifiers[0] else ""
        k.emit(f"""{last}, {total}, {number} = for {unsigned}{iv} in ({begin} to {stop}, step {by}) : tile<{element}>
      iter_values({l} = {zero}, {s} = {zero}, {n} = {count}) -> (tile<{element}>, tile<{element}>, tile<i32>) {{
      %s2 = addi {s}, {iv} : tile<{element}>
      %n2 = addi {n}, {one} : tile<i32>
      continue {iv}, %s2, %n2 : tile<{element}>, tile<{element}>, tile<i32>
    }}""")
        check(k, last, turns[-1] if turns else 0, element)
        check(k, total, sum(turns), element)
        check(k, number, len(turns))


def carried_tile(c: Combination, k: Kernel) -> None:
    """Swaps two tiles in each of five iterations."""
    (element,), rng, shape = c.types, samples.generator(c), (2, 8)
    a, b = (samples.tile_of(element, shape, rng) for _ in range(2))
    x, y, type_ = k.load(element, shape, a), k.load(element, shape, b), tile(element, shape)
    zero, one, five = scalar(k, 0), scalar(k, 1), scalar(k, 5)
    if c.op == "for":
        made = k.value(f"""for %i in ({zero} to {five}, step {one}) : tile<i32>
      iter_values(%x = {x}, %y = {y}) -> ({type_}, {type_}) {{
      continue %y, %x : {type_}, {type_}
    }}""", 2)
    else:
        made = k.value(f"""loop iter_values(%x = {x}, %y = {y}, %n = {zero}) : {type_}, {type_}, tile<i32>
      -> {type_}, {type_} {{
      %end = cmpi equal %n, {five}, signed : tile<i32> -> tile<i1>
      if %end {{ break %x, %y : {type_}, {type_} }}
      %next = addi %n, {one} : tile<i32>
      continue %y, %x, %next : {type_}, {type_}, tile<i32>
    }}""", 2)
    k.store(made[0], element, shape, b.reshape(-1))
    k.store(made[1], element, shape, a.reshape(-1))


def carried_token(k: Kernel) -> None:
    """One memory location, written in every iteration after the previous one, and finally read: 3 from
    the `for`, doubled by the `if`, then counted up to 10 by the `loop`."""
    place = k.result("i32", np.array([10]))
    zero, one, four, ten = (scalar(k, v) for v in (0, 1, 4, 10))
    yes = scalar(k, 1, "i1")
    types = "tile<ptr<i32>>, tile<i32> -> token"
    read = "tile<ptr<i32>> -> tile<i32>, token"
    start = k.value("make_token : token")
    after_for = k.value(f"""for %i in ({zero} to {four}, step {one}) : tile<i32> iter_values(%t = {start}) -> (token) {{
      %next = store_ptr_tko weak {place}, %i token=%t : {types}
      continue %next : token
    }}""")
    after_if = k.value(f"""if {yes} -> (token) {{
      %three, %seen = load_ptr_tko weak {place} token={after_for} : {read}
      %six = addi %three, %three : tile<i32>
      %written = store_ptr_tko weak {place}, %six token=%seen : {types}
      yield %written : token
    }} else {{
      yield {after_for} : token
    }}""")
    last = k.value(f"""loop iter_values(%t = {after_if}) : token -> token {{
      %old, %seen = load_ptr_tko weak {place} token=%t : {read}
      %end = cmpi equal %old, {ten}, signed : tile<i32> -> tile<i1>
      if %end {{ break %seen : token }}
      %new = addi %old, {one} : tile<i32>
      %written = store_ptr_tko weak {place}, %new token=%seen : {types}
      continue %written : token
    }}""")
    final = k.value(f"load_ptr_tko weak {place} token={last} : {read}", 2)[0]
    check(k, final, 10)


def no_more_than(k: Kernel) -> None:
    """Sums the odd numbers below 20, using `continue` for the even ones."""
    zero, one, end = scalar(k, 0), scalar(k, 1), scalar(k, 20)
    total, i, s = (f"%{k.name()}" for _ in range(3))
    k.emit(f"""{total} = for {i} in ({zero} to {end}, step {one}) : tile<i32> iter_values({s} = {zero}) -> (tile<i32>) {{
      %bit = andi {i}, {one} : tile<i32>
      %even = cmpi equal %bit, {zero}, unsigned : tile<i32> -> tile<i1>
      if %even {{ continue {s} : tile<i32> }}
      %more = addi {s}, {i} : tile<i32>
      continue %more : tile<i32>
    }}""")
    check(k, total, sum(i for i in range(20) if i % 2))


def nested_for(k: Kernel) -> None:
    zero, one, end = scalar(k, 0), scalar(k, 1), scalar(k, 7)
    total, i, s, inner, j, t = (f"%{k.name()}" for _ in range(6))
    k.emit(f"""{total} = for {i} in ({zero} to {end}, step {one}) : tile<i32> iter_values({s} = {zero}) -> (tile<i32>) {{
      {inner} = for {j} in ({i} to {end}, step {one}) : tile<i32> iter_values({t} = {s}) -> (tile<i32>) {{
        %product = muli {i}, {j} : tile<i32>
        %more = addi {t}, %product : tile<i32>
        continue %more : tile<i32>
      }}
      continue {inner} : tile<i32>
    }}""")
    check(k, total, sum(i * j for i in range(7) for j in range(i, 7)))


def for_effect(k: Kernel) -> None:
    """Without carried values: each iteration adds the square of its index to memory."""
    zero, one, end = scalar(k, 0), scalar(k, 1), scalar(k, 5)
    out = k.result("i32", np.array([sum(i * i for i in range(5))]))
    i = f"%{k.name()}"
    k.emit(f"""for {i} in ({zero} to {end}, step {one}) : tile<i32> {{
      %square = muli {i}, {i} : tile<i32>
      %old, %token = atomic_rmw_tko relaxed device {out}, add, %square : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    }}""")


# --- if -----------------------------------------------------------------------------------


def chosen_tile(c: Combination, k: Kernel) -> None:
    (element,), rng = c.types, samples.generator(c)
    shape = (4, 8)
    a, b = (samples.tile_of(element, shape, rng) for _ in range(2))
    x, y = k.load(element, shape, a), k.load(element, shape, b)
    for condition, expected in ((1, a), (0, b)):
        made = k.value(f"if {scalar(k, condition, 'i1')} -> ({tile(element, shape)}) {{\n"
                       f"      yield {x} : {tile(element, shape)}\n    }} else {{\n"
                       f"      yield {y} : {tile(element, shape)}\n    }}")
        k.store(made, element, shape, expected.reshape(-1))


def if_effects(k: Kernel) -> None:
    """Without results: the branches write to memory."""
    for condition in (1, 0):
        flag = scalar(k, condition, "i1")
        alone, two = (k.result("i32", np.array([v])) for v in (7 * condition, 7 if condition else 9))
        seven, nine = scalar(k, 7), scalar(k, 9)
        k.emit(f"if {flag} {{\n      {write(alone, seven)}\n    }}")
        k.emit(f"if {flag} {{\n      {write(two, seven)}\n      yield\n    }} else {{\n"
               f"      {write(two, nine)}\n    }}")


def write(pointer: str, value: str) -> str:
    return f"%w = store_ptr_tko weak {pointer}, {value} : tile<ptr<i32>>, tile<i32> -> token"


def nested_if(k: Kernel) -> None:
    """The sign of a number, and its magnitude."""
    for number in (-7, 0, 5):
        x, zero, one, less = scalar(k, number), scalar(k, 0), scalar(k, 1), scalar(k, -1)
        below = k.value(f"cmpi less_than {x}, {zero}, signed : tile<i32> -> tile<i1>")
        above = k.value(f"cmpi greater_than {x}, {zero}, signed : tile<i32> -> tile<i1>")
        sign, size = k.value(f"""if {below} -> (tile<i32>, tile<i32>) {{
      %negated = negi {x} : tile<i32>
      yield {less}, %negated : tile<i32>, tile<i32>
    }} else {{
      %positive = if {above} -> (tile<i32>) {{ yield {one} : tile<i32> }} else {{ yield {zero} : tile<i32> }}
      yield %positive, {x} : tile<i32>, tile<i32>
    }}""", 2)
        check(k, sign, (number > 0) - (number < 0))
        check(k, size, abs(number))


# --- loop ---------------------------------------------------------------------------------


def collatz(k: Kernel) -> None:
    """The Collatz steps from n to 1, and the largest number on the way: two results of a loop that
    carries three values."""
    for n in (1, 6, 7, 27):
        x, number, steps, top = n, n, 0, n
        while number != 1:
            number = 3 * number + 1 if number % 2 else number // 2
            steps, top = steps + 1, max(top, number)
        start, zero, one, two, three = (scalar(k, v) for v in (x, 0, 1, 2, 3))
        count, largest = k.value(f"""loop iter_values(%x = {start}, %n = {zero}, %t = {start}) : tile<i32>, tile<i32>, tile<i32> -> tile<i32>, tile<i32> {{
      %end = cmpi equal %x, {one}, unsigned : tile<i32> -> tile<i1>
      if %end {{ break %n, %t : tile<i32>, tile<i32> }}
      %bit = andi %x, {one} : tile<i32>
      %odd = cmpi not_equal %bit, {zero}, unsigned : tile<i32> -> tile<i1>
      %n2 = addi %n, {one} : tile<i32>
      if %odd {{
        %tripled = muli %x, {three} : tile<i32>
        %next = addi %tripled, {one} : tile<i32>
        %t2 = maxi %t, %next signed : tile<i32>
        continue %next, %n2, %t2 : tile<i32>, tile<i32>, tile<i32>
      }}
      %half = divi %x, {two} signed : tile<i32>
      continue %half, %n2, %t : tile<i32>, tile<i32>, tile<i32>
    }}""", 2)
        check(k, count, steps)
        check(k, largest, top)


def loop_effect(k: Kernel) -> None:
    """Counts in memory until the counter that is read back is 6."""
    out = k.result("i32", np.array([7]))
    one, six = scalar(k, 1), scalar(k, 6)
    k.emit(f"""loop {{
      %old, %token = atomic_rmw_tko relaxed device {out}, add, {one} : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %end = cmpi equal %old, {six}, unsigned : tile<i32> -> tile<i1>
      if %end {{ break }}
    }}""")


def results_only(k: Kernel) -> None:
    value = scalar(k, 42)
    flag = scalar(k, 1, "i1")
    made, also = k.value(f"""loop : tile<i32>, tile<i1> {{
      break {value}, {flag} : tile<i32>, tile<i1>
    }}""", 2)
    check(k, made, 42)
    check(k, also, 1, "i1")


def nested_loop(k: Kernel) -> None:
    """The smallest i, j with i * i + j * j = 65, with nested loops; `break` leaves the inner loop from
    within two ifs."""
    found = next((i, j) for i in range(9) for j in range(9) if i * i + j * j == 65)
    zero, one, nine, wanted = (scalar(k, v) for v in (0, 1, 9, 65))
    a, b = k.value(f"""loop iter_values(%i = {zero}) : tile<i32> -> tile<i32>, tile<i32> {{
      %hit, %j = loop iter_values(%j0 = {zero}) : tile<i32> -> tile<i1>, tile<i32> {{
        %more = cmpi less_than %j0, {nine}, signed : tile<i32> -> tile<i1>
        if %more {{
          %ii = muli %i, %i : tile<i32>
          %jj = muli %j0, %j0 : tile<i32>
          %sum = addi %ii, %jj : tile<i32>
          %same = cmpi equal %sum, {wanted}, signed : tile<i32> -> tile<i1>
          if %same {{ break %same, %j0 : tile<i1>, tile<i32> }}
          %j1 = addi %j0, {one} : tile<i32>
          continue %j1 : tile<i32>
        }} else {{
          break %more, %j0 : tile<i1>, tile<i32>
        }}
        continue %j0 : tile<i32>
      }}
      %next = if %hit -> (tile<i32>) {{
        break %i, %j : tile<i32>, tile<i32>
      }} else {{
        %i1 = addi %i, {one} : tile<i32>
        yield %i1 : tile<i32>
      }}
      continue %next : tile<i32>
    }}""", 2)
    check(k, a, found[0])
    check(k, b, found[1])


# --- yield and return -----------------------------------------------------------------------


def aggregate_yields(k: Kernel) -> None:
    numbers = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.uint32)
    value = k.load("i32", (8,), numbers)
    body = """(%e: tile<i32>, %a: tile<i32>) {
      %s = addi %e, %a : tile<i32>
      yield %s : tile<i32>
    }"""
    total = k.value(f"reduce {value} dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> {body}")
    check(k, total, int(numbers.sum()))
    sums = k.value(f"scan {value} dim=0 reverse=false identities=[0 : i32] : tile<8xi32> "
                   f"-> tile<8xi32> {body}")
    k.store(sums, "i32", (8,), np.cumsum(numbers))


def plain_return(k: Kernel) -> None:
    """Without a terminator: the entry ends with its body."""
    check(k, scalar(k, 3), 3)


def explicit_return(k: Kernel) -> None:
    check(k, scalar(k, 3), 3)
    k.emit("return")


def early_return(k: Kernel) -> None:
    """Blocks 1 and 3 return early, independently."""
    out = k.result("i32", np.array([5, 0, 5, 0]))
    k.emit(f"""%x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %bit = andi %x, %one : tile<i32>
    %odd = trunci %bit : tile<i32> -> tile<i1>
    if %odd {{ return }}
    %place = offset {out}, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %five = constant <i32: 5> : tile<i32>
    {write("%place", "%five")}""")


def return_in_loop(k: Kernel) -> None:
    """Block x counts down to zero and returns inside the loop after x iterations; the code after
    the loops is never reached (operations, 5)."""
    out = k.result("i32", np.array([0, 1, 2, 3]))
    k.emit(f"""%x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %place = offset {out}, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    loop iter_values(%left = %x, %done = %zero) : tile<i32>, tile<i32> {{
        %end = cmpi equal %left, %zero, signed : tile<i32> -> tile<i1>
        loop {{
            if %end {{
                {write("%place", "%done")}
                return
            }}
            break
        }}
        %less = subi %left, %one : tile<i32>
        %more = addi %done, %one : tile<i32>
        continue %less, %more : tile<i32>, tile<i32>
    }}
    {write("%place", "%one")}""")
