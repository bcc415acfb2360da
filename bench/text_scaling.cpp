// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is the time of parsing, verifying and printing linear in the size of a module?

#include "Kernel.h"
#include "Slopes.h"

#include "tilewright/tile/Ops.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright::bench;

static void parse(benchmark::State &state) {
  std::string text = makeModule(state.range(0));
  for (auto _ : state) {
    std::unique_ptr<MLIRContext> context = makeContext();
    ParserConfig config(context.get(), /*verifyAfterParse=*/false);
    if (!parseSourceString<ModuleOp>(text, config))
      state.SkipWithError("the generated module does not parse");
  }
}

static void verify(benchmark::State &state) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto module = parseSourceString<ModuleOp>(makeModule(state.range(0)), context.get());
  for (auto _ : state)
    if (!module || failed(mlir::verify(*module)))
      state.SkipWithError("the generated module does not verify");
}

static void print(benchmark::State &state) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto module = parseSourceString<ModuleOp>(makeModule(state.range(0)), context.get());
  for (auto _ : state) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    benchmark::DoNotOptimize(text.data());
  }
}

int main(int argc, char **argv) {
  registerAtThreeSizes("parse", parse);
  registerAtThreeSizes("verify", verify);
  registerAtThreeSizes("print", print);
  benchmark::Initialize(&argc, argv);
  SlopeReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printSlopes();
}
