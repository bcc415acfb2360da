// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the uses of poison. Poison may be computed and copied. If it is used as a condition,
// index, address or mask, or if it leaves the kernel, that is a finding, which explains the origin
// of the poison (Origin.cpp).

#ifndef TILEWRIGHT_REFERENCE_MACHINE_USES_H
#define TILEWRIGHT_REFERENCE_MACHINE_USES_H

#include "tilewright/reference/machine/TileBlock.h"

namespace tilewright::reference {

/// Reports an undefined element of the value. Fails if there is one and the block cannot continue.
LogicalResult requireDefined(TileBlock &block, mlir::Operation *op, mlir::Value value,
                             const llvm::Twine &use);
/// The same where the block can continue with the element's bits: reported once.
void expectDefined(TileBlock &block, mlir::Operation *op, mlir::Value value,
                   const llvm::Twine &use);
/// Reports an element with a mark that leaves the kernel: a warning if it is only unspecified.
/// makeFinding describes what happened to an "undefined" or "unspecified" value.
void reportOutput(TileBlock &block, mlir::Operation *op, mlir::Value value, int64_t element,
                  Mark mark, llvm::function_ref<Finding(llvm::StringRef kind)> makeFinding);

/// Whether a use of a marked element is still worth a finding. False after many findings about the
/// same use, whatever their checks, because explaining them takes time.
bool shouldReportUse(const TileBlock &block, mlir::Operation *op, Check check);
/// Whether a finding about this use has been made, whatever its check.
bool isUseReported(const TileBlock &block, mlir::Operation *op, Check check);
/// reportOnce for the explained finding about such a use.
bool reportUse(TileBlock &block, mlir::Operation *op, Check check, Finding finding);

// Origin.cpp

/// Adds the origin of a marked element to a finding. If arithmetic made the mark, the finding
/// becomes one about that operation.
void explain(const TileBlock &block, Finding &finding, mlir::Value value, int64_t element,
             Mark mark);
inline void explain(const TileBlock &block, Finding &finding, mlir::Value value, int64_t element) {
  explain(block, finding, value, element, block.tile(value).markOf(element));
}

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_USES_H
