// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the copies of a kernel share? Its entry on one of the two devices.

#ifndef TILEWRIGHT_API_KERNELSTATE_H
#define TILEWRIGHT_API_KERNELSTATE_H

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/ModuleState.h"
#include "tilewright/reference/machine/Machine.h"

namespace tilewright::api {

/// An entry for the reference machine: a module of its own, so that what other threads do with the
/// one it was compiled from does not matter, and locations that tell the bytes of bytecode.
struct ReferenceEntry {
  std::unique_ptr<ModuleState> module;
  tile::EntryOp entry;
  reference::LaunchOptions options;
};

struct KernelState {
  std::string name;
  std::vector<Parameter> parameters;
  /// One of the two.
  std::optional<CompiledEntry> compiled;
  std::optional<ReferenceEntry> reference;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_KERNELSTATE_H
