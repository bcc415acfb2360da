// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the dialects that programs with layouts use.

#ifndef TILEWRIGHT_LAYOUT_DIALECT_REGISTER_H
#define TILEWRIGHT_LAYOUT_DIALECT_REGISTER_H

namespace mlir {
class DialectRegistry;
}

namespace tilewright::layout {

/// Registers `iree_vector_ext` and the MLIR dialects that such programs use.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DIALECT_REGISTER_H
