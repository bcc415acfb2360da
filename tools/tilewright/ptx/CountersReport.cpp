// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the counters of a run as a table.

#include "tilewright/ptx/text/Names.h"
#include "tilewright/ptx/watch/Lines.h"
#include "tools/tilewright/ptx/Watch.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::tools;
using ptx::Counts;
using ptx::LineCounts;
using ptx::MemoryCounts;

static llvm::StringRef refOf(std::string_view text) { return {text.data(), text.size()}; }

/// The number of sectors or bank-conflict cycles, and the ideal number in parentheses: `32 (4)`.
static std::string unitsOf(const MemoryCounts &counts) {
  if (!counts.accesses)
    return "";
  return llvm::formatv("{0} ({1})", counts.units, counts.idealUnits);
}

static std::string numberOf(uint64_t count) { return count ? std::to_string(count) : ""; }

static void printHeading(llvm::raw_ostream &out, llvm::StringRef what) {
  out << llvm::formatv("\n{0,12} {1,9} {2,18} {3,9} {4,20} {5,9} {6,12}  {7}\n", "instructions",
                       "global", "sectors (ideal)", "shared", "bank cycles (ideal)", "barriers",
                       "copied bytes", what);
}

static void printRow(llvm::raw_ostream &out, const Counts &counts, const llvm::Twine &place) {
  out << llvm::formatv("{0,12} {1,9} {2,18} {3,9} {4,20} {5,9} {6,12}  {7}\n", counts.executions,
                       numberOf(counts.global.accesses), unitsOf(counts.global),
                       numberOf(counts.shared.accesses), unitsOf(counts.shared),
                       numberOf(counts.barriers), numberOf(counts.asyncBytes), place.str());
}

static void printKinds(llvm::raw_ostream &out, const ptx::Counters &counters) {
  const auto kinds = counters.byKind();
  llvm::StringRef separator;
  for (size_t kind = 0; kind < kinds.size(); ++kind)
    if (kinds[kind]) {
      out << separator << refOf(ptx::nameOf(ptx::Kind(kind))) << " " << kinds[kind];
      separator = ", ";
    }
  out << "\n";
}

std::string tools::countersAsText(const ptx::Machine &machine, const ptx::Counters &counters,
                                  llvm::StringRef file) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const ptx::Program &program = machine.program;
  const auto &[grid, block] = std::pair(machine.grid, machine.launch.block);
  out << llvm::formatv("{0}: {1}x{2}x{3} blocks of {4}x{5}x{6} threads\n",
                       ptx::demangled(program.entry->name), grid[0], grid[1], grid[2], block[0],
                       block[1], block[2]);
  printKinds(out, counters);
  printHeading(out, "line");
  printRow(out, counters.total(), "all");
  for (const LineCounts &line : countsBySourceLine(*program.module, counters))
    printRow(out, line.counts, refOf(line.file) + ":" + llvm::Twine(line.line));
  printHeading(out, "line of " + file.str());
  for (const LineCounts &line : countsByTextLine(*program.module, counters))
    printRow(out, line.counts, llvm::Twine(line.line) + ": " + line.instruction);
  return text;
}
