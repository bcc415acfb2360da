// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow (operations, 5) and aggregates with a body (4.11, 4.12).

#ifndef TILEWRIGHT_TILE_OPS_CONTROLFLOW_TD
#define TILEWRIGHT_TILE_OPS_CONTROLFLOW_TD

include "tilewright/tile/ops/Base.td"

// Control-flow interfaces for upstream analyses. (ControlInterfaces.cpp describes what they report
// for loops with a `break` or `continue` in an `if`.)
defvar Tile_Branches = DeclareOpInterfaceMethods<RegionBranchOpInterface,
                                                 ["getEntrySuccessorOperands"]>;
defvar Tile_BranchTerminator = DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface>;
class Tile_Loop<list<string> methods>
    : DeclareOpInterfaceMethods<LoopLikeOpInterface, methods>;

let category = "Control Flow" in {

def Tile_IfOp : Tile_Op<"if", 0x32, "13.1", [
    RecursiveMemoryEffects, NoRegionArguments, SingleBlock,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>,
    Tile_ElidesPrefix<["getDefaultDialect", "getAsmResultNames"]>]> {
  let summary = "One of two branches; its yield gives the results";
  let syntax = "%condition [-> (T, ...)] { then } [else { else }] [{...}]";
  let arguments = (ins Tile_I1Scalar:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, AnyRegion:$elseRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *thenBlock() { return &getThenRegion().front(); }
    ::mlir::Block *elseBlock() {
      return getElseRegion().empty() ? nullptr : &getElseRegion().front();
    }
  }];
}

def Tile_ForOp : Tile_Op<"for", 0x29, "13.1", [
    RecursiveMemoryEffects, SingleBlock, AutomaticAllocationScope,
    AllTypesMatch<["lowerBound", "upperBound", "step"]>, Tile_Branches,
    Tile_Loop<["getLoopInductionVars", "getLoopLowerBounds", "getLoopSteps", "getLoopUpperBounds",
               "getInitsMutable", "getRegionIterArgs", "getYieldedValuesMutable",
               "getLoopResults"]>,
    Tile_ElidesPrefix<["getDefaultDialect", "getAsmResultNames", "getAsmBlockArgumentNames"]>]> {
  let summary = "Counted loop with carried values; only `continue` ends an iteration";
  let syntax = "[unsigned] %i in (%lowerBound to %upperBound, step %step) : T "
               "[iter_values(%a = %init, ...) -> (T, ...)] { body } [{...}]";
  let arguments = (ins Tile_IntScalar:$lowerBound, Tile_IntScalar:$upperBound,
                       Tile_IntScalar:$step, Variadic<AnyType>:$initValues,
                       UnitAttr:$unsignedCmp);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let fieldSince = [Tile_Since<"unsignedCmp", "13.2">];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *body() { return &getRegion().front(); }
    ::mlir::BlockArgument inductionVar() { return body()->getArgument(0); }
    ::mlir::Block::BlockArgListType iterArgs() { return body()->getArguments().drop_front(); }
  }];
}

def Tile_LoopOp : Tile_Op<"loop", 0x41, "13.1", [
    RecursiveMemoryEffects, SingleBlock, AutomaticAllocationScope, Tile_MayNotEnd, Tile_Branches,
    Tile_Loop<["getInitsMutable", "getRegionIterArgs", "getYieldedValuesMutable"]>,
    Tile_ElidesPrefix<["getDefaultDialect", "getAsmResultNames"]>]> {
  let summary = "Endless loop with carried values; `break` gives the results";
  let syntax = "[iter_values(%a = %init, ...) : T, ... [-> T, ...]] { body } [{...}]";
  let arguments = (ins Variadic<AnyType>:$initValues);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *body() { return &getRegion().front(); }
  }];
}

class Tile_TerminatorOp<string mnemonic, int opcode, list<string> parents,
                        list<Trait> traits = []>
    : Tile_Op<mnemonic, opcode, "13.1", traits # [Terminator, ParentOneOf<parents>]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` custom<TileTypes>(type($operands)))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange{}); }]>];
}

def Tile_BreakOp : Tile_TerminatorOp<"break", 0x0A, ["IfOp", "LoopOp"],
                                    [Tile_LeavesIf, Tile_EndsLoop, Tile_BranchTerminator]> {
  let summary = "Leaves the innermost loop with its results";
  let hasVerifier = 1;
}
def Tile_ContinueOp : Tile_TerminatorOp<"continue", 0x11, ["ForOp", "IfOp", "LoopOp"],
                                       [Tile_LeavesIf, Tile_BranchTerminator]> {
  let summary = "Starts the next iteration with new carried values";
  let hasVerifier = 1;
}
def Tile_YieldOp : Tile_TerminatorOp<"yield", 0x6D, ["IfOp", "ReduceOp", "ScanOp"],
                                    [Pure, Tile_BranchTerminator]> {
  let summary = "Results of a branch, or of one step of an aggregate";
}
def Tile_ReturnOp : Tile_TerminatorOp<"return", 0x5C, ["EntryOp", "IfOp", "LoopOp"],
                                      [Tile_LeavesIf, Tile_EndsLoop]> {
  let summary = "Ends this tile block";
  let hasVerifier = 1;
}
} // category

let category = "Core" in {

class Tile_AggregateOp<string mnemonic, int opcode, list<string> namedThings>
    : Tile_Op<mnemonic, opcode, "13.1", [
        RecursiveMemoryEffects, SingleBlock,
        DeclareOpInterfaceMethods<RegionBranchOpInterface>, Tile_Loop<[]>,
        Tile_ElidesPrefix<namedThings # ["getDefaultDialect"]>]> {
  let results = (outs Variadic<Tile_AnyTile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

defvar Tile_Dim = ConfinedAttr<I32Attr, [IntNonNegative]>;

def Tile_ReduceOp : Tile_AggregateOp<"reduce", 0x58, ["getAsmResultNames",
                                                      "getAsmBlockArgumentNames"]> {
  let summary = "Combines the elements along one dimension with the body";
  let syntax = "%operands... [{...}] dim=D identities=[V, ...] : "
               "T, ... -> T, ... (%element: T, %accumulator: T, ...) { body }";
  let arguments = (ins Variadic<Tile_AnyTile>:$operands, Tile_Dim:$dim, ArrayAttr:$identities);
}
def Tile_ScanOp : Tile_AggregateOp<"scan", 0x5E, ["getAsmResultNames"]> {
  let summary = "Inclusive prefixes along one dimension, combined with the body";
  let syntax = "%operands... [{...}] dim=D reverse=BOOL "
               "identities=[V, ...] : T, ... -> T, ... (%element: T, %accumulator: T, ...) { body }";
  let arguments = (ins Variadic<Tile_AnyTile>:$operands, Tile_Dim:$dim, BoolAttr:$reverse,
                       ArrayAttr:$identities);
}
} // category

#endif // TILEWRIGHT_TILE_OPS_CONTROLFLOW_TD
