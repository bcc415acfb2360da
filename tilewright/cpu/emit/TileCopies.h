// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits operations that copy words between buffers: `cat`, `insert`, `pack` and `unpack`.

#ifndef TILEWRIGHT_CPU_EMIT_TILECOPIES_H
#define TILEWRIGHT_CPU_EMIT_TILECOPIES_H

#include "tilewright/cpu/emit/Evaluator.h"

namespace tilewright::cpu {

void emitCat(LoopBuilder &b, Buffers &buffers, Evaluator &evaluator, tile::CatOp op);

/// Copies the destination, then overwrites a slice with the source, if the slice exists.
void emitInsert(LoopBuilder &b, Frame &frame, Buffers &buffers, Evaluator &evaluator,
                tile::InsertOp op);

/// `pack` and `unpack`: words and bytes of a buffer are the same, unless elements share a byte.
void emitBytes(LoopBuilder &b, Buffers &buffers, mlir::Operation *op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_TILECOPIES_H
