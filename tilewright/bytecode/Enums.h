// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between enumerators as numbers and as attributes (bytecode format, 11).

#ifndef TILEWRIGHT_BYTECODE_ENUMS_H
#define TILEWRIGHT_BYTECODE_ENUMS_H

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

namespace tilewright::bytecode {

/// The enumerator with this number; null if the enumeration has none.
const tile::MemberRow *findMember(llvm::StringRef enumName, uint64_t value);

/// The attribute for an enumerator. Memory orderings, scopes and modes are i32.
mlir::Attribute memberAttribute(llvm::StringRef enumName, uint32_t value,
                                mlir::MLIRContext *context);

/// The number of an enumerator's attribute.
uint32_t memberNumber(mlir::Attribute member);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_ENUMS_H
