// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, attributes and locations in the notation of the test vectors. Implemented independently: a
// listing must not depend on the dialect's printers.

#ifndef TILEWRIGHT_TEST_SUPPORT_BYTECODE_LISTINGTEXT_H
#define TILEWRIGHT_TEST_SUPPORT_BYTECODE_LISTINGTEXT_H

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/StringExtras.h"

namespace tilewright::bytecode {

template <typename Range, typename Function>
std::string joinMapped(Range &&range, llvm::StringRef separator, Function &&text) {
  return llvm::join(llvm::map_range(range, text), separator);
}

std::string typeText(mlir::Type type);
/// `[1, 2]`, `splat 3`, or the single number.
std::string elementsText(mlir::DenseElementsAttr elements);
llvm::StringRef spellingOf(llvm::StringRef enumName, uint32_t value);

/// An attribute whose kind is determined by the operation (bytecode format, 10.1).
std::string inlineText(mlir::Attribute attr, const tile::FieldRow &field);
std::string hintsText(tile::OptimizationHintsAttr hints);

/// `  @loc(...)` at the end of a line; empty for an unknown location.
std::string locationSuffix(mlir::Location location);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_TEST_SUPPORT_BYTECODE_LISTINGTEXT_H
