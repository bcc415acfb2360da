// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations copy words from buffer to buffer? `cat`, `insert`, `pack` and `unpack`.

#ifndef TILEWRIGHT_CPU_EMIT_TILECOPIES_H
#define TILEWRIGHT_CPU_EMIT_TILECOPIES_H

#include "tilewright/cpu/emit/Evaluator.h"

namespace tilewright::cpu {

void emitCat(LoopBuilder &b, Buffers &buffers, Evaluator &evaluator, tile::CatOp op);

/// The destination, and over it the source, if there is such a slice.
void emitInsert(LoopBuilder &b, Frame &frame, Buffers &buffers, Evaluator &evaluator,
                tile::InsertOp op);

/// `pack` and `unpack`: the words of a buffer are the bytes, but where elements share one.
void emitBytes(LoopBuilder &b, Buffers &buffers, mlir::Operation *op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_TILECOPIES_H
