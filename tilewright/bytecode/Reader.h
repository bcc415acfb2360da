// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From bytes to a module (bytecode format). Bytes are not trusted: every count, index, tag
// and length is checked before it is used, and memory grows with the bytes, not with the
// numbers in them.

#ifndef TILEWRIGHT_BYTECODE_READER_H
#define TILEWRIGHT_BYTECODE_READER_H

#include "tilewright/bytecode/File.h"
#include "tilewright/tile/Ops.h"

#include "mlir/IR/OwningOpRef.h"

namespace tilewright::bytecode {

struct ReadOptions {
  /// Mark the location of every operation with the place in the file that holds it
  /// (tile::markPlace), for diagnostics; `placeOf` gives it back.
  bool markPlaces = false;
  /// If something is wrong within an operation, gets the location that debug information has for
  /// it.
  std::optional<mlir::Location> *problemLocation = nullptr;
};

/// Decodes a file of version 13.1 to 13.5 without preview features. The module is called `kernels`.
/// It is well formed but not verified: use mlir::verify, or the Loader.
///
/// A failure names the first thing that is wrong: `byte 0xC8, function section: ...`.
support::Result<mlir::OwningOpRef<tile::ModuleOp>>
readModule(llvm::ArrayRef<uint8_t> bytes, mlir::MLIRContext *context, ReadOptions options = {});

/// "byte 0x1C8, entry @k" of an operation that was read with markPlaces; else empty.
llvm::StringRef placeOf(mlir::Location location);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_READER_H
