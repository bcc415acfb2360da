// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles an explored kernel for a GPU and for this CPU, and collects the generated code at
// several stages and the remarks of both compilers.

#ifndef TILEWRIGHT_API_EXPLORE_STAGES_H
#define TILEWRIGHT_API_EXPLORE_STAGES_H

#include "tilewright/api/explore/Sources.h"
#include "tilewright/codegen/CompiledKernel.h"
#include "tilewright/nvidia/Assemble.h"

namespace tilewright::api {

struct ExploredCode {
  /// `stages` and `remarks` of the document.
  llvm::json::Array stages, remarks;
  /// The PTX code and its kernel; empty if the kernel cannot be compiled for GPUs.
  std::string ptx = {};
  codegen::CompiledKernel kernel = {};
  /// What NVIDIA's assembler reports about it, or why there is no such report.
  support::Result<nvidia::Resources> resources = support::Failure{"there is no PTX code"};
};

ExploredCode compileStages(const ExploredProgram &program, const nvidia::Target &target,
                           SourceTable &sources);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_STAGES_H
