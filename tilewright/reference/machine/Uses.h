// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May an operation use what it is given? Poison may be computed and copied. Where it is used as
// a condition, an index, an address or a mask, or leaves the kernel, that is a finding, which
// says where the poison comes from (Origin.cpp).

#ifndef TILEWRIGHT_REFERENCE_MACHINE_USES_H
#define TILEWRIGHT_REFERENCE_MACHINE_USES_H

#include "tilewright/reference/machine/TileBlock.h"

namespace tilewright::reference {

/// Reports an undefined element of the value. Failure: there is one, and the block cannot go on.
LogicalResult requireDefined(TileBlock &block, mlir::Operation *op, mlir::Value value,
                             const llvm::Twine &use);
/// The same, where the block can go on with the bits that it has: reported once.
void expectDefined(TileBlock &block, mlir::Operation *op, mlir::Value value,
                   const llvm::Twine &use);
/// An element with a mark leaves the kernel: where it is only unspecified, that is a warning.
/// makeFinding says what happened to an "undefined" or "unspecified" value.
void reportOutput(TileBlock &block, mlir::Operation *op, mlir::Value value, int64_t element,
                  Mark mark, llvm::function_ref<Finding(llvm::StringRef kind)> makeFinding);

/// Is there something to report of a marked element that the operation uses? After many findings
/// about one use, whatever their checks, there is not: to explain them takes time.
bool wantsUse(const TileBlock &block, mlir::Operation *op, Check check);
/// Has one been reported, whatever its check?
bool isUseReported(const TileBlock &block, mlir::Operation *op, Check check);
/// reportOnce for the explained finding of such a use.
bool reportUse(TileBlock &block, mlir::Operation *op, Check check, Finding finding);

// Origin.cpp

/// Adds to a finding where an element with a mark comes from. If it is from arithmetic, the
/// finding becomes one about that.
void explain(const TileBlock &block, Finding &finding, mlir::Value value, int64_t element,
             Mark mark);
inline void explain(const TileBlock &block, Finding &finding, mlir::Value value, int64_t element) {
  explain(block, finding, value, element, block.tile(value).markOf(element));
}

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_USES_H
