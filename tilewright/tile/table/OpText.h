// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description of an operation in the table as text, for `tilewright ops NAME` and for editors.

#ifndef TILEWRIGHT_TILE_TABLE_OPTEXT_H
#define TILEWRIGHT_TILE_TABLE_OPTEXT_H

#include "tilewright/tile/table/OpTable.h"

namespace tilewright::tile {

/// `operand`, `attribute`, `result` or `region`.
llvm::StringRef wordFor(FieldKind kind);

/// The syntax in one line, then a line for each operand, attribute, result and region, then
/// category, version and opcode.
std::string detailsOf(const OpRow &op);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TABLE_OPTEXT_H
