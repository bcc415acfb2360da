// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile cache: files named by a hash of everything that their contents depend on. A file
// appears atomically and never changes, so that any number of processes may read and write at once.
// A damaged file counts as absent.

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

/// The hash of a list of texts. In practice, different lists have different hashes.
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
  static constexpr uint64_t defaultLimit = uint64_t(1) << 30;

  /// Stores entries in this folder, which the first store creates. They take about `limit` bytes at
  /// most; the least recently used ones are evicted.
  explicit Cache(std::filesystem::path folder, uint64_t limit = defaultLimit)
      : folder(std::move(folder)), limit(limit) {}

  /// The cache in $TILEWRIGHT_CACHE_DIR, else $XDG_CACHE_HOME/tilewright, else ~/.cache/tilewright;
  /// none if there is no home directory either.
  static std::optional<Cache> inDefaultFolder();

  /// The contents that were stored under this key.
  std::optional<std::string> find(const CacheKey &key) const;
  /// Fails if nothing can be written. Callers may ignore that: it only costs time later.
  support::Result<void> store(const CacheKey &key, std::string_view contents) const;

  /// The path of the entry, whether it exists or not.
  std::filesystem::path pathOf(const CacheKey &key) const;

private:
  void makeRoom(const std::filesystem::path &part, const std::filesystem::path &newest) const;

  std::filesystem::path folder;
  uint64_t limit;
};

/// Identifies the build of this compiler, including its LLVM libraries.
const std::string &buildIdentity();

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_CACHE_H
