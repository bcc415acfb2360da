// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads text with entries and globals but no module around them, as the public disassembler prints
// it. MLIR's parser needs the full names of operations at top level, so they get the dialect prefix
// before parsing, and are moved into a module afterwards. Positions in diagnostics are those of the
// original text.

#ifndef TILEWRIGHT_API_TEXT_BARETEXT_H
#define TILEWRIGHT_API_TEXT_BARETEXT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace tilewright::api {

class BareText {
public:
  /// Returns none if the text has a module, as most texts do.
  static std::optional<BareText> of(const llvm::MemoryBuffer &text);

  /// The text with full operation names.
  std::unique_ptr<llvm::MemoryBuffer> withFullNames() const;
  /// Maps a location in the text with full names to the original text.
  mlir::Location original(mlir::Location location) const;
  /// Moves the parsed operations into a module @kernels, the name that modules from bytecode have,
  /// too.
  llvm::LogicalResult wrap(mlir::ModuleOp file) const;

private:
  BareText(const llvm::MemoryBuffer &text, std::vector<size_t> items);

  unsigned originalColumn(unsigned line, unsigned column) const;

  const llvm::MemoryBuffer &text;
  std::vector<size_t> items;
  /// For each line with items, their columns in the text with full names, in ascending order.
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 1>> columns;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_TEXT_BARETEXT_H
