// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links an object and the runtime that launchers and kernels call into a shared library. lld runs
// in this process, so the machine needs no compiler. Only a sanitized library needs one, because it
// knows where its sanitizer's runtime library is.

#ifndef TILEWRIGHT_CPU_LIBRARY_H
#define TILEWRIGHT_CPU_LIBRARY_H

#include "tilewright/codegen/Codegen.h"
#include "tilewright/cpu/Target.h"

#include <filesystem>
#include <string_view>

namespace tilewright::cpu {

struct LinkOptions {
  /// The shared library that defines tw_launch and related functions (runtime/Kernel.h). If empty,
  /// the program that loads the library must define them.
  std::filesystem::path runtime;
  /// The soname by which the loader finds the library at program start; may be empty.
  std::string name;
  codegen::Sanitizer sanitize = codegen::Sanitizer::None;
};

/// Why linking failed.
enum class LinkFailure {
  /// The linker refused the object, or the machine has no compiler that could link a sanitized one.
  Linker,
  /// A temporary file cannot be created, written or read, for example because the disk is full.
  Files,
};

/// The bytes of the shared library. On failure, `why` is set to the kind of failure.
support::Result<std::string> linkLibrary(std::string_view object, const Target &target,
                                         const LinkOptions &options = {},
                                         LinkFailure *why = nullptr);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_LIBRARY_H
