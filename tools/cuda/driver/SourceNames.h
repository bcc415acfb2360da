// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the parameter names of a kernel in its Python source. Bytecode does not contain them, but
// its debug information has the file and line of the function, from which they are read, like the
// source lines in Python's tracebacks.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_SOURCENAMES_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_SOURCENAMES_H

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cuda {

/// The parameter names of a Python function. `text` begins with its `def`. Empty if no function of
/// this name begins there, or its parameter list is incomplete.
std::vector<std::string> parameterNames(std::string_view text, std::string_view function);

/// The same for the function at line `line`, from 1, of a file. Empty also if the file cannot be
/// read.
std::vector<std::string> parameterNamesIn(const std::string &file, size_t line,
                                          std::string_view function);

/// `x`, or `pair[1]` for item 1 of a tuple; without names, `argument 2`.
std::string nameOf(std::span<const size_t> path, std::span<const std::string> names);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_SOURCENAMES_H
