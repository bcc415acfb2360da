// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix multiply-accumulate (arithmetic, 4.30 to 4.32).

#ifndef TILEWRIGHT_TILE_OPS_MATRIX_TD
#define TILEWRIGHT_TILE_OPS_MATRIX_TD

include "tilewright/tile/ops/Base.td"

class Tile_MmaOp<string mnemonic, int opcode, string since, list<Trait> traits>
    : Tile_Op<mnemonic, opcode, since, traits # [Pure, Tile_MatmulInterface,
                                                 AllTypesMatch<["acc", "result"]>,
                                                 Tile_SameElementType<["lhs", "rhs"]>]> {
  let hasVerifier = 1;
}

def Tile_MmaFOp : Tile_MmaOp<"mmaf", 0x49, "13.1", [AllRanksMatch<["lhs", "rhs", "acc"]>]> {
  let summary = "acc + lhs x rhs on float matrices, optionally batched";
  let category = "Floating Point";
  let arguments = (ins Tile_MmaFOperand:$lhs, Tile_MmaFOperand:$rhs, Tile_MmaFResult:$acc,
                       UnitAttr:$fast_acc);
  let results = (outs Tile_MmaFResult:$result);
  let fieldSince = [Tile_Since<"fast_acc", "13.3">];
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:`
    custom<TileType>(type($lhs)) `,` custom<TileType>(type($rhs)) `,` custom<TileType>(type($acc))
  }];
}

def Tile_MmaIOp : Tile_MmaOp<"mmai", 0x4A, "13.1", [AllRanksMatch<["lhs", "rhs", "acc"]>]> {
  let summary = "acc + lhs x rhs on i8 matrices into i32, modulo 2^32";
  let category = "Integer";
  let arguments = (ins Tile_MmaIOperand:$lhs, Tile_MmaIOperand:$rhs, Tile_MmaIResult:$acc,
                       Tile_SignednessAttr:$signedness_lhs, Tile_SignednessAttr:$signedness_rhs);
  let results = (outs Tile_MmaIResult:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc custom<Signedness>($signedness_lhs) custom<Signedness>($signedness_rhs)
    attr-dict `:` custom<TileType>(type($lhs)) `,` custom<TileType>(type($rhs)) `,`
    custom<TileType>(type($acc))
  }];
}

def Tile_MmaFScaledOp : Tile_MmaOp<"mmaf_scaled", 0x72, "13.3", [
    AllRanksMatch<["lhs", "rhs", "acc", "lhs_scale", "rhs_scale"]>,
    Tile_SameElementType<["lhs_scale", "rhs_scale"]>]> {
  let summary = "acc + (lhs * lhs_scale) x (rhs * rhs_scale) with one scale per block along K";
  let category = "Floating Point";
  let arguments = (ins Tile_MmaScaledOperand:$lhs, Tile_MmaScaledOperand:$rhs,
                       Tile_MmaScaledResult:$acc, Tile_MmaScaledScale:$lhs_scale,
                       Tile_MmaScaledScale:$rhs_scale);
  let results = (outs Tile_MmaScaledResult:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:`
    custom<TileType>(type($lhs)) `,` custom<TileType>(type($rhs)) `,` custom<TileType>(type($acc))
    `,` custom<TileType>(type($lhs_scale)) `,` custom<TileType>(type($rhs_scale))
  }];
}

#endif // TILEWRIGHT_TILE_OPS_MATRIX_TD
