// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReducedFiles.h.

#include "tools/tilewright/diff/ReducedFiles.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/runtime/Npy.h"
#include "tools/WriteFile.h"
#include "tools/tilewright/arrays/TypedArray.h"

#include "tilewright/support/Shell.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Result;

/// `f32[1, 2.5]`
static std::string literalOf(const TypedArray &array) {
  std::string text = numerics::info(array.format()).spelling;
  for (int64_t i = 0; i < array.elementCount(); ++i)
    text += (i == 0 ? "[" : ", ") + numerics::toString(array.load(i));
  return text + "]";
}

/// The text of an `--arg`. Writes a file if the array is long.
static Result<std::string> specOf(const api::ReducedArgument &argument, const std::string &file) {
  constexpr int64_t mostInText = 16;
  if (!argument.isArray)
    return numerics::toString(argument.scalar);
  if (llvm::all_of(argument.bytes, [](uint8_t byte) { return byte == 0; }))
    return "zeros(" + typeText(argument.scalar.format, argument.shape) + ")";
  Result<TypedArray> array = TypedArray::create(argument.scalar.format, argument.shape);
  if (!array)
    return array.failure();
  std::copy(argument.bytes.begin(), argument.bytes.end(), array->storage().bytes().begin());
  if (argument.shape.size() == 1 && array->elementCount() <= mostInText)
    return literalOf(*array);
  if (Result<void> written = runtime::writeNpy(file, array->storage()); !written)
    return written.failure();
  return file;
}

/// Neither an option nor a space that `--arg` ignores.
static std::string asArgument(const std::string &file) {
  return llvm::isAlnum(file[0]) || llvm::StringRef("_./").contains(file[0]) ? file : "./" + file;
}

Result<std::string> tools::writeReduced(const api::ReducedCase &reduced, const std::string &name) {
  const std::string file = asArgument(name);
  const auto &[x, y, z] = reduced.grid;
  std::string command = "tilewright diff " + support::shellWord(file) + " --grid " +
                        std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) +
                        " --devices " + reduced.device;
  const std::string stem =
      llvm::StringRef(file).ends_with(".mlir") ? file.substr(0, file.size() - 5) : file;
  for (const auto &[i, argument] : llvm::enumerate(reduced.arguments)) {
    Result<std::string> spec = specOf(argument, stem + "-" + std::to_string(i + 1) + ".npy");
    if (!spec)
      return spec;
    command += " --arg " + support::quotedShellWord(*spec);
  }
  if (Result<void> written = writeFile(file, "// " + command + "\n" + reduced.text); !written)
    return written.failure();
  return command;
}
