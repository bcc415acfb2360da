// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a run on the PTX machine go? The program is compiled for a GPU, and the machine executes
// the text that an assembler would get. Arrays are copied there and back.

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/PtxFindings.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/lower/Passes.h"
#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/text/Parser.h"
#include "tilewright/runtime/Threads.h"
#include "tools/tilewright/ptx/Parameters.h"
#include "tools/tilewright/ptx/Watch.h"
#include "tools/tilewright/run/PreparedRun.h"

#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace tilewright;
using namespace tilewright::tools;
using api::misbehaved;
using api::PtxFindings;
using support::Failure;
using support::Result;

namespace {
/// Compiled code, as the machine has it. The program points into the module.
struct PtxCode {
  ptx::Module module;
  const ptx::Function *entry;
  ptx::Program program;
};
} // namespace

/// What was compiled is no file: as other compilers name such texts, and unlike any file.
static std::string nameOfText(const PreparedRun &run) { return "<PTX of " + run.file.str() + ">"; }

/// What the machine refuses is a mistake of the compiler, or of the machine.
static Failure refused(const ptx::Refusal &refusal) {
  return {"the PTX machine refuses line " + std::to_string(refusal.place.line) +
          " of what was compiled (tilewright compile --emit=ptx): " + refusal.message};
}

static Result<void> compile(const PreparedRun &run, PtxCode &code) {
  nvidia::CompileOptions options = run.options.ptx.compile;
  options.entry = tile::EntryOp(run.entry).getSymName().str();
  // Counters are those of the code that a GPU would execute.
  options.checksAssumptions = run.options.ptx.watch.counters.empty();
  codegen::PrintedRemarks remarks(run.options.remarks, run.err);
  Result<std::string> text = nvidia::compileTo(nvidia::Stage::Ptx, run.module(), options);
  if (!text)
    return text.failure();
  auto parsed = ptx::parse(*text);
  if (const auto *refusal = std::get_if<ptx::Refusal>(&parsed))
    return refused(*refusal);
  code.module = std::get<ptx::Module>(std::move(parsed));
  code.entry = code.module.find(std::string_view(tile::EntryOp(run.entry).getSymName()));
  auto prepared = prepare(code.module, *code.entry);
  if (const auto *refusal = std::get_if<ptx::Refusal>(&prepared))
    return refused(*refusal);
  code.program = std::get<ptx::Program>(std::move(prepared));
  return {};
}

/// Puts the arrays into memory, once each; the bytes of the parameters.
static std::vector<uint8_t> load(const PreparedRun &run, const ptx::Module &module,
                                 const ptx::Function &entry, ptx::Memory &memory,
                                 std::vector<ptx::Region *> &regions) {
  std::vector<uint8_t> bytes;
  regions.assign(run.arguments.arrays.size(), nullptr);
  for (const auto &[index, number] : llvm::enumerate(entry.parameters)) {
    const BoundValue &value = run.arguments.values[index];
    if (!value.array) {
      const uint64_t word = api::slotFor(value.scalar);
      appendParameter(bytes, module.variables[number], &word);
      continue;
    }
    ptx::Region *&region = regions[*value.array];
    if (!region)
      region = &loadArray(memory, run.arguments.arrays[*value.array],
                          "parameter " + std::to_string(index + 1));
    appendParameter(bytes, module.variables[number], &region->base);
  }
  return bytes;
}

/// An assert of the kernel; or an assumption of it that is false, which is undefined behaviour.
static std::pair<llvm::StringRef, llvm::StringRef> placeAndMessage(const ptx::Finding &finding) {
  return llvm::StringRef(finding.message).split(": assertion failed: ");
}

static bool isAssumption(const ptx::Finding &finding) {
  return finding.check == ptx::Check::Assertion &&
         placeAndMessage(finding).second.starts_with(lower::falseAssumption);
}

static RunStatus statusOf(const ptx::Machine &machine) {
  if (machine.findings.empty())
    return RunStatus::Succeeded;
  return misbehaved(machine.findings) || llvm::any_of(machine.findings, isAssumption)
             ? RunStatus::Misbehaved
             : RunStatus::Failed;
}

/// As other devices tell it, but for the element that is false: `k.mlir:7: error: block ...`
static std::string failedAssert(const ptx::Finding &finding) {
  const auto [place, message] = placeAndMessage(finding);
  const auto [x, y, z] = finding.cta;
  return llvm::formatv("{0}: error: block ({1}, {2}, {3}): {4}{5}", place, x, y, z,
                       isAssumption(finding) ? "" : "assertion failed: ", message);
}

static void tell(const PreparedRun &run, const PtxCode &code, const ptx::Machine &machine) {
  mlir::MLIRContext context;
  const std::string file = nameOfText(run);
  PtxFindings converter(code.module, file, context);
  std::vector<report::Finding> findings;
  for (const ptx::Finding &finding : machine.findings) {
    if (finding.check == ptx::Check::Assertion)
      run.err << failedAssert(finding) << "\n";
    else
      findings.push_back(converter.convert(finding, *code.entry));
  }
  run.err << api::textOf(findings, machine.unlisted);
}

/// What the other devices execute and this one does not.
static Result<void> verifySupported(const PreparedRun &run) {
  if (run.dependent)
    return Failure{"--dependent: --device ptx runs one entry only"};
  if (llvm::any_of(run.arguments.values, [](const BoundValue &value) { return value.isMulticast; }))
    return Failure{"'multicast:' is not supported by --device ptx"};
  return {};
}

RunStatus tools::runOnPtx(const PreparedRun &run) {
  if (Result<void> supported = verifySupported(run); !supported)
    return run.unusable(supported.failure());
  PtxCode code;
  if (Result<void> compiled = compile(run, code); !compiled)
    return run.failed(compiled.failure());
  ptx::Memory memory;
  loadVariables(code.program, memory);
  std::vector<ptx::Region *> regions;
  ptx::Launch launch{{uint32_t(run.grid.x()), uint32_t(run.grid.y()), uint32_t(run.grid.z())},
                     code.entry->requiredThreads.value_or(std::array<uint32_t, 3>{1, 1, 1}),
                     /*dynamicShared=*/0,
                     load(run, code.module, *code.entry, memory, regions)};
  if (const auto wrong = checkLaunch(code.program, launch))
    return run.failed({*wrong});
  ptx::Machine machine(code.program, memory, launch, run.options.ptx.schedule);
  const Result<int> threads = runtime::defaultThreads();
  if (!threads)
    return run.unusable(threads.failure());
  machine.threads = uint32_t(*threads);
  // The text of a block stays together, and comes in the order of the blocks.
  std::map<std::array<uint32_t, 3>, std::string> printed;
  machine.output = [&](const std::array<uint32_t, 3> &block, std::string_view text) {
    printed[{block[2], block[1], block[0]}] += text;
  };
  Result<std::unique_ptr<PtxWatch>> watch =
      PtxWatch::create(code.program, nameOfText(run), run.options.ptx.watch);
  if (!watch)
    return run.unusable(watch.failure());
  (*watch)->attach(machine);
  execute(machine);
  for (const auto &[block, text] : printed)
    run.out << text;
  if (Result<void> written = (*watch)->finish(machine); !written)
    return run.unusable(written.failure());
  tell(run, code, machine);
  const RunStatus status = statusOf(machine);
  if (status != RunStatus::Succeeded)
    return status;
  for (const auto &[index, region] : llvm::enumerate(regions))
    if (region)
      std::copy(region->bytes.begin(), region->bytes.end(),
                run.arguments.arrays[index].storage().bytes().begin());
  return run.finish();
}
