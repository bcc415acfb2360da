// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a thread access memory only if a condition holds? By an instruction with a predicate:
// a branch around each access would cut the code into three blocks, of which a tile with edges has
// as many as a thread has elements.

#ifndef TILEWRIGHT_NVIDIA_EMIT_PREDICATEDACCESS_H
#define TILEWRIGHT_NVIDIA_EMIT_PREDICATEDACCESS_H

#include "tilewright/nvidia/emit/ThreadBuilder.h"

namespace tilewright::nvidia {

/// Words that follow each other from an address (i64) on, which is a multiple of their size, of 16
/// bytes at most. Where the condition does not hold, `otherwise`. `space` is a suffix, as
/// ".global".
llvm::SmallVector<mlir::Value> readWordsIf(ThreadBuilder &b, mlir::Value condition,
                                           mlir::Value address, mlir::ValueRange otherwise,
                                           llvm::StringRef space);
void writeWordsIf(ThreadBuilder &b, mlir::Value condition, mlir::Value address,
                  mlir::ValueRange words, llvm::StringRef space);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_PREDICATEDACCESS_H
