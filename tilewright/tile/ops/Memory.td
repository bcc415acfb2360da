// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens, memory accesses through pointers, and atomics (operations, 7 and 9).

#ifndef TILEWRIGHT_TILE_OPS_MEMORY_TD
#define TILEWRIGHT_TILE_OPS_MEMORY_TD

include "tilewright/tile/ops/Base.td"

let category = "Memory" in {

def Tile_MakeTokenOp : Tile_Op<"make_token", 0x44, "13.1", [Pure]> {
  let summary = "Token that depends on nothing";
  let results = (outs Tile_Token:$result);
  let assemblyFormat = "attr-dict `:` custom<TileType>(type($result))";
}
def Tile_JoinTokensOp : Tile_Op<"join_tokens", 0x3C, "13.1", [Pure]> {
  let summary = "Token that depends on all operands";
  let arguments = (ins Variadic<Tile_Token>:$tokens);
  let results = (outs Tile_Token:$result);
  let assemblyFormat = "$tokens attr-dict `:` custom<TileType>(type($result))";
  let hasVerifier = 1;
}

// A dependent launch may start while this one still runs (13.4, section 4).
class Tile_DependenceOp<string mnemonic, int opcode> : Tile_Op<mnemonic, opcode, "13.4"> {
  let arguments = (ins Optional<Tile_Token>:$token);
  let results = (outs Tile_Token:$result_token);
  let assemblyFormat = [{
    `` custom<TokenClause>($token) attr-dict `->` custom<TileType>(type($result_token))
  }];
}
def Tile_GdcLaunchDependentsOp : Tile_DependenceOp<"gdc_launch_dependents_tko", 0x77> {
  let summary = "Lets the launch that depends on this one start; makes no store visible";
}
def Tile_GdcWaitOp : Tile_DependenceOp<"gdc_wait_tko", 0x78> {
  let summary = "Waits for the launch before this one, and sees all that it has stored";
}
def Tile_MemoryFenceAliasOp : Tile_Op<"memory_fence_alias_tko", 0x7A, "13.4"> {
  let summary = "Orders accesses to the same memory through different addresses";
  let arguments = (ins Tile_Token:$token);
  let results = (outs Tile_Token:$result_token);
  let assemblyFormat = [{
    custom<FencedToken>($token) attr-dict `` custom<FencedType>(type($result_token))
  }];
}

def Tile_AllocaOp : Tile_Op<"alloca", 0x71, "13.3"> {
  let summary = "Uninitialised memory that lives as long as its block";
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>]>:$num_elem, I64Attr:$alignment,
                       UnitAttr:$global);
  let results = (outs Tile_PointerScalar:$result);
  let assemblyFormat = [{
    `num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` $global^)? attr-dict `:`
    custom<TileType>(type($result))
  }];
  let hasVerifier = 1;
}

// Pointer accesses share ordering, optional scope, optional mask and token.
class Tile_PointerAccessOp<string mnemonic, int opcode, list<Trait> traits>
    : Tile_Op<mnemonic, opcode, "13.1", traits # [AttrSizedOperandSegments, Tile_MemoryAccessInterface]> {
  let hasVerifier = 1;
}

def Tile_LoadPtrOp : Tile_PointerAccessOp<"load_ptr_tko", 0x3D, [
    MemoryEffects<[MemRead, MemWrite]>, Tile_NamesResults]> {
  let summary = "Reads one element per pointer where the mask holds";
  let extraClassDeclaration = Tile_Access<"Load", "Source", "Result">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       OptionalAttr<Tile_MemoryScope>:$memory_scope,
                       Tile_PointerTile:$source, Optional<Tile_I1Tile>:$mask,
                       Optional<Tile_NumberTile>:$paddingValue, Optional<Tile_Token>:$token,
                       OptionalAttr<Tile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs Tile_AnyTile:$result, Tile_Token:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics ($memory_scope^)? $source
    `` custom<TwoOptionalOperands>($mask, $paddingValue) `` custom<TightTokenClause>($token)
    `` custom<MemoryHints>($optimization_hints) attr-dict `:` custom<TileType>(type($source))
    `` custom<TwoOptionalTypes>(type($mask), type($paddingValue)) `->`
    custom<TileType>(type($result)) `,` custom<TileType>(type($result_token))
  }];
}

def Tile_StorePtrOp : Tile_PointerAccessOp<"store_ptr_tko", 0x65, [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes one element per pointer where the mask holds";
  let extraClassDeclaration = Tile_Access<"Store", "Destination", "", "Value">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       OptionalAttr<Tile_MemoryScope>:$memory_scope,
                       Tile_PointerTile:$destination, Tile_AnyTile:$value,
                       Optional<Tile_I1Tile>:$mask, Optional<Tile_Token>:$token,
                       OptionalAttr<Tile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs Tile_Token:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics ($memory_scope^)? $destination `,` $value
    `` custom<OptionalOperand>($mask) `` custom<TightTokenClause>($token)
    `` custom<MemoryHints>($optimization_hints) attr-dict `:` custom<TileType>(type($destination))
    `,` custom<TileType>(type($value)) `` custom<OptionalType>(type($mask)) `->`
    custom<TileType>(type($result_token))
  }];
}
} // category

let category = "Atomics" in {

def Tile_AtomicRMWOp : Tile_PointerAccessOp<"atomic_rmw_tko", 0x08, [
    MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["arg", "result"]>, Tile_NamesResults]> {
  let summary = "Per pointer, atomically: old value out, combined value in";
  let extraClassDeclaration = Tile_Access<"Atomic", "Pointers", "Result", "Arg">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       Tile_MemoryScope:$memory_scope, Tile_PointerTile:$pointers,
                       Tile_AtomicMode:$mode, Tile_NumberTile:$arg, Optional<Tile_I1Tile>:$mask,
                       Optional<Tile_Token>:$token);
  let results = (outs Tile_NumberTile:$result, Tile_Token:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg
    `` custom<OptionalOperand>($mask) `` custom<TightTokenClause>($token) attr-dict `:`
    custom<TileType>(type($pointers)) `,` custom<TileType>(type($arg))
    `` custom<OptionalType>(type($mask)) `->` custom<TileType>(type($result)) `,`
    custom<TileType>(type($result_token))
  }];
}

def Tile_AtomicCASOp : Tile_PointerAccessOp<"atomic_cas_tko", 0x07, [
    MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["cmp", "val", "result"]>,
    Tile_NamesResults]> {
  let summary = "Per pointer, atomically: val in if the old bits equal cmp; old value out";
  let extraClassDeclaration = Tile_Access<"Atomic", "Pointers", "Result", "Val">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       Tile_MemoryScope:$memory_scope, Tile_PointerTile:$pointers,
                       Tile_NumberTile:$cmp, Tile_NumberTile:$val, Optional<Tile_I1Tile>:$mask,
                       Optional<Tile_Token>:$token);
  let results = (outs Tile_NumberTile:$result, Tile_Token:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val
    `` custom<OptionalOperand>($mask) `` custom<TightTokenClause>($token) attr-dict `:`
    custom<TileType>(type($pointers)) `,` custom<TileType>(type($val))
    `` custom<OptionalType>(type($mask)) `->` custom<TileType>(type($result)) `,`
    custom<TileType>(type($result_token))
  }];
}

def Tile_AtomicRedViewOp : Tile_Op<"atomic_red_view_tko", 0x75, "13.3", [
    MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments, Tile_MemoryAccessInterface]> {
  let summary = "Combines a tile into memory, each element atomically";
  let extraClassDeclaration = Tile_Access<"Atomic", "View", "", "Value">.answers;
  let arguments = (ins Tile_MemoryOrdering:$memory_ordering_semantics,
                       Tile_MemoryScope:$memory_scope, Tile_AnyView:$view,
                       Variadic<Tile_IntTile>:$index, Tile_AtomicMode:$mode,
                       Tile_NumberTile:$value, Optional<Tile_Token>:$token,
                       Tile_Inbounds:$inbounds);
  let results = (outs Tile_Token:$result_token);
  let fieldSince = [Tile_Since<"inbounds", "13.5">];
  let assemblyFormat = [{
    custom<AtomicViewOrdering>($memory_ordering_semantics, $memory_scope) $view `[` $index `]` `,`
    custom<AtomicMode>($mode) `,` $value `` custom<TokenAndInbounds>($token, $inbounds)
    attr-dict-with-keyword `:`
    custom<TileType>(type($value)) `,` custom<TileType>(type($view))
    `` custom<IndexTypes>(ref($index), type($index)) `->` custom<TileType>(type($result_token))
  }];
  let hasVerifier = 1;
}
} // category

#endif // TILEWRIGHT_TILE_OPS_MEMORY_TD
