// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of TilewrightPtx.h: run a PTX kernel on the caller's memory, and return findings
// and counters.

#include "tilewright/api/PtxKernel.h"
#include "tilewright/api/TilewrightPtx.h"
#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Failure;
using support::Result;

struct twPtxModule {
  api::PtxModule module;
  std::vector<std::string> entries;
};

struct twPtxResult {
  api::PtxResult result;
  bool hasCounts;
  api::PtxModule module;          ///< The counters of lines point into it.
  std::vector<std::string> files; ///< Null-terminated, one per source line.
};

//===-- PTX text ----------------------------------------------------------------------------===//

twStatus twPtxModuleRead(const char *text, size_t length, const char *file, twPtxModule **module,
                         twDiagnostics **diagnostics) {
  if (module)
    *module = nullptr;
  if (!module)
    return wrongUsage("twPtxModuleRead: there is no place for the module", diagnostics);
  if (!text)
    return wrongUsage("twPtxModuleRead: the text is null", diagnostics);
  api::Diagnostics all;
  auto made = api::PtxModule::read(std::string(text, length), file ? file : "ptx", all);
  const bool isValid = made.has_value();
  report(std::move(all), diagnostics);
  if (!isValid)
    return TW_INVALID;
  std::vector<std::string> entries = made->entries();
  *module = new twPtxModule{std::move(*made), std::move(entries)};
  return TW_SUCCESS;
}

void twPtxModuleDestroy(twPtxModule *module) { delete module; }

size_t twPtxModuleEntryCount(const twPtxModule *module) {
  return module ? module->entries.size() : 0;
}

const char *twPtxModuleEntryName(const twPtxModule *module, size_t index) {
  return index < twPtxModuleEntryCount(module) ? module->entries[index].c_str() : nullptr;
}

//===-- Running -----------------------------------------------------------------------------===//

static std::array<uint32_t, 3> extentsOf(const uint32_t (&given)[3]) {
  std::array<uint32_t, 3> extents;
  for (size_t dim = 0; dim < 3; ++dim)
    extents[dim] = std::max(given[dim], 1u);
  return extents;
}

static Result<ptx::Order> orderOf(twPtxOrder order) {
  switch (unsigned(order)) {
  case 0:
  case TW_PTX_UP:
    return ptx::Order::Up;
  case TW_PTX_DOWN:
    return ptx::Order::Down;
  case TW_PTX_RANDOM:
    return ptx::Order::Random;
  }
  return Failure{"the order " + std::to_string(unsigned(order)) + " is unknown"};
}

static Result<api::PtxLaunchOptions> optionsOf(const twPtxOptions *options) {
  Result<twPtxOptions> given = readStruct(options, "options");
  if (!given)
    return given.failure();
  Result<ptx::Order> order = orderOf(given->order);
  if (!order)
    return order.failure();
  api::PtxLaunchOptions known;
  known.grid = extentsOf(given->grid);
  known.block = extentsOf(given->block);
  if (given->cluster[0] || given->cluster[1] || given->cluster[2])
    known.cluster = extentsOf(given->cluster);
  known.dynamicShared = given->dynamicShared;
  known.schedule.order = *order;
  known.schedule.seed = given->seed;
  known.schedule.quantum = given->quantum;
  if (given->maxSteps)
    known.schedule.stepLimit = given->maxSteps;
  if (given->checks)
    known.checks = given->checks;
  known.counts = given->counts != 0;
  if (given->print)
    known.output = [print = given->print, context = given->printContext](std::string_view text) {
      print(context, text.data(), text.size());
    };
  return known;
}

static Result<std::vector<api::PtxArgument>> argumentsOf(const twPtxArgument *arguments,
                                                         size_t count) {
  if (!arguments && count)
    return Failure{"the arguments are null"};
  std::vector<api::PtxArgument> all;
  for (size_t i = 0; i < count; ++i)
    all.push_back({arguments[i].memory, arguments[i].bytes, arguments[i].isValue == 0,
                   arguments[i].isUninitialised == 0});
  return all;
}

static std::string textOf(const api::PtxResult &result) {
  std::string text;
  for (const api::Finding &finding : result.findings)
    text += finding.text + "\n";
  if (result.unlistedFindings)
    text += "... and " + std::to_string(result.unlistedFindings) + " more\n";
  return text;
}

static twStatus statusOf(const api::PtxResult &result) {
  if (result.findings.empty())
    return TW_SUCCESS;
  return result.misbehaved ? TW_MISBEHAVED : TW_FAILED;
}

twStatus twPtxRun(const twPtxModule *module, const char *entry, const twPtxOptions *options,
                  const twPtxArgument *arguments, size_t argumentCount, twPtxResult **result,
                  twDiagnostics **diagnostics) {
  if (result)
    *result = nullptr;
  const auto wrong = [&](const std::string &why) {
    return wrongUsage("twPtxRun: " + why, diagnostics);
  };
  if (!module || !entry || !result)
    return wrong(!module  ? "the module is null"
                 : !entry ? "the entry is null"
                          : "there is no place for the result");
  Result<api::PtxLaunchOptions> known = optionsOf(options);
  if (!known)
    return wrong(known.failure().message);
  Result<std::vector<api::PtxArgument>> all = argumentsOf(arguments, argumentCount);
  if (!all)
    return wrong(all.failure().message);
  api::Diagnostics found;
  auto ran = api::runPtx(module->module, entry, *known, *all, found);
  if (!ran)
    return wrong(ran.failure().message);
  if (!*ran) {
    report(std::move(found), diagnostics);
    return TW_INVALID;
  }
  const twStatus status = statusOf(**ran);
  report({{}, textOf(**ran)}, diagnostics);
  std::vector<std::string> files;
  for (const ptx::LineCounts &line : (*ran)->sourceLines)
    files.emplace_back(line.file);
  *result = new twPtxResult{std::move(**ran), known->counts, module->module, std::move(files)};
  return status;
}

void twPtxResultDestroy(twPtxResult *result) { delete result; }

uint64_t twPtxResultSteps(const twPtxResult *result) { return result ? result->result.steps : 0; }

//===-- Findings ----------------------------------------------------------------------------===//

size_t twPtxResultFindingCount(const twPtxResult *result) {
  return result ? result->result.findings.size() : 0;
}

uint64_t twPtxResultUnlistedFindings(const twPtxResult *result) {
  return result ? result->result.unlistedFindings : 0;
}

twStatus twPtxResultFinding(const twPtxResult *result, size_t index, twFinding *finding) {
  if (!finding || index >= twPtxResultFindingCount(result))
    return TW_USAGE;
  return fillFinding(result->result.findings[index], finding);
}

int64_t twPtxResultFindingThread(const twPtxResult *result, size_t index) {
  return index < twPtxResultFindingCount(result) ? int64_t(result->result.threads[index]) : -1;
}

//===-- Counters ----------------------------------------------------------------------------===//

static twStatus fillCounts(const ptx::Counts &counts, const char *file, uint32_t line,
                           const char *instruction, twPtxCounts *given) {
  twPtxCounts known = {};
  known.file = file;
  known.line = line;
  known.instruction = instruction;
  known.instructions = counts.executions;
  known.globalAccesses = counts.global.accesses;
  known.sectors = counts.global.units;
  known.idealSectors = counts.global.idealUnits;
  known.sharedAccesses = counts.shared.accesses;
  known.bankCycles = counts.shared.units;
  known.idealBankCycles = counts.shared.idealUnits;
  known.barriers = counts.barriers;
  known.copiedBytes = counts.asyncBytes;
  return fillStruct(given, known);
}

twStatus twPtxResultTotal(const twPtxResult *result, twPtxCounts *counts) {
  if (!result || !counts || !result->hasCounts)
    return TW_USAGE;
  return fillCounts(result->result.total, "", 0, "", counts);
}

size_t twPtxResultLineCount(const twPtxResult *result, twPtxLines lines) {
  if (!result)
    return 0;
  return lines == TW_PTX_SOURCE_LINES ? result->result.sourceLines.size()
         : lines == TW_PTX_TEXT_LINES ? result->result.textLines.size()
                                      : 0;
}

twStatus twPtxResultLine(const twPtxResult *result, twPtxLines lines, size_t index,
                         twPtxCounts *counts) {
  if (!counts || index >= twPtxResultLineCount(result, lines))
    return TW_USAGE;
  if (lines == TW_PTX_SOURCE_LINES) {
    const ptx::LineCounts &line = result->result.sourceLines[index];
    return fillCounts(line.counts, result->files[index].c_str(), line.line, "", counts);
  }
  const ptx::LineCounts &line = result->result.textLines[index];
  return fillCounts(line.counts, "", line.line, line.instruction.c_str(), counts);
}
