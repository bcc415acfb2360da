// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links an object into a shared library, together with the runtime that the launchers and the
// kernels call. lld links it in this process, so the machine needs no compiler. Only a sanitized
// library needs one, which knows where its sanitizer's runtime library is.

#ifndef TILEWRIGHT_CPU_LIBRARY_H
#define TILEWRIGHT_CPU_LIBRARY_H

#include "tilewright/codegen/Codegen.h"
#include "tilewright/cpu/Target.h"

#include <filesystem>
#include <string_view>

namespace tilewright::cpu {

struct LinkOptions {
  /// The shared library with tw_launch and its like (runtime/Kernel.h). Without one, whoever
  /// loads the library must have them.
  std::filesystem::path runtime;
  /// The name that programs find it by when they are started; may be empty.
  std::string name;
  codegen::Sanitizer sanitize = codegen::Sanitizer::None;
};

/// Why there is no library.
enum class LinkFailure {
  /// The linker refused the object, or the machine has no compiler that could link a sanitized one.
  Linker,
  /// A temporary file cannot be made, written or read, as on a full disk.
  Files,
};

/// The bytes of the shared library. On failure, `why` says of what kind it is.
support::Result<std::string> linkLibrary(std::string_view object, const Target &target,
                                         const LinkOptions &options = {},
                                         LinkFailure *why = nullptr);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_LIBRARY_H
