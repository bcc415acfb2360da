// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between element types (arithmetic, 4.22 to 4.29).

#ifndef TILEWRIGHT_TILE_OPS_CONVERSION_TD
#define TILEWRIGHT_TILE_OPS_CONVERSION_TD

include "tilewright/tile/ops/Base.td"

let category = "Conversions" in {

class Tile_ConversionOp<string mnemonic, int opcode, list<Trait> traits = []>
    : Tile_ElementwiseOp<mnemonic, opcode, "13.1",
                         traits # [Pure, AllShapesMatch<["from", "to"]>]>;

// A conversion with operand `source` and result `result`.
class Tile_CastOp<string mnemonic, int opcode, Type sourceTile, Type resultTile,
                  list<Trait> traits = []>
    : Tile_ElementwiseOp<mnemonic, opcode, "13.1",
                         traits # [Pure, AllShapesMatch<["source", "result"]>]> {
  let arguments = (ins sourceTile:$source);
  let results = (outs resultTile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<TileType>(type($source)) `->` custom<TileType>(type($result))
  }];
}

def Tile_BitcastOp : Tile_CastOp<"bitcast", 0x09, Tile_NumberTile, Tile_NumberTile,
                                 [Tile_KeepsNanBits]> {
  let summary = "Reads the bits of each element as another type of equal width";
  let cost = 1;
  let hasVerifier = 1;
}
def Tile_IntToPtrOp : Tile_CastOp<"int_to_ptr", 0x33, Tile_I64Tile, Tile_PointerTile> {
  let summary = "Address to pointer";
  let cost = 1;
}
def Tile_PtrToIntOp : Tile_CastOp<"ptr_to_int", 0x56, Tile_PointerTile, Tile_I64Tile> {
  let summary = "Pointer to address";
  let cost = 1;
}
def Tile_PtrToPtrOp : Tile_CastOp<"ptr_to_ptr", 0x57, Tile_PointerTile, Tile_PointerTile> {
  let summary = "Changes the pointee type; the address stays";
  let cost = 1;
}

def Tile_ExtIOp : Tile_ConversionOp<"exti", 0x25> {
  let summary = "Sign or zero extension to a wider integer";
  let cost = 1;
  let arguments = (ins Tile_IntOrI4Tile:$from, Tile_SignednessAttr:$signedness);
  let results = (outs Tile_IntOrI4Tile:$to);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) attr-dict `:` custom<TileType>(type($from)) `->`
    custom<TileType>(type($to))
  }];
  let hasVerifier = 1;
}
def Tile_TruncIOp : Tile_ConversionOp<"trunci", 0x6B, [Tile_OverflowInterface]> {
  let summary = "Keeps the low bits";
  let cost = 1;
  let arguments = (ins Tile_IntOrI4Tile:$from,
                       DefaultValuedAttr<Tile_OverflowAttr, "IntegerOverflow::None">:$overflow);
  let results = (outs Tile_IntOrI4Tile:$to);
  let assemblyFormat = [{
    $from `` custom<Overflow>($overflow) attr-dict `:` custom<TileType>(type($from)) `->`
    custom<TileType>(type($to))
  }];
  let hasVerifier = 1;
}

def Tile_FToFOp : Tile_ConversionOp<"ftof", 0x2A> {
  let summary = "Float to float, rounded once; 8- and 4-bit results saturate";
  let cost = 2;
  let arguments = (ins Tile_AnyFloatTile:$from,
      DefaultValuedAttr<Tile_RoundingModeAttr, "RoundingMode::NearestEven">:$rounding_mode);
  let results = (outs Tile_AnyFloatTile:$to);
  let assemblyFormat = [{
    $from `` custom<FToFRounding>($rounding_mode) attr-dict `:` custom<TileType>(type($from)) `->`
    custom<TileType>(type($to))
  }];
  let hasVerifier = 1;
}
def Tile_FToIOp : Tile_ConversionOp<"ftoi", 0x2B> {
  let summary = "Float to integer, truncated (to i1: is it not 0?); undefined beyond its range, "
                "unless `saturating`";
  let cost = 20;
  let arguments = (ins Tile_AnyFloatTile:$from, Tile_SignednessAttr:$signedness,
                       Tile_RoundingModeAttr:$rounding_mode, UnitAttr:$saturating);
  let results = (outs Tile_IntTile:$to);
  let fieldSince = [Tile_Since<"saturating", "13.4">];
  let assemblyFormat = [{
    $from custom<Signedness>($signedness)
    `` custom<FToIModifiers>($rounding_mode, $saturating) attr-dict `:`
    custom<TileType>(type($from)) `->` custom<TileType>(type($to))
  }];
  let hasVerifier = 1;
}
def Tile_IToFOp : Tile_ConversionOp<"itof", 0x3B> {
  let summary = "Integer to float, rounded once to nearest even";
  let cost = 2;
  let arguments = (ins Tile_IntTile:$from, Tile_SignednessAttr:$signedness,
                       Tile_RoundingModeAttr:$rounding_mode);
  let results = (outs Tile_AnyFloatTile:$to);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) `` custom<IeeeRounding>($rounding_mode) attr-dict `:`
    custom<TileType>(type($from)) `->` custom<TileType>(type($to))
  }];
  let hasVerifier = 1;
}
} // category

let category = "Core" in {
class Tile_RepackOp<string mnemonic, int opcode, Type sourceTile, Type resultTile>
    : Tile_Op<mnemonic, opcode, "13.3", [Pure, AllRanksMatch<["source", "result"]>]> {
  let arguments = (ins sourceTile:$source);
  let results = (outs resultTile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<TileType>(type($source)) `->` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}
def Tile_PackOp : Tile_RepackOp<"pack", 0x6F, Tile_NumberOrI4Tile, Tile_I8Tile> {
  let summary = "Elements of a rank-1 tile to its bytes, little-endian";
}
def Tile_UnpackOp : Tile_RepackOp<"unpack", 0x70, Tile_I8Tile, Tile_NumberOrI4Tile> {
  let summary = "Bytes to the elements of a rank-1 tile, little-endian";
}
} // category

#endif // TILEWRIGHT_TILE_OPS_CONVERSION_TD
