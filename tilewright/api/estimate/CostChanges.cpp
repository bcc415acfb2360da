// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CostChanges.h.

#include "tilewright/api/estimate/CostChanges.h"
#include "tilewright/api/estimate/Estimate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <map>
#include <optional>
#include <tuple>

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using support::Failure;
using support::Result;
namespace json = llvm::json;

//===-- Documents ---------------------------------------------------------------------------===//

namespace {
/// The place of a cost in a document: a member, perhaps of a member. Costs of the counters are
/// those of lines as well.
struct Cost {
  const char *what;
  std::vector<const char *> path;
  bool isCounted;
};
} // namespace

static const std::vector<Cost> &allCosts() {
  static const std::vector<Cost> costs = {
      {"instructions", {"instructions"}, true},         {"sectors", {"global", "sectors"}, true},
      {"bank_cycles", {"shared", "bank_cycles"}, true}, {"barriers", {"barriers"}, true},
      {"shared_bytes", {"shared_bytes"}, false},        {"registers", {"registers"}, false},
      {"spill_bytes", {"spill_bytes"}, false},
  };
  return costs;
}

static std::optional<int64_t> costIn(const json::Object *object, const Cost &cost) {
  for (const char *member : llvm::ArrayRef(cost.path).drop_back())
    object = object ? object->getObject(member) : nullptr;
  return object ? object->getInteger(cost.path.back()) : std::nullopt;
}

/// The cost of a whole launch. Null in the document: unknown.
static std::optional<int64_t> totalIn(const json::Object &document, const Cost &cost) {
  return costIn(cost.isCounted ? document.getObject("counters") : &document, cost);
}

static bool isEstimate(const json::Object &document) {
  const json::Object *counters = document.getObject("counters");
  return document.getInteger("version") == estimateVersion && document.getObject("occupancy") &&
         counters && counters->getArray("source_lines") &&
         llvm::all_of(allCosts(),
                      [&](const Cost &cost) { return !cost.isCounted || totalIn(document, cost); });
}

static Result<json::Object> read(std::string_view text, const char *which) {
  llvm::Expected<json::Value> parsed = json::parse(StringRef(text.data(), text.size()));
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
  } else if (json::Object *document = parsed->getAsObject(); document && isEstimate(*document)) {
    return std::move(*document);
  }
  return Failure{
      llvm::formatv("the {0} estimate is not a document of version {1}", which, estimateVersion)
          .str()};
}

static std::string textOf(const json::Value *value) {
  return value ? llvm::formatv("{0}", *value).str() : "none";
}

/// Fails if the launches differ.
static Result<void> compare(const json::Object &before, const json::Object &after) {
  for (const char *member : {"target", "grid", "blocks"}) {
    const json::Value *old = before.get(member), *now = after.get(member);
    if (textOf(old) != textOf(now))
      return Failure{llvm::formatv("expected the {0} of the estimate before, {1}, but got {2}",
                                   member, textOf(old), textOf(now))};
  }
  return {};
}

//===-- Increases ---------------------------------------------------------------------------===//

using Line = std::pair<std::string, int64_t>;

static std::map<Line, int64_t> linesIn(const json::Object &document, const Cost &cost) {
  std::map<Line, int64_t> lines;
  for (const json::Value &value : *document.getObject("counters")->getArray("source_lines")) {
    const json::Object *row = value.getAsObject();
    const std::optional<int64_t> number = row ? row->getInteger("line") : std::nullopt;
    const std::optional<StringRef> file = row ? row->getString("file") : std::nullopt;
    if (number && file)
      lines[{llvm::sys::path::filename(*file).str(), *number}] += costIn(row, cost).value_or(0);
  }
  return lines;
}

static std::vector<LineCosts> grownLines(const json::Object &before, const json::Object &after,
                                         const Cost &cost) {
  std::vector<LineCosts> grown;
  if (!cost.isCounted)
    return grown;
  std::map<Line, int64_t> old = linesIn(before, cost);
  for (const auto &[line, now] : linesIn(after, cost))
    if (now > old[line])
      grown.push_back({line.first, line.second, old[line], now});
  llvm::sort(grown, [](const LineCosts &a, const LineCosts &b) {
    return std::tuple(b.after - b.before, a.file, a.line) <
           std::tuple(a.after - a.before, b.file, b.line);
  });
  return grown;
}

Result<std::vector<CostIncrease>> api::costIncreases(std::string_view before,
                                                     std::string_view after, double tolerance) {
  if (!(tolerance >= 0))
    return Failure{
        llvm::formatv("expected a tolerance of 0 or more, but got {0}", tolerance).str()};
  const Result<json::Object> old = read(before, "earlier"), now = read(after, "later");
  if (!old || !now)
    return old ? now.failure() : old.failure();
  if (Result<void> same = compare(*old, *now); !same)
    return same.failure();
  std::vector<CostIncrease> increases;
  for (const Cost &cost : allCosts()) {
    const std::optional<int64_t> was = totalIn(*old, cost), is = totalIn(*now, cost);
    if (was && is && double(*is) > double(*was) * (1 + tolerance))
      increases.push_back({cost.what, *was, *is, grownLines(*old, *now, cost)});
  }
  return increases;
}

std::string api::asJson(const std::vector<CostIncrease> &increases) {
  json::Array rows;
  for (const CostIncrease &increase : increases) {
    json::Array lines;
    for (const LineCosts &line : increase.lines)
      lines.push_back(json::Object{{"file", line.file},
                                   {"line", line.line},
                                   {"before", line.before},
                                   {"after", line.after}});
    rows.push_back(json::Object{{"what", increase.what},
                                {"before", increase.before},
                                {"after", increase.after},
                                {"lines", std::move(lines)}});
  }
  return llvm::formatv("{0}", json::Value(std::move(rows))).str();
}
