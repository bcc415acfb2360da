// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises opcodes of the 13.4 developer preview, which used other numbers. Its files also have
// the version 13.4. If an opcode exists only in the preview, the error says so (bytecode format,
// 14.3; 13.4, section 10).

#ifndef TILEWRIGHT_BYTECODE_PREVIEW_H
#define TILEWRIGHT_BYTECODE_PREVIEW_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tilewright::bytecode {

/// The operation that had this opcode in the preview; empty if a released version uses the opcode.
llvm::StringRef previewOperation(uint64_t opcode);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_PREVIEW_H
