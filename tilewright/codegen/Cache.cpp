// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cache.h. An entry is a file: an eight-byte mark, the length of the contents, a hash of key
// and contents, the contents. The folder has 256 parts, by the first byte of the key, each with an
// equal part of the limit, so that eviction scans few files.

#include "tilewright/codegen/Cache.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace tilewright;
using codegen::Cache;
using codegen::CacheKey;
using support::Failure;
using support::Result;
namespace fs = std::filesystem;

//===-- Keys --------------------------------------------------------------------------------===//

CacheKey &CacheKey::add(uint64_t number) {
  uint8_t bytes[8];
  llvm::support::endian::write64le(bytes, number);
  hasher.update(bytes);
  return *this;
}

CacheKey &CacheKey::add(std::string_view text) {
  // Adds the length, so that "ab", "c" and "a", "bc" give different keys.
  add(uint64_t(text.size()));
  hasher.update(llvm::StringRef(text));
  return *this;
}

//===-- Location ----------------------------------------------------------------------------===//

std::optional<Cache> Cache::inDefaultFolder() {
  auto variable = [](const char *name) -> const char * {
    const char *value = std::getenv(name);
    return value && *value ? value : nullptr;
  };
  if (const char *own = variable("TILEWRIGHT_CACHE_DIR"))
    return Cache(own);
  if (const char *caches = variable("XDG_CACHE_HOME"))
    return Cache(fs::path(caches) / "tilewright");
  if (const char *home = variable("HOME"))
    return Cache(fs::path(home) / ".cache" / "tilewright");
  return std::nullopt;
}

fs::path Cache::pathOf(const CacheKey &key) const {
  std::string name = llvm::toHex(key.hash(), /*LowerCase=*/true);
  return folder / name.substr(0, 2) / name.substr(2);
}

//===-- Entries -----------------------------------------------------------------------------===//

static constexpr std::string_view mark = "TWCACHE\x01";
static constexpr size_t headerBytes = 8 + 8 + 32;

static std::string headerFor(const CacheKey &key, std::string_view contents) {
  CacheKey::Hash keyHash = key.hash();
  llvm::BLAKE3 hasher;
  hasher.update(keyHash);
  hasher.update(llvm::StringRef(contents));
  auto sum = hasher.final<32>();

  std::string header(mark);
  char length[8];
  llvm::support::endian::write64le(length, contents.size());
  header.append(length, sizeof length);
  header.append(reinterpret_cast<const char *>(sum.data()), sum.size());
  return header;
}

/// Reads a whole file; none if it cannot be read. It is not mapped, so that the contents stay valid
/// even if the disk fails.
static std::optional<std::string> readFile(const fs::path &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  llvm::scope_exit close([&] { ::close(file); });
  struct stat facts;
  if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
    return std::nullopt;
  std::string bytes(size_t(facts.st_size), '\0');
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = ::read(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    done += size_t(count);
  }
  // Marks the file as used just now, for eviction.
  ::futimens(file, nullptr);
  return bytes;
}

std::optional<std::string> Cache::find(const CacheKey &key) const {
  std::optional<std::string> bytes = readFile(pathOf(key));
  if (!bytes || bytes->size() < headerBytes)
    return std::nullopt;
  std::string_view contents = std::string_view(*bytes).substr(headerBytes);
  if (bytes->compare(0, headerBytes, headerFor(key, contents)) != 0)
    return std::nullopt;
  bytes->erase(0, headerBytes);
  return bytes;
}

//===-- Storing -----------------------------------------------------------------------------===//

static bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes.remove_prefix(size_t(count));
  }
  return true;
}

static Failure cannotWrite(const fs::path &path) {
  return {path.string() + ": cannot be written: " + std::strerror(errno)};
}

Result<void> Cache::store(const CacheKey &key, std::string_view contents) const {
  fs::path path = pathOf(key);
  std::error_code error;
  if (!fs::exists(folder, error)) {
    fs::create_directories(folder, error);
    // Entries are code that will be executed: no other user may add any.
    if (!error)
      fs::permissions(folder, fs::perms::owner_all, error);
  }
  fs::create_directory(path.parent_path(), error);

  std::string temporary = path.string() + ".XXXXXX";
  int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0)
    return cannotWrite(temporary);
  bool complete = writeAll(file, headerFor(key, contents)) && writeAll(file, contents);
  complete &= ::close(file) == 0;
  if (!complete || ::rename(temporary.c_str(), path.c_str()) != 0) {
    Failure failure = cannotWrite(path);
    ::unlink(temporary.c_str());
    return failure;
  }
  makeRoom(path.parent_path(), path);
  return {};
}

/// Evicts the least recently used files of a part until it is within its limit. Other processes may
/// do the same at the same time: a file that is gone already is no error.
void Cache::makeRoom(const fs::path &part, const fs::path &newest) const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    uint64_t bytes;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator file(part, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code gone;
    uint64_t bytes = file->file_size(gone);
    fs::file_time_type used = file->last_write_time(gone);
    if (gone)
      continue;
    total += bytes;
    if (file->path() != newest)
      entries.push_back({file->path(), used, bytes});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return a.used < b.used; });
  for (const Entry &entry : entries) {
    if (total <= limit / 256)
      return;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}
