// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Assemble.h.

#include "tilewright/nvidia/Assemble.h"
#include "tilewright/codegen/Programs.h"
#include "tilewright/runtime/CudaToolkit.h"

#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace tilewright;
using codegen::TemporaryFile;
using support::Failure;
using support::Result;

//===-- Resources reported by ptxas -----------------------------------------------------------===//

int64_t nvidia::Resources::ctasByRegisters(int64_t threads) const {
  constexpr int64_t warp = 32, together = 8; // registers are allocated in units of eight per thread
  const int64_t ofThread = std::max(together, (registers + together - 1) / together * together);
  const int64_t ofWarps = (threads + warp - 1) / warp * warp;
  return Target::registers / (ofThread * ofWarps);
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
