// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that the cache returns what was stored and nothing else. Entries are truncated, changed and
// renamed; threads and processes write the same and other entries at the same time.

#include "tilewright/codegen/Cache.h"

#include "gtest/gtest.h"
#include <atomic>
#include <chrono>
#include <fstream>
#include <random>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using codegen::Cache;
using codegen::CacheKey;
namespace fs = std::filesystem;

namespace {

class CacheTest : public testing::Test {
protected:
  CacheTest() {
    std::string name = (fs::temp_directory_path() / "tilewright-cache-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~CacheTest() override { fs::remove_all(folder); }

  static CacheKey key(uint64_t number) { return CacheKey().add("test").add(number); }

  size_t fileCount() const {
    size_t count = 0;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      count += entry.is_regular_file();
    return count;
  }

  fs::path folder;
};

std::string contentsOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void overwrite(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST_F(CacheTest, givesBackWhatWasStored) {
  Cache cache(folder / "made" / "when needed");
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  std::string contents("any\0bytes\xFF", 10);
  ASSERT_TRUE(bool(cache.store(key(1), contents)));
  ASSERT_TRUE(bool(cache.store(key(2), "")));
  EXPECT_EQ(cache.find(key(1)), contents);
  EXPECT_EQ(cache.find(key(2)), "");
  EXPECT_EQ(cache.find(key(3)), std::nullopt);
  // As in another process.
  EXPECT_EQ(Cache(folder / "made" / "when needed").find(key(1)), contents);
}

TEST_F(CacheTest, isForItsOwnerOnly) {
  Cache cache(folder / "private");
  ASSERT_TRUE(bool(cache.store(key(1), "code")));
  struct stat facts;
  ASSERT_EQ(stat((folder / "private").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
}

TEST_F(CacheTest, keysTellListsApart) {
  auto hash = [](std::initializer_list<const char *> texts) {
    CacheKey key;
    for (const char *text : texts)
      key.add(text);
    return key.hash();
  };
  EXPECT_EQ(hash({"ab", "c"}), hash({"ab", "c"}));
  EXPECT_NE(hash({"ab", "c"}), hash({"a", "bc"}));
  EXPECT_NE(hash({"ab", ""}), hash({"ab"}));
  EXPECT_NE(hash({"a", "b"}), hash({"b", "a"}));
}

TEST_F(CacheTest, ignoresEntriesThatAreCut) {
  Cache cache(folder);
  ASSERT_TRUE(bool(cache.store(key(1), "0123456789")));
  std::string whole = contentsOf(cache.pathOf(key(1)));
  ASSERT_EQ(whole.size(), 48u + 10u);
  for (size_t length = 0; length < whole.size(); ++length) {
    overwrite(cache.pathOf(key(1)), whole.substr(0, length));
    EXPECT_EQ(cache.find(key(1)), std::nullopt) << "cut to " << length << " bytes";
  }
  overwrite(cache.pathOf(key(1)), whole + "more");
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  // After a miss, a compiler stores the entry again.
  ASSERT_TRUE(bool(cache.store(key(1), "0123456789")));
  EXPECT_EQ(cache.find(key(1)), "0123456789");
}

TEST_F(CacheTest, ignoresEntriesWithAChangedByte) {
  Cache cache(folder);
  ASSERT_TRUE(bool(cache.store(key(1), "0123456789")));
  std::string whole = contentsOf(cache.pathOf(key(1)));
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] ^= 0x10;
    overwrite(cache.pathOf(key(1)), changed);
    EXPECT_EQ(cache.find(key(1)), std::nullopt) << "byte " << at;
  }
}

TEST_F(CacheTest, ignoresTheEntryOfAnotherKey) {
  Cache cache(folder);
  ASSERT_TRUE(bool(cache.store(key(1), "one")));
  ASSERT_TRUE(bool(cache.store(key(2), "two")));
  fs::rename(cache.pathOf(key(1)), cache.pathOf(key(2)));
  EXPECT_EQ(cache.find(key(2)), std::nullopt);
}

TEST_F(CacheTest, ignoresWhatIsNoFile) {
  Cache cache(folder);
  fs::create_directories(cache.pathOf(key(1)));
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  EXPECT_FALSE(bool(cache.store(key(1), "code")));
  EXPECT_EQ(fileCount(), 0u) << "a temporary file is left";
}

TEST_F(CacheTest, saysThatNothingCanBeWritten) {
  overwrite(folder / "file", "");
  Cache cache(folder / "file" / "below");
  support::Result<void> stored = cache.store(key(1), "code");
  ASSERT_FALSE(bool(stored));
  EXPECT_NE(stored.failure().message.find("cannot be written: Not a directory"), std::string::npos)
      << stored.failure().message;
}

/// Keys in the same part of the folder: their hashes begin with the same byte.
std::vector<CacheKey> keysOfOnePart(size_t count) {
  std::vector<CacheKey> keys;
  for (uint64_t number = 0; keys.size() < count; ++number)
    if (CacheKey key = CacheKey().add(number); key.hash()[0] == 0x5A)
      keys.push_back(key);
  return keys;
}

TEST_F(CacheTest, forgetsTheLeastRecentlyUsed) {
  // A part may hold three entries of 1000 bytes with their headers.
  Cache cache(folder, 256 * 3 * 1048);
  std::vector<CacheKey> keys = keysOfOnePart(5);
  std::string contents(1000, 'x');
  auto age = [&](size_t index, int hours) {
    fs::last_write_time(cache.pathOf(keys[index]),
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(bool(cache.store(keys[i], contents)));
    age(i, 10 - int(i));
  }
  // The oldest was just used, so the second one is evicted.
  ASSERT_TRUE(cache.find(keys[0]));
  ASSERT_TRUE(bool(cache.store(keys[3], contents)));
  EXPECT_TRUE(cache.find(keys[0]));
  EXPECT_FALSE(cache.find(keys[1]));
  EXPECT_TRUE(cache.find(keys[2]));
  EXPECT_TRUE(cache.find(keys[3]));
  // An entry larger than the limit stays as long as it is the newest.
  ASSERT_TRUE(bool(cache.store(keys[4], std::string(5000, 'y'))));
  EXPECT_EQ(fileCount(), 1u);
  EXPECT_TRUE(cache.find(keys[4]));
}

/// Contents of random length, from which the key and the length can be checked.
std::string contentsFor(uint64_t number, std::mt19937 &random) {
  std::string contents(random() % 20000, char('a' + number));
  return contents + "/" + std::to_string(contents.size());
}

void expectContentsOf(uint64_t number, const std::string &contents) {
  size_t end = contents.rfind('/');
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(contents.substr(end + 1), std::to_string(end));
  EXPECT_EQ(contents.find_first_not_of(char('a' + number)), end);
}

/// Reads and writes a few entries many times. Returns how many it found.
size_t work(const Cache &cache, unsigned seed) {
  std::mt19937 random(seed);
  size_t found = 0;
  for (int round = 0; round < 300; ++round) {
    uint64_t number = random() % 4;
    CacheKey key = CacheKey().add("test").add(number);
    if (random() % 2) {
      (void)cache.store(key, contentsFor(number, random));
    } else if (std::optional<std::string> contents = cache.find(key)) {
      expectContentsOf(number, *contents);
      ++found;
    }
  }
  return found;
}

TEST_F(CacheTest, threadsMayUseItAtOnce) {
  Cache cache(folder);
  std::atomic<size_t> found = 0;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 8; ++seed)
    threads.emplace_back([&, seed] { found += work(cache, seed); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_GT(found, 100u);
  EXPECT_EQ(fileCount(), 4u) << "a temporary file is left";
}

TEST_F(CacheTest, processesMayUseItAtOnce) {
  // The limit is so small that entries vanish while others read them.
  Cache cache(folder, 256 * 15000);
  std::vector<pid_t> children;
  for (unsigned seed = 0; seed < 6; ++seed) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      work(cache, seed);
      _exit(testing::Test::HasFailure());
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_LE(fileCount(), 4u);
}

/// Sets an environment variable temporarily.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) {
    if (const char *now = getenv(name))
      before = now;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }

private:
  const char *name;
  std::optional<std::string> before;
};

TEST_F(CacheTest, livesWhereTheEnvironmentSays) {
  Variable own("TILEWRIGHT_CACHE_DIR", "/a"), caches("XDG_CACHE_HOME", "/b"), home("HOME", "/c");
  auto place = [] { return Cache::inDefaultFolder()->pathOf(key(1)).parent_path().parent_path(); };
  EXPECT_EQ(place(), "/a");
  unsetenv("TILEWRIGHT_CACHE_DIR");
  EXPECT_EQ(place(), "/b/tilewright");
  setenv("XDG_CACHE_HOME", "", 1); // The same as not set.
  EXPECT_EQ(place(), "/c/.cache/tilewright");
  unsetenv("HOME");
  EXPECT_FALSE(Cache::inDefaultFolder());
}

TEST(BuildIdentity, namesThisProgramAndItsLibraries) {
  // Three build ids or their substitutes; none is missing.
  const std::string &identity = codegen::buildIdentity();
  size_t first = identity.find(' '), second = identity.find(' ', first + 1);
  EXPECT_GT(first, 7u) << identity;
  EXPECT_GT(second, first + 8) << identity;
  EXPECT_GT(identity.size(), second + 8) << identity;
}

} // namespace
