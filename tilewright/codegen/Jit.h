// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an object file run in this process? LLVM's linker for processes lays it out in
// memory and resolves what it calls: first among the functions that are handed in, then among
// those of the process, its C and math libraries included.

#ifndef TILEWRIGHT_CODEGEN_JIT_H
#define TILEWRIGHT_CODEGEN_JIT_H

#include "tilewright/support/Result.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::codegen {

/// A function of ours that generated code calls by name.
struct HostFunction {
  const char *name;
  void *address;
};

/// Code in memory, which lives as long as this object.
class LoadedCode {
public:
  /// With `forDebugger`, gdb and lldb learn of the code and its lines.
  static support::Result<LoadedCode> load(std::string_view object,
                                          std::span<const HostFunction> functions = {},
                                          bool forDebugger = false);

  /// The address of a function or of data.
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
