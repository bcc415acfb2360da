// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which programs cannot be compiled for a GPU, and which version of PTX do the others need? One
// table has all operations that are refused by name, before any code is generated;
// docs/nvidia-refused.md is made of it. What takes too much memory is refused where that memory is
// counted (Compiler.cpp).

#ifndef TILEWRIGHT_NVIDIA_LEGALITY_H
#define TILEWRIGHT_NVIDIA_LEGALITY_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

/// A row of the table.
struct Refusal {
  /// Mnemonics, separated by spaces; or "any operation".
  llvm::StringLiteral operations;
  /// The element type with which they are refused; empty if that is all of them.
  llvm::StringLiteral elementType;
  /// What is in the way; the message says that it is not supported on the target.
  llvm::StringLiteral what;
  /// Which of these operations.
  bool (*isMeant)(mlir::Operation *op);
  bool (*isMissing)(const Target &target);
  /// The operations whose bodies these are in; empty if that does not matter.
  llvm::StringLiteral within = "";
};

llvm::ArrayRef<Refusal> refusals();

/// The page of the documentation.
std::string refusalPage();

/// Whether all is Tile IR, and every entry can be called and launched.
support::Result<void> checkLegality(tile::ModuleOp module);

/// Whether the table has no operation of the module.
support::Result<void> checkOperations(tile::ModuleOp module, const Target &target);

/// The version of PTX that has all instructions of the module, and knows the target.
unsigned ptxVersionFor(tile::ModuleOp module, const Target &target);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_LEGALITY_H
