// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a long kernel compile in time proportional to its length? LLVM's algorithms are
// superlinear in the number of blocks of a function (value numbering) or in its values (scalar
// evolution). So what a long kernel does one after the other becomes functions of bounded length,
// which the kernel calls. Tiles are in the arena; what else one part computes for another is
// returned.

#ifndef TILEWRIGHT_CPU_EMIT_OUTLINE_H
#define TILEWRIGHT_CPU_EMIT_OUTLINE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::cpu {

/// Operations of generated loops after which a part is closed, and those of a kernel that is cut
/// into its parts. Softmax has 2,000.
inline constexpr unsigned operationsOfPart = 2048, operationsOfLongKernel = 4096;

/// Consecutive blocks of a function: from `first` to before `end`. They are entered by a jump to
/// `first` alone, without arguments, and left by one to `end` alone.
struct Part {
  mlir::Block *first, *end;
};

/// Makes a function of each part, and a call of what was a part. A part inside of another one comes
/// first.
void outlineParts(mlir::LLVM::LLVMFuncOp function, llvm::ArrayRef<Part> parts);

/// Counts the operations that a builder makes.
class OperationCounter : public mlir::OpBuilder::Listener {
public:
  void notifyOperationInserted(mlir::Operation *, mlir::OpBuilder::InsertPoint) override {
    ++count;
  }
  unsigned count = 0;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_OUTLINE_H
