// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executable form of an entry: the decoded code of all functions that it may call, and the
// addresses of variables.

#ifndef TILEWRIGHT_PTX_CODE_PROGRAM_H
#define TILEWRIGHT_PTX_CODE_PROGRAM_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/code/Op.h"

namespace tilewright::ptx {

/// Addresses of a module's variables that are the same for all threads: generic addresses of global
/// and constant variables, addresses in the shared space of shared variables, and parameters of the
/// entry.
struct Addresses {
  std::vector<uint64_t> ofVariable;
  uint64_t sharedBytes = 0; ///< Static variables, packed without gaps as a device does.
  uint64_t parameterBytes = 0;
  uint64_t dynamicShared = 0; ///< Address of dynamic shared memory.

  /// Offset of an entry parameter in the parameter bytes of a launch.
  uint64_t parameterOffset(uint32_t variable) const { return ofVariable[variable] - firstOffset; }
};

struct Program {
  const Module *module = nullptr;
  const Function *entry = nullptr;
  Addresses addresses;
  /// By function number; functions that the entry cannot reach have no ops.
  std::vector<Code> codes;
  /// Whether a function has tcgen05.fence.
  bool hasTensorFence = false;

  const Code &code() const;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_CODE_PROGRAM_H
