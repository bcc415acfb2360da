// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is the time to read and write bytecode linear in the size of a module? Reading includes
// verifying, and creating and destroying a context. bytecode_profile.py determines the share of the
// actual decoding.

#include "Kernel.h"
#include "Slopes.h"

#include "tilewright/bytecode/Reader.h"
#include "tilewright/bytecode/Writer.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bench;

/// The kernel as a file, and as a module with its own context.
struct Sample {
  explicit Sample(int64_t operations) : context(makeContext()) {
    wrapped = parseSourceString<ModuleOp>(makeModule(operations), context.get());
    module = wrapped ? bytecode::findTileModule(*wrapped) : nullptr;
    if (!module || failed(bytecode::writeModule(module, tile::newestVersion, bytes)))
      llvm::report_fatal_error("the generated module is not written");
  }

  ArrayRef<uint8_t> file() const {
    return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()};
  }

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> wrapped;
  tile::ModuleOp module;
  SmallVector<char> bytes;
};

/// Not inlined, so that bytecode_profile.py finds it in every stack.
[[gnu::noinline]] static LogicalResult readAndVerify(ArrayRef<uint8_t> file) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto module = bytecode::readModule(file, context.get());
  return success(module && succeeded(mlir::verify(**module)));
}

static void read(benchmark::State &state) {
  Sample sample(state.range(0));
  for (auto _ : state)
    if (failed(readAndVerify(sample.file())))
      state.SkipWithError("the file is not read");
  state.SetBytesProcessed(state.iterations() * sample.bytes.size());
}

static void write(benchmark::State &state) {
  Sample sample(state.range(0));
  for (auto _ : state) {
    SmallVector<char> bytes;
    if (failed(bytecode::writeModule(sample.module, tile::newestVersion, bytes)))
      state.SkipWithError("the module is not written");
    benchmark::DoNotOptimize(bytes.data());
  }
  state.SetBytesProcessed(state.iterations() * sample.bytes.size());
}

int main(int argc, char **argv) {
  registerAtThreeSizes("read", read);
  registerAtThreeSizes("write", write);
  benchmark::Initialize(&argc, argv);
  SlopeReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printSlopes();
}
