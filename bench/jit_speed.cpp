// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the time from a kernel's file to a callable function, compiled and loaded from the
// cache, alternately; prints a line per round with both times in seconds. Run by jit_latency.py and
// compile_time.py.

#include "tilewright/api/Load.h"
#include "tilewright/cpu/Compiler.h"

#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace tilewright;
using Clock = std::chrono::steady_clock;

/// Seconds from reading the file to its first entry point; exits if something fails.
static double secondsToKernel(const char *file, const codegen::Cache *cache) {
  const auto start = Clock::now();
  api::Loader loader({});
  mlir::OwningOpRef<mlir::ModuleOp> loaded = loader.load(file);
  if (!loaded)
    std::exit(1);
  auto module = *loaded->getOps<tile::ModuleOp>().begin();
  cpu::CompileOptions options;
  options.target = cpu::Target::host();
  support::Result<std::string> object = cpu::compile(module, options, cache);
  if (!object) {
    llvm::errs() << file << ": " << object.failure().message << "\n";
    std::exit(1);
  }
  support::Result<cpu::CompiledProgram> program = cpu::CompiledProgram::load(*object);
  auto entry = *module.getBody().getOps<tile::EntryOp>().begin();
  if (!program || !program->kernel(entry.getSymName())) {
    llvm::errs() << file << ": the code cannot be loaded\n";
    std::exit(1);
  }
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int main(int count, char **arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: jit_speed FILE TURNS CACHE-FOLDER\n");
    return 2;
  }
  const char *file = arguments[1];
  const codegen::Cache cache(arguments[3]);
  secondsToKernel(file, &cache);
  for (int turn = 0, turns = std::atoi(arguments[2]); turn < turns; ++turn) {
    const double cold = secondsToKernel(file, nullptr);
    const double cached = secondsToKernel(file, &cache);
    std::printf("%.6f %.6f\n", cold, cached);
  }
}
