// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CostChanges.h.

#include "tilewright/api/estimate/CostChanges.h"
#include "tilewright/api/estimate/Estimate.h"
#include "tilewright/report/Json.h"
#include "tilewright/report/Place.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <map>
#include <optional>
#include <tuple>

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using support::Failure;
using support::Result;
namespace json = llvm::json;

/// What failures call the two documents.
static constexpr char earlier[] = "earlier", later[] = "later";

//===-- Documents ---------------------------------------------------------------------------===//

namespace {
/// The place of a cost in a document: a member, perhaps of a member. Costs of the counters are
/// those of lines as well; others may be of each CTA of a block.
struct Cost {
  const char *what;
  std::vector<const char *> path;
  bool isCounted, isOfCta = false;
};
} // namespace

static const std::vector<Cost> &allCosts() {
  static const std::vector<Cost> costs = {
      {"instructions", {"instructions"}, true},         {"sectors", {"global", "sectors"}, true},
      {"bank_cycles", {"shared", "bank_cycles"}, true}, {"barriers", {"barriers"}, true},
      {"shared_bytes", {"shared_bytes"}, false, true},  {"registers", {"registers"}, false},
      {"spill_bytes", {"spill_bytes"}, false},
  };
  return costs;
}

static const json::Value *valueIn(const json::Object *object, const Cost &cost) {
  for (const char *member : llvm::ArrayRef(cost.path).drop_back())
    object = object ? object->getObject(member) : nullptr;
  return object ? object->get(cost.path.back()) : nullptr;
}

static std::optional<int64_t> costIn(const json::Object *object, const Cost &cost) {
  const json::Value *value = valueIn(object, cost);
  return value ? value->getAsInteger() : std::nullopt;
}

/// The part of a document that has the cost of a whole launch.
static const json::Object *totalsIn(const json::Object &document, const Cost &cost) {
  return cost.isCounted ? document.getObject("counters") : &document;
}

static int64_t ctasIn(const json::Object &document) {
  return document.getInteger("ctas").value_or(0);
}

/// Null in the document: unknown. That of a block is in all of its CTAs.
static std::optional<int64_t> totalIn(const json::Object &document, const Cost &cost) {
  const std::optional<int64_t> total = costIn(totalsIn(document, cost), cost);
  return total && cost.isOfCta ? *total * ctasIn(document) : total;
}

/// The members that say of which launch an estimate is.
static constexpr const char *launchMembers[] = {"kernel", "target", "grid", "blocks"};

static bool isEstimate(const json::Object &document) {
  const json::Object *counters = document.getObject("counters");
  const auto hasTotal = [&](const Cost &cost) {
    const json::Value *value = valueIn(counters, cost);
    return !cost.isCounted || (value && !value->getAsNull());
  };
  return document.getInteger("version") == estimateVersion && ctasIn(document) > 0 &&
         document.getObject("occupancy") && counters && counters->getArray("source_lines") &&
         llvm::all_of(launchMembers, [&](const char *member) { return document.get(member); }) &&
         llvm::all_of(allCosts(), hasTotal);
}

/// A cost that can be counted, or is unknown.
static Result<void> verifyCost(const json::Object *object, const Cost &cost) {
  const json::Value *value = valueIn(object, cost);
  if (!value || value->getAsNull() || value->getAsInteger().value_or(-1) >= 0)
    return {};
  return Failure{
      llvm::formatv("expected '{0}' to be an integer in 0..2^63-1, but got {1}", cost.what, *value)
          .str()};
}

/// `k.py:3`
static std::string placeOf(const json::Object &row) {
  return (row.getString("file").value_or("?") + ":" +
          llvm::Twine(row.getInteger("line").value_or(0)))
      .str();
}

/// Verifies the costs of a launch and of its lines, and that those of all lines have a sum.
static Result<void> verify(const json::Object &document, const Cost &cost) {
  if (Result<void> verified = verifyCost(totalsIn(document, cost), cost); !verified)
    return verified.failure();
  int64_t all = 0, sum = 0;
  if (cost.isOfCta && llvm::MulOverflow(costIn(&document, cost).value_or(0), ctasIn(document), all))
    return Failure{llvm::formatv("the '{0}' of all CTAs are more than 2^63-1", cost.what).str()};
  for (const json::Value &value : *document.getObject("counters")->getArray("source_lines")) {
    const json::Object *row = cost.isCounted ? value.getAsObject() : nullptr;
    if (Result<void> verified = verifyCost(row, cost); !verified)
      return verified.failure().at(placeOf(*row));
    if (llvm::AddOverflow(sum, costIn(row, cost).value_or(0), sum))
      return Failure{llvm::formatv("the '{0}' of all lines are more than 2^63-1", cost.what).str()};
  }
  return {};
}

static Result<json::Object> read(std::string_view text, const char *which) {
  const std::string name = std::string("the ") + which + " estimate";
  Result<json::Value> parsed = report::parseJson(StringRef(text.data(), text.size()));
  if (!parsed)
    return Failure{name + " is not JSON: " + parsed.failure().message};
  json::Object *document = parsed->getAsObject();
  if (!document || !isEstimate(*document))
    return Failure{name + " is not a document of version " + std::to_string(estimateVersion)};
  for (const Cost &cost : allCosts())
    if (Result<void> verified = verify(*document, cost); !verified)
      return verified.failure().at(name);
  return std::move(*document);
}

/// Fails if a member of the launch before is another one in the launch after, if it is there.
static Result<void> compare(const json::Object &before, const json::Object &after) {
  for (const char *member : launchMembers) {
    const json::Value &old = *before.get(member), *now = after.get(member);
    if (now && old != *now)
      return Failure{llvm::formatv("expected the {0} of the estimate before, {1}, but got {2}",
                                   member, old, *now)};
  }
  return {};
}

Result<void> api::verifyEstimate(std::string_view text, std::string_view kernel,
                                 std::string_view target, const runtime::Grid &grid) {
  const Result<json::Object> before = read(text, earlier);
  if (!before)
    return before.failure();
  return compare(*before, json::Object{{"kernel", report::jsonText(kernel)},
                                       {"target", StringRef(target)},
                                       {"grid", json::Array{grid.x(), grid.y(), grid.z()}}});
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

/// Whether a cost is higher by more than the tolerance. Floating-point arithmetic would count 15 %
/// more than 100 as higher than 115.
static bool isHigher(int64_t was, int64_t is, double tolerance) {
  constexpr int64_t whole = 1'000'000'000;
  if (was == 0)
    return is > 0;
  const double billionths = std::round(tolerance * whole);
  // No increase is as large as this.
  if (billionths * double(was) >= 0x1p100)
    return false;
  return __int128(is - was) * whole > __int128(billionths) * was;
}

Result<std::vector<CostIncrease>> api::costIncreases(std::string_view before,
                                                     std::string_view after, double tolerance) {
  if (!(tolerance >= 0))
    return Failure{
        llvm::formatv("expected a tolerance of 0 or more, but got {0}", tolerance).str()};
  const Result<json::Object> old = read(before, earlier), now = read(after, later);
  if (!old || !now)
    return old ? now.failure() : old.failure();
  if (Result<void> same = compare(*old, *now); !same)
    return same.failure();
  std::vector<CostIncrease> increases;
  for (const Cost &cost : allCosts()) {
    const std::optional<int64_t> was = totalIn(*old, cost), is = totalIn(*now, cost);
    if (was && is && isHigher(*was, *is, tolerance))
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
