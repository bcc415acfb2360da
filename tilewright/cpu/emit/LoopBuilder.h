// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are loops, branches and addresses written down? A builder of upstream operations that knows
// its location, with the few patterns of which all generated code consists. A nest of loops covers
// a tile `width` elements at a time along one dimension of it: the lanes. What is computed in a
// region is dropped from the value cache at the end of the region.

#ifndef TILEWRIGHT_CPU_EMIT_LOOPBUILDER_H
#define TILEWRIGHT_CPU_EMIT_LOOPBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "tilewright/cpu/emit/ValueCache.h"
#include <unordered_map>

namespace tilewright::cpu {

class LoopBuilder : public mlir::ImplicitLocOpBuilder {
public:
  LoopBuilder(mlir::ModuleOp into, ValueCache &cache)
      : ImplicitLocOpBuilder(into.getLoc(), into.getBodyRegion()), cache(cache) {
    setListener(&counter);
  }
  LoopBuilder(const LoopBuilder &) = delete;

  /// How many operations it has made, or would have without constants in common.
  unsigned operationCount() const { return counter.count; }
  /// What follows stems from this place in the program.
  void setPlace(mlir::Location place);

  //===-- Values ---------------------------------------------------------------------------===//
  mlir::Value i64(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// An integer of any width as i64.
  mlir::Value zeroExtended(mlir::Value value);
  /// A constant of this type, scalar or in all lanes. Floats take the bits of `bits`.
  mlir::Value constantBits(mlir::Type type, uint64_t bits);
  /// The register form of the element with these bits.
  mlir::Value constantElement(mlir::Type elementType, uint64_t bits);
  /// Both of two conditions, or masks of as many lanes; null holds always.
  mlir::Value conjunction(mlir::Value a, mlir::Value b);
  /// The scalar in so many lanes.
  mlir::Value splat(mlir::Value scalar, int64_t width);
  /// The element that a constant has everywhere, in so many lanes.
  mlir::Value splatOf(tile::ConstantOp constant, int64_t width);
  /// 0, 1, 2, ... in i64.
  mlir::Value stepVector(int64_t width);

  //===-- Addresses and words ----------------------------------------------------------------===//
  mlir::Value asPointers(mlir::Value addresses);
  /// `base + words` words of this type.
  mlir::Value wordAddress(mlir::Value base, mlir::Type word, mlir::Value words);
  mlir::Value byteAddress(mlir::Value base, mlir::Value bytes);
  /// The elements that lie `stride` words apart from word number `linear` on.
  mlir::Value readWords(mlir::Value base, mlir::Type elementType, mlir::Value linear,
                        int64_t stride, int64_t width);
  void writeWords(mlir::Value base, mlir::Type elementType, mlir::Value linear, int64_t stride,
                  mlir::Value value);
  /// The number of the word at the position in row-major order, and that of lanes apart.
  std::pair<mlir::Value, int64_t> locate(llvm::ArrayRef<int64_t> shape, const Position &position);

  //===-- Loops and branches -----------------------------------------------------------------===//
  /// Calls `body` for all positions of a tile, in loops, with up to `lanes` elements at a time
  /// along the dimension `laneDim` (default: the last one that has several).
  void forEach(llvm::ArrayRef<int64_t> shape, int64_t lanes,
               llvm::function_ref<void(const Position &)> body, int64_t laneDim = -1);
  /// Calls `body` for first, first + step, ... below end; without a loop if that is one.
  void forEachFrom(int64_t first, int64_t end, int64_t step,
                   llvm::function_ref<void(mlir::Value)> body);
  /// The same with values that go from iteration to iteration: what `body` returns, in the end of
  /// the last one.
  llvm::SmallVector<mlir::Value>
  carryFrom(int64_t first, int64_t end, int64_t step, llvm::ArrayRef<mlir::Value> carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// The same up to an end that is known when the loop runs.
  llvm::SmallVector<mlir::Value>
  carryUpTo(int64_t first, mlir::Value end, llvm::ArrayRef<mlir::Value> carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// Runs `then` where the condition holds, `otherwise` where it does not.
  void branch(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise);
  /// The values of `then` or those of `otherwise`, which are of the same types. A null condition
  /// of `chooseValue` holds.
  llvm::SmallVector<mlir::Value>
  choose(mlir::Value condition, llvm::function_ref<llvm::SmallVector<mlir::Value>()> then,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> otherwise);
  mlir::Value chooseValue(mlir::Value condition, llvm::function_ref<mlir::Value()> then,
                          llvm::function_ref<mlir::Value()> otherwise);

  /// Calls `body` for 0 to count - 1. The operations that the calls make take turns, one of each
  /// call after the other, as far as they do not need each other: a processor then finds several
  /// that do not wait for one another. What one call writes must be of no concern to the others.
  void inTurns(int64_t count, llvm::function_ref<void(int64_t)> body);

  //===-- Blocks of the function -------------------------------------------------------------===//
  mlir::Block *newBlock(llvm::ArrayRef<mlir::Type> arguments = {});
  void jump(mlir::Block *to, mlir::ValueRange values = {});
  void jumpIf(mlir::Value condition, mlir::Block *then, mlir::Block *otherwise);

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
  /// Those of i64 that the function has whose code is being emitted, at its beginning.
  std::unordered_map<int64_t, mlir::Value> constants;
  mlir::LLVM::LLVMFuncOp constantsOf;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_LOOPBUILDER_H
