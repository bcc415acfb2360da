// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the author of a kernel call its arguments? Bytecode does not have these names, but its
// debug information has the line where the function begins. That line is there to be read, as
// Python itself reads it for a traceback.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_SOURCENAMES_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_SOURCENAMES_H

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cuda {

/// The names of the parameters of a function in Python. `text` begins with its `def`. Empty if no
/// function of this name begins there, or its parameters do not end.
std::vector<std::string> parameterNames(std::string_view text, std::string_view function);

/// The same for what begins at line `line`, from 1, of a file. Empty also if that cannot be read.
std::vector<std::string> parameterNamesIn(const std::string &file, size_t line,
                                          std::string_view function);

/// `x`, or `pair[1]` for item 1 of a tuple; without names, `argument 2`.
std::string nameOf(std::span<const size_t> path, std::span<const std::string> names);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_SOURCENAMES_H
