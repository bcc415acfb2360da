// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Uses.h"
#include "tilewright/support/Shape.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::Twine;

/// The finding that an operation uses an undefined element of a value.
static Finding undefinedUse(const TileBlock &block, mlir::Operation *op, mlir::Value value,
                            int64_t element, const Twine &use) {
  std::string where = support::coordinateText(block.tile(value).shape(), element);
  Finding made = block.finding(FindingKind::Misbehaviour, op,
                               nameOf(op) + ": " + use + " is undefined" +
                                   (where.empty() ? "" : ", element " + where));
  made.rule = &ruleOf(Check::Undefined);
  made.element = where;
  explain(block, made, value, element);
  return made;
}

LogicalResult reference::requireDefined(TileBlock &block, mlir::Operation *op, mlir::Value value,
                                        const Twine &use) {
  std::optional<int64_t> poison = block.tile(value).firstPoison();
  return llvm::success(!poison || block.reportFatal(undefinedUse(block, op, value, *poison, use)));
}

/// Marked elements at one use may have several origins, each of which is worth a finding, but not
/// thousands of them.
static constexpr unsigned mostReportsOfUse = 16;
/// Millions of elements may have an origin that is not reported, each of which is searched for.
static constexpr unsigned mostDroppedOfUse = 1 << 16;

/// The key of reports that were dropped, beside that of reports.
static std::pair<mlir::Operation *, unsigned> droppedUse(mlir::Operation *op, Check check) {
  constexpr unsigned mostChecks = 1 << 16;
  return {op, mostChecks + unsigned(check)};
}

bool reference::shouldReportUse(const TileBlock &block, mlir::Operation *op, Check check) {
  // If the check itself is disabled, only marks that arithmetic made are reported, under another
  // check.
  return (block.launch().options.checks.has(check) || !block.poisonSources.empty()) &&
         !block.launch().isReported(op, check) &&
         block.launch().reportedUses.lookup({op, unsigned(check)}) < mostReportsOfUse &&
         block.launch().reportedUses.lookup(droppedUse(op, check)) < mostDroppedOfUse;
}

bool reference::isUseReported(const TileBlock &block, mlir::Operation *op, Check check) {
  return block.launch().isReported(op, check) ||
         block.launch().reportedUses.contains({op, unsigned(check)});
}

bool reference::reportUse(TileBlock &block, mlir::Operation *op, Check check, Finding finding) {
  bool isReported = block.reportOnce(std::move(finding));
  const std::pair<mlir::Operation *, unsigned> reported = {op, unsigned(check)};
  ++block.launch().reportedUses[isReported ? reported : droppedUse(op, check)];
  return isReported;
}

void reference::expectDefined(TileBlock &block, mlir::Operation *op, mlir::Value value,
                              const Twine &use) {
  std::optional<int64_t> poison = block.tile(value).firstPoison();
  if (poison && shouldReportUse(block, op, Check::Undefined))
    reportUse(block, op, Check::Undefined, undefinedUse(block, op, value, *poison, use));
}

void reference::reportOutput(TileBlock &block, mlir::Operation *op, mlir::Value value,
                             int64_t element, Mark mark,
                             llvm::function_ref<Finding(llvm::StringRef kind)> makeFinding) {
  bool isUndefined = mark == Mark::Undefined;
  Check check = isUndefined ? Check::Undefined : Check::Unspecified;
  if (!shouldReportUse(block, op, check))
    return;
  Finding made = makeFinding(isUndefined ? "undefined" : "unspecified");
  made.rule = &ruleOf(check);
  if (!isUndefined)
    made.kind = FindingKind::UnspecifiedValue;
  explain(block, made, value, element, mark);
  reportUse(block, op, check, std::move(made));
}
