// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Are layout analysis and distribution linear in the number of operations, and how do they compare
// with MLIR's canonicalisation and CSE of the same function? The function mixes operations that
// layouts pass through, operations that reset them, and operations that are rematerialized.

#include "Slopes.h"

#include "tilewright/layout/Passes.h"
#include "tilewright/layout/dialect/Register.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bench;

/// A chain of `count` operations on a vector of 16 x 16.
static std::string makeFunction(int64_t count) {
  static constexpr const char *steps[] = {
      "%{0} = arith.addf %{1}, %{2} : vector<16x16xf32>\n",
      "%{0} = arith.mulf %{1}, %{1} : vector<16x16xf32>\n",
      "%{0} = vector.transpose %{1}, [1, 0] : vector<16x16xf32> to vector<16x16xf32>\n",
      R"(%c{0} = arith.constant dense<{0}.0> : vector<16x16xf32>
%{0} = arith.maximumf %{1}, %c{0} : vector<16x16xf32>
)",
      "%{0} = iree_vector_ext.to_layout %{1} to layout(#columns) : vector<16x16xf32>\n",
  };
  std::string text = R"(
#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [8, 4],
  element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [4, 1]>
#columns = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [4, 8],
  element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [1, 4]>
func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f32
%x = vector.transfer_read %a[%zero, %zero], %pad : memref<16x16xf32>, vector<16x16xf32>
%y = vector.transfer_read %b[%zero, %zero], %pad : memref<16x16xf32>, vector<16x16xf32>
%0 = iree_vector_ext.to_layout %x to layout(#rows) : vector<16x16xf32>
%1 = iree_vector_ext.to_layout %y to layout(#columns) : vector<16x16xf32>
)";
  for (int64_t value = 2; value < count + 2; ++value)
    text += llvm::formatv(/*Validate=*/false, steps[value % std::size(steps)], value, value - 1,
                          value - 2)
                .str();
  static constexpr const char *end =
      "vector.transfer_write %{0}, %a[%zero, %zero] : vector<16x16xf32>, memref<16x16xf32>\n"
      "return\n}\n";
  return text + llvm::formatv(end, count + 1).str();
}

/// Times the passes on a new copy of the function.
static void timePasses(benchmark::State &state, void (*addPasses)(OpPassManager &)) {
  DialectRegistry registry;
  layout::registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(makeFunction(state.range(0)), &context);
  PassManager passes(&context);
  passes.enableVerifier(false);
  addPasses(passes);
  for (auto _ : state) {
    state.PauseTiming();
    OwningOpRef<ModuleOp> copy = module ? module->clone() : ModuleOp();
    state.ResumeTiming();
    if (!copy || failed(passes.run(*copy)))
      state.SkipWithError("the generated function does not go through");
    state.PauseTiming();
    copy = nullptr;
    state.ResumeTiming();
  }
}

static void propagate(benchmark::State &state) {
  timePasses(state,
             [](OpPassManager &passes) { passes.addPass(layout::createPropagateLayouts()); });
}

/// Includes the analysis.
static void distribute(benchmark::State &state) {
  timePasses(state, [](OpPassManager &passes) {
    layout::DistributeVectorsOptions options;
    options.threads = {32};
    passes.addPass(layout::createDistributeVectors(options));
  });
}

static void cleanUp(benchmark::State &state) {
  timePasses(state, [](OpPassManager &passes) {
    passes.addPass(createCSEPass());
    passes.addPass(createCanonicalizerPass());
  });
}

static void registerAtFourSizes(const char *name, void (*function)(benchmark::State &)) {
  auto *registered = benchmark::RegisterBenchmark(name, function);
  for (int64_t count : {500, 1000, 2000, 4000})
    registered->Arg(count);
  registered->Repetitions(3)->Unit(benchmark::kMillisecond);
}

int main(int argc, char **argv) {
  registerAtFourSizes("propagate-layouts", propagate);
  registerAtFourSizes("distribute-vectors", distribute);
  registerAtFourSizes("cse+canonicalize", cleanUp);
  benchmark::Initialize(&argc, argv);
  SlopeReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printSlopes();
}
