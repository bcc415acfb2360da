// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerations (types, 7). The number of a member is its value in memory and in bytecode.

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_ENUMS_TD
#define TILEWRIGHT_TILE_ATTRIBUTES_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "tilewright/tile/Dialect.td"

class Tile_Member<string symbol, int value, string spelling, string sinceVersion = "13.1">
    : I32EnumAttrCase<symbol, value, spelling> {
  string since = sinceVersion;
}

class Tile_Enum<string name, string summary, list<Tile_Member> members>
    : I32EnumAttr<name, summary, members> {
  let cppNamespace = "::tilewright::tile";
}

// An enum with its own attribute: #cuda_tile.<mnemonic><member>.
class Tile_DialectEnum<string name, string summary, list<Tile_Member> members>
    : Tile_Enum<name, summary, members> {
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<Tile_DialectEnum enum, string mnemonic>
    : EnumAttr<Tile_Dialect, enum, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Tile_Signedness : Tile_DialectEnum<"Signedness", "how the bits of integers are read", [
  Tile_Member<"Unsigned", 0, "unsigned">,
  Tile_Member<"Signed", 1, "signed">,
]>;
def Tile_SignednessAttr : Tile_EnumAttr<Tile_Signedness, "signedness">;

def Tile_Overflow : Tile_DialectEnum<"IntegerOverflow",
    "assumption that a result does not wrap", [
  Tile_Member<"None", 0, "none">,
  Tile_Member<"NoSignedWrap", 1, "no_signed_wrap">,
  Tile_Member<"NoUnsignedWrap", 2, "no_unsigned_wrap">,
  Tile_Member<"NoWrap", 3, "no_wrap">,
]>;
def Tile_OverflowAttr : Tile_EnumAttr<Tile_Overflow, "overflow">;

def Tile_RoundingMode : Tile_DialectEnum<"RoundingMode", "rounding mode", [
  Tile_Member<"NearestEven", 0, "nearest_even">,
  Tile_Member<"Zero", 1, "zero">,
  Tile_Member<"NegativeInf", 2, "negative_inf">,
  Tile_Member<"PositiveInf", 3, "positive_inf">,
  Tile_Member<"Approx", 4, "approx">,
  Tile_Member<"Full", 5, "full">,
  Tile_Member<"NearestIntToZero", 6, "nearest_int_to_zero">,
  Tile_Member<"NearestAway", 7, "nearest_away", "13.4">,
]>;
def Tile_RoundingModeAttr : Tile_EnumAttr<Tile_RoundingMode, "rounding">;

def Tile_ComparisonPredicate : Tile_DialectEnum<"ComparisonPredicate", "comparison predicate", [
  Tile_Member<"Equal", 0, "equal">,
  Tile_Member<"NotEqual", 1, "not_equal">,
  Tile_Member<"LessThan", 2, "less_than">,
  Tile_Member<"LessThanOrEqual", 3, "less_than_or_equal">,
  Tile_Member<"GreaterThan", 4, "greater_than">,
  Tile_Member<"GreaterThanOrEqual", 5, "greater_than_or_equal">,
]>;
def Tile_ComparisonPredicateAttr
    : Tile_EnumAttr<Tile_ComparisonPredicate, "comparison_predicate">;

def Tile_ComparisonOrdering : Tile_DialectEnum<"ComparisonOrdering",
    "what a float comparison with a NaN yields", [
  Tile_Member<"Unordered", 0, "unordered">,
  Tile_Member<"Ordered", 1, "ordered">,
]>;
def Tile_ComparisonOrderingAttr
    : Tile_EnumAttr<Tile_ComparisonOrdering, "comparison_ordering">;

def Tile_SymbolVisibility : Tile_DialectEnum<"SymbolVisibility", "visibility of a global", [
  Tile_Member<"Public", 0, "public", "13.3">,
  Tile_Member<"Private", 1, "private", "13.3">,
]>;
def Tile_SymbolVisibilityAttr : Tile_EnumAttr<Tile_SymbolVisibility, "symbol_visibility">;

// A parameter of the view types. As an attribute, the mnemonic is inside of the brackets:
// #cuda_tile<padding_value nan> (types, 6).
def Tile_PaddingValue : Tile_DialectEnum<"PaddingValue", "value of out-of-bounds elements", [
  Tile_Member<"Zero", 0, "zero">,
  Tile_Member<"NegZero", 1, "neg_zero">,
  Tile_Member<"Nan", 2, "nan">,
  Tile_Member<"PosInf", 3, "pos_inf">,
  Tile_Member<"NegInf", 4, "neg_inf">,
]>;
def Tile_PaddingValueAttr : EnumAttr<Tile_Dialect, Tile_PaddingValue, "padding_value">;

// A parameter of pointers and tensor views (13.4, sections 8.1 and 14). A type without it differs
// from one with `none`.
def Tile_PointerAttribute : Tile_DialectEnum<"PointerAttribute", "what a pointer addresses", [
  Tile_Member<"None", 0, "none", "13.4">,
  Tile_Member<"Unicast", 1, "unicast", "13.5">,
  Tile_Member<"Multicast", 2, "multicast", "13.5">,
]>;
def Tile_PointerAttributeAttr : Tile_EnumAttr<Tile_PointerAttribute, "ptr_attr">;

def Tile_MultimemReduction : Tile_DialectEnum<"MultimemReductionKind",
    "how the copies of a multicast element are combined", [
  Tile_Member<"Add", 0, "add", "13.5">,
  Tile_Member<"Min", 1, "min", "13.5">,
  Tile_Member<"Max", 2, "max", "13.5">,
  Tile_Member<"And", 3, "and", "13.5">,
  Tile_Member<"Or", 4, "or", "13.5">,
  Tile_Member<"Xor", 5, "xor", "13.5">,
  Tile_Member<"UMin", 6, "umin", "13.5">,
  Tile_Member<"UMax", 7, "umax", "13.5">,
]>;
def Tile_MultimemReductionAttr
    : Tile_EnumAttr<Tile_MultimemReduction, "multimem_reduction_kind">;

// In generic form, the other enums of the memory operations are plain i32 integers.

def Tile_MemoryOrdering : Tile_Enum<"MemoryOrderingSemantics", "memory ordering", [
  Tile_Member<"Weak", 0, "weak">,
  Tile_Member<"Relaxed", 1, "relaxed">,
  Tile_Member<"Acquire", 2, "acquire">,
  Tile_Member<"Release", 3, "release">,
  Tile_Member<"AcqRel", 4, "acq_rel">,
]>;

def Tile_MemoryScope : Tile_Enum<"MemoryScope", "memory scope", [
  Tile_Member<"TileBlock", 0, "tl_blk">,
  Tile_Member<"Device", 1, "device">,
  Tile_Member<"Sys", 2, "sys">,
]>;

def Tile_AtomicMode : Tile_Enum<"AtomicRMWMode", "atomic read-modify-write operation", [
  Tile_Member<"And", 0, "and">,
  Tile_Member<"Or", 1, "or">,
  Tile_Member<"Xor", 2, "xor">,
  Tile_Member<"Add", 3, "add">,
  Tile_Member<"AddF", 4, "addf">,
  Tile_Member<"Max", 5, "max">,
  Tile_Member<"Min", 6, "min">,
  Tile_Member<"UMax", 7, "umax">,
  Tile_Member<"UMin", 8, "umin">,
  Tile_Member<"Xchg", 9, "xchg">,
]>;

#endif // TILEWRIGHT_TILE_ATTRIBUTES_ENUMS_TD
