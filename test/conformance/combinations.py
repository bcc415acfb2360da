# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which combinations of operation, element types and modifiers must have cases?

The tables of the specification, written down as data: arithmetic, 1, 2.1 and 2.4 and
section 4 for each operation; operations, 1, 2.4 and the sections of each. The cases
are made by walking these lists, and the runner names every combination that no compared
element stands for.
"""

from dataclasses import dataclass
from itertools import permutations, product

from formats import BASE_FLOATS, CAST_WIDTHS, FLOATS, INTEGERS, NUMBERS, SCALE, WIDTHS


@dataclass(frozen=True)
class Combination:
    op: str
    types: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(filter(None, (self.op, "->".join(self.types), *self.modifiers)))

    @property
    def tail(self) -> str:
        """The modifiers as they are written, with a blank in front of each."""
        return "".join(f" {m}" for m in self.modifiers if m)


SIGNS = ("signed", "unsigned")
PROMISES = ("", "overflow<no_signed_wrap>", "overflow<no_unsigned_wrap>", "overflow<no_wrap>")
IEEE = tuple(f"rounding<{m}>" for m in ("nearest_even", "zero", "negative_inf", "positive_inf"))
PREDICATES = ("equal", "not_equal", "less_than", "less_than_or_equal", "greater_than",
              "greater_than_or_equal")
TILE_ELEMENTS = (*NUMBERS, "i4", "ptr")
SCOPES = ("tl_blk", "device", "sys")


def with_types(op: str, types, *choices) -> list[Combination]:
    """Every type with every choice of modifiers."""
    return [Combination(op, (t,), m) for t in types for m in product(*choices)]


def flushed(op: str, types, *choices) -> list[Combination]:
    """`flush_to_zero` is for f32 only (arithmetic, 2.4)."""
    return with_types(op, types, *choices) + with_types(op, ["f32"], *choices, ["flush_to_zero"])


def integers() -> list[Combination]:
    made = []
    for op in ("addi", "subi", "muli", "shli"):
        made += with_types(op, INTEGERS, PROMISES)
    made += with_types("negi", INTEGERS, ("", PROMISES[1], PROMISES[3]))
    for op in ("absi", "mulhii", "andi", "ori", "xori"):
        made += with_types(op, INTEGERS)
    for op in ("remi", "maxi", "mini", "shri"):
        made += with_types(op, INTEGERS, SIGNS)
    roundings = ("", "rounding<negative_inf>", "rounding<positive_inf>")
    made += [c for c in with_types("divi", INTEGERS, SIGNS, roundings)
             if c.modifiers != ("unsigned", "rounding<negative_inf>")]
    return made + with_types("cmpi", INTEGERS, PREDICATES, SIGNS)


def floats() -> list[Combination]:
    made = with_types("cmpf", BASE_FLOATS, PREDICATES, ("ordered", "unordered"))
    made += [Combination("fpowi", pair) for pair in product(BASE_FLOATS, ("i1", "i8", "i16", "i32"))]
    for op in ("absf", "negf", "ceil", "floor", "sin", "cos", "tan", "sinh", "cosh", "log", "log2",
               "pow", "atan2", "remf"):
        made += with_types(op, BASE_FLOATS)
    for op in ("addf", "subf", "mulf", "fma", "divf", "sqrt"):
        made += flushed(op, BASE_FLOATS, IEEE)
    made += flushed("divf", ["f32"], ["rounding<approx>", "rounding<full>"])
    made += flushed("sqrt", ["f32"], ["rounding<approx>"])
    for op in ("rsqrt", "exp2"):
        made += flushed(op, BASE_FLOATS)
    for op in ("exp", "tanh"):
        made += with_types(op, BASE_FLOATS) + with_types(op, ["f32"], ["rounding<approx>"])
    for op in ("maxf", "minf"):
        made += with_types(op, BASE_FLOATS, ("", "propagate_nan"))
        made += with_types(op, ["f32"], ["flush_to_zero"], ("", "propagate_nan"))
    return made


# 13.4, section 7.3: what widens to these, f64 aside, in all modes of IEEE and nearest_away.
WIDENED = {
    "f32": ("tf32", "f16", "bf16", "f8E5M2", "f8E4M3FN", "f4E2M1FN", "f8E5M3FNU"),
    "tf32": ("f16", "bf16", "f8E5M2", "f8E4M3FN", "f4E2M1FN", "f8E5M3FNU"),
    "bf16": ("f8E5M2", "f8E4M3FN", "f4E2M1FN", "f8E5M3FNU"),
    "f16": ("f8E5M2", "f8E4M3FN", "f4E2M1FN"),
}


def rounding_modes(source: str, to: str) -> tuple[str, ...]:
    """Of `ftof`; the first is nearest_even unless it must be written."""
    away = "rounding<nearest_away>"
    if to == SCALE:
        return "rounding<zero>", "rounding<positive_inf>"
    if WIDTHS[to] <= 8:
        return ("",)
    if to == "f64" or source in WIDENED[to]:
        return "", *IEEE[1:], away
    if (source, to) == ("f64", "f32"):
        return "", *IEEE[1:]
    return ("", IEEE[1], away) if (source, to) == ("f32", "tf32") else ("", IEEE[1])


def conversions() -> list[Combination]:
    narrow = {"i4": 4, **INTEGERS}
    made = [Combination("exti", (a, b), (s,)) for a, b in product(narrow, narrow)
            if narrow[a] < narrow[b] for s in SIGNS]
    made += [Combination("trunci", (a, b), (p,)) for a, b in product(narrow, narrow)
             if narrow[a] > narrow[b] for p in PROMISES]
    made += [Combination("ftof", (a, b), (m,) if m else ()) for a, b in product(FLOATS, FLOATS)
             if a != b for m in rounding_modes(a, b)]
    made += [Combination("ftoi", (a, b), m) for a, b in product(FLOATS, INTEGERS) for s in SIGNS
             for m in ((s,), (s, "saturating"))]
    made += [Combination("itof", (a, b), (s,)) for a, b in product(INTEGERS, FLOATS)
             if b != SCALE for s in SIGNS]
    made += [Combination("bitcast", (a, b)) for a, b in product(NUMBERS, NUMBERS)
             if CAST_WIDTHS[a] == CAST_WIDTHS[b]]
    packed = [t for t in (*NUMBERS, "i4") if WIDTHS[t] != 8]
    made += [Combination("pack", (t, "i8")) for t in packed]
    made += [Combination("unpack", ("i8", t)) for t in packed]
    made += with_types("select", [t for t in TILE_ELEMENTS if t != "f4E2M1FN"])
    for pointee, other in zip(NUMBERS, NUMBERS[1:] + NUMBERS[:1]):
        made += [Combination("int_to_ptr", ("i64", pointee)),
                 Combination("ptr_to_int", (pointee, "i64")),
                 Combination("ptr_to_ptr", (pointee, pointee)),
                 Combination("ptr_to_ptr", (pointee, other))]
    return made


# arithmetic, 4.30 and 4.32: operand, accumulator; operand, scale, elements per scale.
MMA = (("f8E4M3FN", "f16"), ("f8E4M3FN", "f32"), ("f8E5M2", "f16"), ("f8E5M2", "f32"),
       ("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("f32", "f32"),
       ("f64", "f64"))
MMA_SCALED = (("f8E4M3FN", SCALE, 32), ("f8E5M2", SCALE, 32), ("f4E2M1FN", SCALE, 16),
              ("f4E2M1FN", SCALE, 32), ("f4E2M1FN", "f8E4M3FN", 16),
              ("f4E2M1FN", "f8E5M3FNU", 16), ("f4E2M1FN", "f8E5M3FNU", 32))  # 13.4, section 8.3
RANKS = ("rank 2", "rank 3")


def matrices() -> list[Combination]:
    made = [Combination("mmaf", pair, (fast, rank)) for pair in MMA
            for fast in ("", "fast_acc") for rank in RANKS]
    made += [Combination("mmai", ("i8", "i32"), (a, b, rank)) for a in SIGNS for b in SIGNS
             for rank in RANKS]
    made += [Combination("mmaf_scaled", (a, scale), (f"block {v}", rank))
             for a, scale, v in MMA_SCALED for rank in RANKS]
    return made


def shapes() -> list[Combination]:
    made = with_types("constant", NUMBERS) + with_types("iota", INTEGERS)
    for op in ("broadcast", "reshape", "permute", "cat", "extract", "insert"):
        made += with_types(op, TILE_ELEMENTS)
    made += [Combination("offset", (pointee, "i32")) for pointee in NUMBERS
             if pointee != "f4E2M1FN"]
    made += [Combination("offset", ("f64", t)) for t in INTEGERS if t != "i32"]
    return made


# Every element type that an identity can be written for (operations, 4.11).
AGGREGATED = tuple(t for t in (*NUMBERS, "i4") if t != "f4E2M1FN")
BODIES = {  # name of the body: its element types
    **{op: tuple(INTEGERS) for op in ("addi", "muli", "andi", "ori", "xori", "maxi signed",
                                      "maxi unsigned", "mini signed", "mini unsigned")},
    **{op: BASE_FLOATS for op in ("addf", "mulf", "maxf", "minf", "maxf propagate_nan")},
    "element": AGGREGATED, "accumulator": AGGREGATED,
}
TOGETHER = ("argmax", "affine", "three")  # bodies of several operands


def aggregates() -> list[Combination]:
    made = [Combination("reduce", (t,), (body,)) for body, types in BODIES.items() for t in types]
    made += [Combination("reduce", (), (body,)) for body in TOGETHER]
    for reverse in ("reverse=false", "reverse=true"):
        made += [Combination("scan", (t,), (body, reverse)) for body, types in BODIES.items()
                 for t in types]
        made += [Combination("scan", (), (body, reverse)) for body in TOGETHER]
    return made


def control() -> list[Combination]:
    # Read signed, i1 has no positive step.
    made = with_types("for", [t for t in INTEGERS if t != "i1"], ("", "unsigned"))
    made.append(Combination("for", ("i1",), ("unsigned",)))
    made += [Combination("for", ("i32",), (m,)) for m in ("continue", "nested", "no values")]
    made += with_types("for", TILE_ELEMENTS, ["carried"])
    made += with_types("loop", TILE_ELEMENTS, ["carried"])
    made += [Combination(op, ("token",), ("carried",)) for op in ("for", "loop", "if")]
    made += [Combination("if", (), (m,)) for m in ("no results", "results", "else", "nested")]
    made += [Combination("if", (t,), ("results",)) for t in TILE_ELEMENTS]
    made += [Combination("loop", (), (m,)) for m in ("no values", "carried", "other results",
                                                     "results only", "nested")]
    for op in ("break", "continue", "yield"):
        made += [Combination(op, (), (m,)) for m in ("no values", "values", "early")]
    made.append(Combination("yield", (), ("reduce",)))
    made.append(Combination("yield", (), ("scan",)))
    made += [Combination("return", (), (m,)) for m in ("implicit", "explicit", "early", "in a loop")]
    return made


LOAD_ORDERS = ("weak", *(f"{o} {s}" for o in ("relaxed", "acquire") for s in SCOPES))
STORE_ORDERS = ("weak", *(f"{o} {s}" for o in ("relaxed", "release") for s in SCOPES))
ATOMIC_ORDERS = tuple(f"{o} {s}" for o in ("relaxed", "acquire", "release", "acq_rel")
                      for s in SCOPES)
MODES = {  # operations, 9.1
    **{mode: ("i32", "i64") for mode in ("and", "or", "xor", "add", "max", "min", "umax", "umin")},
    "addf": BASE_FLOATS, "xchg": ("i32", "i64", "f32", "f64"),
}


# 13.5, section 9.2
MULTIMEM = ("i32", "i64", *BASE_FLOATS)
HALVES = ("f16", "bf16")
KINDS_OF_MULTIMEM = {"add": MULTIMEM} | {kind: ("i32", "i64") for kind in (
    "min", "max", "and", "or", "xor", "umin", "umax")}
REDUCE_ORDERS = tuple(f"{o} {s}" for o in ("relaxed", "release") for s in SCOPES)


def memory() -> list[Combination]:
    pointees = [t for t in NUMBERS]
    made = with_types("load_ptr_tko", pointees, ("", "mask", "mask, padding"))
    made += with_types("load_ptr_tko", ["f32"], LOAD_ORDERS)
    made += with_types("store_ptr_tko", pointees, ("", "mask"))
    made += with_types("store_ptr_tko", ["f32"], STORE_ORDERS)
    made += with_types("atomic_cas_tko", ("i32", "i64", "f32", "f64"), ("", "mask"))
    made += with_types("atomic_cas_tko", ["i32"], ATOMIC_ORDERS)
    for mode, types in MODES.items():
        made += with_types("atomic_rmw_tko", types, [mode], ("", "mask"))
    made += with_types("atomic_rmw_tko", ["i32"], ["add"], ATOMIC_ORDERS)
    for mode, types in MODES.items():
        if mode != "xchg":
            made += with_types("atomic_red_view_tko", types, [mode],
                               ("partition_view", "strided_view"))
    made += with_types("atomic_red_view_tko", ["i32"], ["add"],
                       ("relaxed tl_blk", "relaxed device"))
    made += with_types("atomic_red_view_tko", INTEGERS, ["add"], ["index"])
    made += with_types("alloca", NUMBERS, ("", "global"))
    made += with_types("global", NUMBERS, ("", "constant"))
    made += [Combination("global", ("i32",), (m,)) for m in ("private", "alignment", "stored")]
    made += with_types("get_global", NUMBERS)
    made += with_types("atomic_red_view_tko", ["i32"], ["add"], ["inbounds"])
    for kind, types in KINDS_OF_MULTIMEM.items():
        made += with_types("multimem_reduce_view_tko", types, [kind])
    made += with_types("multimem_reduce_view_tko", ["i32"], ["add"], REDUCE_ORDERS)
    for kind, types in (*KINDS_OF_MULTIMEM.items(), ("min", HALVES), ("max", HALVES)):
        made += with_types("multimem_load_reduce_view_tko", types, [kind])
    made += with_types("multimem_load_reduce_view_tko", ["i32"], ["add"], LOAD_ORDERS[1:])
    made += with_types("multimem_store_view_tko", MULTIMEM)
    made += with_types("multimem_store_view_tko", ["i32"], STORE_ORDERS[1:])
    made += [Combination(op, (), (m,)) for op in ("gdc_wait_tko", "gdc_launch_dependents_tko")
             for m in ("alone", "token")]
    made.append(Combination("memory_fence_alias_tko", (), ("token",)))
    made += [Combination("make_token"), Combination("join_tokens", (), ("2",)),
             Combination("join_tokens", (), ("3",))]
    return made


PADDINGS = ("zero", "neg_zero", "nan", "pos_inf", "neg_inf")
# What these are is left open (types, 6): the format lacks the value.
NO_PADDING = {(t, p) for t, lacking in ((SCALE, ("neg_zero", "pos_inf", "neg_inf")),
                                        ("f4E2M1FN", ("nan", "pos_inf", "neg_inf")),
                                        ("f8E4M3FN", ("pos_inf", "neg_inf")),
                                        ("f8E5M3FNU", ("neg_zero", "pos_inf", "neg_inf")))
              for p in lacking}
KINDS = ("partition_view", "strided_view", "gather_scatter_view")


def views() -> list[Combination]:
    made = []
    for kind in KINDS:
        made += [Combination("load_view_tko", (t,), (kind, p)) for t in NUMBERS
                 for p in (PADDINGS if t in FLOATS else PADDINGS[:1]) if (t, p) not in NO_PADDING]
        made += with_types("load_view_tko", ["i32"], [kind],
                           ("ragged", "inside", "rank 1", "rank 3"))
        made += with_types("store_view_tko", NUMBERS, [kind])
        made += with_types("store_view_tko", ["i32"], [kind], ("rank 1", "rank 3"))
        made += [Combination(op, ("i32",), (kind, "inbounds"))
                 for op in ("load_view_tko", "store_view_tko")]
        made += [Combination(op, (t,), (kind, "index")) for t in INTEGERS
                 for op in ("load_view_tko", "store_view_tko")]
        made += with_types("load_view_tko", ["f32"], [kind], LOAD_ORDERS)
        made += with_types("store_view_tko", ["f32"], [kind], STORE_ORDERS)
        made += [Combination(f"make_{kind}", (), (m,))
                 for m in ("static", "dynamic", "unusual strides")]
        made += with_types("get_index_space_shape", INTEGERS, [kind])
    for kind in KINDS[:2]:
        for op in ("load_view_tko", "store_view_tko", f"make_{kind}"):
            made += [Combination(op, (), (kind, f"dim_map={list(order)}"))
                     for order in permutations(range(3))]
    made += [Combination("make_gather_scatter_view", (), (f"sparse_dim={d}",)) for d in range(3)]
    made += with_types("make_tensor_view", NUMBERS)
    made += with_types("make_tensor_view", INTEGERS, ("dynamic shape", "dynamic strides"))
    made += with_types("get_tensor_shape", INTEGERS)
    return made


def miscellany() -> list[Combination]:
    made = [Combination("assert", (), (m,)) for m in ("rank 0", "rank 1", "rank 2")]
    for t in (*INTEGERS, "i4"):
        made += with_types("assume", [t], ("div_by", "div_by every", "same_elements", "bounded"))
    made += with_types("assume", ["ptr"], ("div_by", "div_by every", "same_elements"))
    made.append(Combination("assume", ("tensor_view",), ("div_by",)))
    made += with_types("print_tko", TILE_ELEMENTS)
    made += [Combination("print_tko", (), (m,))
             for m in ("no arguments", "rank 2", "flags", "token")]
    for op in ("get_tile_block_id", "get_num_tile_blocks"):
        made += [Combination(op, (), (f"rank {r}",)) for r in (1, 2, 3)]
    made += with_types("entry", [t for t in NUMBERS if t != "f4E2M1FN"])
    made += [Combination("entry", ("ptr",)), Combination("entry", (), ("optimization_hints",))]
    return made + [Combination("module", (), (m,)) for m in ("bare", "producer")]


ALLOWED = (integers() + floats() + conversions() + matrices() + shapes() + aggregates()
           + control() + memory() + views() + miscellany())


# Element types that the class of an operand or a result has and a rule of the operation
# takes away: arithmetic, 4.27 and 4.29; operations, 9.
NARROWER = {
    **{op: {t for t in NUMBERS if WIDTHS[t] == 8} for op in ("pack", "unpack")},
    "itof": {SCALE},
    **{op: set(NUMBERS) - set(MULTIMEM)
       for op in ("multimem_load_reduce_view_tko", "multimem_reduce_view_tko",
                  "multimem_store_view_tko")},
    **{op: set(NUMBERS) - {t for types in MODES.values() for t in types}
       for op in ("atomic_rmw_tko", "atomic_red_view_tko")},
    "atomic_cas_tko": set(NUMBERS) - set(MODES["xchg"]),
}


def of(*ops: str) -> list[Combination]:
    """The combinations of these operations."""
    return [c for c in ALLOWED if c.op in ops]
