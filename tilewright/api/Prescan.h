// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rejects text that MLIR's parser cannot handle: text that would exhaust its stack or take
// quadratic time, and text on which MLIR 22 crashes or reads out of bounds.
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

/// The first hazard in the text.
std::optional<Hazard> findHazard(llvm::StringRef text);

/// Reports the first hazard in the main file.
llvm::LogicalResult verifyHasNoHazard(llvm::SourceMgr &sources, mlir::MLIRContext *context);

/// The offsets of the keywords `entry` and `global` at top level, if the first operation of the
/// text is one of them; otherwise empty. Such a text has no module (BareText.h). Entries and
/// globals with the dialect prefix count as other operations.
std::vector<size_t> findBareItems(llvm::StringRef text);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PRESCAN_H
