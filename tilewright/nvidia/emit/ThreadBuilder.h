// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A builder for the code of a thread: what all compilers' builders share (emit/IrBuilder.h), loops
// and branches, and GPU instructions. Indices within tiles are i32; offsets and addresses in arrays
// are i64.

#ifndef TILEWRIGHT_NVIDIA_EMIT_THREADBUILDER_H
#define TILEWRIGHT_NVIDIA_EMIT_THREADBUILDER_H

#include "tilewright/emit/IrBuilder.h"
#include "tilewright/nvidia/emit/Symbols.h"

namespace tilewright::nvidia {

/// Address spaces, with LLVM's numbers.
enum Space : unsigned { GenericSpace = 0, GlobalSpace = 1, SharedSpace = 3, ConstantSpace = 4 };

class ThreadBuilder : public emit::IrBuilder {
public:
  ThreadBuilder(mlir::ModuleOp into, Symbols &symbols) : IrBuilder(into), symbols(symbols) {}

  /// Symbols of the module that this builder writes to.
  Symbols &symbols;

  //===-- Values ---------------------------------------------------------------------------===//
  mlir::Value i32(int64_t value);
  // Arithmetic with powers of two.
  mlir::Value times(mlir::Value value, int64_t power);
  mlir::Value dividedBy(mlir::Value value, int64_t power);
  mlir::Value modulo(mlir::Value value, int64_t power);
  /// Compares unsigned.
  mlir::Value isBelow(mlir::Value a, mlir::Value b);
  mlir::Value isEqual(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value then, mlir::Value otherwise);

  //===-- Memory ---------------------------------------------------------------------------===//
  mlir::Value pointerTo(mlir::Value address, Space space);
  mlir::Value addressOf(mlir::Value pointer);
  mlir::Value byteOffset(mlir::Value pointer, mlir::Value bytes);
  /// The descriptor of a matrix that begins here in shared memory (PTX ISA, 9.7.15.5.1 and
  /// 9.7.16.4.1). `fields`: all but the start, which is in the lowest 14 bits, in units of 16
  /// bytes.
  mlir::Value matrixDescriptor(mlir::Value start, uint64_t fields);
  /// Element number `index` of an array of words, in register form.
  mlir::Value readWord(mlir::Value base, mlir::Type elementType, mlir::Value index);
  void writeWord(mlir::Value base, mlir::Type elementType, mlir::Value index, mlir::Value element);
  /// Reads contiguous words with one access.
  llvm::SmallVector<mlir::Value> readWords(mlir::Value pointer, mlir::Type word, int64_t count);
  void writeWords(mlir::Value pointer, mlir::ValueRange words);
  /// Allocates a thread-local array.
  mlir::Value localArray(mlir::Type word, int64_t count);

  //===-- Instructions ---------------------------------------------------------------------===//
  /// `tid.x`, `nctaid.y`
  mlir::Value special(llvm::StringRef name);
  /// A component of the tile block's id, and of the number of tile blocks: `x`, `y` or `z`.
  mlir::Value blockId(llvm::StringRef part);
  mlir::Value blockCount(llvm::StringRef part);
  /// Whether tile blocks are clusters of CTAs (plan/cluster/Cluster.h).
  bool areBlocksClusters = false;
  /// The rank of the CTA in its cluster.
  mlir::Value rank() { return special("cluster.ctarank"); }
  /// A barrier of all threads of the tile block, whatever their roles.
  void barrierOfBlock();
  /// A barrier of all threads of the role, which makes their writes visible to each other.
  void barrier();
  /// The number of threads that execute the code, if these are not all threads of the CTA.
  int64_t participants = 0;
  /// The word of the lane whose number differs in the bits of `mask` (a butterfly shuffle).
  mlir::Value ofOtherLane(mlir::Value word, int64_t mask);
  /// The same for several words of one type; narrow words are shuffled together.
  llvm::SmallVector<mlir::Value> ofOtherLane(mlir::ValueRange words, int64_t mask);
  /// Tells LLVM that the condition holds, unless `mayAssume` is false.
  void assume(mlir::Value condition);
  /// False where operations are executed before their turn: an assumption could then remove an
  /// assertion of the kernel that comes first.
  bool mayAssume = true;
  /// Inline PTX that LLVM does not reorder with memory accesses. `constraints` are those of the
  /// operands, such as `r,l`.
  void instruction(llvm::StringRef text, mlir::ValueRange operands = {},
                   llvm::StringRef constraints = "");

  //===-- Loops and branches ---------------------------------------------------------------===//
  /// Calls `body` for first, first + 1, ... below end, in i32; emits no loop for a single
  /// iteration.
  void forEach(int64_t first, int64_t end, llvm::function_ref<void(mlir::Value)> body);
  /// The same with loop-carried values: `body` returns those for the next iteration.
  llvm::SmallVector<mlir::Value>
  carry(int64_t first, int64_t end, mlir::ValueRange initial,
        llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// Emits `then` if the condition holds; null means true.
  void branch(mlir::Value condition, llvm::function_ref<void()> then);
  void branch(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise);
  /// The value of `then` or of `otherwise`, of this type; a null condition means true.
  mlir::Value choose(mlir::Type type, mlir::Value condition, llvm::function_ref<mlir::Value()> then,
                     llvm::function_ref<mlir::Value()> otherwise);
};

/// Emits the body at this source location, then restores the previous one.
void atPlace(ThreadBuilder &b, mlir::Location place, llvm::function_ref<void()> body);

/// The same i32 or i64, but opaque to LLVM: it cannot hoist computations that depend on it.
mlir::Value opaque(ThreadBuilder &b, mlir::Value value);

/// The values of `then` or of `otherwise`, all of this type; a null condition means true.
using Values = llvm::SmallVector<mlir::Value>;
Values chooseAll(ThreadBuilder &b, mlir::Type type, size_t count, mlir::Value condition,
                 llvm::function_ref<Values()> then, llvm::function_ref<Values()> otherwise);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_THREADBUILDER_H
