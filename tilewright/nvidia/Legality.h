// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds programs that cannot be compiled for a GPU, and the PTX version that the others need. One
// table lists all operations that are refused before code generation; docs/nvidia-refused.md is
// generated from it. Programs that need too much memory are refused where that memory is counted
// (Compiler.cpp).

#ifndef TILEWRIGHT_NVIDIA_LEGALITY_H
#define TILEWRIGHT_NVIDIA_LEGALITY_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

/// A row of the table.
struct Refusal {
  /// Mnemonics, separated by spaces; or "any operation".
  llvm::StringLiteral operations;
  /// The element type for which they are refused; empty: all types.
  llvm::StringLiteral elementType;
  /// The reason; the message adds that it is not supported on the target.
  llvm::StringLiteral what;
  /// Selects among these operations.
  bool (*isMeant)(mlir::Operation *op);
  bool (*isMissing)(const Target &target);
  /// The operations in whose bodies they are refused; empty: anywhere.
  llvm::StringLiteral within = "";
};

llvm::ArrayRef<Refusal> refusals();

/// The documentation page, generated from the table.
std::string refusalPage();

/// Whether all operations are Tile IR, and every entry can be called and launched.
support::Result<void> checkLegality(tile::ModuleOp module);

/// Whether no operation of the module is in the table.
support::Result<void> checkOperations(tile::ModuleOp module, const Target &target);

/// The least PTX version that has all instructions of the module, and supports the target.
unsigned ptxVersionFor(tile::ModuleOp module, const Target &target);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_LEGALITY_H
