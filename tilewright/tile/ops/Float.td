// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point arithmetic, comparison and functions (arithmetic, 4.10 to 4.20).

#ifndef TILEWRIGHT_TILE_OPS_FLOAT_TD
#define TILEWRIGHT_TILE_OPS_FLOAT_TD

include "tilewright/tile/ops/Base.td"

let category = "Floating Point" in {

class Tile_FloatOp<string mnemonic, int opcode, string since = "13.1", list<Trait> traits = []>
    : Tile_OneTypeOp<mnemonic, opcode, since, traits # [Pure]> {
  let results = (outs Tile_BaseFloatTile:$result);
}

class Tile_FloatUnaryOp<string mnemonic, int opcode, list<Trait> traits = []>
    : Tile_FloatOp<mnemonic, opcode, "13.1", traits> {
  let arguments = (ins Tile_BaseFloatTile:$source);
  let assemblyFormat = "$source attr-dict `:` custom<TileType>(type($result))";
}

class Tile_FloatBinaryOp<string mnemonic, int opcode, list<Trait> traits = []>
    : Tile_FloatOp<mnemonic, opcode, "13.1", traits> {
  let arguments = (ins Tile_BaseFloatTile:$lhs, Tile_BaseFloatTile:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<TileType>(type($result))";
}

// Correctly rounded in one of the four IEEE modes; subnormals may be flushed (f32).
class Tile_RoundedBinaryOp<string mnemonic, int opcode> : Tile_FloatBinaryOp<mnemonic, opcode> {
  let arguments = (ins Tile_BaseFloatTile:$lhs, Tile_BaseFloatTile:$rhs,
                       Tile_RoundingModeAttr:$rounding_mode, UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<IeeeRounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)?
    attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_AddFOp : Tile_RoundedBinaryOp<"addf", 0x02> {
  let summary = "Sum";
  let cost = 2;
  let hasCanonicalizer = 1;
}
def Tile_SubFOp : Tile_RoundedBinaryOp<"subf", 0x67> {
  let summary = "Difference";
  let cost = 2;
}
def Tile_MulFOp : Tile_RoundedBinaryOp<"mulf", 0x4C> {
  let summary = "Product";
  let cost = 2;
}
def Tile_DivFOp : Tile_RoundedBinaryOp<"divf", 0x14> {
  let summary = "Quotient; `approx` and `full` (f32) allow 2 ulp";
  let cost = 20;
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<DivRounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)?
    attr-dict `:` custom<TileType>(type($result))
  }];
}
def Tile_FmaOp : Tile_FloatOp<"fma", 0x28> {
  let summary = "lhs * rhs + acc, rounded once";
  let cost = 2;
  let arguments = (ins Tile_BaseFloatTile:$lhs, Tile_BaseFloatTile:$rhs, Tile_BaseFloatTile:$acc,
                       Tile_RoundingModeAttr:$rounding_mode, UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc `` custom<IeeeRounding>($rounding_mode)
    (`flush_to_zero` $flush_to_zero^)? attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}
def Tile_SqrtOp : Tile_FloatOp<"sqrt", 0x64> {
  let summary = "Square root; negative gives NaN, -0 stays";
  let cost = 20;
  let arguments = (ins Tile_BaseFloatTile:$source, Tile_RoundingModeAttr:$rounding_mode,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source `` custom<SqrtRounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)?
    attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_RemFOp : Tile_FloatBinaryOp<"remf", 0x59, [Tile_IsLong]> {
  let summary = "Exact remainder with the sign of lhs (C fmod)";
  let cost = 20;
}

class Tile_MinMaxFOp<string mnemonic, int opcode>
    : Tile_FloatBinaryOp<mnemonic, opcode, [Tile_CombinesInAnyOrder]> {
  let arguments = (ins Tile_BaseFloatTile:$lhs, Tile_BaseFloatTile:$rhs,
                       UnitAttr:$propagate_nan, UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $lhs `,` $rhs oilist(`flush_to_zero` $flush_to_zero | `propagate_nan` $propagate_nan)
    attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}
def Tile_MaxFOp : Tile_MinMaxFOp<"maxf", 0x45> {
  let summary = "Larger operand; +0 above -0; NaN loses unless propagate_nan";
  let cost = 20;
}
def Tile_MinFOp : Tile_MinMaxFOp<"minf", 0x47> {
  let summary = "Smaller operand; -0 below +0; NaN loses unless propagate_nan";
  let cost = 20;
}

def Tile_CmpFOp : Tile_ElementwiseOp<"cmpf", 0x0E, "13.1", [Pure,
    AllTypesMatch<["lhs", "rhs"]>,
    TypesMatchWith<"Result type has i1 element type and same shape as operands", "lhs", "result",
                   "i1SameShape($_self)">]> {
  let summary = "Float comparison; a NaN gives false (ordered) or true (unordered)";
  let cost = 1;
  let arguments = (ins Tile_ComparisonPredicateAttr:$comparison_predicate,
                       Tile_ComparisonOrderingAttr:$comparison_ordering,
                       Tile_BaseFloatTile:$lhs, Tile_BaseFloatTile:$rhs);
  let results = (outs Tile_I1Tile:$result);
  let assemblyFormat = [{
    custom<Predicate>($comparison_predicate) custom<ComparisonOrdering>($comparison_ordering)
    $lhs `,` $rhs attr-dict `:` custom<TileType>(type($lhs)) `->` custom<TileType>(type($result))
  }];
}

//===-- One operand, no modifier --------------------------------------------------===//

def Tile_AbsFOp : Tile_FloatUnaryOp<"absf", 0x00, [Tile_KeepsNanBits]> {
  let summary = "Clears the sign bit";
  let cost = 2;
}
def Tile_NegFOp : Tile_FloatUnaryOp<"negf", 0x4F, [Tile_KeepsNanBits]> {
  let summary = "Flips the sign bit";
  let cost = 2;
}
def Tile_CeilOp : Tile_FloatUnaryOp<"ceil", 0x0D, [Tile_KeepsNanBits]> {
  let summary = "Least integer not below";
  let cost = 20;
}
def Tile_FloorOp : Tile_FloatUnaryOp<"floor", 0x27, [Tile_KeepsNanBits]> {
  let summary = "Greatest integer not above";
  let cost = 20;
}
def Tile_SinOp : Tile_FloatUnaryOp<"sin", 0x62, [Tile_IsLong]> {
  let summary = "Sine of an angle in radians";
  let cost = 20;
}
def Tile_CosOp : Tile_FloatUnaryOp<"cos", 0x12, [Tile_IsLong]> {
  let summary = "Cosine of an angle in radians";
  let cost = 20;
}
def Tile_TanOp : Tile_FloatUnaryOp<"tan", 0x69, [Tile_IsLong]> {
  let summary = "Tangent of an angle in radians";
  let cost = 20;
}
def Tile_SinhOp : Tile_FloatUnaryOp<"sinh", 0x63> {
  let summary = "Hyperbolic sine";
  let cost = 20;
}
def Tile_CoshOp : Tile_FloatUnaryOp<"cosh", 0x13> {
  let summary = "Hyperbolic cosine";
  let cost = 20;
}
def Tile_LogOp : Tile_FloatUnaryOp<"log", 0x3F> {
  let summary = "Natural logarithm";
  let cost = 20;
}
def Tile_Log2Op : Tile_FloatUnaryOp<"log2", 0x40> {
  let summary = "Logarithm to base 2";
  let cost = 20;
}

//===-- Functions with a modifier ---------------------------------------------------===//

class Tile_ApproximableOp<string mnemonic, int opcode> : Tile_FloatOp<mnemonic, opcode> {
  let arguments = (ins Tile_BaseFloatTile:$source,
      DefaultValuedAttr<Tile_RoundingModeAttr, "RoundingMode::Full">:$rounding_mode);
  let assemblyFormat = [{
    $source `` custom<ApproxRounding>($rounding_mode) attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}
def Tile_ExpOp : Tile_ApproximableOp<"exp", 0x17> {
  let summary = "e to the power of the operand; `approx` for f32";
  let cost = 20;
  let fieldSince = [Tile_Since<"rounding_mode", "13.3">];
}
def Tile_TanhOp : Tile_ApproximableOp<"tanh", 0x6A> {
  let summary = "Hyperbolic tangent; `approx` for f32";
  let cost = 20;
  let fieldSince = [Tile_Since<"rounding_mode", "13.2">];
}

class Tile_FlushableOp<string mnemonic, int opcode> : Tile_FloatOp<mnemonic, opcode> {
  let arguments = (ins Tile_BaseFloatTile:$source, UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source (`flush_to_zero` $flush_to_zero^)? attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}
def Tile_Exp2Op : Tile_FlushableOp<"exp2", 0x18> {
  let summary = "2 to the power of the operand";
  let cost = 20;
}
def Tile_RsqrtOp : Tile_FlushableOp<"rsqrt", 0x5D> {
  let summary = "Reciprocal of the square root";
  let cost = 20;
}

def Tile_PowOp : Tile_FloatOp<"pow", 0x54, "13.1", [Tile_IsLong]> {
  let summary = "source to the power of exponent (special cases as C pow)";
  let cost = 20;
  let arguments = (ins Tile_BaseFloatTile:$source, Tile_BaseFloatTile:$exponent);
  let assemblyFormat = "$source `,` $exponent attr-dict `:` custom<TileType>(type($result))";
}
def Tile_FPowIOp : Tile_ElementwiseOp<"fpowi", 0x79, "13.4", [
    Pure, Tile_IsLong, AllTypesMatch<["source", "result"]>,
    AllShapesMatch<["source", "exponent"]>]> {
  let summary = "source to the power of an integer, which is read signed";
  let cost = 20;
  let arguments = (ins Tile_BaseFloatTile:$source, Tile_PowerExponentTile:$exponent);
  let results = (outs Tile_BaseFloatTile:$result);
  let assemblyFormat = [{
    $source `,` $exponent attr-dict `:` custom<TileType>(type($source)) `,`
    custom<TileType>(type($exponent)) `` custom<RepeatedResult>(ref(type($source)))
  }];
}
def Tile_Atan2Op : Tile_FloatOp<"atan2", 0x6E, "13.2"> {
  let summary = "Angle of x / y with the quadrant of both signs: x is the numerator";
  let cost = 20;
  let arguments = (ins Tile_BaseFloatTile:$x, Tile_BaseFloatTile:$y);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<TileType>(type($result))";
}
} // category

#endif // TILEWRIGHT_TILE_OPS_FLOAT_TD
