// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which opcodes of 13.4 did its developer preview number otherwise? Files of the preview call
// themselves 13.4. Where a number tells them from the released version, the error says so
// (bytecode format, 14.3; 13.4, section 10).

#ifndef TILEWRIGHT_BYTECODE_PREVIEW_H
#define TILEWRIGHT_BYTECODE_PREVIEW_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tilewright::bytecode {

/// The operation that the preview gave this opcode; empty unless no released version has it.
llvm::StringRef previewOperation(uint64_t opcode);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_PREVIEW_H
