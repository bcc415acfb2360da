// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and bitwise arithmetic and comparison (arithmetic, 4.1 to 4.9).

#ifndef TILEWRIGHT_TILE_OPS_INTEGER_TD
#define TILEWRIGHT_TILE_OPS_INTEGER_TD

include "tilewright/tile/ops/Base.td"

let category = "Integer" in {

class Tile_IntBinaryOp<string mnemonic, int opcode, list<Trait> traits = [Pure]>
    : Tile_OneTypeOp<mnemonic, opcode, "13.1", traits> {
  let arguments = (ins Tile_IntTile:$lhs, Tile_IntTile:$rhs);
  let results = (outs Tile_IntTile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<TileType>(type($result))";
}

// With an assumption about wrap-around.
class Tile_OverflowOp<string mnemonic, int opcode, list<Trait> traits = []>
    : Tile_IntBinaryOp<mnemonic, opcode, traits # [Pure, Tile_OverflowInterface]> {
  let arguments = (ins Tile_IntTile:$lhs, Tile_IntTile:$rhs,
                       DefaultValuedAttr<Tile_OverflowAttr, "IntegerOverflow::None">:$overflow);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<Overflow>($overflow) attr-dict `:` custom<TileType>(type($result))
  }];
}

// Operands are signed or unsigned, depending on a keyword.
class Tile_SignedOp<string mnemonic, int opcode, list<Trait> traits = []>
    : Tile_IntBinaryOp<mnemonic, opcode, traits # [Pure]> {
  let arguments = (ins Tile_IntTile:$lhs, Tile_IntTile:$rhs, Tile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Signedness>($signedness) attr-dict `:` custom<TileType>(type($result))
  }];
}

class Tile_IntUnaryOp<string mnemonic, int opcode, list<Trait> traits = []>
    : Tile_OneTypeOp<mnemonic, opcode, "13.1", traits # [Pure]> {
  let arguments = (ins Tile_IntTile:$source);
  let results = (outs Tile_IntTile:$result);
  let assemblyFormat = "$source attr-dict `:` custom<TileType>(type($result))";
}

def Tile_AddIOp : Tile_OverflowOp<"addi", 0x03, [Tile_CombinesInAnyOrder]> {
  let summary = "Sum modulo 2^N";
  let cost = 1;
}
def Tile_SubIOp : Tile_OverflowOp<"subi", 0x68> {
  let summary = "Difference modulo 2^N";
  let cost = 1;
}
def Tile_MulIOp : Tile_OverflowOp<"muli", 0x4E, [Tile_CombinesInAnyOrder, Tile_Absorbs]> {
  let summary = "Lower half of the product";
  let cost = 1;
}
def Tile_ShLIOp : Tile_OverflowOp<"shli", 0x60> {
  let summary = "Left shift by an unsigned amount; zeros come in";
  let cost = 1;
}

def Tile_NegIOp : Tile_IntUnaryOp<"negi", 0x50, [Tile_OverflowInterface]> {
  let summary = "Negation modulo 2^N, read as signed";
  let cost = 1;
  let arguments = (ins Tile_IntTile:$source,
                       DefaultValuedAttr<Tile_OverflowAttr, "IntegerOverflow::None">:$overflow);
  let fieldSince = [Tile_Since<"overflow", "13.2">];
  let assemblyFormat = [{
    $source `` custom<Overflow>($overflow) attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}
def Tile_AbsIOp : Tile_IntUnaryOp<"absi", 0x01> {
  let summary = "Magnitude of a signed integer, to be read as unsigned";
  let cost = 20;
}

def Tile_MulhiIOp : Tile_IntBinaryOp<"mulhii", 0x4D> {
  let summary = "Upper half of the unsigned product";
  let cost = 20;
  let arguments = (ins Tile_IntTile:$x, Tile_IntTile:$y);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<TileType>(type($result))";
}

// Division by zero is undefined, so it must not be hoisted.
def Tile_DivIOp : Tile_IntBinaryOp<"divi", 0x15, [NoMemoryEffect]> {
  let summary = "Quotient, rounded toward zero, down or up; undefined for a zero divisor";
  let cost = 20;
  let arguments = (ins Tile_IntTile:$lhs, Tile_IntTile:$rhs, Tile_SignednessAttr:$signedness,
                       DefaultValuedAttr<Tile_RoundingModeAttr, "RoundingMode::Zero">:$rounding);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Signedness>($signedness) `` custom<IntDivRounding>($rounding)
    attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}
def Tile_RemIOp : Tile_SignedOp<"remi", 0x5A> {
  let summary = "Remainder with the sign of the dividend; undefined for a zero divisor";
  let cost = 20;
}
def Tile_MaxIOp : Tile_SignedOp<"maxi", 0x46, [Tile_CombinesInAnyOrder]> {
  let summary = "Larger operand";
  let cost = 1;
}
def Tile_MinIOp : Tile_SignedOp<"mini", 0x48, [Tile_CombinesInAnyOrder]> {
  let summary = "Smaller operand";
  let cost = 1;
}
def Tile_ShRIOp : Tile_SignedOp<"shri", 0x61> {
  let summary = "Right shift, arithmetic (signed) or logical (unsigned), by an unsigned amount";
  let cost = 1;
}

def Tile_CmpIOp : Tile_ElementwiseOp<"cmpi", 0x0F, "13.1", [Pure,
    AllTypesMatch<["lhs", "rhs"]>,
    TypesMatchWith<"Result type has i1 element type and same shape as operands", "lhs", "result",
                   "i1SameShape($_self)">]> {
  let summary = "Integer comparison";
  let cost = 1;
  let arguments = (ins Tile_ComparisonPredicateAttr:$comparison_predicate,
                       Tile_IntTile:$lhs, Tile_IntTile:$rhs, Tile_SignednessAttr:$signedness);
  let results = (outs Tile_I1Tile:$result);
  let assemblyFormat = [{
    custom<Predicate>($comparison_predicate) $lhs `,` $rhs `,` custom<Signedness>($signedness)
    attr-dict `:` custom<TileType>(type($lhs)) `->` custom<TileType>(type($result))
  }];
}
} // category

let category = "Bitwise" in {
def Tile_AndIOp : Tile_IntBinaryOp<"andi", 0x04, [Pure, Tile_CombinesInAnyOrder, Tile_Absorbs]> {
  let summary = "Bitwise and";
  let cost = 1;
}
def Tile_OrIOp : Tile_IntBinaryOp<"ori", 0x52, [Pure, Tile_CombinesInAnyOrder, Tile_Absorbs]> {
  let summary = "Bitwise or";
  let cost = 1;
}
def Tile_XOrIOp : Tile_IntBinaryOp<"xori", 0x6C, [Pure, Tile_CombinesInAnyOrder]> {
  let summary = "Bitwise exclusive or; `xori %c, %true` negates a condition";
  let cost = 1;
}
} // category

#endif // TILEWRIGHT_TILE_OPS_INTEGER_TD
