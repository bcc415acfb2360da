// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suggestions for unknown names: today's name for a name of older texts (types, 15; textual format,
// 13), else the nearest known name.

#ifndef TILEWRIGHT_TILE_TEXT_SPELLING_H
#define TILEWRIGHT_TILE_TEXT_SPELLING_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilewright::tile {

/// The nearest candidate, if it is near enough for `word` to be a typo.
std::optional<llvm::StringRef> nearestName(llvm::StringRef word,
                                           llvm::ArrayRef<llvm::StringRef> candidates);

/// Attaches the note "did you mean '...'?" if there is such a candidate.
void noteNearest(mlir::InFlightDiagnostic &diagnostic, llvm::StringRef word,
                 llvm::ArrayRef<llvm::StringRef> candidates);

/// Advice for an unknown operation, such as "did you mean 'addi'?"; empty if there is none.
std::string adviceForOp(llvm::StringRef mnemonic);

/// Advice for an unknown type or element type.
std::string adviceForType(llvm::StringRef name);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TEXT_SPELLING_H
