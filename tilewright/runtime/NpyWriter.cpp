// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes .npy files atomically. The bytes go to a new file in the same directory, every step is
// checked for errors, and a rename, which is atomic within a file system, puts the file in place.
// The bytes are those of NumPy's `save`, so that files can be compared with cmp.

#include "tilewright/runtime/Npy.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;
namespace fs = std::filesystem;

std::string runtime::npyPrologue(Dtype dtype, std::span<const int64_t> shape) {
  std::string dictionary = "{'descr': '" + toString(dtype) +
                           "', 'fortran_order': False, 'shape': " + toString(shape) + ", }";
  // NumPy leaves room for the first extent to grow to 21 digits in place.
  if (!shape.empty())
    dictionary.append(21 - std::to_string(shape[0]).size(), ' ');

  // Version 1.0 has two bytes for the length of the header, 2.0 has four. The data
  // starts at a multiple of 64; the newline ends the padding.
  const auto lengthOfHeader = [&](size_t start) {
    return (start + dictionary.size() + 1 + 63) / 64 * 64 - start;
  };
  const bool isVersion1 = lengthOfHeader(10) <= 0xFFFF;
  const size_t length = lengthOfHeader(isVersion1 ? 10 : 12);

  std::string text = "\x93NUMPY";
  text += {isVersion1 ? '\1' : '\2', '\0'};
  for (int byte = 0; byte < (isVersion1 ? 2 : 4); ++byte)
    text += char(length >> (8 * byte));
  dictionary.append(length - dictionary.size() - 1, ' ');
  return text + dictionary + "\n";
}

static Failure cannotWrite(const fs::path &path, const std::string &why) {
  return {path.string() + ": cannot write the file: " + why};
}

Result<fs::path> runtime::outputTarget(const fs::path &path) {
  std::error_code code;
  if (!path.has_filename())
    return cannotWrite(path, "it names no file");
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(directory, code))
    return cannotWrite(path, "'" + directory.string() + "' is not a directory");
  const auto status = fs::status(path, code);
  // A rename would replace a device such as /dev/null.
  if (fs::exists(status) && !fs::is_regular_file(status))
    return cannotWrite(path, "it exists and is not a regular file");
  if (!fs::exists(status) && fs::is_symlink(path, code))
    return cannotWrite(path, "it is a dangling symbolic link");
  const fs::path target = fs::exists(status) ? fs::canonical(path, code)
                                             : fs::canonical(directory, code) / path.filename();
  if (code)
    return cannotWrite(path, code.message());
  return target;
}

/// Creates and opens a new file, and returns its name in `name`.
static std::FILE *createTemporary(const fs::path &directory, fs::path &name) {
  std::random_device random;
  for (int attempt = 0; attempt < 16; ++attempt) {
    name = directory / (".tilewright-" + std::to_string(random()) + ".tmp");
    if (std::FILE *file = std::fopen(name.c_str(), "wbx"))
      return file;
    if (errno != EEXIST)
      break;
  }
  return nullptr;
}

Result<StagedNpy> StagedNpy::stage(const fs::path &path, const Array &array,
                                   const Created &created) {
  Result<fs::path> target = outputTarget(path);
  if (!target)
    return target.failure();

  fs::path temporary;
  std::FILE *file = createTemporary(target->parent_path(), temporary);
  if (!file)
    return cannotWrite(path, std::strerror(errno));
  if (created)
    created(temporary);
  StagedNpy staged(std::move(*target), std::move(temporary)); // From here on, `staged` removes the
                                                              // file on errors.

  const auto write = [&](const void *bytes, size_t size) {
    return std::fwrite(bytes, 1, size, file) == size;
  };
  const std::string prologue = npyPrologue(array.dtype(), array.shape());
  bool written = write(prologue.data(), prologue.size()) &&
                 write(array.bytes().data(), array.bytes().size()) && std::fflush(file) == 0;
  int reason = errno;
  // An error such as a full disk may only be reported here.
  if (std::fclose(file) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (!written)
    return cannotWrite(path, std::strerror(reason));
  return staged;
}

Result<void> StagedNpy::commit() {
  std::error_code code;
  fs::rename(temporary, target, code);
  if (code)
    return cannotWrite(target, code.message());
  temporary.clear();
  return {};
}

StagedNpy::~StagedNpy() {
  std::error_code ignored; // A file that cannot be removed is left behind.
  if (!temporary.empty())
    fs::remove(temporary, ignored);
}

Result<void> runtime::writeNpy(const fs::path &path, const Array &array) {
  Result<StagedNpy> staged = StagedNpy::stage(path, array);
  if (!staged)
    return staged.failure();
  return staged->commit();
}
