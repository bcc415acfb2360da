// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do arrays get in and out? As NumPy's .npy files, format versions 1.0, 2.0 and
// 3.0. The reader takes exactly what the format describes: a header it does not
// understand fully, or data that does not end where the header says, is refused. The
// writer makes its file appear whole or not at all: it fills a temporary file in the
// same directory and renames it.

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

/// The same from the next `size` bytes of a stream, which are the whole file. Never
/// allocates more than about `size` bytes, whatever the header claims.
support::Result<Array> readNpy(std::istream &stream, uint64_t size);

/// Writes the file; on failure the path is as it was before, and no temporary file is
/// left. Bytes equal those of NumPy's `save`. Errors begin with the path.
support::Result<void> writeNpy(const std::filesystem::path &path, const Array &array);

/// Where writing to this path puts the file: an absolute path, the same for all
/// spellings of it and through symbolic links. Refuses, before any work is done, what
/// cannot be written: no such directory, or something there that is not a regular file.
support::Result<std::filesystem::path> outputTarget(const std::filesystem::path &path);

/// A file that is complete on disk under a temporary name. Writing several files
/// either all or not at all means to stage each and then to commit each.
class StagedNpy {
public:
  /// Is told the temporary name as soon as there is a file of that name.
  using Created = std::function<void(const std::filesystem::path &temporary)>;

  /// Whoever catches signals can remove the temporary file then: `created` names it.
  static support::Result<StagedNpy> stage(const std::filesystem::path &path, const Array &array,
                                          const Created &created = {});

  /// Gives the file its name, replacing what had it.
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

/// Magic, version, length and header text, as NumPy's `save` writes them in front of
/// the data of a C-order array.
std::string npyPrologue(Dtype dtype, std::span<const int64_t> shape);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_NPY_H
