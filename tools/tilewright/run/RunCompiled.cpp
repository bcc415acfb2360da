// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a compiled run go? The program is compiled, or taken from the cache, and loaded
// into this process; the runtime launches it over the arrays, which it reads and writes where
// they are.

#include "tilewright/cpu/Compiler.h"
#include "tilewright/cpu/Remarks.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/runtime/Array.h"
#include "tilewright/runtime/Launch.h"
#include "tilewright/runtime/Threads.h"
#include "tilewright/tile/Places.h"
#include "tools/tilewright/run/PreparedRun.h"
#include "llvm/Support/Endian.h"
#include <array>

using namespace tilewright;
using namespace tilewright::tools;
using cpu::CompiledProgram;
using support::Failure;
using support::Result;

/// What a scalar is in memory, extended with zeros.
static uint64_t slotFor(numerics::Element scalar) {
  std::array<uint8_t, 8> bytes = {};
  numerics::store(bytes.data(), 0, scalar);
  return llvm::support::endian::read64le(bytes.data());
}

/// A slot per parameter (runtime/Kernel.h).
static std::vector<uint64_t> slotsFor(Arguments &arguments) {
  std::vector<uint64_t> slots;
  for (const BoundValue &value : arguments.values) {
    if (value.array)
      slots.push_back(
          reinterpret_cast<uintptr_t>(arguments.arrays[*value.array].storage().bytes().data()));
    else
      slots.push_back(slotFor(value.scalar));
  }
  return slots;
}

/// Kernels are checked for what this program is checked for.
static constexpr codegen::Sanitizer sanitizerOfThisBuild() {
#if defined(__SANITIZE_ADDRESS__)
  return codegen::Sanitizer::Address;
#elif defined(__SANITIZE_THREAD__)
  return codegen::Sanitizer::Thread;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return codegen::Sanitizer::Address;
#elif __has_feature(thread_sanitizer)
  return codegen::Sanitizer::Thread;
#endif
#endif
  return codegen::Sanitizer::None;
}

/// The module of an entry without the other entries: those need not be compiled.
static mlir::OwningOpRef<tile::ModuleOp> moduleOfOnly(tile::EntryOp entry) {
  auto module = entry->getParentOfType<tile::ModuleOp>();
  mlir::OwningOpRef<tile::ModuleOp> reduced(
      llvm::cast<tile::ModuleOp>(module->cloneWithoutRegions()));
  mlir::Block &body = reduced->getBodyRegion().emplaceBlock();
  for (mlir::Operation &op : *module.getBody().begin())
    if (!llvm::isa<tile::EntryOp>(op) || &op == entry)
      body.push_back(op.clone());
  return reduced;
}

static Result<CompiledProgram> compile(const PreparedRun &run, const cpu::Target &target) {
  const CpuOptions &options = run.options.cpu;
  cpu::CompileOptions compileOptions;
  compileOptions.target = target;
  compileOptions.level = options.level;
  compileOptions.debugInfo = options.debugInfo;
  compileOptions.sanitize = sanitizerOfThisBuild();
  std::optional<codegen::Cache> cache;
  if (options.useCache)
    cache = codegen::Cache::usual();
  std::optional<cpu::Remarks> remarks;
  if (options.remarks)
    remarks.emplace();
  Result<std::string> object =
      cpu::compile(*moduleOfOnly(run.entry), compileOptions, cache ? &*cache : nullptr);
  if (remarks)
    run.err << remarks->text();
  if (!object)
    return object.failure();
  return CompiledProgram::load(*object, options.debugInfo);
}

/// Assertions that failed are told as the reference machine tells them.
static void tell(const runtime::LaunchResult &result, llvm::raw_ostream &err) {
  for (const runtime::FailedAssert &failed : result.failedAsserts)
    err << runtime::toString(failed) << "\n";
  if (result.unlistedAsserts)
    err << "... and " << result.unlistedAsserts << " more\n";
}

/// What an alloca needs at any address, in bits.
static llvm::APInt sizeOf(tile::AllocaOp op) {
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  llvm::APInt bits(128, numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits);
  return bits * op.getNumElem() + llvm::APInt(128, op.getAlignment()) * 8;
}

static Failure exceedsMemory(tile::AllocaOp op, int64_t machine) {
  std::string pointee;
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  llvm::raw_string_ostream(pointee) << pointer.getPointeeType();
  return {tile::locationText(op.getLoc()) + ": error: alloca: " + std::to_string(op.getNumElem()) +
          " elements of " + pointee + " aligned to " + std::to_string(op.getAlignment()) +
          " bytes need more memory than is left: this machine has " + std::to_string(machine) +
          " bytes"};
}

/// This machine has no memory for the arena of the entry: either for its largest alloca alone
/// (operations, 7.2), or only for all that the arena holds.
static Failure whyNoArena(tile::EntryOp entry, const twKernel &kernel, int64_t machine) {
  tile::AllocaOp largest;
  llvm::APInt most(128, 0);
  entry.walk([&](tile::AllocaOp op) {
    llvm::APInt size = sizeOf(op);
    if (!largest || size.ugt(most))
      largest = op, most = size;
  });
  if (most.ugt(llvm::APInt(128, uint64_t(machine)) * 8))
    return exceedsMemory(largest, machine);
  return {tile::locationText(entry.getLoc()) + ": error: entry @" + kernel.name + " needs " +
          std::to_string(kernel.arenaBytes) +
          " bytes for the tiles and allocas of a tile block, and this machine has " +
          std::to_string(machine)};
}

RunStatus tools::runCompiled(const PreparedRun &run) {
  Result<cpu::Target> target = cpu::Target::named(run.options.cpu.target);
  if (!target)
    return run.unusable(target.failure());
  if (Result<void> runs = target->runsHere(); !runs)
    return run.unusable(runs.failure());
  Result<int> threads =
      run.options.cpu.threads ? run.options.cpu.threads : runtime::defaultThreads();
  if (!threads)
    return run.unusable(threads.failure());
  Result<CompiledProgram> program = compile(run, *target);
  if (!program)
    return run.failed(program.failure());
  Result<const twKernel *> kernel = program->kernel(tile::EntryOp(run.entry).getSymName().str());
  if (!kernel)
    return run.failed(kernel.failure());

  const int64_t machine = runtime::memoryOfThisMachine();
  if ((*kernel)->arenaBytes > machine)
    return run.failed(whyNoArena(run.entry, **kernel, machine));

  runtime::TextSink output = [&](std::string_view text) { run.out << llvm::StringRef(text); };
  runtime::LaunchOptions options;
  options.threads = *threads;
  options.output = &output;
  Result<runtime::LaunchResult> result =
      runtime::launch(**kernel, run.grid, slotsFor(run.arguments), options);
  if (!result)
    return run.failed(result.failure());
  tell(*result, run.err);
  return result->succeeded() ? run.finish() : RunStatus::Failed;
}
