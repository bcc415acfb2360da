// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes arrays as NumPy's .npy files, format versions 1.0, 2.0 and 3.0. The reader is
// strict: it refuses a header that it does not understand fully, and data that does not end where
// the header says. The writer is atomic: it fills a temporary file in the same directory and
// renames it.

#ifndef TILEWRIGHT_RUNTIME_NPY_H
#define TILEWRIGHT_RUNTIME_NPY_H

#include "tilewright/runtime/Array.h"
#include "tilewright/support/Result.h"

#include <filesystem>
#include <functional>
#include <istream>

namespace tilewright::runtime {

/// Reads a file of C-order, little-endian elements of kind b, i, u, f or V. Errors
/// begin with the path.
support::Result<Array> readNpy(const std::filesystem::path &path);

/// Reads the next `size` bytes of a stream, which are the whole file. Never allocates more than
/// about `size` bytes, whatever the header claims.
support::Result<Array> readNpy(std::istream &stream, uint64_t size);

/// Writes the file. On failure, the path is unchanged and no temporary file is left. The bytes
/// equal those of NumPy's `save`. Errors begin with the path.
support::Result<void> writeNpy(const std::filesystem::path &path, const Array &array);

/// The file that writing to this path creates: an absolute path with all symbolic links resolved.
/// Fails early if the file cannot be written: the directory does not exist, or the path is
/// something other than a regular file.
support::Result<std::filesystem::path> outputTarget(const std::filesystem::path &path);

/// A complete file on disk under a temporary name. To write several files atomically, stage all,
/// then commit all.
class StagedNpy {
public:
  /// Called with the temporary name as soon as the file exists.
  using Created = std::function<void(const std::filesystem::path &temporary)>;

  /// `created` receives the temporary name, so that a signal handler can remove the file.
  static support::Result<StagedNpy> stage(const std::filesystem::path &path, const Array &array,
                                          const Created &created = {});

  /// Renames the file to its final name, replacing any existing file.
  support::Result<void> commit();

  StagedNpy(StagedNpy &&other) noexcept
      : target(std::move(other.target)), temporary(std::exchange(other.temporary, {})) {}
  StagedNpy &operator=(StagedNpy &&) = delete;
  /// Removes the temporary file, unless it was committed.
  ~StagedNpy();

private:
  StagedNpy(std::filesystem::path target, std::filesystem::path temporary)
      : target(std::move(target)), temporary(std::move(temporary)) {}

  std::filesystem::path target;
  std::filesystem::path temporary;
};

/// Magic, version, length and header text, as NumPy's `save` writes them in front of the data of a
/// C-order array.
std::string npyPrologue(Dtype dtype, std::span<const int64_t> shape);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_NPY_H
