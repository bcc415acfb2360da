// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module, entry and global (textual format, 3 to 6).

#ifndef TILEWRIGHT_TILE_OPS_MODULE_TD
#define TILEWRIGHT_TILE_OPS_MODULE_TD

include "mlir/IR/RegionKindInterface.td"
include "tilewright/tile/ops/Base.td"

let category = "Module" in {

// Not a Symbol, because a module may be in an entry, which is not a symbol table. Its name is still
// checked by an enclosing symbol table.
def Tile_ModuleOp : Tile_Op<"module", 0x4B, "13.1", [
    IsolatedFromAbove, NoRegionArguments, SymbolTable, SingleBlock, NoTerminator,
    RegionKindInterface, HasOnlyGraphRegion, Tile_ElidesPrefix<["getDefaultDialect"]>]> {
  let summary = "Translation unit: globals and entries in any order";
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$producer);
  let regions = (region AnyRegion:$body);
  let fieldSince = [Tile_Since<"producer", "13.3">];
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Tile_EntryOp : Tile_Op<"entry", 0x16, "13.1", [
    FunctionOpInterface, IsolatedFromAbove, SingleBlock, AutomaticAllocationScope,
    Tile_ElidesPrefix<["getDefaultDialect"]>]> {
  let summary = "Kernel: runs once per tile block of the grid";
  let syntax = "@name(%arg: T, ...) [optimization_hints=<...>] { body } [{...}]";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<Tile_OptimizationHintsAttr>:$optimization_hints);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def Tile_GlobalOp : Tile_Op<"global", 0x31, "13.1", [Symbol]> {
  let summary = "Array in global memory that lives as long as the loaded module";
  let syntax = "[public|private] [constant] @name [alignment = N] [{...}] <E: values> : T";
  let arguments = (ins SymbolNameAttr:$sym_name, ElementsAttr:$value,
      DefaultValuedAttr<I64Attr, "0">:$alignment, UnitAttr:$constant,
      DefaultValuedAttr<Tile_SymbolVisibilityAttr, "SymbolVisibility::Public">:$symbol_visibility);
  let fieldSince = [Tile_Since<"constant", "13.3">, Tile_Since<"symbol_visibility", "13.3">];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_GetGlobalOp : Tile_Op<"get_global", 0x2C, "13.1", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Pointer to the first element of a global";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs Tile_PointerScalar:$result);
  let assemblyFormat = "$name attr-dict `:` custom<TileType>(type($result))";
}
} // category

#endif // TILEWRIGHT_TILE_OPS_MODULE_TD
