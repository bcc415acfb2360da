// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CoverageReport.h.

#include "tilewright/report/CoverageReport.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace tilewright;
using namespace tilewright::report;
using llvm::StringRef;
namespace json = llvm::json;

std::string CoverageReport::forFile(StringRef path) const {
  if (path.ends_with(".json"))
    return toJson();
  return path.ends_with(".info") ? toLcov() : toText();
}

void report::add(OperationCounts &counts, const OperationCounts &more) {
  for (const auto &[op, row] : more) {
    auto [known, isNew] = counts.insert({op, row});
    if (isNew)
      continue;
    OperationCount &sum = known->second;
    sum.count += row.count;
    if (!row.branches)
      continue;
    sum.branches->first += row.branches->first;
    sum.branches->second += row.branches->second;
  }
}

namespace {
struct Totals {
  int64_t operations = 0, ran = 0, branches = 0, taken = 0;
};
} // namespace

static Totals totalsOf(const OperationCounts &counts) {
  Totals totals;
  for (const auto &[op, row] : counts) {
    ++totals.operations;
    totals.ran += row.count != 0;
    if (!row.branches)
      continue;
    totals.branches += 2;
    totals.taken += (row.branches->first != 0) + (row.branches->second != 0);
  }
  return totals;
}

/// The function name that the author used: cuTile mangles the names of entries, but the debug
/// information has the original name.
static std::string functionName(const CoverageReport &report) {
  tile::DILocAttr debug = tile::effectiveDebugLoc(report.location);
  return debug ? debug.getScope().getSubprogram().getName().str() : report.kernel.str();
}

// ===-- Text --------------------------------------------------------------------------------===//

static StringRef nameOf(mlir::Operation *op) { return op->getName().stripDialect(); }

/// `kernel.py:12`: operations on the same line are reported together.
static std::string lineText(mlir::Operation *op, StringRef file) {
  SourcePlace place = placeOf(op->getLoc(), file);
  if (place.line)
    return place.file + ":" + std::to_string(place.line);
  return file.str() + ": " + tile::locationText(op->getLoc());
}

static std::string branchText(const BranchCounts &branches) {
  bool isFirstMissing = branches.first == 0;
  StringRef missing = isFirstMissing ? branches.firstName : branches.secondName;
  StringRef other = isFirstMissing ? branches.secondName : branches.firstName;
  int64_t count = isFirstMissing ? branches.second : branches.first;
  return llvm::formatv("never {0} ({1}: {2})", missing, other, count);
}

std::string CoverageReport::toText() const {
  Totals totals = totalsOf(counts);
  std::string function = functionName(*this);
  std::string name =
      function == kernel ? ("@" + kernel).str() : function + " (@" + kernel.str() + ")";
  std::string text =
      llvm::formatv("coverage of {0}: {1} of {2} operations ran, {3} of {4} branches were taken\n",
                    name, totals.ran, totals.operations, totals.taken, totals.branches);
  llvm::raw_string_ostream out(text);
  llvm::MapVector<std::string, std::string, std::map<std::string, unsigned>> missing;
  for (const auto &[op, row] : counts) {
    std::string what;
    if (row.count == 0)
      what = nameOf(op).str() + " never ran";
    else if (row.branches && (!row.branches->first || !row.branches->second))
      what = nameOf(op).str() + ": " + branchText(*row.branches);
    if (what.empty())
      continue;
    std::string &text = missing[lineText(op, file)];
    text += (text.empty() ? "" : "; ") + what;
  }
  for (const auto &[line, what] : missing)
    out << line << ": " << what << "\n";
  return text;
}

// ===-- JSON --------------------------------------------------------------------------------===//

std::string CoverageReport::toJson() const {
  return llvm::formatv("{0:2}\n", json::Value(asJson()));
}

json::Object CoverageReport::asJson() const {
  json::Array operations;
  for (const auto &[op, row] : counts) {
    json::Object object{{"operation", nameOf(op)},
                        {"location", report::toJson(placeOf(op->getLoc(), file))},
                        {"count", row.count}};
    if (row.branches)
      object["branches"] = json::Object{{row.branches->firstName, row.branches->first},
                                        {row.branches->secondName, row.branches->second}};
    operations.push_back(std::move(object));
  }
  Totals totals = totalsOf(counts);
  return json::Object{{"file", jsonText(file)},
                      {"kernel", jsonText(kernel)},
                      {"function", jsonText(functionName(*this))},
                      {"operations_total", totals.operations},
                      {"operations_run", totals.ran},
                      {"branches_total", totals.branches},
                      {"branches_taken", totals.taken},
                      {"operations", std::move(operations)}};
}

// ===-- lcov --------------------------------------------------------------------------------===//

namespace {
/// The lcov record of a file.
struct FileRecord {
  std::map<int64_t, int64_t> lines; ///< For each line, the largest count of its operations.
  std::string branches;
  int64_t branchTotal = 0, branchTaken = 0;
};
} // namespace

static void addBranches(FileRecord &record, int64_t line, const OperationCount &row) {
  int64_t number = record.branchTotal / 2;
  const int64_t counts[] = {row.branches->first, row.branches->second};
  for (auto [way, count] : llvm::enumerate(counts)) {
    // A dash means that the branch was never reached.
    std::string taken = row.count ? std::to_string(count) : "-";
    record.branches += llvm::formatv("BRDA:{0},{1},{2},{3}\n", line, number, way, taken);
    record.branchTaken += count != 0;
    ++record.branchTotal;
  }
}

std::string CoverageReport::toLcov() const {
  std::map<std::string, FileRecord> files;
  int64_t starts = 0;
  for (const auto &[op, row] : counts) {
    SourcePlace place = placeOf(op->getLoc(), file);
    starts = std::max(starts, llvm::isa<tile::EntryOp>(op->getParentOp()) ? row.count : 0);
    if (!place.line)
      continue;
    FileRecord &record = files[place.file];
    int64_t &count = record.lines[place.line];
    count = std::max(count, row.count);
    if (row.branches)
      addBranches(record, place.line, row);
  }
  SourcePlace head = placeOf(location, file);
  if (head.line)
    files[head.file];
  const std::string function = functionName(*this);

  std::string text = "TN:\n";
  llvm::raw_string_ostream out(text);
  for (const auto &[name, record] : files) {
    out << "SF:" << name << "\n";
    if (name == head.file && head.line)
      out << "FN:" << head.line << "," << function << "\nFNDA:" << starts << "," << function
          << "\nFNF:1\nFNH:" << (starts != 0) << "\n";
    out << record.branches << "BRF:" << record.branchTotal << "\nBRH:" << record.branchTaken
        << "\n";
    int64_t hit = 0;
    for (auto [line, count] : record.lines) {
      out << "DA:" << line << "," << count << "\n";
      hit += count != 0;
    }
    out << "LF:" << record.lines.size() << "\nLH:" << hit << "\nend_of_record\n";
  }
  return text;
}
