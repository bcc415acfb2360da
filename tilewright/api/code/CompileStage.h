// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library (Compile.h) and `tilewright compile` share: a stage of either compiler.

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

/// Stages that only one kind of target has.
bool isForGpus(Stage stage);
bool isForCpus(Stage stage);

struct StageOptions {
  /// One that the target has.
  Stage stage;
  std::variant<cpu::CompileOptions, nvidia::CompileOptions> compile;
  /// The soname of a shared library; may be empty.
  std::string libraryName = {};
};

/// A shared library is linked with our runtime if it is for this machine. If linking fails, `why`
/// is set to the kind of failure.
support::Result<Code> compileTo(tile::ModuleOp module, const StageOptions &options,
                                cpu::LinkFailure *why = nullptr);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_CODE_COMPILESTAGE_H
