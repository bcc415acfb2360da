// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do the `--arg` texts of a command line become the parameters of an entry? One
// text per parameter, in order:
//
//     VALUE[,out=FILE.npy][,print[=bits]]
//
// A number binds a scalar parameter; an array (ArrayValue.h) binds a pointer parameter
// to its address. `array:VALUE` binds an array to as many parameters as cuTile passes
// for one: the pointer, an extent per dimension, a stride in elements per dimension.
// `multicast:VALUE` binds a pointer to an address that stands for several arrays: those that
// follow one another along the first dimension of VALUE. After the launch, `out=` writes the array
// to a file, `print` shows it, and `print=bits` shows the bits of its elements.

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

/// One parameter of an entry: a scalar of this format, or a pointer to elements of it.
struct ParameterType {
  bool isPointer;
  numerics::Format format;
  /// For messages; may be empty.
  std::string name = {};
};

/// What a parameter is given: the address of an array, or a scalar.
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
  /// `--arg 2 (%out: ptr<f32>)`, the way messages name the argument.
  std::string label;
  std::optional<std::filesystem::path> file;
  std::optional<ArrayForm> printed = std::nullopt;
};

struct Arguments {
  /// One per parameter.
  std::vector<BoundValue> values;
  /// Read and written by the launch, in place.
  std::vector<TypedArray> arrays;
  std::vector<Output> outputs;

  /// For a device of the library; arrays stay where they are.
  support::Result<std::vector<api::Argument>> forLibrary();
};

/// Binds the parameters of an entry. An error names the argument, its parameter, what
/// was expected and what was found, in one line. Output files are not touched, but
/// that they can be written is checked as far as that goes before a launch.
support::Result<Arguments> bindArguments(llvm::ArrayRef<ParameterType> parameters,
                                         llvm::ArrayRef<std::string> specs);

/// The files that outputs go to.
std::vector<NamedOutput> outputsOf(const Arguments &arguments);

/// After the launch: prints to `os`, which messages call standard output, then puts every
/// output file in place. No file is ever seen half-written, and when one cannot be written, or
/// what is printed, none is replaced.
support::Result<void> writeOutputs(Arguments &arguments, llvm::raw_ostream &os);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_ARGUMENTS_H
