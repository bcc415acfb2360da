// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binds `--arg` texts to the parameters of an entry: one text per parameter, in order, with this
// syntax:
//
//     VALUE[,out=FILE.npy][,print[=bits]]
//
// A number binds a scalar parameter. An array (ArrayValue.h) binds a pointer parameter to its
// address. `array:VALUE` binds an array to all parameters that cuTile passes for one: the pointer,
// an extent per dimension, and a stride in elements per dimension. `multicast:VALUE` binds a
// pointer to a multicast address, whose copies follow one another along the first dimension of
// VALUE. After the launch, `out=` writes the array to a file, `print` prints it, and `print=bits`
// prints the bits of its elements.

#ifndef TILEWRIGHT_TOOLS_ARGUMENTS_H
#define TILEWRIGHT_TOOLS_ARGUMENTS_H

#include "tilewright/api/Array.h"
#include "tools/WriteFile.h"
#include "tools/tilewright/arrays/TypedArray.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::tools {

/// The type of a parameter: a scalar of this format, or a pointer to elements of this format.
struct ParameterType {
  bool isPointer;
  numerics::Format format;
  /// For messages; may be empty.
  std::string name = {};
};

/// The value of a parameter: the address of an array, or a scalar.
struct BoundValue {
  /// Index into Arguments::arrays, for pointers.
  std::optional<size_t> array;
  /// The pointer is a multicast address, and the array has the copies along its first dimension.
  bool isMulticast = false;
  /// In the parameter's format, for scalars.
  numerics::Element scalar = numerics::Element::boolean(false);
};

/// What to do with an array after the launch.
struct Output {
  size_t array;
  /// The argument's name in messages: `--arg 2 (%out: ptr<f32>)`.
  std::string label;
  std::optional<std::filesystem::path> file;
  std::optional<ArrayForm> printed = std::nullopt;
};

struct Arguments {
  /// One per parameter.
  std::vector<BoundValue> values;
  /// The launch reads and writes them in place.
  std::vector<TypedArray> arrays;
  std::vector<Output> outputs;

  /// Converts the values for launches by the library. The result refers to the arrays.
  support::Result<std::vector<api::Argument>> forLibrary();
};

/// Binds the parameters of an entry. Error messages have one line, with the argument, its
/// parameter, and what was expected and found. Output files are not changed yet, but are checked
/// for being writable, as far as possible before the launch.
support::Result<Arguments> bindArguments(llvm::ArrayRef<ParameterType> parameters,
                                         llvm::ArrayRef<std::string> specs);

/// The output files.
std::vector<NamedOutput> outputsOf(const Arguments &arguments);

/// Call after the launch. Prints to `os`, which messages call standard output, and then writes the
/// output files. Each file is replaced atomically; if printing or preparing a file fails, none is
/// replaced.
support::Result<void> writeOutputs(Arguments &arguments, llvm::raw_ostream &os);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_ARGUMENTS_H
