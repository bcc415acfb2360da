// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compiler.h.

#include "tilewright/nvidia/Compiler.h"
#include "tilewright/codegen/CaughtDiagnostics.h"
#include "tilewright/codegen/Lower.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/lower/Passes.h"
#include "tilewright/nvidia/Assemble.h"
#include "tilewright/nvidia/InFlight.h"
#include "tilewright/nvidia/Legality.h"
#include "tilewright/nvidia/emit/KernelEmitter.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Globals.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/Pass/PassManager.h"
#include <deque>

using namespace tilewright;
using codegen::LlvmProgram;
using nvidia::CompileOptions;
using nvidia::Plan;
using nvidia::Stage;
using support::Failure;
using support::Result;
namespace LLVM = mlir::LLVM;

namespace {
/// The state of one compilation: each step takes the program one stage further.
class Compilation {
public:
  Compilation(tile::ModuleOp module, const CompileOptions &options)
      : options(options), target(options.target), tiles(module.clone()) {
    for (auto entry : llvm::make_early_inc_range(tiles->getBody().getOps<tile::EntryOp>()))
      if (!options.entry.empty() && entry.getSymName() != options.entry)
        entry->erase();
  }

  Result<std::string> runTo(Stage stage);
  std::vector<codegen::CompiledKernel> kernels() const;

private:
  Result<void> run(std::unique_ptr<mlir::Pass> pass, const char *what);
  Result<void> makePlans();
  std::string printPlans() const;
  Result<void> makeThreads();
  Result<void> emitGlobal(tile::GlobalOp op, nvidia::Symbols &symbols);
  Result<LlvmProgram> makeLlvm();
  Result<std::string> makePtx();
  bool keepsDelays(std::string_view ptx);
  Result<std::string> makeCubin(std::string_view ptx) const;
  Result<std::string> assemble(std::string_view ptx) const;

  const CompileOptions &options;
  nvidia::Target target;
  mlir::OwningOpRef<tile::ModuleOp> tiles;
  std::deque<Plan> plans; ///< The plans of the entries, in order.
  mlir::OwningOpRef<mlir::ModuleOp> threads;
};
} // namespace

template <typename Operation> static std::string asText(Operation operation) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  operation->print(stream);
  stream << "\n";
  return text;
}

/// The limit for a thread's local memory (CUDA programming guide, compute capabilities).
static constexpr int64_t mostLocalBytes = 512 * 1024;

Result<void> Compilation::run(std::unique_ptr<mlir::Pass> pass, const char *what) {
  codegen::CaughtDiagnostics diagnostics(*tiles->getContext());
  mlir::PassManager passes(tiles->getContext(), tile::ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(std::move(pass));
  if (failed(passes.run(*tiles)))
    return diagnostics.failure(what);
  return {};
}

static std::string number(int64_t value) { return std::to_string(value); }

static Failure refusedAt(mlir::Operation *op, const std::string &what) {
  auto entry = llvm::dyn_cast<tile::EntryOp>(op);
  return {tile::locationText(op->getLoc()) + ": error: " +
          (entry ? "entry @" + entry.getSymName() : op->getName().stripDialect()).str() + ": " +
          what};
}

/// Whether the memory that an entry needs exists.
static Result<void> checkMemory(const Plan &plan) {
  tile::EntryOp entry = plan.entry;
  const nvidia::Target &target = plan.target;
  auto refused = [&](const std::string &what) { return refusedAt(entry, what); };
  for (const auto &[op, exchange] : plan.exchanges)
    if (exchange.reason == nvidia::ExchangeReason::Multiplied && !exchange.window)
      return refusedAt(op, "one step along k of the product takes more than the " +
                               number(target.sharedBytes) +
                               " bytes of shared memory that a block has on " + target.cpu);
  if (plan.shared.bytes > target.sharedBytes)
    return refused("its allocas and what moves between threads take " + number(plan.shared.bytes) +
                   " bytes of shared memory, but " + target.cpu + " has " +
                   number(target.sharedBytes));
  if (plan.shared.alignment > target.sharedBytes)
    return refused("an alloca is aligned to " + number(plan.shared.alignment) +
                   " bytes in shared memory, of which " + target.cpu + " has " +
                   number(target.sharedBytes));
  if (plan.pool.bytes > nvidia::mostPoolBytes)
    return refused("its allocas take " + number(plan.pool.bytes) +
                   " bytes of global memory in each block, but " + number(nvidia::mostPoolBytes) +
                   " are the most that are supported");
  return {};
}

Result<void> Compilation::makePlans() {
  for (auto entry : tiles->getBody().getOps<tile::EntryOp>())
    if (Result<void> fits = checkMemory(plans.emplace_back(entry, target)); !fits)
      return fits;
  return {};
}

std::string Compilation::printPlans() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const Plan &plan : plans)
    nvidia::print(plan, stream);
  return text;
}

/// A global is an array in global memory that lives as long as the code is loaded.
Result<void> Compilation::emitGlobal(tile::GlobalOp op, nvidia::Symbols &symbols) {
  Result<uint64_t> alignment = tile::alignmentOf(op);
  if (!alignment)
    return alignment.failure();
  std::string bytes = tile::storedBytes(op);
  nvidia::ThreadBuilder b(*threads, symbols);
  b.setPlace(op.getLoc());
  b.setInsertionPointToEnd(threads->getBody());
  LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()), op.getConstant(),
                         LLVM::Linkage::Internal, symbols.of(op.getSymNameAttr()),
                         b.getStringAttr(bytes), std::max<uint64_t>(*alignment, 16),
                         nvidia::GlobalSpace);
  return {};
}

Result<void> Compilation::makeThreads() {
  codegen::loadLoopDialects(*tiles->getContext());
  threads = mlir::ModuleOp::create(mlir::UnknownLoc::get(tiles->getContext()));
  nvidia::Symbols symbols(*tiles);
  for (auto global : tiles->getBody().getOps<tile::GlobalOp>())
    if (Result<void> done = emitGlobal(global, symbols); !done)
      return done;
  for (const Plan &plan : plans) {
    nvidia::KernelEmitter emitter(*threads, plan, symbols);
    emitter.emitEntry();
    if (emitter.localBytes() > mostLocalBytes)
      return refusedAt(plan.entry, "its tiles take " + number(emitter.localBytes()) +
                                       " bytes of local memory in each of " + number(plan.threads) +
                                       " threads, but a thread has " + number(mostLocalBytes));
  }
  return {};
}

Result<LlvmProgram> Compilation::makeLlvm() {
  if (Result<void> lowered = codegen::lowerToLLVM(*threads); !lowered)
    return lowered.failure();
  if (Result<void> added = codegen::addLines(*threads, codegen::Lines::Directives); !added)
    return added.failure();
  nvidia::Target withVersion = target;
  unsigned version = nvidia::ptxVersionFor(*tiles, target);
  for (const Plan &plan : plans) {
    for (const auto &[op, product] : plan.matrices)
      version = std::max(version, product.form.ptxVersion);
    if (plan.roles.areSpecialised())
      version = std::max(version, nvidia::TensorMap::ptxVersion);
    if (plan.ctas > 1)
      version = std::max(version, nvidia::clusterPtxVersion);
  }
  withVersion.features = "+ptx" + std::to_string(version);
  Result<LlvmProgram> program =
      LlvmProgram::translate(*threads, withVersion, {.level = options.level});
  if (program)
    program->optimize();
  return program;
}

/// Whether the registers of delayed products are left alone. Otherwise, plans no longer delay any.
bool Compilation::keepsDelays(std::string_view ptx) {
  const auto hasDelays = [](const Plan &plan) { return !plan.delays.all.empty(); };
  if (llvm::none_of(plans, hasDelays))
    return true;
  const std::string problem = nvidia::problemInFlight(ptx);
  if (problem.empty())
    return true;
  for (const Plan &plan : plans)
    for (const nvidia::Delay &delay : plan.delays.all)
      codegen::remark(delay.loop->getLoc(),
                      "for: compiled again without delayed products: " + problem);
  target.tuning.mostDelayedRegisters = 0;
  return false;
}

Result<std::string> Compilation::makePtx() {
  Result<LlvmProgram> program = makeLlvm();
  if (!program)
    return program.failure();
  Result<std::string> ptx = program->assembly();
  if (!ptx || keepsDelays(*ptx))
    return ptx;
  plans.clear();
  if (Result<void> planned = makePlans(); !planned)
    return planned.failure();
  if (Result<void> made = makeThreads(); !made)
    return made.failure();
  return makePtx();
}

/// Kernels with more shared memory than the assembler accepts get their size afterwards.
Result<std::string> Compilation::makeCubin(std::string_view ptx) const {
  if (target.sharedForm != nvidia::SharedMemoryForm::InCubin)
    return assemble(ptx);
  const auto isLarge = [](const Plan &plan) {
    return plan.sharedForm() == nvidia::SharedMemoryForm::InCubin;
  };
  const auto hasShared = [](const Plan &plan) { return plan.shared.bytes > 0; };
  // The assembler puts the shared memory of all kernels into one segment.
  if (llvm::any_of(plans, isLarge) && llvm::count_if(plans, hasShared) > 1)
    return Failure{"a cubin can declare more than " +
                   std::to_string(target.staticSharedBytes >> 10) +
                   " KiB of shared memory if one kernel has shared memory, but " +
                   std::to_string(llvm::count_if(plans, hasShared)) +
                   " kernels have: compile them one by one"};
  Result<std::string> cubin = assemble(nvidia::withSharedArrays(ptx, target.staticSharedBytes));
  for (const Plan &plan : plans)
    if (cubin && plan.sharedForm() == nvidia::SharedMemoryForm::InCubin) {
      tile::EntryOp entry = plan.entry;
      cubin =
          nvidia::withSharedBytes(*std::move(cubin), entry.getSymName().str(), plan.shared.bytes);
    }
  return cubin;
}

/// The assembler's resources are reported as remarks, too.
Result<std::string> Compilation::assemble(std::string_view ptx) const {
  if (!codegen::areRemarksWanted())
    return nvidia::assemble(ptx, target);
  std::vector<nvidia::Resources> resources;
  Result<std::string> cubin = nvidia::assemble(ptx, target, &resources);
  for (const Plan &plan : plans) {
    tile::EntryOp entry = plan.entry;
    auto found = llvm::find_if(resources, [&](const nvidia::Resources &row) {
      return llvm::StringRef(row.entry) == entry.getSymName();
    });
    if (found != resources.end())
      nvidia::remarkOn(plan, *found);
  }
  return cubin;
}

Result<std::string> Compilation::runTo(Stage stage) {
  if (Result<void> legal = nvidia::checkLegality(*tiles); !legal)
    return legal.failure();
  if (options.checksAssumptions)
    if (Result<void> added = run(lower::createCheckAssumptions(), "checking assumptions"); !added)
      return added.failure();
  // Evaluates constants; results are bit-identical.
  if (options.level != codegen::OptLevel::O0)
    if (Result<void> simplified = run(lower::createEvaluateConstants(), "simplifying"); !simplified)
      return simplified.failure();
  if (stage == Stage::Tile)
    return asText(*tiles);
  if (Result<void> legal = nvidia::checkOperations(*tiles, target); !legal)
    return legal.failure();
  if (Result<void> planned = makePlans(); !planned)
    return planned.failure();
  if (codegen::areRemarksWanted())
    for (const Plan &plan : plans)
      nvidia::remarkOn(plan);
  if (stage == Stage::Plan)
    return printPlans();
  if (Result<void> made = makeThreads(); !made)
    return made.failure();
  if (stage == Stage::Threads)
    return asText(*threads);
  if (stage == Stage::Llvm) {
    Result<LlvmProgram> program = makeLlvm();
    return program ? Result<std::string>(program->text()) : program.failure();
  }
  Result<std::string> ptx = makePtx();
  return ptx && stage == Stage::Cubin ? makeCubin(*ptx) : ptx;
}

std::vector<codegen::CompiledKernel> Compilation::kernels() const {
  std::vector<codegen::CompiledKernel> kernels;
  for (const Plan &plan : plans) {
    const bool isDynamic = plan.sharedForm() == nvidia::SharedMemoryForm::Dynamic;
    kernels.push_back({tile::EntryOp(plan.entry).getSymName().str(), plan.launchedThreads(),
                       plan.ctas, plan.shared.bytes, isDynamic ? plan.shared.bytes : 0});
  }
  return kernels;
}

Result<nvidia::CompiledCode> nvidia::compileTo(Stage stage, tile::ModuleOp module,
                                               const CompileOptions &options) {
  Compilation compilation(module, options);
  Result<std::string> code = compilation.runTo(stage);
  if (!code)
    return code.failure();
  return CompiledCode{*std::move(code), compilation.kernels()};
}
