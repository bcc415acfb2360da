// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What executes for an entry? Its program is the code of the entry and of all functions that it may
// call, and where variables are.

#ifndef TILEWRIGHT_PTX_CODE_PROGRAM_H
#define TILEWRIGHT_PTX_CODE_PROGRAM_H

#include "tilewright/ptx/code/Layout.h"
#include "tilewright/ptx/code/Op.h"

namespace tilewright::ptx {

/// Where the variables of a module are, as far as all threads agree: global and constant ones at
/// their generic address, shared ones in the shared space, parameters of the entry.
struct Addresses {
  std::vector<uint64_t> ofVariable;
  uint64_t sharedBytes = 0; ///< Of static variables, as a device places them: without gaps.
  uint64_t parameterBytes = 0;
  uint64_t dynamicShared = 0; ///< Where dynamic shared memory begins.

  /// Where a parameter of the entry is in the bytes of a launch.
  uint64_t parameterOffset(uint32_t variable) const { return ofVariable[variable] - firstOffset; }
};

struct Program {
  const Module *module = nullptr;
  const Function *entry = nullptr;
  Addresses addresses;
  /// By number of the function; without ops for those that the entry cannot reach.
  std::vector<Code> codes;

  const Code &code() const;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_CODE_PROGRAM_H
