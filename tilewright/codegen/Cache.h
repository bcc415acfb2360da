// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has this been compiled before? What was compiled is kept in files named by a hash of all
// that it depends on. A file appears in one step and never changes, so that any number of
// processes may read and write at once; what is not exactly what was written, for whatever
// reason, counts as absent.

#ifndef TILEWRIGHT_CODEGEN_CACHE_H
#define TILEWRIGHT_CODEGEN_CACHE_H

#include "tilewright/support/Result.h"

#include "llvm/Support/BLAKE3.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::codegen {

/// The hash of a list of texts: no two lists that differ have the same in practice.
class CacheKey {
public:
  using Hash = std::array<uint8_t, 32>;

  CacheKey &add(std::string_view text);
  CacheKey &add(uint64_t number);
  Hash hash() const { return llvm::BLAKE3(hasher).final<32>(); }

private:
  llvm::BLAKE3 hasher;
};

class Cache {
public:
  static constexpr uint64_t usualLimit = uint64_t(1) << 30;

  /// Entries are in this folder, which is made when the first one is stored. They take about
  /// `limit` bytes at most: the least recently used make room.
  explicit Cache(std::filesystem::path folder, uint64_t limit = usualLimit)
      : folder(std::move(folder)), limit(limit) {}

  /// In $TILEWRIGHT_CACHE_DIR, else $XDG_CACHE_HOME/tilewright, else ~/.cache/tilewright; none
  /// if there is no home either.
  static std::optional<Cache> usual();

  /// What was stored under the key.
  std::optional<std::string> find(const CacheKey &key) const;
  /// Fails if nothing can be written, which costs nothing but time.
  support::Result<void> store(const CacheKey &key, std::string_view contents) const;

  /// Where the entry is, or would be.
  std::filesystem::path pathOf(const CacheKey &key) const;

private:
  void makeRoom(const std::filesystem::path &part, const std::filesystem::path &newest) const;

  std::filesystem::path folder;
  uint64_t limit;
};

/// Names the build of this compiler: it changes with our code and with LLVM's.
const std::string &buildIdentity();

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_CACHE_H
