// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a shared library come out that others can load? And if not, is it said why?

#include "tilewright/codegen/Lower.h"
#include "tilewright/cpu/Library.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"
#include <dlfcn.h>
#include <fstream>

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

/// Needs another library with @sum.
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

  /// A library as a file of this folder.
  fs::path link(const char *name, const char *text, const LinkOptions &options) {
    Result<std::string> linked = linkLibrary(object(Target::host(), text), Target::host(), options);
    EXPECT_TRUE(bool(linked)) << linked.failure().message;
    std::ofstream(folder / name, std::ios::binary) << *linked;
    return folder / name;
  }

  fs::path folder;
};

/// e_machine of an ELF file.
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

TEST_F(Library, saysThatThereIsNoLinker) {
  std::string path = getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  Result<std::string> linked = linkLibrary(object(Target::host()), Target::host());
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(bool(linked));
  EXPECT_NE(linked.failure().message.find("there is none of cc, clang-22, gcc, clang"),
            std::string::npos)
      << linked.failure().message;
}

TEST_F(Library, leavesNothingBehind) {
  setenv("TMPDIR", folder.c_str(), 1);
  EXPECT_TRUE(bool(linkLibrary(object(Target::host()), Target::host())));
  EXPECT_FALSE(bool(linkLibrary("no object", Target::host())));
  unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(Library, isMadeForOtherProcessors) {
  if (!llvm::sys::findProgramByName("aarch64-linux-gnu-gcc") &&
      !(llvm::sys::findProgramByName("clang-22") && llvm::sys::findProgramByName("ld.lld")))
    GTEST_SKIP() << "no linker for AArch64";
  Target target = *Target::named("aarch64");
  Result<std::string> linked = linkLibrary(object(target), target);
  ASSERT_TRUE(bool(linked)) << linked.failure().message;
  EXPECT_EQ(machineOf(*linked), 183u); // EM_AARCH64
}

} // namespace
