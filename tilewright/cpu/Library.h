// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an object become a shared library? The system's compiler driver links it, with the
// runtime that the launchers and the kernels call.

#ifndef TILEWRIGHT_CPU_LIBRARY_H
#define TILEWRIGHT_CPU_LIBRARY_H

#include "tilewright/cpu/Codegen.h"

#include <filesystem>
#include <string_view>

namespace tilewright::cpu {

struct LinkOptions {
  /// The shared library with tw_launch and its like (runtime/Kernel.h). Without one, whoever
  /// loads the library must have them.
  std::filesystem::path runtime;
  /// The name that programs find it by when they are started; may be empty.
  std::string name;
  Sanitizer sanitize = Sanitizer::None;
};

/// The bytes of the shared library. Fails if the machine has no linker driver for the target,
/// or with what the driver says.
support::Result<std::string> linkLibrary(std::string_view object, const Target &target,
                                         const LinkOptions &options = {});

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_LIBRARY_H
