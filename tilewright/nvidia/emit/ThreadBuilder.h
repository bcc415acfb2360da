// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is what a thread does written down? A builder of upstream operations that knows its
// location, with the few patterns of which all generated code consists, and with the instructions
// of GPUs. Indices within tiles are i32, what reaches memory of arrays is i64.

#ifndef TILEWRIGHT_NVIDIA_EMIT_THREADBUILDER_H
#define TILEWRIGHT_NVIDIA_EMIT_THREADBUILDER_H

#include "tilewright/nvidia/emit/Symbols.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilewright::nvidia {

/// Address spaces, as LLVM numbers them.
enum Space : unsigned { GenericSpace = 0, GlobalSpace = 1, SharedSpace = 3 };

class ThreadBuilder : public mlir::ImplicitLocOpBuilder {
public:
  ThreadBuilder(mlir::ModuleOp into, Symbols &symbols)
      : ImplicitLocOpBuilder(into.getLoc(), into.getBodyRegion()), symbols(symbols) {}
  ThreadBuilder(const ThreadBuilder &) = delete;

  /// Names in the module that this builder writes to.
  Symbols &symbols;

  /// What follows stems from this place in the program.
  void setPlace(mlir::Location place);

  //===-- Values ---------------------------------------------------------------------------===//
  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  // By powers of two.
  mlir::Value times(mlir::Value value, int64_t power);
  mlir::Value dividedBy(mlir::Value value, int64_t power);
  mlir::Value modulo(mlir::Value value, int64_t power);
  /// Read unsigned.
  mlir::Value isBelow(mlir::Value a, mlir::Value b);
  mlir::Value isEqual(mlir::Value a, mlir::Value b);
  /// An integer of any width as i64, read unsigned.
  mlir::Value zeroExtended(mlir::Value value);
  mlir::Value select(mlir::Value condition, mlir::Value then, mlir::Value otherwise);
  /// Both of two conditions; null holds always.
  mlir::Value conjunction(mlir::Value a, mlir::Value b);
  mlir::Value constantBits(mlir::Type type, uint64_t bits);
  /// The register form of the element with these bits.
  mlir::Value constantElement(mlir::Type elementType, uint64_t bits);

  //===-- Memory ---------------------------------------------------------------------------===//
  mlir::Value pointerTo(mlir::Value address, Space space);
  mlir::Value addressOf(mlir::Value pointer);
  mlir::Value byteOffset(mlir::Value pointer, mlir::Value bytes);
  /// Element number `index` of an array of words, in register form.
  mlir::Value readWord(mlir::Value base, mlir::Type elementType, mlir::Value index);
  void writeWord(mlir::Value base, mlir::Type elementType, mlir::Value index, mlir::Value element);
  /// Words that follow each other, by one access.
  llvm::SmallVector<mlir::Value> readWords(mlir::Value pointer, mlir::Type word, int64_t count);
  void writeWords(mlir::Value pointer, mlir::ValueRange words);
  /// An array of the thread's own.
  mlir::Value localArray(mlir::Type word, int64_t count);

  //===-- Instructions ---------------------------------------------------------------------===//
  /// `tid.x`, `ctaid.y`
  mlir::Value special(llvm::StringRef name);
  /// All threads of the CTA wait for each other, and see what each has written.
  void barrier();
  /// What the thread of the same warp has whose number differs in the bits of `mask`.
  mlir::Value ofOtherLane(mlir::Value word, int64_t mask);
  /// The same of several words of one type; narrow ones go together.
  llvm::SmallVector<mlir::Value> ofOtherLane(mlir::ValueRange words, int64_t mask);
  /// What is known to hold; LLVM drops code for everything else.
  void assume(mlir::Value condition);
  /// An instruction without operands, which LLVM keeps in its place among accesses to memory.
  void instruction(llvm::StringRef text);

  //===-- Loops and branches ---------------------------------------------------------------===//
  /// Calls `body` for first, first + 1, ... below end, in i32; without a loop if that is one.
  void forEach(int64_t first, int64_t end, llvm::function_ref<void(mlir::Value)> body);
  /// The same with values that go from iteration to iteration: what `body` returns.
  llvm::SmallVector<mlir::Value>
  carry(int64_t first, int64_t end, mlir::ValueRange initial,
        llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// Runs `then` where the condition holds; null holds always.
  void branch(mlir::Value condition, llvm::function_ref<void()> then);
  void branch(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise);
  /// The value of `then` or of `otherwise`, of this type; a null condition holds.
  mlir::Value choose(mlir::Type type, mlir::Value condition, llvm::function_ref<mlir::Value()> then,
                     llvm::function_ref<mlir::Value()> otherwise);

  //===-- Blocks of the function -----------------------------------------------------------===//
  mlir::Block *newBlock(llvm::ArrayRef<mlir::Type> arguments = {});
  void jump(mlir::Block *to, mlir::ValueRange values = {});
  void jumpIf(mlir::Value condition, mlir::Block *then, mlir::ValueRange thenValues,
              mlir::Block *otherwise, mlir::ValueRange otherwiseValues);

private:
  mlir::LLVM::LLVMFuncOp function();
};

/// Emits the body at this place in the program; what follows is where it was before.
void atPlace(ThreadBuilder &b, mlir::Location place, llvm::function_ref<void()> body);

/// The same i32 or i64, of which LLVM knows nothing: what is computed from it is computed here, or
/// later.
mlir::Value opaque(ThreadBuilder &b, mlir::Value value);

/// The values of `then` or of `otherwise`, all of this type; a null condition holds.
using Values = llvm::SmallVector<mlir::Value>;
Values chooseAll(ThreadBuilder &b, mlir::Type type, size_t count, mlir::Value condition,
                 llvm::function_ref<Values()> then, llvm::function_ref<Values()> otherwise);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_THREADBUILDER_H
