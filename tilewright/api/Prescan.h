// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must MLIR's parser not see? Text that would exhaust its stack or its time, and text on
// which version 22 of it is known to crash or to read memory that is not its own.
// docs/decisions/upstream-parser.md describes each case.

#ifndef TILEWRIGHT_API_PRESCAN_H
#define TILEWRIGHT_API_PRESCAN_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SourceMgr.h"
#include <optional>
#include <string>
#include <vector>

namespace tilewright::api {

struct Hazard {
  const char *place;
  std::string what;
};

/// The first hazard of the text.
std::optional<Hazard> findHazard(llvm::StringRef text);

/// Reports the first hazard of the main file.
llvm::LogicalResult verifyHasNoHazard(llvm::SourceMgr &sources, mlir::MLIRContext *context);

/// Where the words `entry` and `global` stand at top level, if the first operation of the text
/// is one of them; else nothing. Such a text has no module (BareText.h). With its prefix, an entry
/// or global is like any other operation.
std::vector<size_t> findBareItems(llvm::StringRef text);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PRESCAN_H
