// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Preview.h.

#include "tilewright/bytecode/Preview.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace tilewright;

StringRef bytecode::previewOperation(uint64_t opcode) {
  switch (opcode) {
  case 0x76:
    return "'insert'";
  case 0x77:
    return "'gdc_launch_dependents_tko'";
  case 0x78:
    return "'gdc_wait_tko'";
  // The developer preview of 13.4 counted differently (14.3).
  case 0x79:
    return "'fpowi' (in the developer preview 'multimem_load_reduce_view_tko')";
  case 0x7A:
    return "'memory_fence_alias_tko'";
  case 0x80:
    return "'multimem_reduce_view_tko' of the developer preview";
  case 0x81:
    return "'multimem_store_view_tko' of the developer preview";
  case 0x82:
    return "'fpowi' of the developer preview";
  case 0x83:
    return "'memory_fence_alias_tko' of the developer preview";
  default:
    return "";
  }
}

StringRef bytecode::previewType(uint64_t tag) { return tag == 130 ? "type 'f8E5M3FNU'" : ""; }

StringRef bytecode::previewMember(StringRef enumName, uint64_t value) {
  return enumName == "RoundingMode" && value == 7 ? "rounding mode 'nearest_away'" : "";
}
