// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the compiler's remarks by category, and prints them as lines or as YAML in LLVM's form.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_REMARKS_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_REMARKS_H

#include "tools/cuda/tileiras/CommandLine.h"

#include <string_view>

namespace tilewright::cuda {

/// `remarks` has a line for each decision, `k.py:12:5: remark: mmaf: ...`, of this kernel
/// (empty: of several). Returns those that the options select, in the format that they select.
std::string print(std::string_view remarks, std::string_view kernel, const RemarkOptions &options);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_REMARKS_H
