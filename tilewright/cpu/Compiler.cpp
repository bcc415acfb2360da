// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compiler.h.

#include "tilewright/cpu/Compiler.h"
#include "tilewright/codegen/CaughtDiagnostics.h"
#include "tilewright/codegen/Lower.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/cpu/Exports.h"
#include "tilewright/cpu/Loops.h"
#include "tilewright/cpu/Symbols.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Misfits.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/PassManager.h"

using namespace tilewright;
using codegen::Cache;
using codegen::CacheKey;
using codegen::HostFunction;
using codegen::LlvmProgram;
using codegen::LoadedCode;
using codegen::OptLevel;
using cpu::CompiledProgram;
using cpu::CompileOptions;
using cpu::KernelInfo;
using cpu::Loops;
using cpu::Plan;
using cpu::Signature;
using cpu::Stage;
using cpu::Tuning;
using support::Failure;
using support::Result;

//===-- Stages --------------------------------------------------------------------------------===//

/// If code is sanitized, avoids instructions whose accesses sanitizers do not see.
static CompileOptions checkable(CompileOptions options) {
  if (options.sanitize != codegen::Sanitizer::None)
    options.target.hasAmxBf16 = options.target.hasAmxInt8 = false;
  return options;
}

namespace {
/// The state of one compilation: each step takes the program one stage further.
class Compilation {
public:
  Compilation(tile::ModuleOp module, const CompileOptions &options)
      : options(checkable(options)), tiles(module.clone()) {}

  Result<std::string> runTo(Stage stage);

private:
  Result<void> checkIsProgram();
  Result<void> simplify();
  void makePlans();
  std::string printPlans() const;
  Result<Loops> makeLoops();
  Result<LlvmProgram> makeLlvm(Loops &loops);

  const CompileOptions options;
  mlir::OwningOpRef<tile::ModuleOp> tiles;
  std::vector<Signature> signatures;
  std::deque<Plan> plans; ///< The plans of the entries, in order.
};
} // namespace

template <typename Operation> static std::string asText(Operation operation) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  operation->print(stream);
  stream << "\n";
  return text;
}

/// The verifier accepts more than can be compiled (textual format, 11.1); later steps rely on the
/// checks here.
Result<void> Compilation::checkIsProgram() {
  Result<std::vector<Signature>> found = cpu::signaturesOf(*tiles);
  if (!found)
    return found.failure();
  signatures = *std::move(found);
  if (std::optional<tile::Misfit> misfit = tile::findMisfit(*tiles))
    return Failure{tile::locationText(misfit->op->getLoc()) + ": error: cpu: " + misfit->what};
  return {};
}

/// Evaluates constants, hoists the loads of a product's epilogue before its loop, and moves
/// reductions to earlier ones of the same tile. Results are bit-identical.
Result<void> Compilation::simplify() {
  if (options.level == OptLevel::O0)
    return {};
  codegen::CaughtDiagnostics diagnostics(*tiles->getContext());
  mlir::PassManager passes(tiles->getContext(), tile::ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(lower::createEvaluateConstants());
  passes.addPass(lower::createHoistEpilogueLoads());
  passes.addPass(lower::createHoistReductions());
  if (failed(passes.run(*tiles)))
    return diagnostics.failure("simplifying");
  return {};
}

void Compilation::makePlans() {
  for (auto entry : tiles->getBody().getOps<tile::EntryOp>())
    plans.emplace_back(entry, options.target);
}

std::string Compilation::printPlans() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const Plan &plan : plans)
    cpu::print(plan, stream);
  return text;
}

Result<Loops> Compilation::makeLoops() {
  codegen::loadLoopDialects(*tiles->getContext());
  Result<Loops> loops = cpu::emitLoops(*tiles, plans, options.target);
  if (!loops)
    return loops;
  cpu::addKernelTables(*loops->module, loops->kernels);
  if (!options.launchers)
    return loops;
  cpu::addLaunchers(*loops->module, signatures);
  return loops;
}

Result<LlvmProgram> Compilation::makeLlvm(Loops &loops) {
  if (Result<void> lowered = codegen::lowerToLLVM(*loops.module); !lowered)
    return lowered.failure();
  if (options.debugInfo)
    if (Result<void> added = codegen::addLines(*loops.module, codegen::Lines::Tables); !added)
      return added.failure();
  bool walked = options.debugInfo || options.sanitize != codegen::Sanitizer::None;
  Result<LlvmProgram> program = LlvmProgram::translate(
      *loops.module, options.target, {options.level, options.sanitize, /*unwindTables=*/walked});
  if (program)
    program->optimize();
  return program;
}

Result<std::string> Compilation::runTo(Stage stage) {
  if (Result<void> checked = checkIsProgram(); !checked)
    return checked.failure();
  if (Result<void> simplified = simplify(); !simplified)
    return simplified.failure();
  if (stage == Stage::Tile)
    return asText(*tiles);
  makePlans();
  if (codegen::areRemarksWanted())
    llvm::for_each(plans, cpu::remarkOn);
  if (stage == Stage::Plan)
    return printPlans();
  Result<Loops> loops = makeLoops();
  if (!loops)
    return loops.failure();
  if (stage == Stage::Loops)
    return asText(*loops->module);
  Result<LlvmProgram> program = makeLlvm(*loops);
  if (!program)
    return program.failure();
  if (stage == Stage::Llvm)
    return program->text();
  return stage == Stage::Assembly ? program->assembly() : program->object();
}

Result<std::string> cpu::compileTo(Stage stage, tile::ModuleOp module,
                                   const CompileOptions &options) {
  return Compilation(module, options).runTo(stage);
}

//===-- The cache -----------------------------------------------------------------------------===//

/// Adds the program to the key as MLIR bytecode, including locations: messages of failed assertions
/// and debug information contain them.
static void addProgram(CacheKey &key, tile::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  (void)mlir::writeBytecodeToFile(module, stream);
  key.add(bytes);
}

static CacheKey keyFor(tile::ModuleOp module, const CompileOptions &options) {
  CacheKey key;
  key.add(codegen::buildIdentity());
  key.add(options.target.triple).add(options.target.cpu).add(options.target.features);
  key.add(std::to_string(options.target.firstCacheBytes));
  key.add(std::to_string(options.target.lastCacheBytes));
  for (const codegen::Threshold<Tuning> &threshold : cpu::thresholds())
    key.add(uint64_t(options.target.tuning.*threshold.value));
  key.add(uint64_t(options.level)).add(uint64_t(options.sanitize));
  key.add(uint64_t(options.debugInfo)).add(uint64_t(options.launchers));
  addProgram(key, module);
  return key;
}

Result<std::string> cpu::compile(tile::ModuleOp module, const CompileOptions &options,
                                 const Cache *cache) {
  if (!cache || codegen::areRemarksWanted())
    return compileTo(Stage::Object, module, options);
  CacheKey key = keyFor(module, options);
  if (std::optional<std::string> object = cache->find(key))
    return *std::move(object);
  Result<std::string> object = compileTo(Stage::Object, module, options);
  // Failure to write the cache costs time, but does not change the result.
  if (object)
    (void)cache->store(key, *object);
  return object;
}

//===-- Running -------------------------------------------------------------------------------===//

Result<CompiledProgram> CompiledProgram::load(std::string_view object, bool forDebugger) {
  static const HostFunction functions[] = {
      {"tw_launch", reinterpret_cast<void *>(&tw_launch)},
      {"tw_run_blocks", reinterpret_cast<void *>(&tw_run_blocks)},
      {"tw_print", reinterpret_cast<void *>(&tw_print)},
      {"tw_assert_failed", reinterpret_cast<void *>(&tw_assert_failed)},
      {"tw_yield", reinterpret_cast<void *>(&tw_yield)},
      {"tw_copies", reinterpret_cast<void *>(&tw_copies)},
  };
  Result<LoadedCode> code = LoadedCode::load(object, functions, forDebugger);
  if (!code)
    return code.failure();
  return CompiledProgram(std::move(*code));
}

Result<const twKernel *> CompiledProgram::kernel(std::string_view entry) const {
  Result<void *> table = code.lookup(tableSymbol(entry));
  if (!table)
    return table.failure();
  return static_cast<const twKernel *>(*table);
}
