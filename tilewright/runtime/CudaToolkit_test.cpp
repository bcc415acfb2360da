// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests where ptxas and nvdisasm are looked for, and in which order.

#include "tilewright/runtime/CudaToolkit.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilewright;
namespace fs = std::filesystem;

namespace {

class CudaToolkit : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/tilewright-toolkit-XXXXXX";
    root = mkdtemp(name);
    setenv("PATH", (root / "first").string().append(":").append(root / "second").c_str(), 1);
    setenv("CUDA_HOME", (root / "home").c_str(), 1);
  }
  void TearDown() override {
    fs::remove_all(root);
    setenv("PATH", path.c_str(), 1);
    unsetenv("CUDA_HOME");
  }

  std::string makeAssembler(const char *folder, fs::perms permissions = fs::perms::owner_all,
                            const char *name = "ptxas") {
    fs::create_directories(root / folder);
    const fs::path file = root / folder / name;
    std::ofstream(file) << "#!/bin/sh\n";
    fs::permissions(file, permissions);
    return file;
  }

  fs::path root;
  const std::string path = std::getenv("PATH");
};

TEST_F(CudaToolkit, searchesPathBeforeCudaHome) {
  const std::string home = makeAssembler("home/bin");
  EXPECT_EQ(*runtime::findAssembler(), home);
  const std::string second = makeAssembler("second");
  EXPECT_EQ(*runtime::findAssembler(), second);
  const std::string first = makeAssembler("first");
  EXPECT_EQ(*runtime::findAssembler(), first);
}

TEST_F(CudaToolkit, findsTheDisassembler) {
  makeAssembler("first");
  EXPECT_EQ(runtime::findDisassembler().failure().message,
            "there is no program nvdisasm in PATH and in " + (root / "home/bin").string());
  const std::string found = makeAssembler("second", fs::perms::owner_all, "nvdisasm");
  EXPECT_EQ(*runtime::findDisassembler(), found);
}

TEST_F(CudaToolkit, takesOnlyPrograms) {
  makeAssembler("first", fs::perms::owner_read);
  fs::create_directories(root / "second" / "ptxas");
  const auto found = runtime::findAssembler();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.failure().message,
            "a cubin is made by NVIDIA's assembler, and there is no program ptxas in PATH and in " +
                (root / "home/bin").string() + "; PTX needs none");
}

} // namespace
