// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did 13.4 add? Files of that version are read as long as they use none of it; what
// they do use is refused by its name (bytecode format, 14.2 and 14.3).

#ifndef TILEWRIGHT_BYTECODE_PREVIEW_H
#define TILEWRIGHT_BYTECODE_PREVIEW_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tilewright::bytecode {

/// "'insert'" for an opcode that 13.4 added; empty if it is unknown.
llvm::StringRef previewOperation(uint64_t opcode);

/// "type 'f8E5M3FNU'" for a type tag that 13.4 added; empty if it is unknown.
llvm::StringRef previewType(uint64_t tag);

/// "rounding mode 'nearest_away'" for an enumerant that 13.4 added; empty if it is unknown.
llvm::StringRef previewMember(llvm::StringRef enumName, uint64_t value);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_PREVIEW_H
