// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base classes, traits and constraints that many operation records share.

#ifndef TILEWRIGHT_TILE_OPS_BASE_TD
#define TILEWRIGHT_TILE_OPS_BASE_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tilewright/tile/attributes/Attributes.td"
include "tilewright/tile/Interfaces.td"
include "tilewright/tile/types/Types.td"

// Results get the names that the public tools print (textual format, 12.2).
def Tile_NamesResults : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

// Inside its regions, operations of the dialect need no prefix (textual format, 4.1).
class Tile_ElidesPrefix<list<string> methods = []>
    : DeclareOpInterfaceMethods<OpAsmOpInterface, methods>;

// Implements MemoryAccessOpInterface for an access, except for the accessors that all of them
// share.
class Tile_Access<string kind, string addressed, string loaded = "", string stored = ""> {
  code answers = [{
    ::tilewright::tile::MemoryAccessKind getAccessKind() {
      return ::tilewright::tile::MemoryAccessKind::}] # kind # [{;
    }
    ::mlir::Value getAddressed() { return get}] # addressed # [{(); }
    ::mlir::Value getLoaded() { return }] # !if(!empty(loaded), "{}", "get" # loaded # "()") # [{; }
    ::mlir::Value getStored() { return }] # !if(!empty(stored), "{}", "get" # stored # "()") # [{; }
  }];
}

// Each result element depends only on the operand elements at the same coordinate.
class Tile_ElementwiseOp<string mnemonic, int opcode, string since, list<Trait> traits = []>
    : Tile_Op<mnemonic, opcode, since, traits # [
        DeclareOpInterfaceMethods<Tile_ElementwiseInterface>]> {
  // Cost per element (ElementwiseOpInterface); every record defines it.
  int cost = ?;
  let extraClassDefinition = "unsigned $cppClass::getCost() { return " # cost # "; }";
}

// One flag per index: whether the program guarantees that the access is in bounds along it (13.4,
// section 6). Absent if it guarantees nothing.
def Tile_Inbounds : DefaultValuedOptionalAttr<DenseBoolArrayAttr, "{}">;

// One operand may determine the result alone, like 0 in a product.
defvar Tile_Absorbs = DeclareOpInterfaceMethods<Tile_ElementwiseInterface, ["getAbsorbing"]>;

// Commutative and associative, bit by bit: elements may be combined in any order.
def Tile_CombinesInAnyOrder : NativeOpTrait<"CombinesInAnyOrder"> {
  let cppNamespace = "::tilewright::tile";
}

// Copies the bits of a NaN from an operand; arithmetic replaces any NaN by the canonical one
// (arithmetic, 3.3).
def Tile_KeepsNanBits : NativeOpTrait<"KeepsNanBits"> {
  let cppNamespace = "::tilewright::tile";
}

// The code per element is so long that it needs many registers.
def Tile_IsLong : NativeOpTrait<"IsLong"> {
  let cppNamespace = "::tilewright::tile";
}

// A terminator that leaves the surrounding `if` without giving its results.
def Tile_LeavesIf : NativeOpTrait<"LeavesIf"> {
  let cppNamespace = "::tilewright::tile";
}

// A terminator that ends the surrounding loop.
def Tile_EndsLoop : NativeOpTrait<"EndsLoop"> {
  let cppNamespace = "::tilewright::tile";
}

// A loop with an unbounded number of iterations, so the code after it may never run.
def Tile_MayNotEnd : NativeOpTrait<"MayNotEnd"> {
  let cppNamespace = "::tilewright::tile";
}

// An elementwise operation whose operands all have the type of the result, the only type in the
// text.
class Tile_OneTypeOp<string mnemonic, int opcode, string since, list<Trait> traits = []>
    : Tile_ElementwiseOp<mnemonic, opcode, since, traits # [SameOperandsAndResultType]>;

// MLIR's AllElementTypesMatch with the error message of the public tools.
class Tile_SameElementType<list<string> names>
    : PredOpTrait<"all of {" # !interleave(names, ", ") # "} have the same element type",
                  AllMatchSameOperatorPred<names, ElementType<"_self">.result>>;

#endif // TILEWRIGHT_TILE_OPS_BASE_TD
