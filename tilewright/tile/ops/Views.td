// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views, and memory accesses through views (operations, 8).

#ifndef TILEWRIGHT_TILE_OPS_VIEWS_TD
#define TILEWRIGHT_TILE_OPS_VIEWS_TD

include "tilewright/tile/ops/Base.td"

let category = "Views" in {

def Tile_MakeTensorViewOp : Tile_Op<"make_tensor_view", 0x43, "13.1", [
    NoMemoryEffect, AttrSizedOperandSegments, Tile_NamesResults]> {
  let summary = "Describes an array in memory: base, extents, strides in elements";
  let syntax = "%base, shape = [N|%n, ...], strides = [N|%n, ...] [{...}] : "
               "[[T(base)] [, T(dynamic)] ->] T(result)";
  let arguments = (ins Tile_PointerScalar:$base, Variadic<Tile_IntScalar>:$dynamicShape,
                       Variadic<Tile_IntScalar>:$dynamicStrides);
  let results = (outs Tile_TensorView:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class Tile_MakeViewOp<string mnemonic, int opcode, string since, Type view>
    : Tile_Op<mnemonic, opcode, since, [Pure, Tile_NamesResults,
        TypesMatchWith<"type of 'tensor_view' matches the tensor_view of 'result'", "result",
                       "tensor_view", "tensorViewOf($_self)">]> {
  let arguments = (ins Tile_TensorView:$tensor_view);
  let results = (outs view:$result);
}
def Tile_MakePartitionViewOp
    : Tile_MakeViewOp<"make_partition_view", 0x42, "13.1", Tile_PartitionView> {
  let summary = "Tiles side by side over a tensor view";
  let assemblyFormat = "$tensor_view attr-dict `:` custom<PartitionViewType>(type($result))";
}
def Tile_MakeStridedViewOp
    : Tile_MakeViewOp<"make_strided_view", 0x74, "13.3", Tile_StridedView> {
  let summary = "Tiles at multiples of the traversal strides over a tensor view";
  let assemblyFormat = "$tensor_view attr-dict `:` custom<StridedViewType>(type($result))";
}
def Tile_MakeGatherScatterViewOp
    : Tile_MakeViewOp<"make_gather_scatter_view", 0x73, "13.3", Tile_GatherScatterView> {
  let summary = "Tiles of listed slices along one dimension of a tensor view";
  let assemblyFormat = "$tensor_view attr-dict `:` custom<GatherScatterViewType>(type($result))";
}

def Tile_GetIndexSpaceShapeOp
    : Tile_Op<"get_index_space_shape", 0x2D, "13.1", [NoMemoryEffect]> {
  let summary = "Number of indices of a view along each of its dimensions";
  let syntax = "%src : T(src) -> T(result)";
  let arguments = (ins Tile_AnyView:$src);
  let results = (outs Variadic<Tile_IntScalar>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Tile_GetTensorShapeOp : Tile_Op<"get_tensor_shape", 0x2F, "13.1", [NoMemoryEffect]> {
  let summary = "Extents of a tensor view";
  let syntax = "%src : T(src) -> T(result)";
  let arguments = (ins Tile_TensorView:$src);
  let results = (outs Variadic<Tile_IntScalar>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_LoadViewOp : Tile_Op<"load_view_tko", 0x3E, "13.1", [
    MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments, Tile_MemoryAccessInterface,
    Tile_NamesResults]> {
  let summary = "Reads the tile that an index names; padding outside the tensor";
  let extraClassDeclaration = Tile_Access<"Load", "View", "Tile">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       OptionalAttr<Tile_MemoryScope>:$memory_scope, Tile_AnyView:$view,
                       Variadic<Tile_IntTile>:$index, Optional<Tile_Token>:$token,
                       OptionalAttr<Tile_OptimizationHintsAttr>:$optimization_hints,
                       Tile_Inbounds:$inbounds);
  let results = (outs Tile_AnyTile:$tile, Tile_Token:$result_token);
  let fieldSince = [Tile_Since<"inbounds", "13.4">];
  let assemblyFormat = [{
    custom<ViewOrdering>($memory_ordering_semantics, $memory_scope) $view `[` $index `]`
    `` custom<ViewClauses>($token, $optimization_hints, $inbounds) attr-dict-with-keyword `:`
    custom<TileType>(type($view)) `` custom<IndexTypes>(ref($index), type($index)) `->`
    custom<TileType>(type($tile)) `,` custom<TileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def Tile_StoreViewOp : Tile_Op<"store_view_tko", 0x66, "13.1", [
    MemoryEffects<[MemWrite]>, AttrSizedOperandSegments, Tile_MemoryAccessInterface]> {
  let summary = "Writes the tile that an index names; nothing outside the tensor";
  let extraClassDeclaration = Tile_Access<"Store", "View", "", "Tile">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       OptionalAttr<Tile_MemoryScope>:$memory_scope, Tile_AnyTile:$tile,
                       Tile_AnyView:$view, Variadic<Tile_IntTile>:$index,
                       Optional<Tile_Token>:$token,
                       OptionalAttr<Tile_OptimizationHintsAttr>:$optimization_hints,
                       Tile_Inbounds:$inbounds);
  let results = (outs Tile_Token:$result_token);
  let fieldSince = [Tile_Since<"inbounds", "13.4">];
  let assemblyFormat = [{
    custom<ViewOrdering>($memory_ordering_semantics, $memory_scope) $tile `,` $view `[` $index `]`
    `` custom<ViewClauses>($token, $optimization_hints, $inbounds) attr-dict-with-keyword `:`
    custom<TileType>(type($tile)) `,` custom<TileType>(type($view))
    `` custom<IndexTypes>(ref($index), type($index)) `->` custom<TileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

//===-- Multicast: several copies behind one address (13.5, section 9.2) --------------------===//

// Parsed and printed by hand (tile/text/Multimem.cpp), because the reduction is in the attribute
// dictionary and the type of a token is among those of the operands.
class Tile_MultimemOp<string mnemonic, int opcode, list<Trait> traits>
    : Tile_Op<mnemonic, opcode, "13.5", traits # [
        AttrSizedOperandSegments, Tile_MemoryAccessInterface]> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Tile_MultimemLoadReduceViewOp
    : Tile_MultimemOp<"multimem_load_reduce_view_tko", 0x7B, [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Reads the tile from every copy and combines what it read, element by element";
  let syntax = "ORDERING [SCOPE] %view[%index] [token = %token] [inbounds = [BOOL, ...]] "
               "[attributes {...}] : T(view), T(index)... [, T(token)] "
               "-> T(reduced_values), T(result_token)";
  let extraClassDeclaration = Tile_Access<"Load", "View", "ReducedValues">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       OptionalAttr<Tile_MemoryScope>:$memory_scope, Tile_PartitionView:$view,
                       Variadic<Tile_IntTile>:$index, Tile_MultimemReductionAttr:$reduction,
                       Optional<Tile_Token>:$token, Tile_Inbounds:$inbounds);
  let results = (outs Tile_NumberTile:$reduced_values, Tile_Token:$result_token);
}
def Tile_MultimemReduceViewOp
    : Tile_MultimemOp<"multimem_reduce_view_tko", 0x7C, [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Combines a tile into every copy, each element atomically";
  let syntax = "ORDERING SCOPE %view, %tile[%index] [token = %token] [inbounds = [BOOL, ...]] "
               "[attributes {...}] : T(view), T(tile), T(index)... [, T(token)] -> T(result_token)";
  let extraClassDeclaration = Tile_Access<"Atomic", "View", "", "Tile">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       Tile_MemoryScope:$memory_scope, Tile_PartitionView:$view,
                       Tile_NumberTile:$tile, Variadic<Tile_IntTile>:$index,
                       Tile_MultimemReductionAttr:$reduction, Optional<Tile_Token>:$token,
                       Tile_Inbounds:$inbounds);
  let results = (outs Tile_Token:$result_token);
}
def Tile_MultimemStoreViewOp
    : Tile_MultimemOp<"multimem_store_view_tko", 0x7D, [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes the tile to every copy";
  let syntax = "ORDERING [SCOPE] %view, %tile[%index] [token = %token] [inbounds = [BOOL, ...]] "
               "[attributes {...}] : T(view), T(tile), T(index)... [, T(token)] -> T(result_token)";
  let extraClassDeclaration = Tile_Access<"Store", "View", "", "Tile">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       OptionalAttr<Tile_MemoryScope>:$memory_scope, Tile_PartitionView:$view,
                       Tile_NumberTile:$tile, Variadic<Tile_IntTile>:$index,
                       Optional<Tile_Token>:$token, Tile_Inbounds:$inbounds);
  let results = (outs Tile_Token:$result_token);
}
} // category

#endif // TILEWRIGHT_TILE_OPS_VIEWS_TD
