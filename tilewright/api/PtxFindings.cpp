// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PtxFindings.h.

#include "tilewright/api/PtxFindings.h"
#include "tilewright/lower/Passes.h"
#include "tilewright/reference/machine/Checks.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::api;
using report::Related;
using report::Rule;

static llvm::StringRef refOf(std::string_view text) { return {text.data(), text.size()}; }

static constexpr const char *inSource = "in the source", *inPtx = "in the PTX text";

llvm::ArrayRef<Rule> api::ptxRules() {
  static const std::vector<Rule> rows = [] {
    std::vector<Rule> all;
    for (const ptx::Rule &row : ptx::rules())
      all.push_back({refOf(row.id), refOf(row.summary), refOf(row.section), refOf(row.help)});
    all.push_back({"unsupported", "the PTX machine supports what the kernel does"});
    return all;
  }();
  return rows;
}

llvm::ArrayRef<Rule> api::ptxRulesAtSource() {
  static const std::vector<Rule> rows = [] {
    std::vector<Rule> all = ptxRules().vec();
    all.push_back(reference::ruleOf(reference::Check::Assert));
    all.push_back(reference::ruleOf(reference::Check::Assumption));
    return all;
  }();
  return rows;
}

//===-- Places ------------------------------------------------------------------------------===//

mlir::Location PtxFindings::at(ptx::Place place) const {
  return mlir::FileLineColLoc::get(&context, file, place.line, place.column);
}

mlir::Location PtxFindings::at(ptx::Site site) const {
  const ptx::Function &function = module.functions[site.function];
  const bool isEnd = site.instruction >= function.body.size();
  return at(isEnd ? function.place : function.body[site.instruction].place);
}

void PtxFindings::addSource(ptx::Site site, std::vector<Related> &related) const {
  const ptx::Function &function = module.functions[site.function];
  if (site.instruction >= function.body.size())
    return;
  bool isInlined = false;
  for (uint32_t number = function.body[site.instruction].source; number;) {
    const ptx::SourceLine &line = module.lines[number - 1];
    const llvm::StringRef name = refOf(module.fileName(line.file));
    if (!name.empty() && line.line)
      related.push_back({mlir::FileLineColLoc::get(&context, name, line.line, line.column),
                         isInlined ? "inlined here" : inSource});
    isInlined = true;
    number = line.inlinedAt;
  }
}

//===-- Findings ----------------------------------------------------------------------------===//

static std::string operationAt(const ptx::Module &module, ptx::Site site) {
  const ptx::Function &function = module.functions[site.function];
  return site.instruction < function.body.size() ? spell(function.body[site.instruction]) : "ret";
}

/// The suffix of a message about a finding that several instructions of one line have in common.
static std::string whereElse(const ptx::Finding &finding) {
  const size_t count = finding.instructions.size();
  if (count < 2)
    return "";
  return llvm::formatv(", at {0} {1}", count,
                       finding.related.empty() ? "instructions" : "pairs of instructions");
}

report::Finding PtxFindings::convert(const ptx::Finding &finding,
                                     const ptx::Function &entry) const {
  const auto kind = finding.check == ptx::Check::StepLimit   ? report::FindingKind::StepLimit
                    : finding.check == ptx::Check::Assertion ? report::FindingKind::FailedAssert
                                                             : report::FindingKind::Misbehaviour;
  const std::string operation = operationAt(module, finding.site);
  const auto [x, y, z] = finding.cta;
  std::string message = llvm::formatv("block ({0}, {1}, {2}), thread {3}: {4}: {5}", x, y, z,
                                      finding.thread, operation, finding.message);
  if (finding.count > 1)
    message += llvm::formatv(" ({0} times{1})", finding.count, whereElse(finding));
  report::Finding converted{kind, at(finding.site), message};
  if (kind == report::FindingKind::Misbehaviour)
    converted.rule = &ptxRules()[size_t(finding.check)];
  converted.kernel = entry.name;
  converted.block = {0, int32_t(x), int32_t(y), int32_t(z)};
  converted.thread = finding.thread;
  converted.operation = operation;
  converted.array = finding.memory;
  addSource(finding.site, converted.related);
  for (const ptx::RelatedSite &other : finding.related) {
    converted.related.push_back({at(other.site), other.message});
    addSource(other.site, converted.related);
  }
  return converted;
}

/// Swaps each place in the PTX text with the source line that `addSource` added after it.
static void putSourceFirst(report::Finding &converted) {
  mlir::Location *previous = &converted.location;
  for (Related &related : converted.related) {
    if (related.message == inSource) {
      std::swap(*previous, related.location);
      related.message = inPtx;
    }
    previous = &related.location;
  }
}

/// The machine reports `FILE:LINE: assertion failed: MESSAGE`. If the compiler generated the
/// assertion to check an assumption, the message names the assumption.
report::Finding PtxFindings::failedAssert(const ptx::Finding &finding,
                                          const ptx::Function &entry) const {
  const llvm::StringRef message =
      llvm::StringRef(finding.message).split(": assertion failed: ").second;
  const bool isAssumption = lower::isFalseAssumption(message);
  const auto [x, y, z] = finding.cta;
  report::Finding converted{isAssumption ? report::FindingKind::Misbehaviour
                                         : report::FindingKind::FailedAssert,
                            at(finding.site),
                            llvm::formatv("block ({0}, {1}, {2}): {3}{4}", x, y, z,
                                          isAssumption ? "" : "assertion failed: ", message)};
  converted.rule =
      &reference::ruleOf(isAssumption ? reference::Check::Assumption : reference::Check::Assert);
  converted.kernel = entry.name;
  converted.block = {0, int32_t(x), int32_t(y), int32_t(z)};
  converted.thread = finding.thread;
  converted.operation = isAssumption ? "assume" : "assert";
  addSource(finding.site, converted.related);
  putSourceFirst(converted);
  return converted;
}

report::Finding PtxFindings::convertAtSource(const ptx::Finding &finding,
                                             const ptx::Function &entry) const {
  if (finding.check == ptx::Check::Assertion)
    return failedAssert(finding, entry);
  report::Finding converted = convert(finding, entry);
  putSourceFirst(converted);
  return converted;
}

report::Finding PtxFindings::refusal(const ptx::Refusal &refusal,
                                     const ptx::Function &entry) const {
  report::Finding converted{report::FindingKind::Unsupported, at(refusal.place), refusal.message};
  converted.kernel = entry.name;
  return converted;
}

std::string api::textOf(llvm::ArrayRef<report::Finding> findings, uint64_t unlisted) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const report::Finding &finding : findings)
    out << toString(finding) << "\n";
  for (const report::Rule &rule : ptxRules())
    if (!rule.help.empty() &&
        llvm::any_of(findings, [&](const auto &finding) { return finding.rule == &rule; }))
      out << "help: " << rule.id << ": " << rule.help << "\n";
  if (unlisted)
    out << "... and " << unlisted << " more\n";
  return text;
}

bool api::misbehaved(llvm::ArrayRef<ptx::Finding> findings) {
  return llvm::any_of(findings, [](const ptx::Finding &finding) {
    return finding.check != ptx::Check::StepLimit && finding.check != ptx::Check::Assertion;
  });
}
