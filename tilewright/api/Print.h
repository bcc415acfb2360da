// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a module as text that can be read again.

#ifndef TILEWRIGHT_API_PRINT_H
#define TILEWRIGHT_API_PRINT_H

#include "tilewright/api/TextForm.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::api {

/// Canonical text (textual format, 12), with a line break at its end.
std::string toText(mlir::ModuleOp module, TextForm form);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PRINT_H
