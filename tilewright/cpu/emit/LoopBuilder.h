// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A builder for loops, branches and addresses (emit/IrBuilder.h has what all compilers' builders
// share). A loop nest covers a tile, `width` elements at a time along the dimension of the lanes.
// At the end of a region, the value cache drops the values that were computed in it.

#ifndef TILEWRIGHT_CPU_EMIT_LOOPBUILDER_H
#define TILEWRIGHT_CPU_EMIT_LOOPBUILDER_H

#include "tilewright/cpu/emit/ValueCache.h"
#include "tilewright/emit/IrBuilder.h"
#include "tilewright/tile/Ops.h"
#include <unordered_map>

namespace tilewright::cpu {

class LoopBuilder : public emit::IrBuilder {
public:
  LoopBuilder(mlir::ModuleOp into, ValueCache &cache) : IrBuilder(into), cache(cache) {
    setListener(&counter);
  }

  /// The number of operations created, not counting constants that are shared.
  unsigned operationCount() const { return counter.count; }

  //===-- Values ---------------------------------------------------------------------------===//
  mlir::Value i64(int64_t value) override;
  /// Broadcasts the scalar to `width` lanes.
  mlir::Value splat(mlir::Value scalar, int64_t width);
  /// A splat constant's element in `width` lanes.
  mlir::Value splatOf(tile::ConstantOp constant, int64_t width);
  /// 0, 1, 2, ... in i64.
  mlir::Value stepVector(int64_t width);

  //===-- Addresses and words ----------------------------------------------------------------===//
  mlir::Value asPointers(mlir::Value addresses);
  /// `base + words` words of this type.
  mlir::Value wordAddress(mlir::Value base, mlir::Type word, mlir::Value words);
  mlir::Value byteAddress(mlir::Value base, mlir::Value bytes);
  /// Reads elements `stride` words apart, beginning with word number `linear`.
  mlir::Value readWords(mlir::Value base, mlir::Type elementType, mlir::Value linear,
                        int64_t stride, int64_t width);
  void writeWords(mlir::Value base, mlir::Type elementType, mlir::Value linear, int64_t stride,
                  mlir::Value value);
  /// The number of the word at the position in row-major order, and the stride between lanes.
  std::pair<mlir::Value, int64_t> locate(llvm::ArrayRef<int64_t> shape, const Position &position);

  //===-- Loops and branches -----------------------------------------------------------------===//
  /// Calls `body` for all positions of a tile, in loops, with up to `lanes` elements at a time
  /// along the dimension `laneDim` (default: the last one with more than one element).
  void forEach(llvm::ArrayRef<int64_t> shape, int64_t lanes,
               llvm::function_ref<void(const Position &)> body, int64_t laneDim = -1);
  /// Calls `body` for first, first + step, ... below end; emits no loop for a single iteration.
  void forEachFrom(int64_t first, int64_t end, int64_t step,
                   llvm::function_ref<void(mlir::Value)> body);
  /// The same with loop-carried values: `body` returns those for the next iteration. Returns the
  /// final ones.
  llvm::SmallVector<mlir::Value>
  carryFrom(int64_t first, int64_t end, int64_t step, llvm::ArrayRef<mlir::Value> carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// The same with an end that is known only at run time.
  llvm::SmallVector<mlir::Value>
  carryUpTo(int64_t first, mlir::Value end, llvm::ArrayRef<mlir::Value> carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// Emits `then` if the condition holds, else `otherwise`.
  void branch(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise);
  /// Like `branch`, but selects the values of `then` or `otherwise`, which have the same types.
  /// `chooseValue` takes a null condition as true.
  llvm::SmallVector<mlir::Value>
  choose(mlir::Value condition, llvm::function_ref<llvm::SmallVector<mlir::Value>()> then,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> otherwise);
  mlir::Value chooseValue(mlir::Value condition, llvm::function_ref<mlir::Value()> then,
                          llvm::function_ref<mlir::Value()> otherwise);

  /// Calls `body` for 0 to count - 1 and interleaves the operations that the calls create, round
  /// robin as far as dependences permit, for instruction-level parallelism. What one call writes to
  /// memory must not affect the others.
  void inTurns(int64_t count, llvm::function_ref<void(int64_t)> body);

private:
  struct Counter : mlir::OpBuilder::Listener {
    void notifyOperationInserted(mlir::Operation *, mlir::OpBuilder::InsertPoint) override {
      ++count;
    }
    unsigned count = 0;
  };

  mlir::LLVM::LLVMFuncOp currentFunction();

  ValueCache &cache;
  Counter counter;
  /// The i64 constants of the current function, at its beginning.
  std::unordered_map<int64_t, mlir::Value> constants;
  mlir::LLVM::LLVMFuncOp constantsOf;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_LOOPBUILDER_H
