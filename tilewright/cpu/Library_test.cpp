// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that linked libraries can be loaded, and that failures report their reason.

#include "tilewright/codegen/Lower.h"
#include "tilewright/cpu/Library.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ELFObjectFile.h"
#include "gtest/gtest.h"
#include <atomic>
#include <dlfcn.h>
#include <fstream>
#include <thread>

using namespace tilewright;
using namespace tilewright::codegen;
using namespace tilewright::cpu;
using support::Result;
namespace fs = std::filesystem;

namespace {

constexpr const char *sumText = R"(
  llvm.func @sum(%a: i64, %b: i64) -> i64 {
    %c = arith.addi %a, %b : i64
    llvm.return %c : i64
  })";

/// Needs another library, which defines @sum.
constexpr const char *twiceText = R"(
  llvm.func @sum(i64, i64) -> i64
  llvm.func @twice(%a: i64) -> i64 {
    %b = llvm.call @sum(%a, %a) : (i64, i64) -> i64
    llvm.return %b : i64
  })";

class Library : public testing::Test {
protected:
  Library() {
    std::string name = (fs::temp_directory_path() / "tilewright-library-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~Library() override { fs::remove_all(folder); }

  static std::string object(const Target &target, const char *text = sumText) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    loadLoopDialects(context);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    Result<std::string> object = compileLoops(*module, target);
    EXPECT_TRUE(bool(object)) << object.failure().message;
    return *object;
  }

  /// Links a library and writes it to a file in this folder.
  fs::path link(const char *name, const char *text, const LinkOptions &options) {
    Result<std::string> linked = linkLibrary(object(Target::host(), text), Target::host(), options);
    EXPECT_TRUE(bool(linked)) << linked.failure().message;
    std::ofstream(folder / name, std::ios::binary) << *linked;
    return folder / name;
  }

  fs::path folder;
};

/// The e_machine field of an ELF file.
unsigned machineOf(const std::string &bytes) {
  return uint8_t(bytes[18]) | uint8_t(bytes[19]) << 8;
}

TEST_F(Library, isLoadedLikeAnyOther) {
  fs::path path = link("sum.so", sumText, {});
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << dlerror();
  auto *sum = reinterpret_cast<int64_t (*)(int64_t, int64_t)>(dlsym(library, "sum"));
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum(40, 2), 42);
  dlclose(library);
}

TEST_F(Library, needsTheRuntimeThatItIsGiven) {
  LinkOptions options;
  options.runtime = link("libruntime.so", sumText, {.runtime = {}, .name = "libruntime.so"});
  fs::path path = link("twice.so", twiceText, options);
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << dlerror();
  auto *twice = reinterpret_cast<int64_t (*)(int64_t)>(dlsym(library, "twice"));
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice(21), 42);
  dlclose(library);
  fs::remove(options.runtime);
  EXPECT_FALSE(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  Result<std::string> linked = linkLibrary(object(Target::host()), Target::host(), options);
  ASSERT_FALSE(bool(linked));
  EXPECT_NE(linked.failure().message.find("libruntime.so"), std::string::npos)
      << linked.failure().message;
}

TEST_F(Library, saysWhatTheLinkerSaid) {
  Result<std::string> linked = linkLibrary("no object", Target::host());
  ASSERT_FALSE(bool(linked));
  EXPECT_NE(linked.failure().message.find("kernels.o"), std::string::npos)
      << linked.failure().message;
}

TEST_F(Library, needsNoProgram) {
  std::string path = getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  Result<std::string> linked = linkLibrary(object(Target::host()), Target::host());
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(bool(linked)) << linked.failure().message;
}

TEST_F(Library, reportsThatASanitizedOneNeedsACompiler) {
  LinkOptions options;
  options.sanitize = Sanitizer::Address;
  std::string path = getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  Result<std::string> linked = linkLibrary(object(Target::host()), Target::host(), options);
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(bool(linked));
  EXPECT_NE(linked.failure().message.find("there is none of cc, clang-22, gcc, clang"),
            std::string::npos)
      << linked.failure().message;
}

/// The libraries that an ELF file of this machine needs.
std::vector<std::string> neededBy(const fs::path &library) {
  auto binary = llvm::object::ObjectFile::createObjectFile(library.string());
  EXPECT_TRUE(bool(binary));
  auto *file = llvm::cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  std::vector<std::string> needed;
  auto entries = llvm::cantFail(file->getELFFile().dynamicEntries());
  uint64_t names = 0;
  for (const auto &entry : entries)
    if (entry.d_tag == llvm::ELF::DT_STRTAB)
      names = entry.d_un.d_ptr;
  for (const auto &entry : entries)
    if (entry.d_tag == llvm::ELF::DT_NEEDED)
      needed.push_back(reinterpret_cast<const char *>(
          llvm::cantFail(file->getELFFile().toMappedAddr(names + entry.d_un.d_val))));
  return needed;
}

TEST_F(Library, needsTheMathematicalFunctionsIfItCallsThem) {
  const char *rootText = R"(
    llvm.func @cbrt(f64) -> f64
    llvm.func @root(%a: f64) -> f64 {
      %b = llvm.call @cbrt(%a) : (f64) -> f64
      llvm.return %b : f64
    })";
  EXPECT_EQ(neededBy(link("root.so", rootText, {})), std::vector<std::string>{"libm.so.6"});
  EXPECT_EQ(neededBy(link("sum.so", sumText, {})), std::vector<std::string>{});
}

TEST_F(Library, severalThreadsLinkAtOnce) {
  std::string input = object(Target::host());
  std::string first = *linkLibrary(input, Target::host());
  std::vector<std::thread> threads;
  std::atomic<int> same = 0;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      Result<std::string> linked = linkLibrary(input, Target::host());
      same += linked && *linked == first;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(same, 4);
}

TEST_F(Library, leavesNothingBehind) {
  setenv("TMPDIR", folder.c_str(), 1);
  EXPECT_TRUE(bool(linkLibrary(object(Target::host()), Target::host())));
  EXPECT_FALSE(bool(linkLibrary("no object", Target::host())));
  unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(Library, isMadeForOtherProcessors) {
  Target target = *Target::named("aarch64");
  Result<std::string> linked = linkLibrary(object(target), target);
  ASSERT_TRUE(bool(linked)) << linked.failure().message;
  EXPECT_EQ(machineOf(*linked), 183u); // EM_AARCH64
}

} // namespace
