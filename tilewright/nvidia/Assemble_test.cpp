// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the parser for the resources that ptxas reports, and what is changed in cubins.

#include "tilewright/nvidia/Assemble.h"

#include "llvm/BinaryFormat/ELF.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace tilewright::nvidia;

TEST(Assemble, ReadsTheResourcesOfEntries) {
  // As ptxas 13.0 prints it.
  const auto all =
      resourcesIn("ptxas info    : 0 bytes gmem\n"
                  "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
                  "ptxas info    : Function properties for k\n"
                  "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                  "ptxas info    : Used 10 registers, used 0 barriers, 32768 bytes smem\n"
                  "ptxas info    : Compile time = 11.016 ms\n"
                  "ptxas info    : Compiling entry function 'other' for 'sm_90a'\n"
                  "ptxas info    : Function properties for other\n"
                  "    4736 bytes stack frame, 5004 bytes spill stores, 6012 bytes spill "
                  "loads\n"
                  "ptxas info    : Used 255 registers, used 1 barriers\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].entry, "k");
  EXPECT_EQ(all[0].registers, 10);
  EXPECT_EQ(all[0].stack + all[0].spillStores + all[0].spillLoads, 0);
  EXPECT_EQ(all[1].entry, "other");
  EXPECT_EQ(all[1].registers, 255);
  EXPECT_EQ(all[1].stack, 4736);
  EXPECT_EQ(all[1].spillStores, 5004);
  EXPECT_EQ(all[1].spillLoads, 6012);
  // 65536 / (128 * 16) and 65536 / (128 * 256).
  EXPECT_EQ(all[0].ctasByRegisters(128), 32);
  EXPECT_EQ(all[1].ctasByRegisters(128), 2);
  // 55 warps are 14 in a partition: 16384 / (14 * 32) = 36.6, of which 32 can be allocated. 64 CTAs
  // of 1024 threads get one each.
  EXPECT_EQ(Resources::registersFor(11, 160), 32);
  EXPECT_EQ(Resources::registersFor(64, 1024), 0);
  EXPECT_TRUE(resourcesIn("").empty());
}

TEST(Assemble, SizesOnlyTheSharedArraysThatHaveNone) {
  EXPECT_EQ(withSharedArrays(".extern .shared .align 1024 .b8 a[];\n"
                             ".shared .align 16 .b8 b[32];\n"
                             ".extern .func f;\n"
                             "ret;",
                             49152),
            ".shared .align 1024 .b8 a[49152];\n"
            ".shared .align 16 .b8 b[32];\n"
            ".extern .func f;\n"
            "ret;");
}

namespace {
using llvm::ELF::Elf64_Ehdr;
using llvm::ELF::Elf64_Phdr;
using llvm::ELF::Elf64_Shdr;

/// A file with the parts of a cubin that matter here: names, code, and a section without bytes in
/// the file.
struct SmallCubin {
  Elf64_Ehdr file = {};
  Elf64_Shdr sections[4] = {};
  Elf64_Phdr segments[2] = {};
  char names[40] = "\0.shstrtab\0.text.k\0.nv.shared.k";

  SmallCubin() {
    file.e_shoff = offsetof(SmallCubin, sections);
    file.e_shentsize = sizeof(Elf64_Shdr);
    file.e_shnum = 4;
    file.e_shstrndx = 1;
    file.e_phoff = offsetof(SmallCubin, segments);
    file.e_phentsize = sizeof(Elf64_Phdr);
    file.e_phnum = 2;
    sections[1].sh_name = 1;
    sections[1].sh_offset = offsetof(SmallCubin, names);
    sections[2].sh_name = 11;
    sections[2].sh_offset = segments[0].p_offset = 64;
    sections[2].sh_size = segments[0].p_memsz = segments[0].p_filesz = 64;
    sections[3].sh_name = 19;
    sections[3].sh_offset = segments[1].p_offset = 128;
    sections[3].sh_size = segments[1].p_memsz = 49152;
    segments[0].p_type = segments[1].p_type = llvm::ELF::PT_LOAD;
  }
  std::string bytes() const {
    return std::string(reinterpret_cast<const char *>(this), sizeof *this);
  }
};
} // namespace

TEST(Assemble, WritesTheSizeOfSharedMemoryInBothPlaces) {
  SmallCubin expected;
  expected.sections[3].sh_size = expected.segments[1].p_memsz = 98304;
  auto edited = withSharedBytes(SmallCubin().bytes(), "k", 98304);
  ASSERT_TRUE(bool(edited));
  EXPECT_EQ(*edited, expected.bytes());
}

TEST(Assemble, RefusesACubinWithoutThePlaces) {
  auto messageOf = [](const std::string &cubin, const char *kernel) {
    auto edited = withSharedBytes(cubin, kernel, 98304);
    return edited ? "" : edited.failure().message;
  };
  EXPECT_EQ(messageOf(SmallCubin().bytes(), "other"),
            "the cubin of ptxas should have a section .nv.shared.other, but has none");
  EXPECT_EQ(messageOf("", "k"), "the cubin of ptxas should have a section .nv.shared.k, but has "
                                "none");
  SmallCubin apart;
  apart.segments[1].p_memsz = 49153;
  EXPECT_EQ(messageOf(apart.bytes(), "k"),
            "the cubin of ptxas should have a segment of 49152 bytes for the section "
            ".nv.shared.k, but has none");
  SmallCubin cut;
  cut.file.e_shoff = UINT64_MAX - 8;
  EXPECT_NE(messageOf(cut.bytes(), "k"), "");
}
