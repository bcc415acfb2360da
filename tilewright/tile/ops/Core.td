// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that create and rearrange tiles (operations, 4.1 to 4.10).

#ifndef TILEWRIGHT_TILE_OPS_CORE_TD
#define TILEWRIGHT_TILE_OPS_CORE_TD

include "tilewright/tile/ops/Base.td"

let category = "Core" in {

def Tile_ConstantOp : Tile_Op<"constant", 0x10, "13.1", [
    ConstantLike, Pure, AllTypesMatch<["value", "result"]>, Tile_NamesResults]> {
  let summary = "A literal: one number for all elements, or a nested list";
  let syntax = "<E: values> : T [{...}]";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Tile_NumberTile:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_IotaOp : Tile_Op<"iota", 0x3A, "13.1", [Pure]> {
  let summary = "0, 1, 2, ... along the one dimension";
  let results = (outs Tile_IntTile:$result);
  let assemblyFormat = "attr-dict `:` custom<TileType>(type($result))";
  let hasVerifier = 1;
}

// One source tile, one result tile; text `source : T -> R`.
class Tile_ReshapingOp<string mnemonic, int opcode, list<Trait> traits>
    : Tile_Op<mnemonic, opcode, "13.1", traits # [
        Pure, DeclareOpInterfaceMethods<Tile_RearrangementInterface>]> {
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<TileType>(type($source)) `->` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_ReshapingOp<"broadcast", 0x0B, [
    SameOperandsAndResultElementType, AllRanksMatch<["source", "result"]>, Tile_NamesResults]> {
  let summary = "Repeats along dimensions of extent 1; the rank stays";
}
def Tile_ReshapeOp : Tile_ReshapingOp<"reshape", 0x5B, [
    SameOperandsAndResultElementType, Tile_NamesResults]> {
  let summary = "Same elements in row-major order, other extents";
}
def Tile_PermuteOp : Tile_ReshapingOp<"permute", 0x53, [
    Tile_SameElementType<["source", "result"]>, AllRanksMatch<["source", "result"]>]> {
  let summary = "Result dimension k is source dimension permutation[k]";
  let arguments = (ins Tile_AnyTile:$source, DenseI32ArrayAttr:$permutation);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` custom<TileType>(type($source)) `->`
    custom<TileType>(type($result))
  }];
}
def Tile_CatOp : Tile_Op<"cat", 0x0C, "13.1", [
    Pure, Tile_SameElementType<["lhs", "rhs", "result"]>,
    AllRanksMatch<["lhs", "rhs", "result"]>]> {
  let summary = "rhs behind lhs along one dimension";
  let arguments = (ins Tile_AnyTile:$lhs, Tile_AnyTile:$rhs, I64Attr:$dim);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `dim` `=` $dim attr-dict `:` custom<TileType>(type($lhs)) `,`
    custom<TileType>(type($rhs)) `->` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}
def Tile_ExtractOp : Tile_ReshapingOp<"extract", 0x26, [
    AllRanksMatch<["source", "result"]>,
    DeclareOpInterfaceMethods<Tile_RearrangementInterface, ["getSelectors", "getSelectorSteps"]>]> {
  let summary = "One slice of the tile cut into slices of the result's shape";
  let arguments = (ins Tile_AnyTile:$source, Variadic<Tile_I32Scalar>:$indices);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` custom<TileType>(type($source)) `->`
    custom<TileType>(type($result))
  }];
}

def Tile_InsertOp : Tile_Op<"insert", 0x76, "13.4", [
    Pure, AllTypesMatch<["destination", "result"]>, AllRanksMatch<["source", "destination"]>,
    Tile_SameElementType<["source", "destination"]>]> {
  let summary = "The destination, one slice of it replaced by the source; the reverse of `extract`";
  let arguments = (ins Tile_AnyTile:$source, Tile_AnyTile:$destination,
                       Variadic<Tile_I32Scalar>:$indices);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $source `,` $destination `[` $indices `]` attr-dict `:` custom<TileType>(type($source))
    `` custom<DestinationType>(type($destination))
  }];
  let hasVerifier = 1;
}

def Tile_SelectOp : Tile_ElementwiseOp<"select", 0x5F, "13.1", [
    Pure, Tile_KeepsNanBits, AllTypesMatch<["val_if_true", "val_if_false", "result"]>,
    AllShapesMatch<["cond", "val_if_true", "val_if_false", "result"]>]> {
  let summary = "Per element: the first value where the condition holds, else the second";
  let cost = 1;
  let arguments = (ins Tile_I1Tile:$cond, Tile_AnyTile:$val_if_true, Tile_AnyTile:$val_if_false);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $cond `,` $val_if_true `,` $val_if_false attr-dict `:` custom<TileType>(type($cond)) `,`
    custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_OffsetOp : Tile_ElementwiseOp<"offset", 0x51, "13.1", [
    Pure, SameOperandsAndResultShape, AllTypesMatch<["result", "ptr"]>]> {
  let summary = "Pointer moved by a signed number of elements";
  let cost = 1;
  let arguments = (ins Tile_PointerTile:$ptr, Tile_IntTile:$offset);
  let results = (outs Tile_PointerTile:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` custom<TileType>(type($ptr)) `,` custom<TileType>(type($offset))
    `->` custom<TileType>(type($result))
  }];
}

def Tile_GetTileBlockIdOp : Tile_Op<"get_tile_block_id", 0x30, "13.1", [
    Pure, Tile_NamesResults]> {
  let summary = "Coordinates of this tile block in the grid";
  let results = (outs Tile_I32Scalar:$blockId_x, Tile_I32Scalar:$blockId_y,
                      Tile_I32Scalar:$blockId_z);
  let assemblyFormat = [{
    attr-dict `:` custom<ThreeOfType>(type($blockId_x), type($blockId_y), type($blockId_z))
  }];
}
def Tile_GetNumTileBlocksOp : Tile_Op<"get_num_tile_blocks", 0x2E, "13.1", [
    Pure, Tile_NamesResults]> {
  let summary = "Extents of the grid";
  let results = (outs Tile_I32Scalar:$gridSize_x, Tile_I32Scalar:$gridSize_y,
                      Tile_I32Scalar:$gridSize_z);
  let assemblyFormat = [{
    attr-dict `:` custom<ThreeOfType>(type($gridSize_x), type($gridSize_y), type($gridSize_z))
  }];
}
} // category

let category = "Miscellaneous" in {

def Tile_AssertOp : Tile_Op<"assert", 0x05, "13.1"> {
  let summary = "Reports the message for each false element and fails the launch";
  let arguments = (ins Tile_I1Tile:$condition, StrAttr:$message);
  let assemblyFormat = [{
    $condition `,` $message attr-dict `:` custom<TileType>(type($condition))
  }];
}

def Tile_AssumeOp : Tile_Op<"assume", 0x06, "13.1", [
    AllTypesMatch<["value", "result"]>, Tile_NamesResults]> {
  let summary = "The operand, with an assumption about it";
  let arguments = (ins AnyType:$value, Tile_AssumePredicate:$predicate);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<AssumePredicate>($predicate) `,` $value attr-dict `:` custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PrintOp : Tile_Op<"print_tko", 0x55, "13.1", [AttrSizedOperandSegments]> {
  let summary = "Prints tiles with a C-like format; ordered by tokens only";
  let arguments = (ins StrAttr:$str, Variadic<Tile_AnyTile>:$args, Optional<Tile_Token>:$token);
  let results = (outs Tile_Token:$result_token);
  let fieldSince = [Tile_Since<"token", "13.2">, Tile_Since<"result_token", "13.2">];
  let assemblyFormat = [{
    $str `` custom<PrintArguments>($args) `` custom<TightTokenClause>($token) attr-dict
    `` custom<PrintTypes>(type($args)) `->` custom<TileType>(type($result_token))
  }];
  let hasVerifier = 1;
}
} // category

#endif // TILEWRIGHT_TILE_OPS_CORE_TD
