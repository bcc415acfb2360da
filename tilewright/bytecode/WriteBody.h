// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the operations of an entry (bytecode format, 9): the mirror image of ReadBody.h.

#ifndef TILEWRIGHT_BYTECODE_WRITEBODY_H
#define TILEWRIGHT_BYTECODE_WRITEBODY_H

#include "tilewright/bytecode/Layout.h"
#include "tilewright/bytecode/WriteAttributes.h"
#include "tilewright/bytecode/WriteDebugInfo.h"

namespace tilewright::bytecode {

/// Shared by all parts of the writer.
struct Output {
  explicit Output(tile::Version version)
      : version(version), types(version), attributes(strings, types), debugInfo(version) {}

  tile::Version version;
  StringPool strings;
  TypePool types;
  ConstantPool constants;
  AttributeWriter attributes;
  DebugPool debugInfo;
};

class BodyWriter {
public:
  BodyWriter(Output &output, tile::EntryOp entry, Bytes &out)
      : output(output), entry(entry), hasDebugInfo(DebugPool::hasRow(entry)), out(out) {}

  /// Fails with a diagnostic on the first operation that the format cannot store.
  llvm::LogicalResult write();

private:
  llvm::LogicalResult writeOperation(mlir::Operation &op);
  llvm::LogicalResult writeResults(mlir::Operation &op, const Layout &layout);
  void writeFlags(mlir::Operation &op, const Layout &layout);
  llvm::LogicalResult writeAttribute(mlir::Operation &op, const Layout &layout,
                                     const tile::FieldRow &field);
  void writeAllFalse(mlir::Operation &op, const Layout &layout);
  llvm::LogicalResult writeOperands(mlir::Operation &op, const Layout &layout);
  llvm::LogicalResult writeRegions(mlir::Operation &op, const Layout &layout);
  llvm::LogicalResult writeBlock(mlir::Block &block);
  llvm::LogicalResult writeType(mlir::Operation &op, mlir::Type type);

  bool isStored(const tile::FieldRow &field) const { return field.since <= output.version; }
  void numberValues(mlir::ValueRange values) {
    for (mlir::Value value : values)
      numbers[value] = next++;
  }

  Output &output;
  tile::EntryOp entry;
  bool hasDebugInfo;
  Bytes &out;
  llvm::DenseMap<mlir::Value, uint64_t> numbers;
  uint64_t next = 0;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_WRITEBODY_H
