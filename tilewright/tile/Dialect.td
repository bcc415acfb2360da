// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect and the base classes of its records. Every type, attribute, enum member and operation
// has the Tile IR version that introduced it; the records are the only place where that is written
// down (types, 12; bytecode format, 14).

#ifndef TILEWRIGHT_TILE_DIALECT_TD
#define TILEWRIGHT_TILE_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "cuda_tile";
  let cppNamespace = "::tilewright::tile";
  let summary = "Tile IR: programs whose values are tiles";
  let description = [{
    A kernel (`entry`) runs once per tile block of a grid. Its values are tiles
    (statically shaped arrays), views (descriptors of arrays in global memory)
    and tokens (which order memory operations).
  }];
  let useDefaultTypePrinterParser = 0;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// How optimization hints that are unknown or out of range are reported (types, 9.3). Hints
    /// never change results, so the default is silent.
    HintMode hintMode = HintMode::Silent;

    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;

    /// Diagnoses `cuda_tile.<name>` for a name that is not an operation, and suggests the spelling
    /// that was probably meant.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;

    void registerTypes();
    void registerAttributes();
  }];
}

// A field (operand, attribute or result) that is newer than its operation.
class Tile_Since<string name, string version> {
  string fieldName = name;
  string since = version;
}

class Tile_Op<string mnemonic, int opcodeValue, string sinceVersion, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits> {
  int opcode = opcodeValue;
  string since = sinceVersion;
  list<Tile_Since> fieldSince = [];
  // Chapter of the operation reference.
  string category = "";
  // The text after the mnemonic, for operations without an assembly format.
  string syntax = "";
}

class Tile_Type<string name, string typeMnemonic, int bytecodeTag, string sinceVersion,
                list<Trait> traits = []>
    : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  int tag = bytecodeTag;
  string since = sinceVersion;
}

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  string since = "13.1";
}

#endif // TILEWRIGHT_TILE_DIALECT_TD
