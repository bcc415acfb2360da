# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layout of each operation: the table of bytecode format, 12, row by row in its own notation,
and a parser of that notation.

results     `N:` = a count is written first, `name*` = variadic, `@V` = from version V on
flags       `-` = no field, `@V:` = the field exists from version V on
attributes  `name:kind`, `?bK` = if flag bit K is set, `@V=D` = from version V on, else D
operands    plain, `N:` = counted, `S:` = segmented; `*` variadic, `?bK` by flag, `?` by count
regions     their number, `-` = none and no count

A `boolarray` has an entry for each operand of the variadic group; it is None if all are false.
`module`, `entry` and `global` are omitted: they never occur in a body.
"""

import re
from dataclasses import dataclass


V13_1, V13_2, V13_3, V13_4, V13_5 = (13, 1), (13, 2), (13, 3), (13, 4), (13, 5)
VERSIONS = (V13_1, V13_2, V13_3, V13_4, V13_5)

# Bytecode format, 2.
MAGIC = b"\x7fTileIR\x00"
STRING, FUNCTION, DEBUG, CONSTANT, TYPE, GLOBAL, PRODUCER = range(1, 8)
REQUIRED_ALIGNMENT = {STRING: 4, FUNCTION: 8, DEBUG: 8, CONSTANT: 8, TYPE: 4}

# opcode | operation | since | results | flags | attributes | operands | regions
TABLE = """
0x00 | absf | 13.1 | result | - | - | source | -
0x01 | absi | 13.1 | result | - | - | source | -
0x02 | addf | 13.1 | result | b0 flush_to_zero | rounding_mode:RoundingMode | lhs, rhs | -
0x03 | addi | 13.1 | result | - | overflow:IntegerOverflow | lhs, rhs | -
0x04 | andi | 13.1 | result | - | - | lhs, rhs | -
0x05 | assert | 13.1 | - | - | message:str | condition | -
0x06 | assume | 13.1 | result | - | predicate:tagged | value | -
0x07 | atomic_cas_tko | 13.1 | result, result_token | b0 mask, b1 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope | S: pointers, cmp, val, mask?b0, token?b1 | -
0x08 | atomic_rmw_tko | 13.1 | result, result_token | b0 mask, b1 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope, mode:AtomicRMWMode | S: pointers, arg, mask?b0, token?b1 | -
0x09 | bitcast | 13.1 | result | - | - | source | -
0x0A | break | 13.1 | N: none | - | - | N: operands* | -
0x0B | broadcast | 13.1 | result | - | - | source | -
0x0C | cat | 13.1 | result | - | dim:uint64 | lhs, rhs | -
0x0D | ceil | 13.1 | result | - | - | source | -
0x0E | cmpf | 13.1 | result | - | comparison_predicate:ComparisonPredicate, comparison_ordering:ComparisonOrdering | lhs, rhs | -
0x0F | cmpi | 13.1 | result | - | comparison_predicate:ComparisonPredicate, signedness:Signedness | lhs, rhs | -
0x10 | constant | 13.1 | result | - | value:const | - | -
0x11 | continue | 13.1 | N: none | - | - | N: operands* | -
0x12 | cos | 13.1 | result | - | - | source | -
0x13 | cosh | 13.1 | result | - | - | source | -
0x14 | divf | 13.1 | result | b0 flush_to_zero | rounding_mode:RoundingMode | lhs, rhs | -
0x15 | divi | 13.1 | result | - | signedness:Signedness, rounding:RoundingMode | lhs, rhs | -
0x17 | exp | 13.1 | result | - | rounding_mode:RoundingMode@13.3=full | source | -
0x18 | exp2 | 13.1 | result | b0 flush_to_zero | - | source | -
0x25 | exti | 13.1 | to | - | signedness:Signedness | from | -
0x26 | extract | 13.1 | N: result | - | - | N: source, indices* | -
0x27 | floor | 13.1 | result | - | - | source | -
0x28 | fma | 13.1 | result | b0 flush_to_zero | rounding_mode:RoundingMode | lhs, rhs, acc | -
0x29 | for | 13.1 | N: resultValues* | @13.2: b0 unsignedCmp | - | N: lowerBound, upperBound, step, initValues* | 1
0x2A | ftof | 13.1 | to | - | rounding_mode:RoundingMode | from | -
0x2B | ftoi | 13.1 | to | @13.4: b0 saturating | signedness:Signedness, rounding_mode:RoundingMode | from | -
0x2C | get_global | 13.1 | result | - | name:sym | - | -
0x2D | get_index_space_shape | 13.1 | N: result* | - | - | src | -
0x2E | get_num_tile_blocks | 13.1 | gridSize_x, gridSize_y, gridSize_z | - | - | - | -
0x2F | get_tensor_shape | 13.1 | N: result* | - | - | src | -
0x30 | get_tile_block_id | 13.1 | blockId_x, blockId_y, blockId_z | - | - | - | -
0x32 | if | 13.1 | N: results* | - | - | condition | 2
0x33 | int_to_ptr | 13.1 | result | - | - | source | -
0x3A | iota | 13.1 | result | - | - | - | -
0x3B | itof | 13.1 | to | - | signedness:Signedness, rounding_mode:RoundingMode | from | -
0x3C | join_tokens | 13.1 | N: result | - | - | N: tokens* | -
0x3D | load_ptr_tko | 13.1 | result, result_token | b0 memory_scope, b1 optimization_hints, b2 mask, b3 paddingValue, b4 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope?b0, optimization_hints:hints?b1 | S: source, mask?b2, paddingValue?b3, token?b4 | -
0x3E | load_view_tko | 13.1 | N: tile, result_token | b0 memory_scope, b1 optimization_hints, b2 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope?b0, optimization_hints:hints?b1, inbounds:boolarray@13.4 | S: view, index*, token?b2 | -
0x3F | log | 13.1 | result | - | - | source | -
0x40 | log2 | 13.1 | result | - | - | source | -
0x41 | loop | 13.1 | N: resultValues* | - | - | N: initValues* | 1
0x42 | make_partition_view | 13.1 | result | - | - | tensor_view | -
0x43 | make_tensor_view | 13.1 | N: result | - | - | S: base, dynamicShape*, dynamicStrides* | -
0x44 | make_token | 13.1 | result | - | - | - | -
0x45 | maxf | 13.1 | result | b0 propagate_nan, b1 flush_to_zero | - | lhs, rhs | -
0x46 | maxi | 13.1 | result | - | signedness:Signedness | lhs, rhs | -
0x47 | minf | 13.1 | result | b0 propagate_nan, b1 flush_to_zero | - | lhs, rhs | -
0x48 | mini | 13.1 | result | - | signedness:Signedness | lhs, rhs | -
0x49 | mmaf | 13.1 | result | @13.3: b0 fast_acc | - | lhs, rhs, acc | -
0x4A | mmai | 13.1 | result | - | signedness_lhs:Signedness, signedness_rhs:Signedness | lhs, rhs, acc | -
0x4C | mulf | 13.1 | result | b0 flush_to_zero | rounding_mode:RoundingMode | lhs, rhs | -
0x4D | mulhii | 13.1 | result | - | - | x, y | -
0x4E | muli | 13.1 | result | - | overflow:IntegerOverflow | lhs, rhs | -
0x4F | negf | 13.1 | result | - | - | source | -
0x50 | negi | 13.1 | result | - | overflow:IntegerOverflow@13.2=none | source | -
0x51 | offset | 13.1 | result | - | - | ptr, offset | -
0x52 | ori | 13.1 | result | - | - | lhs, rhs | -
0x53 | permute | 13.1 | result | - | permutation:i32array | source | -
0x54 | pow | 13.1 | result | - | - | source, exponent | -
0x55 | print_tko | 13.1 | N: result_token@13.2 | @13.2: b0 token | str:str | S: args*, token?b0 | -
0x56 | ptr_to_int | 13.1 | result | - | - | source | -
0x57 | ptr_to_ptr | 13.1 | result | - | - | source | -
0x58 | reduce | 13.1 | N: results* | - | dim:uint32, identities:array | N: operands* | 1
0x59 | remf | 13.1 | result | - | - | lhs, rhs | -
0x5A | remi | 13.1 | result | - | signedness:Signedness | lhs, rhs | -
0x5B | reshape | 13.1 | result | - | - | source | -
0x5C | return | 13.1 | N: none | - | - | N: operands* | -
0x5D | rsqrt | 13.1 | result | b0 flush_to_zero | - | source | -
0x5E | scan | 13.1 | N: results* | - | dim:uint32, reverse:bool, identities:array | N: operands* | 1
0x5F | select | 13.1 | result | - | - | cond, val_if_true, val_if_false | -
0x60 | shli | 13.1 | result | - | overflow:IntegerOverflow | lhs, rhs | -
0x61 | shri | 13.1 | result | - | signedness:Signedness | lhs, rhs | -
0x62 | sin | 13.1 | result | - | - | source | -
0x63 | sinh | 13.1 | result | - | - | source | -
0x64 | sqrt | 13.1 | result | b0 flush_to_zero | rounding_mode:RoundingMode | source | -
0x65 | store_ptr_tko | 13.1 | result_token | b0 memory_scope, b1 optimization_hints, b2 mask, b3 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope?b0, optimization_hints:hints?b1 | S: destination, value, mask?b2, token?b3 | -
0x66 | store_view_tko | 13.1 | N: result_token | b0 memory_scope, b1 optimization_hints, b2 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope?b0, optimization_hints:hints?b1, inbounds:boolarray@13.4 | S: tile, view, index*, token?b2 | -
0x67 | subf | 13.1 | result | b0 flush_to_zero | rounding_mode:RoundingMode | lhs, rhs | -
0x68 | subi | 13.1 | result | - | overflow:IntegerOverflow | lhs, rhs | -
0x69 | tan | 13.1 | result | - | - | source | -
0x6A | tanh | 13.1 | result | - | rounding_mode:RoundingMode@13.2=full | source | -
0x6B | trunci | 13.1 | to | - | overflow:IntegerOverflow | from | -
0x6C | xori | 13.1 | result | - | - | lhs, rhs | -
0x6D | yield | 13.1 | N: none | - | - | N: operands* | -
0x6E | atan2 | 13.2 | result | - | - | x, y | -
0x6F | pack | 13.3 | result | - | - | source | -
0x70 | unpack | 13.3 | result | - | - | source | -
0x71 | alloca | 13.3 | result | b0 global | num_elem:uint64, alignment:uint64 | - | -
0x72 | mmaf_scaled | 13.3 | result | - | - | lhs, rhs, acc, lhs_scale, rhs_scale | -
0x73 | make_gather_scatter_view | 13.3 | result | - | - | tensor_view | -
0x74 | make_strided_view | 13.3 | result | - | - | tensor_view | -
0x75 | atomic_red_view_tko | 13.3 | N: result_token | b0 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope, mode:AtomicRMWMode, inbounds:boolarray@13.5 | S: view, index*, value, token?b0 | -
0x76 | insert | 13.4 | N: result | - | - | N: source, destination, indices* | -
0x77 | gdc_launch_dependents_tko | 13.4 | result_token | - | - | N: token? | -
0x78 | gdc_wait_tko | 13.4 | result_token | - | - | N: token? | -
0x79 | fpowi | 13.4 | result | - | - | source, exponent | -
0x7A | memory_fence_alias_tko | 13.4 | result_token | - | - | token | -
0x7B | multimem_load_reduce_view_tko | 13.5 | N: reduced_values, result_token | b0 memory_scope, b1 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope?b0, reduction:MultimemReductionKind, inbounds:boolarray | S: view, index*, token?b1 | -
0x7C | multimem_reduce_view_tko | 13.5 | N: result_token | b0 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope, reduction:MultimemReductionKind, inbounds:boolarray | S: view, tile, index*, token?b0 | -
0x7D | multimem_store_view_tko | 13.5 | N: result_token | b0 memory_scope, b1 token | memory_ordering_semantics:MemoryOrderingSemantics, memory_scope:MemoryScope?b0, inbounds:boolarray | S: view, tile, index*, token?b1 | -
"""

# Bytecode format, 11. The value of an enumerant is its position.
ENUMERATIONS = {
    "RoundingMode": ("nearest_even", "zero", "negative_inf", "positive_inf", "approx", "full",
                     "nearest_int_to_zero", "nearest_away"),
    "IntegerOverflow": ("none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"),
    "Signedness": ("unsigned", "signed"),
    "ComparisonPredicate": ("equal", "not_equal", "less_than", "less_than_or_equal",
                            "greater_than", "greater_than_or_equal"),
    "ComparisonOrdering": ("unordered", "ordered"),
    "MemoryOrderingSemantics": ("weak", "relaxed", "acquire", "release", "acq_rel"),
    "MemoryScope": ("tl_blk", "device", "sys"),
    "AtomicRMWMode": ("and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg"),
    "PaddingValue": ("zero", "neg_zero", "nan", "pos_inf", "neg_inf"),
    "PointerAttribute": ("default", "unicast", "multicast"),
    "MultimemReductionKind": ("add", "min", "max", "and", "or", "xor", "umin", "umax"),
}
# Enumerants that are newer than their enumeration.
YOUNG_ENUMERANTS = {("RoundingMode", "nearest_away"): V13_4, ("PointerAttribute", "unicast"): V13_5,
                    ("PointerAttribute", "multicast"): V13_5}


@dataclass(frozen=True)
class Part:
    """A result, attribute or operand group; the kind determines which fields are used."""

    name: str
    kind: str = ""  # of an attribute
    variadic: bool = False
    optional: bool = False  # for an operand whose presence is determined by a count, not a flag
    bit: int | None = None
    since: tuple[int, int] = V13_1
    default: str | None = None


@dataclass(frozen=True)
class Layout:
    opcode: int
    name: str
    since: tuple[int, int]
    counts_results: bool
    results: tuple[Part, ...]
    flags_since: tuple[int, int] | None  # None: no flags field
    flags: tuple[str, ...]
    attributes: tuple[Part, ...]
    operand_style: str  # "", "N" or "S"
    operands: tuple[Part, ...]
    regions: int

    def has_flags(self, version: tuple[int, int]) -> bool:
        return self.flags_since is not None and version >= self.flags_since

    @property
    def units(self) -> tuple[str, ...]:
        """Flags that are attributes themselves, rather than the presence of an attribute or operand."""
        parts = {part.name for part in self.attributes + self.operands if part.bit is not None}
        return tuple(flag for flag in self.flags if flag not in parts)

PART = re.compile(r"(?P<name>\w+)(?::(?P<kind>\w+))?(?P<variadic>\*)?(?P<optional>\?(?!b))?"
                  r"(?:\?b(?P<bit>\d+))?(?:@(?P<since>[\d.]+)(?:=(?P<default>\w+))?)?")


def parse_version(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)


def parse_parts(text: str) -> tuple[Part, ...]:
    if text in ("-", "none", ""):
        return ()
    parts = []
    for item in text.split(", "):
        fields = PART.fullmatch(item)
        assert fields, f"'{item}' is no part"
        parts.append(Part(fields["name"], fields["kind"] or "", bool(fields["variadic"]),
                          bool(fields["optional"]), int(fields["bit"]) if fields["bit"] else None,
                          parse_version(fields["since"] or "13.1"), fields["default"]))
    return tuple(parts)


def parse_layout(row: str) -> Layout:
    opcode, name, since, results, flags, attributes, operands, regions = row.split(" | ")
    counted = results.startswith("N: ")
    flags_since, flag_names = None, ()
    if flags != "-":
        start = re.match(r"@([\d.]+): ", flags)
        flags_since = parse_version(start[1] if start else since)
        bits = re.findall(r"b(\d+) (\w+)", flags)
        assert [int(bit) for bit, _ in bits] == list(range(len(bits))), row
        flag_names = tuple(flag for _, flag in bits)
    style = operands[0] if operands[:3] in ("N: ", "S: ") else ""
    return Layout(int(opcode, 16), name, parse_version(since), counted,
                  parse_parts(results.removeprefix("N: ")), flags_since, flag_names,
                  parse_parts(attributes), style, parse_parts(operands.removeprefix(f"{style}: ")),
                  0 if regions == "-" else int(regions))

LAYOUTS = tuple(parse_layout(row) for row in TABLE.strip().splitlines())
BY_NAME = {layout.name: layout for layout in LAYOUTS}
BY_OPCODE = {layout.opcode: layout for layout in LAYOUTS}
