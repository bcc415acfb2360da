// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits conditional accesses as predicated instructions. A branch around each access would split
// the code into three blocks, per element of a thread for a tile at an edge.

#ifndef TILEWRIGHT_NVIDIA_EMIT_PREDICATEDACCESS_H
#define TILEWRIGHT_NVIDIA_EMIT_PREDICATEDACCESS_H

#include "tilewright/nvidia/emit/ThreadBuilder.h"

namespace tilewright::nvidia {

/// Loads contiguous words from an address (i64) that is aligned to their total size, at most 16
/// bytes. If the condition does not hold, returns `otherwise`. `space` is a suffix, such as
/// ".global".
llvm::SmallVector<mlir::Value> readWordsIf(ThreadBuilder &b, mlir::Value condition,
                                           mlir::Value address, mlir::ValueRange otherwise,
                                           llvm::StringRef space);
void writeWordsIf(ThreadBuilder &b, mlir::Value condition, mlir::Value address,
                  mlir::ValueRange words, llvm::StringRef space);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_PREDICATEDACCESS_H
