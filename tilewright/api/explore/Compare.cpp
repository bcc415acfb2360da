// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compare.h. It works on the documents of both versions, and so compares what a reader of them
// sees.

#include "tilewright/api/explore/Compare.h"
#include "tilewright/api/explore/ComparedText.h"
#include "tilewright/api/explore/LinePairs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
/// A member and those in it, from outside: `counters`, `global`, `sectors`.
using Path = std::vector<StringRef>;
} // namespace

/// The number at a path; null if there is none.
static json::Value numberAt(const json::Object *object, llvm::ArrayRef<StringRef> path) {
  for (StringRef name : path.drop_back())
    if (object)
      object = object->getObject(name);
  const json::Value *number = object ? object->get(path.back()) : nullptr;
  return number && number->getAsNumber() ? *number : json::Value(nullptr);
}

static json::Value difference(const json::Value &before, const json::Value &after) {
  if (const auto a = before.getAsInteger(), b = after.getAsInteger(); a && b)
    return *b - *a;
  if (const auto a = before.getAsNumber(), b = after.getAsNumber(); a && b)
    return *b - *a;
  return nullptr;
}

//===-- Lines -------------------------------------------------------------------------------===//

/// If both versions have the same text, the kernels in it, else all of both texts.
static std::vector<Hunk> hunksOf(const ComparedText &before, const ComparedText &after) {
  LineRange a{0, before.lines().size()}, b{0, after.lines().size()};
  if (before.lines() == after.lines())
    a = before.kernel(), b = after.kernel();
  std::vector<Hunk> hunks =
      diffLines(before.lines().slice(a.first, a.count), after.lines().slice(b.first, b.count));
  for (Hunk &hunk : hunks)
    hunk.before.first += a.first, hunk.after.first += b.first;
  return hunks;
}

/// Lines count from 1 in documents.
static json::Value numberOf(const std::optional<size_t> &line) {
  return line ? json::Value(int64_t(*line + 1)) : json::Value(nullptr);
}

/// Pairs of lines, or of none.
static json::Array pairsAsJson(llvm::ArrayRef<LinePair> pairs) {
  json::Array rows;
  for (const LinePair &pair : pairs)
    rows.push_back(json::Array{numberOf(pair.before), numberOf(pair.after)});
  return rows;
}

static json::Array linesAsJson(llvm::ArrayRef<LinePair> pairs, const ComparedText &before,
                               const ComparedText &after) {
  static const std::pair<StringRef, Path> members[] = {
      {"executions", {"executions"}},
      {"instructions", {"counters", "instructions"}},
      {"sectors", {"counters", "global", "sectors"}},
      {"bank_cycles", {"counters", "shared", "bank_cycles"}},
      {"barriers", {"counters", "barriers"}},
      {"copied_bytes", {"counters", "copied_bytes"}}};
  json::Array rows;
  for (const LinePair &pair : pairs) {
    const json::Object *a = pair.before ? before.figuresOf(*pair.before) : nullptr;
    const json::Object *b = pair.after ? after.figuresOf(*pair.after) : nullptr;
    if (!a && !b)
      continue;
    json::Object row{{"before", numberOf(pair.before)},
                     {"after", numberOf(pair.after)},
                     {"equal", pair.isEqual}};
    for (const auto &[name, path] : members)
      row[name] = json::Array{numberAt(a, path), numberAt(b, path)};
    rows.push_back(std::move(row));
  }
  return rows;
}

//===-- Findings ----------------------------------------------------------------------------===//

/// What a finding of one version has in common with the same one of the other version. `lineOf`
/// gives the line of its location in both texts, as text.
template <typename LineOf> static std::string keyOf(const json::Object &finding, LineOf lineOf) {
  std::string key;
  for (const char *member : {"device", "kind", "check", "operation", "array"})
    key += finding.getString(member).value_or("").str() + "\n";
  return key + lineOf(*finding.getObject("location"));
}

static std::string rawPlaceOf(const json::Object &location) {
  std::string place = location.getString("file").value_or("").str();
  for (const char *member : {"line", "byte"})
    place += ":" + std::to_string(location.getInteger(member).value_or(0));
  return place;
}

/// The indices of the findings that are not among the others.
static json::Array missingIn(llvm::ArrayRef<std::string> keys, llvm::ArrayRef<std::string> others) {
  llvm::StringSet<> known;
  for (const std::string &key : others)
    known.insert(key);
  json::Array indices;
  for (auto [index, key] : llvm::enumerate(keys))
    if (!known.contains(key))
      indices.push_back(int64_t(index));
  return indices;
}

static json::Object compareFindings(const json::Object &before, const json::Object &after,
                                    const ComparedText &textBefore, const ComparedText &textAfter,
                                    llvm::ArrayRef<LinePair> pairs) {
  std::map<size_t, size_t> rowBefore, rowAfter;
  for (auto [row, pair] : llvm::enumerate(pairs)) {
    if (pair.before)
      rowBefore[*pair.before] = row;
    if (pair.after)
      rowAfter[*pair.after] = row;
  }
  const auto keysOf = [](const json::Object &document, const ComparedText &text,
                         const std::map<size_t, size_t> &rows) {
    std::vector<std::string> keys;
    for (const json::Value &finding : *document.getArray("findings"))
      keys.push_back(keyOf(*finding.getAsObject(), [&](const json::Object &location) {
        const std::optional<size_t> line = text.lineOf(location);
        const auto row = line ? rows.find(*line) : rows.end();
        return row == rows.end() ? rawPlaceOf(location) : std::to_string(row->second);
      }));
    return keys;
  };
  const std::vector<std::string> a = keysOf(before, textBefore, rowBefore);
  const std::vector<std::string> b = keysOf(after, textAfter, rowAfter);
  return json::Object{{"new", missingIn(b, a)}, {"gone", missingIn(a, b)}};
}

//===-- Totals ------------------------------------------------------------------------------===//

/// Member of `totals`, by name.
static const std::pair<StringRef, Path> totalMembers[] = {
    {"instructions", {"counters", "instructions"}},
    {"sectors", {"counters", "global", "sectors"}},
    {"ideal_sectors", {"counters", "global", "ideal_sectors"}},
    {"bank_cycles", {"counters", "shared", "bank_cycles"}},
    {"ideal_bank_cycles", {"counters", "shared", "ideal_bank_cycles"}},
    {"barriers", {"counters", "barriers"}},
    {"copied_bytes", {"counters", "copied_bytes"}},
    {"threads", {"cost", "threads"}},
    {"registers", {"cost", "registers"}},
    {"spill_bytes", {"cost", "spill_bytes"}},
    {"shared_bytes", {"cost", "shared_bytes"}},
    {"floating_point_operations", {"cost", "floating_point_operations"}},
    {"intensity", {"cost", "intensity"}}};

static json::Object totalOf(StringRef name, json::Value before, json::Value after) {
  json::Value change = difference(before, after);
  return json::Object{{"name", name},
                      {"before", std::move(before)},
                      {"after", std::move(after)},
                      {"change", std::move(change)}};
}

static json::Value findingCount(const json::Object &document) {
  int64_t count = int64_t(document.getArray("findings")->size());
  for (const auto &[name, device] : *document.getObject("devices"))
    count += device.getAsObject()->getInteger("unlisted_findings").value_or(0);
  return count;
}

static json::Value operationCount(const json::Object &document) {
  int64_t count = 0;
  for (const json::Value &operation : *document.getArray("operations"))
    count += *operation.getAsObject()->getInteger("count");
  return count;
}

/// On the GPU that the kernel is compiled for.
static json::Value occupancyIn(const json::Object &document) {
  for (const json::Value &row : *document.getObject("cost")->getArray("occupancy"))
    if (row.getAsObject()->getString("sm") == document.getString("target"))
      return numberAt(row.getAsObject(), {"share"});
  return nullptr;
}

static json::Array totalsOf(const json::Object &before, const json::Object &after) {
  json::Array totals{totalOf("findings", findingCount(before), findingCount(after)),
                     totalOf("operations", operationCount(before), operationCount(after))};
  for (const auto &[name, path] : totalMembers)
    totals.push_back(totalOf(name, numberAt(&before, path), numberAt(&after, path)));
  totals.push_back(totalOf("occupancy", occupancyIn(before), occupancyIn(after)));
  return totals;
}

//===-- The comparison ----------------------------------------------------------------------===//

static json::Array compareResults(llvm::ArrayRef<ArrayResult> before,
                                  llvm::ArrayRef<ArrayResult> after) {
  json::Array rows;
  for (const auto &[a, b] : llvm::zip_equal(before, after))
    rows.push_back(differencesOf(a, b));
  return rows;
}

/// The members of the other document that a comparison shows.
static json::Object shortened(json::Object members) {
  json::Object kept;
  for (const char *name :
       {"kernel", "sources", "program", "devices", "lines", "findings", "counters", "cost"})
    kept[name] = std::move(members[name]);
  return kept;
}

json::Object api::comparisonOf(ExploredVersion &before, const ExploredVersion &after) {
  const json::Object &documentAfter = after.members;
  json::Object comparison;
  {
    const json::Object &documentBefore = before.members;
    const ComparedText a(documentBefore), b(documentAfter);
    const std::vector<Hunk> hunks = hunksOf(a, b);
    const std::vector<LinePair> pairs = pairLines(hunks, a.lines(), b.lines());
    comparison =
        json::Object{{"text", json::Object{{"before", a.source()}, {"after", b.source()}}},
                     {"pairs", pairsAsJson(pairs)},
                     {"lines", linesAsJson(pairs, a, b)},
                     {"findings", compareFindings(documentBefore, documentAfter, a, b, pairs)},
                     {"arrays", compareResults(before.results, after.results)},
                     {"totals", totalsOf(documentBefore, documentAfter)}};
  }
  comparison["other"] = shortened(std::move(before.members));
  return comparison;
}
