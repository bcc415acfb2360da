// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PtxCounters.h.

#include "tilewright/api/PtxCounters.h"
#include "tilewright/ptx/watch/Lines.h"
#include "tilewright/report/Place.h"

using namespace tilewright;
namespace json = llvm::json;
using ptx::Counts;
using ptx::LineCounts;
using ptx::MemoryCounts;

static llvm::StringRef refOf(std::string_view text) { return {text.data(), text.size()}; }

/// `unit` is `sectors` or `bank_cycles`.
static json::Array patternsAsJson(const ptx::Patterns &patterns, llvm::StringRef unit) {
  constexpr size_t mostPatterns = 4;
  json::Array list;
  for (const auto *entry : patterns.worst(mostPatterns)) {
    const auto &[pattern, count] = *entry;
    list.push_back(json::Object{{"bytes", pattern.bytes},
                                {"run_bytes", int64_t(pattern.run)},
                                {"stride", pattern.stride},
                                {"unaligned", pattern.isUnaligned},
                                {"start", pattern.start},
                                {"accesses", int64_t(count.accesses)},
                                {unit, int64_t(count.cost.actual)},
                                {"ideal_" + unit.str(), int64_t(count.cost.ideal)}});
  }
  return list;
}

static json::Object memoryAsJson(const MemoryCounts &counts, llvm::StringRef unit) {
  return json::Object{{"accesses", int64_t(counts.accesses)},
                      {"lanes", int64_t(counts.lanes)},
                      {unit, int64_t(counts.units)},
                      {"ideal_" + unit.str(), int64_t(counts.idealUnits)},
                      {"patterns", patternsAsJson(counts.patterns, unit)}};
}

static json::Object countsAsJson(const Counts &counts) {
  return json::Object{{"instructions", int64_t(counts.executions)},
                      {"global", memoryAsJson(counts.global, "sectors")},
                      {"shared", memoryAsJson(counts.shared, "bank_cycles")},
                      {"barriers", int64_t(counts.barriers)},
                      {"copied_bytes", int64_t(counts.asyncBytes)}};
}

/// With the distinct sectors and those of the data, which are counted by source line.
static json::Object countsOfLines(const Counts &counts) {
  json::Object object = countsAsJson(counts);
  json::Object &global = *object.getObject("global");
  global["distinct_sectors"] = int64_t(counts.distinctSectors);
  global["data_sectors"] = int64_t(counts.dataSectors);
  return object;
}

json::Object api::countersAsJson(const ptx::Machine &machine, const ptx::Counters &counters,
                                 llvm::StringRef file) {
  const ptx::Program &program = machine.program;
  json::Object all = countsOfLines(counters.total());
  json::Object kinds;
  const auto byKind = counters.byKind();
  for (size_t kind = 0; kind < byKind.size(); ++kind)
    kinds[refOf(ptx::nameOf(ptx::Kind(kind)))] = int64_t(byKind[kind]);
  json::Object products;
  for (const auto &[operand, multiplyAdds] : counters.products())
    products[refOf(info(operand).name)] = int64_t(multiplyAdds);
  json::Array source, text;
  for (const LineCounts &line : countsBySourceLine(*program.module, counters)) {
    json::Object row = countsOfLines(line.counts);
    row["file"] = report::jsonText(refOf(line.file));
    row["line"] = line.line;
    source.push_back(std::move(row));
  }
  for (const LineCounts &line : countsByTextLine(*program.module, counters)) {
    json::Object row = countsAsJson(line.counts);
    row["line"] = line.line;
    row["operation"] = report::jsonText(line.instruction);
    text.push_back(std::move(row));
  }
  all["kernel"] = report::jsonText(refOf(program.entry->name));
  all["ptx_file"] = report::jsonText(file);
  all["kinds"] = std::move(kinds);
  all["products"] = std::move(products);
  all["source_lines"] = std::move(source);
  all["ptx_lines"] = std::move(text);
  return all;
}
