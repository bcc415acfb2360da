// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads an object file into this process. LLVM's JIT linker lays it out in memory and resolves its
// external symbols: first among the given host functions, then among those of the process,
// including its C and math libraries.

#ifndef TILEWRIGHT_CODEGEN_JIT_H
#define TILEWRIGHT_CODEGEN_JIT_H

#include "tilewright/support/Result.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::codegen {

/// One of our functions that generated code calls by name.
struct HostFunction {
  const char *name;
  void *address;
};

/// Loaded code, which lives as long as this object.
class LoadedCode {
public:
  /// With `forDebugger`, the code and its line table are registered with gdb and lldb.
  static support::Result<LoadedCode> load(std::string_view object,
                                          std::span<const HostFunction> functions = {},
                                          bool forDebugger = false);

  /// The address of a function or global.
  support::Result<void *> lookup(std::string_view name) const;

  LoadedCode(LoadedCode &&);
  LoadedCode &operator=(LoadedCode &&);
  ~LoadedCode();

private:
  struct Session;
  explicit LoadedCode(std::unique_ptr<Session> session);

  std::unique_ptr<Session> session;
};

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_JIT_H
