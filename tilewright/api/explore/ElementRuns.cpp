// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ElementRuns.h.

#include "tilewright/api/explore/ElementRuns.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::api;
namespace json = llvm::json;

void ElementRuns::add(int64_t first, int64_t count) {
  if (!ranges.empty() && ranges.back().end == first)
    ranges.back().end += count;
  else
    ranges.push_back({first, first + count});
}

std::vector<ElementRun> ElementRuns::runs() const {
  std::vector<Range> sorted = ranges, joined;
  llvm::sort(sorted, [](Range a, Range b) { return a.first < b.first; });
  for (Range range : sorted)
    if (!joined.empty() && range.first <= joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);

  std::vector<ElementRun> runs;
  for (auto [first, end] : joined) {
    ElementRun *last = runs.empty() ? nullptr : &runs.back();
    const bool isAlike = last && last->length == end - first;
    if (isAlike && (last->count == 1 || first == last->first + last->stride * last->count)) {
      if (last->count++ == 1)
        last->stride = first - last->first;
    } else {
      runs.push_back({first, end - first});
    }
  }
  return runs;
}

size_t ElementRuns::addTo(json::Object &object) const {
  constexpr size_t most = 32;
  json::Array listed;
  int64_t more = 0;
  for (const ElementRun &run : runs())
    if (listed.size() < most)
      listed.push_back(json::Array{run.first, run.length, run.stride, run.count});
    else
      more += run.length * run.count;
  const size_t count = listed.size();
  object["elements"] = std::move(listed);
  if (more)
    object["more_elements"] = more;
  return count;
}
