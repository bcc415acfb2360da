// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PtxEntry.h.

#include "tilewright/api/devices/PtxEntry.h"
#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/PtxFindings.h"
#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/text/Parser.h"
#include "tilewright/runtime/Threads.h"

#include <map>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Element;
using support::Failure;
using support::Result;

//===-- Compiling ---------------------------------------------------------------------------===//

/// If the machine rejects compiled code, the compiler or the machine has a bug.
static Failure refused(const ptx::Refusal &refusal) {
  return {"the PTX machine refuses line " + std::to_string(refusal.place.line) +
          " of what was compiled (tilewright compile --emit=ptx): " + refusal.message};
}

Result<std::unique_ptr<const PtxEntry>>
PtxEntry::compile(tile::EntryOp entry, nvidia::CompileOptions options, llvm::StringRef file) {
  options.entry = entry.getSymName().str();
  Result<nvidia::CompiledCode> compiledCode =
      nvidia::compileTo(nvidia::Stage::Ptx, entry->getParentOfType<tile::ModuleOp>(), options);
  if (!compiledCode)
    return compiledCode.failure();
  codegen::CompiledKernel kernel = compiledCode->kernels.front();
  auto parsed = ptx::parse(std::move(compiledCode->code));
  if (const auto *refusal = std::get_if<ptx::Refusal>(&parsed))
    return refused(*refusal);
  std::unique_ptr<PtxEntry> compiled(
      new PtxEntry(std::get<ptx::Module>(std::move(parsed)), "<PTX of " + file.str() + ">"));
  compiled->entry = compiled->module.find(std::string_view(options.entry));
  auto prepared = prepare(compiled->module, *compiled->entry);
  if (const auto *refusal = std::get_if<ptx::Refusal>(&prepared))
    return refused(*refusal);
  compiled->code = std::get<ptx::Program>(std::move(prepared));
  compiled->kernel = std::move(kernel);
  return std::unique_ptr<const PtxEntry>(std::move(compiled));
}

//===-- Arguments ---------------------------------------------------------------------------===//

Result<void> api::verifyForPtxMachine(const Argument &argument) {
  if (std::holds_alternative<Address>(argument))
    return Failure{"the PTX machine expected an array, whose extents it checks, but got an "
                   "address"};
  if (std::holds_alternative<Multicast>(argument))
    return Failure{"the PTX machine does not support multicast memory"};
  return {};
}

namespace {
/// Copies of a launch's arrays in the machine's memory.
class LoadedArrays {
public:
  LoadedArrays(Placement &placement, ptx::Memory &memory);

  /// The bytes of the entry's parameters, in the layout of the program.
  std::vector<uint8_t> parametersFor(const ptx::Program &program, const ptx::Function &entry,
                                     const ptx::Module &module) const;
  /// Copies the arrays back to the host.
  Result<void> unload();

private:
  struct Loaded {
    std::span<uint8_t> host;
    ptx::Region *region;
    unsigned offset;
  };
  uint64_t allocate(const reference::HostMemory &host, ptx::Memory &memory);

  Placement &placement;
  std::vector<Loaded> loaded;
  std::vector<Element> elements; ///< One per parameter.
};
} // namespace

LoadedArrays::LoadedArrays(Placement &placement, ptx::Memory &memory)
    : placement(placement), elements(placement.bind([&](const reference::HostMemory &host) {
        return allocate(host, memory);
      })) {
  // Only now do elements that are addresses have their values, because all memory is allocated.
  for (const auto &[host, region, offset] : loaded)
    std::copy(host.begin(), host.end(), region->bytes.begin() + offset);
}

/// The address is as aligned as on the host and no better, so that the kernel's assumptions about
/// alignment are checked.
uint64_t LoadedArrays::allocate(const reference::HostMemory &host, ptx::Memory &memory) {
  const unsigned offset = host.misalignment;
  ptx::Region &region = memory.allocate(host.name, ptx::Space::Global, host.bytes.size() + offset);
  if (host.isInitialised)
    region.defineAll();
  if (offset)
    region.parts.push_back({offset, region.size(), host.name});
  loaded.push_back({host.bytes, &region, offset});
  return region.base + offset;
}

std::vector<uint8_t> LoadedArrays::parametersFor(const ptx::Program &program,
                                                 const ptx::Function &entry,
                                                 const ptx::Module &module) const {
  std::vector<uint8_t> bytes(program.addresses.parameterBytes);
  for (const auto &[number, element] : llvm::zip_equal(entry.parameters, elements)) {
    const uint64_t word = slotFor(element);
    std::memcpy(bytes.data() + program.addresses.parameterOffset(number), &word,
                module.variables[number].bytes);
  }
  return bytes;
}

Result<void> LoadedArrays::unload() {
  for (const auto &[host, region, offset] : loaded)
    std::copy(region->bytes.begin() + offset, region->bytes.end(), host.begin());
  return placement.copyBack();
}

//===-- Running -----------------------------------------------------------------------------===//

static Outcome outcomeOf(const ptx::Machine &machine, llvm::ArrayRef<report::Finding> findings) {
  if (llvm::any_of(findings, [](const report::Finding &finding) {
        return finding.kind == report::FindingKind::Misbehaviour;
      }))
    return Outcome::Misbehaved;
  if (!findings.empty())
    return Outcome::Failed;
  return machine.isStopped && machine.isCancelled() ? Outcome::Cancelled : Outcome::Succeeded;
}

/// Runs the machine, and prints afterwards, so that the text of each block stays together.
static void execute(ptx::Machine &machine, const PtxRunOptions &options) {
  std::map<std::array<uint32_t, 3>, std::string> printed; // keys are (z, y, x)
  machine.output = [&](const std::array<uint32_t, 3> &block, std::string_view text) {
    printed[{block[2], block[1], block[0]}] += text;
  };
  if (options.begin)
    options.begin(machine);
  ptx::execute(machine);
  machine.output = nullptr;
  for (const auto &[block, text] : printed)
    options.output(text);
  if (options.end)
    options.end(machine);
}

Result<PtxRunResult> PtxEntry::run(const runtime::Grid &grid, std::span<const Argument> arguments,
                                   const PtxRunOptions &options) const {
  const Result<int> threads =
      options.threads ? Result<int>(options.threads) : runtime::defaultThreads();
  if (!threads)
    return threads.failure();
  Result<Placement> placement = Placement::of(arguments);
  if (!placement)
    return placement.failure();
  ptx::Memory memory;
  loadVariables(code, memory);
  LoadedArrays arrays(*placement, memory);
  const ptx::Launch launch{{uint32_t(grid.x()), uint32_t(grid.y()), uint32_t(grid.z())},
                           entry->requiredThreads.value_or(std::array<uint32_t, 3>{1, 1, 1}),
                           uint64_t(kernel.dynamicSharedBytes),
                           arrays.parametersFor(code, *entry, module)};
  if (const auto wrong = checkLaunch(code, launch))
    return Failure{*wrong};
  ptx::Machine machine(code, memory, launch, options.schedule);
  machine.checks = options.checks;
  machine.threads = uint32_t(*threads);
  machine.cancelled = options.cancelled;
  ::execute(machine, options);

  PtxRunResult result;
  result.context = std::make_unique<mlir::MLIRContext>();
  const PtxFindings converter(module, name, *result.context);
  for (const ptx::Finding &finding : machine.findings)
    result.findings.push_back(converter.convertAtSource(finding, *entry));
  result.unlistedFindings = machine.unlisted;
  result.steps = machine.steps;
  result.outcome = outcomeOf(machine, result.findings);
  if (result.outcome == Outcome::Succeeded && !options.discardsArrays)
    if (Result<void> unloaded = arrays.unload(); !unloaded)
      return unloaded.failure();
  return result;
}
