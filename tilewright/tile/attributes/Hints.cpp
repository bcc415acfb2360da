// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks optimization hints: a dictionary of dictionaries, by target architecture. Its structure is
// always checked. Unknown keys and invalid values are reported according to the dialect's HintMode,
// because hints never change results (types, 9).

#include "tilewright/tile/attributes/Hints.h"
#include "tilewright/tile/attributes/Architectures.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- Text ------------------------------------------------------------------------===//

/// `sm_90 = {latency = 3}`
static ParseResult parseEntry(AsmParser &parser, NamedAttrList &entries) {
  std::string key;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeywordOrString(&key)))
    return parser.emitError(loc) << "expected valid keyword or string";
  if (entries.get(key))
    return parser.emitError(loc) << "duplicate optimization_hints key `" << key << "`";
  Attribute value;
  if (parser.parseEqual() || parser.parseAttribute(value))
    return failure();
  if (!isa<DictionaryAttr>(value))
    return parser.emitError(loc) << "expected dictionary attribute for optimization_hints entry `"
                                 << key << "` got value=" << value;
  entries.append(key, value);
  return success();
}

Attribute OptimizationHintsAttr::parse(AsmParser &parser, Type) {
  NamedAttrList entries;
  // Delimiter::LessGreater would continue after a missing '<'.
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater()))
    if (parser.parseCommaSeparatedList([&] { return parseEntry(parser, entries); }) ||
        parser.parseGreater())
      return {};
  return OptimizationHintsAttr::get(parser.getContext(),
                                    entries.getDictionary(parser.getContext()));
}

LogicalResult OptimizationHintsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                            DictionaryAttr value) {
  for (NamedAttribute entry : value)
    if (!isa<DictionaryAttr>(entry.getValue()))
      return emitError() << "expected dictionary attribute for optimization_hints entry `"
                         << entry.getName().strref() << "` got value=" << entry.getValue();
  return success();
}

void OptimizationHintsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getValue(), printer.getStream(), [&](NamedAttribute entry) {
    printer.printKeywordOrString(entry.getName().strref());
    printer << " = {";
    llvm::interleaveComma(cast<DictionaryAttr>(entry.getValue()), printer.getStream(),
                          [&](NamedAttribute hint) {
                            printer.printKeywordOrString(hint.getName().strref());
                            printer << " = ";
                            printer.printAttributeWithoutType(hint.getValue());
                          });
    printer << "}";
  });
  printer << ">";
}

//===-- Meaning (types, 9.2) -----------------------------------------------------------===//

namespace {
enum class HintKind { Bool, Range, PowerOfTwo };

/// A hint: the operations that may have it, and its values (1 to `limit`).
struct Hint {
  StringRef name;
  bool onEntry, onPointerAccess, onViewAccess;
  HintKind kind;
  int64_t limit;
};
} // namespace

static const Hint hintTable[] = {
    {"num_cta_in_cga", true, false, false, HintKind::PowerOfTwo, 16},
    {"num_worker_warps_per_cta", true, false, false, HintKind::PowerOfTwo, 32},
    {"occupancy", true, false, false, HintKind::Range, 32},
    {"allow_tma", false, false, true, HintKind::Bool, 0},
    {"latency", false, true, true, HintKind::Range, 10},
};

static bool isKnownTarget(StringRef key) {
  return key == "default" || llvm::is_contained(architectures, std::string_view(key));
}

static bool mayStandOn(const Hint &hint, Operation *op) {
  if (isa<EntryOp>(op))
    return hint.onEntry;
  auto access = dyn_cast<MemoryAccessOpInterface>(op);
  return access && !access.isAtomic() &&
         (access.isThroughView() ? hint.onViewAccess : hint.onPointerAccess);
}

/// The problem with one hint; empty if there is none.
static std::string problemOf(Operation *op, StringRef target, NamedAttribute attr) {
  const Hint *hint =
      llvm::find_if(hintTable, [&](const Hint &h) { return h.name == attr.getName().strref(); });
  if (hint == std::end(hintTable) || !mayStandOn(*hint, op))
    return (attr.getName().strref() + " is not known hint for current Operation").str();
  std::string where = (target + "." + hint->name).str();
  if (hint->kind == HintKind::Bool)
    return isa<BoolAttr>(attr.getValue()) ? "" : "boolean value expected for " + where;

  auto integer = dyn_cast<IntegerAttr>(attr.getValue());
  if (!integer || isa<BoolAttr>(attr.getValue()))
    return "integer value expected for " + where;
  const APInt &value = integer.getValue();
  bool inRange = value.isStrictlyPositive() && value.getActiveBits() <= 32 &&
                 int64_t(value.getZExtValue()) <= hint->limit;
  std::string limit = std::to_string(hint->limit);
  if (hint->kind == HintKind::Range)
    return inRange ? "" : "integer value in the range [1, " + limit + "] is expected for " + where;
  if (!inRange || !value.isPowerOf2())
    return "expected power-of-two ≤ " + limit + " for " + where;
  // Targets without thread block clusters.
  if (hint->name == "num_cta_in_cga" && target.starts_with("sm_8") && value != 1)
    return "expected 1 for " + where;
  return "";
}

LogicalResult tile::verifyHints(Operation *op, OptimizationHintsAttr hints) {
  HintMode mode = op->getContext()->getLoadedDialect<TileDialect>()->hintMode;
  if (mode == HintMode::Silent || !hints)
    return success();
  // The warnings have a location but no operation: with an operation, MLIR would print it, verify
  // it for that, and call this function again.
  for (NamedAttribute entry : hints.getValue()) {
    StringRef target = entry.getName();
    bool clean = isKnownTarget(target);
    if (!clean)
      mlir::emitWarning(op->getLoc()) << "unknown hint key " << target;
    for (NamedAttribute hint : cast<DictionaryAttr>(entry.getValue())) {
      std::string problem = problemOf(op, target, hint);
      if (problem.empty())
        continue;
      clean = false;
      mlir::emitWarning(op->getLoc()) << problem;
    }
    if (!clean && mode == HintMode::Error)
      return op->emitOpError() << "Optimization hints verification failed";
  }
  return success();
}

//===-- For a target ------------------------------------------------------------------===//

std::string tile::toString(const HintForTarget &hint) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << hint.architecture << "." << hint.name << " = ";
  if (auto flag = dyn_cast<BoolAttr>(hint.value))
    out << (flag.getValue() ? "true" : "false");
  else if (auto integer = dyn_cast<IntegerAttr>(hint.value))
    out << integer.getValue();
  else
    out << hint.value;
  return text;
}

SmallVector<HintForTarget> tile::hintsOf(Operation *op, StringRef architecture) {
  auto hints = op->getAttrOfType<OptimizationHintsAttr>("optimization_hints");
  if (!hints)
    return {};
  auto own = hints.getValue().getAs<DictionaryAttr>(architecture);
  SmallVector<HintForTarget> all;
  for (NamedAttribute entry : hints.getValue()) {
    StringRef target = entry.getName();
    for (NamedAttribute hint : cast<DictionaryAttr>(entry.getValue())) {
      std::string problem;
      if (!isKnownTarget(target))
        problem = (target + " is no known architecture").str();
      else if (target != "default" && target != architecture)
        problem = ("it is for " + target).str();
      else if (target == "default" && own && own.contains(hint.getName()))
        problem = (architecture + " has a value of its own").str();
      else
        problem = problemOf(op, target, hint);
      all.push_back({target, hint.getName(), hint.getValue(), problem});
    }
  }
  return all;
}

Attribute tile::hintOf(Operation *op, StringRef architecture, StringRef name) {
  for (const HintForTarget &hint : hintsOf(op, architecture))
    if (hint.problem.empty() && hint.name == name)
      return hint.value;
  return {};
}
