// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Assemble.h.

#include "tilewright/nvidia/Assemble.h"
#include "tilewright/codegen/Programs.h"
#include "tilewright/runtime/CudaToolkit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <cstring>

using namespace tilewright;
using codegen::TemporaryFile;
using support::Failure;
using support::Result;

//===-- Resources reported by ptxas -----------------------------------------------------------===//

// Registers of a thread are allocated in units of eight, and those of a warp in one of the four
// partitions of a multiprocessor (cuda_occupancy.h of CUDA).
static constexpr int64_t registersTogether = 8, partitions = 4, threadsOfWarp = 32;
static constexpr int64_t registersOfPartition = nvidia::Target::registers / partitions;

static int64_t warpsOf(int64_t threads) { return (threads + threadsOfWarp - 1) / threadsOfWarp; }

int64_t nvidia::Resources::ctasByRegisters(int64_t threads) const {
  const int64_t units = (registers + registersTogether - 1) / registersTogether;
  const int64_t ofThread = std::max<int64_t>(units, 1) * registersTogether;
  const int64_t warpsOfPartition = registersOfPartition / (ofThread * threadsOfWarp);
  return partitions * warpsOfPartition / warpsOf(threads);
}

int64_t nvidia::Resources::registersFor(int64_t ctas, int64_t threads) {
  const int64_t warpsOfPartition = (ctas * warpsOf(threads) + partitions - 1) / partitions;
  const int64_t ofThread = registersOfPartition / (warpsOfPartition * threadsOfWarp);
  return ofThread / registersTogether * registersTogether;
}

/// The number before these words; 0 if the line does not contain them.
static int64_t numberBefore(llvm::StringRef line, llvm::StringRef words) {
  const llvm::StringRef text = line.take_front(line.find(words)).rtrim();
  int64_t number = 0;
  if (text.size() == line.size() || text.rsplit(' ').second.getAsInteger(10, number))
    return 0;
  return number;
}

std::vector<nvidia::Resources> nvidia::resourcesIn(std::string_view log) {
  std::vector<Resources> all;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(log), '\n')) {
    if (line.contains("Compiling entry function '"))
      all.push_back({line.split('\'').second.split('\'').first.str()});
    if (all.empty())
      continue;
    if (line.contains(" bytes stack frame")) {
      all.back().stack = numberBefore(line, "bytes stack frame");
      all.back().spillStores = numberBefore(line, "bytes spill stores");
      all.back().spillLoads = numberBefore(line, "bytes spill loads");
    }
    if (line.contains(": Used "))
      all.back().registers = numberBefore(line, "registers");
  }
  return all;
}

//===-- Shared memory of a cubin --------------------------------------------------------------===//

std::string nvidia::withSharedArrays(std::string_view ptx, int64_t bytes) {
  constexpr llvm::StringLiteral external = ".extern .shared ", unsized = "[];";
  std::string text;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(ptx), '\n')) {
    if (line.consume_front(external) && line.consume_back(unsized))
      text += (".shared " + line + "[" + std::to_string(bytes) + "];\n").str();
    else
      text += (line + "\n").str();
  }
  text.pop_back();
  return text;
}

namespace {
/// Reads and changes the headers of a 64-bit ELF file. Places outside of the file read as zeros.
class Cubin {
public:
  explicit Cubin(std::string bytes) : bytes(std::move(bytes)) {}

  template <typename T> T at(uint64_t offset) const {
    T value = {};
    if (sizeof value <= bytes.size() && offset <= bytes.size() - sizeof value)
      std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  /// Changes what `at` has read.
  template <typename T> void write(uint64_t offset, const T &value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  }
  /// The offset of a section's header; 0 if there is none.
  uint64_t sectionNamed(std::string_view name) const;
  /// The offset of the header of the segment that loads a section without bytes in the file.
  uint64_t segmentOf(const llvm::ELF::Elf64_Shdr &section) const;

  std::string bytes;
};
} // namespace

uint64_t Cubin::sectionNamed(std::string_view name) const {
  const auto file = at<llvm::ELF::Elf64_Ehdr>(0);
  const auto offsetOf = [&](uint64_t number) { return file.e_shoff + number * file.e_shentsize; };
  const auto names = at<llvm::ELF::Elf64_Shdr>(offsetOf(file.e_shstrndx));
  for (uint64_t number = 1; number < file.e_shnum; ++number) {
    const uint64_t its = names.sh_offset + at<llvm::ELF::Elf64_Shdr>(offsetOf(number)).sh_name;
    if (its < bytes.size() && bytes.c_str() + its == name)
      return offsetOf(number);
  }
  return 0;
}

uint64_t Cubin::segmentOf(const llvm::ELF::Elf64_Shdr &section) const {
  const auto file = at<llvm::ELF::Elf64_Ehdr>(0);
  for (uint64_t number = 0; number < file.e_phnum; ++number) {
    const uint64_t offset = file.e_phoff + number * file.e_phentsize;
    const auto segment = at<llvm::ELF::Elf64_Phdr>(offset);
    if (segment.p_type == llvm::ELF::PT_LOAD && !segment.p_filesz &&
        segment.p_offset == section.sh_offset && segment.p_memsz == section.sh_size)
      return offset;
  }
  return 0;
}

Result<std::string> nvidia::withSharedBytes(std::string elf, std::string_view kernel,
                                            int64_t bytes) {
  Cubin cubin(std::move(elf));
  const std::string name = ".nv.shared." + std::string(kernel);
  const uint64_t atSection = cubin.sectionNamed(name);
  if (!atSection)
    return Failure{"the cubin of ptxas should have a section " + name + ", but has none"};
  auto section = cubin.at<llvm::ELF::Elf64_Shdr>(atSection);
  const uint64_t atSegment = cubin.segmentOf(section);
  if (!atSegment)
    return Failure{"the cubin of ptxas should have a segment of " +
                   std::to_string(section.sh_size) + " bytes for the section " + name +
                   ", but has none"};
  auto segment = cubin.at<llvm::ELF::Elf64_Phdr>(atSegment);
  section.sh_size = segment.p_memsz = uint64_t(bytes);
  cubin.write(atSection, section);
  cubin.write(atSegment, segment);
  return std::move(cubin.bytes);
}

//===-- Running ptxas -----------------------------------------------------------------------===//

Result<std::string> nvidia::assemble(std::string_view ptx, const Target &target,
                                     std::vector<Resources> *resources) {
  Result<std::string> assembler = runtime::findAssembler();
  if (!assembler)
    return assembler.failure();
  Result<TemporaryFile> source = TemporaryFile::create("kernels.ptx");
  Result<TemporaryFile> cubin = TemporaryFile::create("kernels.cubin");
  Result<TemporaryFile> log = TemporaryFile::create("log");
  for (const Result<TemporaryFile> *file : {&source, &cubin, &log})
    if (!*file)
      return file->failure();
  if (Result<void> written = source->write(ptx); !written)
    return written.failure();
  // The PTX has the line information. ptxas 13.0 keeps it even without this option.
  std::vector<std::string> command = {
      *assembler, "-arch=" + target.cpu, "-lineinfo", source->path(), "-o", cubin->path()};
  if (resources)
    command.push_back("-v");
  if (Result<void> done = codegen::execute(command, *log); !done)
    return done.failure();
  if (resources) {
    const Result<std::string> printed = log->read();
    if (!printed)
      return printed.failure();
    *resources = resourcesIn(*printed);
  }
  return cubin->read();
}

Result<std::string> nvidia::disassemble(std::string_view cubin) {
  Result<std::string> disassembler = runtime::findDisassembler();
  if (!disassembler)
    return disassembler.failure();
  Result<TemporaryFile> source = TemporaryFile::create("kernels.cubin");
  Result<TemporaryFile> text = TemporaryFile::create("kernels.sass");
  for (const Result<TemporaryFile> *file : {&source, &text})
    if (!*file)
      return file->failure();
  if (Result<void> written = source->write(cubin); !written)
    return written.failure();
  // The text goes to standard output.
  if (Result<void> done = codegen::execute(
          {*disassembler, "--print-line-info", "--print-code", source->path()}, *text);
      !done)
    return done.failure();
  return text->read();
}
