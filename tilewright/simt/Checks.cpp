// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Checks.h.

#include "tilewright/simt/Checks.h"
#include "tilewright/report/Place.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::simt;
using report::Rule;

/// In the order of Check.
static constexpr Rule table[] = {
    {"race",
     "accesses by two threads have a barrier between them, unless both read or both are atomic", "",
     "put a gpu.barrier between the two accesses, or let each thread access elements of its own"},
    {"divergent-barrier",
     "a barrier or collective operation is reached by all threads that it is for", "",
     "move the operation out of the branch or loop that only some of the threads execute"},
    {"out-of-bounds", "accesses stay inside of their memory, and vectors inside of their extents",
     "", "compare the index with the extent, and mask out what lies beyond"},
    {"uninitialized-read", "memory is written before it is read", "",
     "write the element first, or pass an argument that has values"},
    {"poison", "no poison reaches memory, a mask, an index or control flow", "",
     "find what makes the value poison: an index out of range, a shift by the width or more, or "
     "a lane outside of the width of a shuffle"},
    {"division", "integer divisions have a result", "",
     "select a divisor other than 0 where the result is not used"},
    {"loop", "loops have a positive step", "",
     "make the step positive, and count backwards in the body"},
    {"unsupported", "the SIMT runner supports what the program does"},
    {"step-limit", "the run ends within its step limit"},
    {"difference", "a distributed program leaves the same in memory as before distribution"},
};
static_assert(std::size(table) == checkCount + 3);

const Rule &simt::ruleOf(Check check) { return table[unsigned(check)]; }

llvm::ArrayRef<Rule> simt::rules() { return table; }

std::string simt::nameOf(const Finding &finding) {
  std::string name = ruleIdOf(finding).str();
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

std::string simt::placeOf(mlir::Location where) {
  const report::SourcePlace place = report::placeOf(where, /*file=*/"");
  if (!place.line)
    return "an unknown place";
  return llvm::formatv("{0}:{1}:{2}", place.file, place.line, place.column);
}
