// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of some operations of a program, in straight line, as one tile block runs them once.
// Values that other operations define become parameters and constants with what a device computed.

#ifndef TILEWRIGHT_API_DIFF_EXCERPT_H
#define TILEWRIGHT_API_DIFF_EXCERPT_H

#include "tilewright/api/diff/Locate.h"

#include "llvm/ADT/SetVector.h"

namespace tilewright::api {

/// What an excerpt consists of.
struct Selection {
  llvm::SmallSetVector<mlir::Operation *, 16> kept = {};
  /// Results that are stored to new arrays.
  llvm::SmallVector<mlir::Value, 2> shown = {};
  /// Tiles of other operations that become constants with their first element everywhere.
  llvm::SmallSetVector<mlir::Value, 4> splats = {};
};

struct ExcerptContext {
  const DiffLaunch &launch;
  const Observations &observations;
  /// The wrong operation, and the execution of it.
  const Culprit &culprit;
};

class Excerpt {
public:
  /// Null if a value is not known, or if the operations cannot stand by themselves.
  static std::unique_ptr<Excerpt> make(const ExcerptContext &context, const Selection &selection);

  tile::EntryOp entry() const { return entryOp; }
  const std::vector<Argument> &arguments() const { return values; }
  std::string text() const;
  int64_t operationCount() const;
  /// The values that are loaded from new arrays.
  llvm::ArrayRef<mlir::Value> loaded() const { return loadedValues; }

private:
  friend class ExcerptWriter;

  mlir::OwningOpRef<mlir::ModuleOp> file;
  tile::EntryOp entryOp;
  std::vector<Argument> values;
  std::vector<mlir::Value> loadedValues;
  /// The memory of arrays.
  std::vector<std::unique_ptr<std::vector<uint8_t>>> memory;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_EXCERPT_H
