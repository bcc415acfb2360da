// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random order of the elements of a memory operation. See Access.h.

#include "tilewright/reference/memory/Access.h"

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::reference;

/// The positions at which to cut `total` elements: all of them if there are few, otherwise random
/// ones.
static std::set<int64_t> cutsOf(int64_t total, std::mt19937_64 &random) {
  constexpr int64_t mostPieces = 64;
  std::set<int64_t> cuts;
  if (total <= mostPieces) {
    for (int64_t at = 1; at < total; ++at)
      cuts.insert(at);
    return cuts;
  }
  std::uniform_int_distribution<int64_t> anywhere(1, total - 1);
  for (int64_t cut = 1; cut < mostPieces; ++cut)
    cuts.insert(anywhere(random));
  return cuts;
}

static std::vector<Segment> cutAt(const std::set<int64_t> &cuts,
                                  const std::vector<Segment> &segments) {
  std::vector<Segment> pieces;
  pieces.reserve(segments.size() + cuts.size());
  int64_t before = 0; // Elements of the segments so far.
  for (const Segment &segment : segments) {
    int64_t from = 0;
    auto endPiece = [&](int64_t to) {
      pieces.push_back({segment.element + from, to - from, segment.at(from)});
      from = to;
    };
    for (auto cut = cuts.upper_bound(before); cut != cuts.end() && *cut < before + segment.count;
         ++cut)
      endPiece(*cut - before);
    endPiece(segment.count);
    before += segment.count;
  }
  return pieces;
}

void reference::shuffle(std::vector<Segment> &segments, std::mt19937_64 &random) {
  int64_t total = 0;
  for (const Segment &segment : segments)
    total += segment.count;
  std::set<int64_t> cuts = cutsOf(total, random);
  // Millions of single elements, which cannot be cut, should not be copied.
  if (int64_t(segments.size()) < total)
    segments = cutAt(cuts, segments);
  std::shuffle(segments.begin(), segments.end(), random);
}
