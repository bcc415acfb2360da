// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes bytecode into a module (bytecode format). The input is untrusted: every count, index, tag
// and length is checked before it is used, and memory is bounded by the size of the file, not by
// the numbers in it.

#ifndef TILEWRIGHT_BYTECODE_READER_H
#define TILEWRIGHT_BYTECODE_READER_H

#include "tilewright/bytecode/File.h"
#include "tilewright/tile/Ops.h"

#include "mlir/IR/OwningOpRef.h"

namespace tilewright::bytecode {

struct ReadOptions {
  /// Mark the location of every operation with its offset in the file (tile::markPlace), for
  /// diagnostics; `placeOf` returns it.
  bool markPlaces = false;
  /// After an error within an operation, receives the operation's location from the debug
  /// information.
  std::optional<mlir::Location> *problemLocation = nullptr;
};

/// Decodes a file of version 13.1 to 13.5 without preview features. The module is called `kernels`.
/// It is well formed but not verified: use mlir::verify, or the Loader.
///
/// A failure describes the first error: `byte 0xC8, function section: ...`.
support::Result<mlir::OwningOpRef<tile::ModuleOp>>
readModule(llvm::ArrayRef<uint8_t> bytes, mlir::MLIRContext *context, ReadOptions options = {});

/// "byte 0x1C8, entry @k" for an operation that was read with markPlaces; else empty.
llvm::StringRef placeOf(mlir::Location location);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_READER_H
