// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes self-contained attributes and hints (bytecode format, 10.2 and 10.3).

#ifndef TILEWRIGHT_BYTECODE_WRITEATTRIBUTES_H
#define TILEWRIGHT_BYTECODE_WRITEATTRIBUTES_H

#include "tilewright/bytecode/WriteTables.h"

namespace tilewright::bytecode {

class AttributeWriter {
public:
  AttributeWriter(StringPool &strings, TypePool &types) : strings(strings), types(types) {}

  /// Fails with a diagnostic on `op` if the attribute has no encoding.
  llvm::LogicalResult writeTagged(mlir::Operation *op, mlir::Attribute attribute, Bytes &out);
  /// The number of elements, then the elements with their tags.
  llvm::LogicalResult writeArray(mlir::Operation *op, mlir::ArrayAttr array, Bytes &out);
  /// Hints without their tag.
  llvm::LogicalResult writeHints(mlir::Operation *op, tile::OptimizationHintsAttr hints,
                                 Bytes &out) {
    return writeDictionary(op, hints.getValue(), out);
  }

private:
  llvm::LogicalResult writeType(mlir::Operation *op, mlir::Type type, Bytes &out);
  llvm::LogicalResult writeInteger(mlir::Operation *op, mlir::IntegerAttr value, Bytes &out);
  llvm::LogicalResult writeFloat(mlir::Operation *op, mlir::FloatAttr value, Bytes &out);
  llvm::LogicalResult writeDictionary(mlir::Operation *op, mlir::DictionaryAttr dictionary,
                                      Bytes &out);

  StringPool &strings;
  TypePool &types;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_WRITEATTRIBUTES_H
