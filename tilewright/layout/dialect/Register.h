// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tool has to know to read programs with layouts.

#ifndef TILEWRIGHT_LAYOUT_DIALECT_REGISTER_H
#define TILEWRIGHT_LAYOUT_DIALECT_REGISTER_H

namespace mlir {
class DialectRegistry;
}

namespace tilewright::layout {

/// The dialect `iree_vector_ext`, and those of MLIR that such programs are written in.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DIALECT_REGISTER_H
