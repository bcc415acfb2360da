// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes: assume predicates (types, 8), optimization hints (types, 9) and
// debug information (types, 10).

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_ATTRIBUTES_TD
#define TILEWRIGHT_TILE_ATTRIBUTES_ATTRIBUTES_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "tilewright/tile/attributes/Enums.td"

//===-- Assume predicates -------------------------------------------------------===//

def Tile_AssumePredicate : AttrInterface<"AssumePredicate"> {
  let cppNamespace = "::tilewright::tile";
  let description = "An assumption about the value of an `assume` operation.";
  let methods = [
    InterfaceMethod<"Checks that the assumption is valid for a value of this type.",
      "::llvm::LogicalResult", "verifyFor",
      (ins "::mlir::Type":$type,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
  ];
}

class Tile_Predicate<string name, string mnemonic>
    : Tile_Attr<name, mnemonic, [DeclareAttrInterfaceMethods<Tile_AssumePredicate>]> {
  let hasCustomAssemblyFormat = 1;
}

def Tile_DivByAttr : Tile_Predicate<"DivBy", "div_by"> {
  let summary = "elements (of every run along a dimension, the first) are divisible by a power of two";
  let parameters = (ins "uint64_t":$divisor, OptionalParameter<"std::optional<int64_t>">:$every,
                        OptionalParameter<"std::optional<int64_t>">:$along);
}

def Tile_SameElementsAttr : Tile_Predicate<"SameElements", "same_elements"> {
  let summary = "all elements of each block of the given shape are equal";
  let parameters = (ins ArrayRefParameter<"int64_t">:$values);
}

def Tile_BoundedAttr : Tile_Predicate<"Bounded", "bounded"> {
  let summary = "every element, read as signed, lies between two inclusive bounds";
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lb,
                        OptionalParameter<"std::optional<int64_t>">:$ub);
}

//===-- Optimization hints ------------------------------------------------------===//

def Tile_OptimizationHintsAttr : Tile_Attr<"OptimizationHints", "optimization_hints"> {
  let summary = "optimization hints: by target architecture, advice that never changes results";
  let parameters = (ins "::mlir::DictionaryAttr":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===-- Debug information ---------------------------------------------------------===//

class Tile_DebugNode<string name, string mnemonic> : Tile_Attr<name, mnemonic>;

def Tile_DIFileAttr : Tile_DebugNode<"DIFile", "di_file"> {
  let summary = "source file";
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$directory);
  let assemblyFormat = "`<` $name `in` $directory `>`";
}

def Tile_DICompileUnitAttr : Tile_DebugNode<"DICompileUnit", "di_compile_unit"> {
  let summary = "translation unit";
  let parameters = (ins "::tilewright::tile::DIFileAttr":$file);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_DISubprogramAttr : Tile_DebugNode<"DISubprogram", "di_subprogram"> {
  let summary = "function in the source language";
  let parameters = (ins "::tilewright::tile::DIFileAttr":$file, "unsigned":$line,
                        "::mlir::StringAttr":$name, "::mlir::StringAttr":$linkageName,
                        "::tilewright::tile::DICompileUnitAttr":$compileUnit,
                        OptionalParameter<"unsigned">:$scopeLine);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_DILexicalBlockAttr : Tile_DebugNode<"DILexicalBlock", "di_lexical_block"> {
  let summary = "block in a function of the source language";
  let parameters = (ins "::tilewright::tile::DILocalScopeAttr":$scope,
                        "::tilewright::tile::DIFileAttr":$file, "unsigned":$line,
                        OptionalParameter<"unsigned">:$column);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_DILocAttr : LocationAttrDef<Tile_Dialect, "DILoc"> {
  let mnemonic = "di_loc";
  let summary = "source position in a scope";
  string since = "13.1";
  let parameters = (ins "::mlir::FileLineColLoc":$sourceLoc,
                        "::tilewright::tile::DILocalScopeAttr":$scope);
  let hasCustomAssemblyFormat = 1;
}

#endif // TILEWRIGHT_TILE_ATTRIBUTES_ATTRIBUTES_TD
