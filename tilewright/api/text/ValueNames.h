// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a text names its values. Operations do not keep these names, so that printing a module
// numbers its values.

#ifndef TILEWRIGHT_API_TEXT_VALUENAMES_H
#define TILEWRIGHT_API_TEXT_VALUENAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/SourceMgr.h"

namespace tilewright::api {

/// `%sum`; `%pair#1` for the second result of `%pair:2`.
using ValueNames = llvm::DenseMap<mlir::Value, std::string>;

/// Parses a text as mlir::parseSourceFile does, and adds the names of its values.
mlir::OwningOpRef<mlir::ModuleOp> parseWithNames(const llvm::SourceMgr &sources,
                                                 mlir::MLIRContext *context, ValueNames &names);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_TEXT_VALUENAMES_H
