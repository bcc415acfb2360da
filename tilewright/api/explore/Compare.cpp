// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compare.h. It works on the documents of both versions, and so compares what a reader of them
// sees.

#include "tilewright/api/explore/Compare.h"
#include "tilewright/api/explore/ComparedText.h"
#include "tilewright/api/explore/LinePairs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <set>

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

namespace {
/// In bytecode without debug information, the offsets of findings of one kind. Changes move them,
/// but rarely change their order.
using Offsets = std::map<std::string, std::set<int64_t>>;

/// Gives the findings of a version keys that they share with those of the other version.
class FindingKeys {
public:
  /// `rows` are the lines of the text that are in the comparison, and the numbers of their pairs.
  FindingKeys(const json::Object &document, const json::Object &other, const ComparedText &text,
              const std::map<size_t, size_t> &rows);

  std::vector<std::string> all;

private:
  std::string keyOf(const json::Object &finding) const;
  std::string placeOf(const std::string &kind, const json::Object &location) const;
  std::string numberOf(const std::string &kind, int64_t offset) const;

  const ComparedText &text;
  const std::map<size_t, size_t> &rows;
  StringRef program;
  Offsets offsets, offsetsOfOther;
};
} // namespace

/// The end of the keys of findings of which it is unknown whether the other version has them.
static constexpr StringRef unmatched = "unmatched";

/// All but the place.
static std::string kindOf(const json::Object &finding) {
  std::string kind;
  for (const char *member : {"device", "kind", "check", "operation", "array"})
    kind += finding.getString(member).value_or("").str() + "\n";
  return kind;
}

static Offsets offsetsOf(const json::Object &document) {
  Offsets offsets;
  for (const json::Value &value : *document.getArray("findings")) {
    const json::Object &finding = *value.getAsObject();
    if (const auto byte = finding.getObject("location")->getInteger("byte"))
      offsets[kindOf(finding)].insert(*byte);
  }
  return offsets;
}

FindingKeys::FindingKeys(const json::Object &document, const json::Object &other,
                         const ComparedText &text, const std::map<size_t, size_t> &rows)
    : text(text), rows(rows),
      program(*(*document.getArray("sources"))[0].getAsObject()->getString("file")),
      offsets(offsetsOf(document)), offsetsOfOther(offsetsOf(other)) {
  for (const json::Value &finding : *document.getArray("findings"))
    all.push_back(keyOf(*finding.getAsObject()));
}

std::string FindingKeys::keyOf(const json::Object &finding) const {
  std::string kind = kindOf(finding);
  return kind + placeOf(kind, *finding.getObject("location"));
}

/// The program's file may have another name in the other version.
std::string FindingKeys::placeOf(const std::string &kind, const json::Object &location) const {
  const std::optional<size_t> line = text.lineOf(location);
  if (const auto row = line ? rows.find(*line) : rows.end(); row != rows.end())
    return "row " + std::to_string(row->second);
  if (const auto byte = location.getInteger("byte"))
    return numberOf(kind, *byte);
  const StringRef file = location.getString("file").value_or("");
  return (file == program ? "" : file.str()) + ":" +
         std::to_string(location.getInteger("line").value_or(0));
}

/// The number of an offset among those of its kind. If the other version has more or fewer of them,
/// it is unknown which ones are missing there.
std::string FindingKeys::numberOf(const std::string &kind, int64_t offset) const {
  const std::set<int64_t> &own = offsets.at(kind);
  const auto others = offsetsOfOther.find(kind);
  if (others != offsetsOfOther.end() && others->second.size() != own.size())
    return unmatched.str();
  return "number " + std::to_string(std::distance(own.begin(), own.find(offset)));
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

static json::Array unmatchedIn(llvm::ArrayRef<std::string> keys) {
  json::Array indices;
  for (auto [index, key] : llvm::enumerate(keys))
    if (StringRef(key).ends_with(unmatched))
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
  const std::vector<std::string> a = FindingKeys(before, after, textBefore, rowBefore).all;
  const std::vector<std::string> b = FindingKeys(after, before, textAfter, rowAfter).all;
  return json::Object{
      {"new", missingIn(b, a)},
      {"gone", missingIn(a, b)},
      {"unmatched", json::Object{{"before", unmatchedIn(a)}, {"after", unmatchedIn(b)}}}};
}

//===-- Totals ------------------------------------------------------------------------------===//

namespace {
/// Which launches a figure counts.
enum class CountedOn { Neither, Reference, Ptx, Both };

/// Whether both versions ran to their ends: otherwise, less is not better.
struct Completeness {
  bool reference, ptx;

  bool of(CountedOn machines) const {
    const bool needsReference = machines == CountedOn::Reference || machines == CountedOn::Both;
    const bool needsPtx = machines == CountedOn::Ptx || machines == CountedOn::Both;
    return (reference || !needsReference) && (ptx || !needsPtx);
  }
};

/// Member of `totals`.
struct TotalMember {
  StringRef name;
  Path path;
  CountedOn machines;
};
} // namespace

static const TotalMember totalMembers[] = {
    {"instructions", {"counters", "instructions"}, CountedOn::Ptx},
    {"sectors", {"counters", "global", "sectors"}, CountedOn::Ptx},
    {"ideal_sectors", {"counters", "global", "ideal_sectors"}, CountedOn::Ptx},
    {"data_sectors", {"counters", "global", "data_sectors"}, CountedOn::Ptx},
    {"bank_cycles", {"counters", "shared", "bank_cycles"}, CountedOn::Ptx},
    {"ideal_bank_cycles", {"counters", "shared", "ideal_bank_cycles"}, CountedOn::Ptx},
    {"barriers", {"counters", "barriers"}, CountedOn::Ptx},
    {"copied_bytes", {"counters", "copied_bytes"}, CountedOn::Ptx},
    {"threads", {"cost", "threads"}, CountedOn::Neither},
    {"registers", {"cost", "registers"}, CountedOn::Neither},
    {"spill_bytes", {"cost", "spill_bytes"}, CountedOn::Neither},
    {"shared_bytes", {"cost", "shared_bytes"}, CountedOn::Neither},
    {"floating_point_operations", {"cost", "floating_point_operations"}, CountedOn::Reference},
    {"intensity", {"cost", "intensity"}, CountedOn::Both}};

/// A version that a machine cannot run is as incomplete as one that ended early, unless it can run
/// neither.
static bool areComplete(const json::Object &before, const json::Object &after, StringRef machine) {
  const auto launchOf = [&](const json::Object &document) {
    return document.getObject("devices")->getObject(machine)->getBoolean("complete");
  };
  const std::optional<bool> a = launchOf(before), b = launchOf(after);
  return a == b && a.value_or(true);
}

static json::Object totalOf(StringRef name, json::Value before, json::Value after,
                            bool isComplete) {
  json::Value change = isComplete ? difference(before, after) : json::Value(nullptr);
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

static json::Array totalsOf(const json::Object &before, const json::Object &after,
                            const Completeness &complete) {
  json::Array totals{
      totalOf("findings", findingCount(before), findingCount(after), complete.of(CountedOn::Both)),
      totalOf("operations", operationCount(before), operationCount(after),
              complete.of(CountedOn::Reference))};
  for (const auto &[name, path, machines] : totalMembers)
    totals.push_back(
        totalOf(name, numberAt(&before, path), numberAt(&after, path), complete.of(machines)));
  totals.push_back(totalOf("occupancy", occupancyIn(before), occupancyIn(after), true));
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
    const Completeness complete{areComplete(documentBefore, documentAfter, "reference"),
                                areComplete(documentBefore, documentAfter, "ptx")};
    comparison = json::Object{
        {"text", json::Object{{"before", a.source()}, {"after", b.source()}}},
        {"pairs", pairsAsJson(pairs)},
        {"lines", linesAsJson(pairs, a, b)},
        {"findings", compareFindings(documentBefore, documentAfter, a, b, pairs)},
        {"arrays", compareResults(before.results, after.results)},
        {"complete", json::Object{{"reference", complete.reference}, {"ptx", complete.ptx}}},
        {"totals", totalsOf(documentBefore, documentAfter, complete)}};
  }
  comparison["other"] = shortened(std::move(before.members));
  return comparison;
}
