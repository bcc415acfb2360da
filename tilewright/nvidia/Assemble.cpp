// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Assemble.h.

#include "tilewright/nvidia/Assemble.h"
#include "tilewright/codegen/Programs.h"

#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace tilewright;
using codegen::TemporaryFile;
using support::Failure;
using support::Result;

static Result<std::string> findAssembler() {
  const char *home = std::getenv("CUDA_HOME");
  std::string own = std::string(home && *home ? home : "/usr/local/cuda") + "/bin";
  if (auto path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  if (auto path = llvm::sys::findProgramByName("ptxas", {own}))
    return *path;
  return Failure{"a cubin is made by NVIDIA's assembler, and there is no program ptxas in PATH and "
                 "in " +
                 own + "; PTX needs none"};
}

Result<std::string> nvidia::assemble(std::string_view ptx, const Target &target) {
  Result<std::string> assembler = findAssembler();
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
  if (Result<void> done = codegen::execute(
          {*assembler, "-arch=" + target.cpu, source->path(), "-o", cubin->path()}, *log);
      !done)
    return done.failure();
  return cubin->read();
}
