// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Preview.h.

#include "tilewright/bytecode/Preview.h"

llvm::StringRef tilewright::bytecode::previewOperation(uint64_t opcode) {
  switch (opcode) {
  case 0x80:
    return "multimem_reduce_view_tko";
  case 0x81:
    return "multimem_store_view_tko";
  case 0x82:
    return "fpowi";
  case 0x83:
    return "memory_fence_alias_tko";
  default:
    return "";
  }
}
