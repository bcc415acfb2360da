// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a module up to any stage of the CPU or GPU compiler, for the library (Compile.h) and for
// `tilewright compile`.

#ifndef TILEWRIGHT_API_CODE_COMPILESTAGE_H
#define TILEWRIGHT_API_CODE_COMPILESTAGE_H

#include "tilewright/api/code/Code.h"
#include "tilewright/cpu/Compiler.h"
#include "tilewright/cpu/Library.h"
#include "tilewright/nvidia/Compiler.h"

#include <variant>

namespace tilewright::api {

using AnyTarget = std::variant<cpu::Target, nvidia::Target>;

/// `cpu`, `cpu=NAME` or `sm_NN`.
support::Result<AnyTarget> targetNamed(std::string_view name);

/// Is this a stage that only GPUs have, or only CPUs?
bool isForGpus(Stage stage);
bool isForCpus(Stage stage);

struct StageOptions {
  /// A stage that the target has.
  Stage stage;
  std::variant<cpu::CompileOptions, nvidia::CompileOptions> compile;
  /// The soname of a shared library; may be empty.
  std::string libraryName = {};
};

/// A shared library is linked with Tilewright's runtime library if it is for the architecture of
/// this machine. If linking fails, `*why` is set to the kind of failure.
support::Result<Code> compileTo(tile::ModuleOp module, const StageOptions &options,
                                cpu::LinkFailure *why = nullptr);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_CODE_COMPILESTAGE_H
