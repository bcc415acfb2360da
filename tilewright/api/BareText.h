// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a text that holds entries and globals, but no module around them? The public
// disassembler writes so. MLIR's parser needs their full names at top level; once parsed, they
// are put into a module. Positions in diagnostics stay those of the text.

#ifndef TILEWRIGHT_API_BARETEXT_H
#define TILEWRIGHT_API_BARETEXT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace tilewright::api {

class BareText {
public:
  /// None if the text has a module, as most have.
  static std::optional<BareText> of(const llvm::MemoryBuffer &text);

  /// The text with full names.
  std::unique_ptr<llvm::MemoryBuffer> withFullNames() const;
  /// The place in the text as it was written.
  mlir::Location original(mlir::Location location) const;
  /// Puts what was parsed into the module @kernels, which modules from bytecode are called, too.
  llvm::LogicalResult wrap(mlir::ModuleOp file) const;

private:
  BareText(const llvm::MemoryBuffer &text, std::vector<size_t> items);

  unsigned originalColumn(unsigned line, unsigned column) const;

  const llvm::MemoryBuffer &text;
  std::vector<size_t> items;
  /// For each line with items, their columns in the text with full names, ascending.
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 1>> columns;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_BARETEXT_H
