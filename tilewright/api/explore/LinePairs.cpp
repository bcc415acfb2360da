// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LinePairs.h.

#include "tilewright/api/explore/LinePairs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using Texts = llvm::ArrayRef<StringRef>;
using Words = llvm::SmallVector<StringRef>;

/// Names, numbers and other characters, sorted.
static Words wordsOf(StringRef line) {
  Words words;
  for (line = line.ltrim(); !line.empty(); line = line.ltrim()) {
    const StringRef name =
        line.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    words.push_back(name.empty() ? line.take_front() : name);
    line = line.drop_front(words.back().size());
  }
  llvm::sort(words);
  return words;
}

static double similarity(const Words &a, const Words &b) {
  if (a.empty() || b.empty())
    return 0;
  std::vector<StringRef> shared;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
  return 2.0 * double(shared.size()) / double(a.size() + b.size());
}

double api::similarityOf(StringRef a, StringRef b) { return similarity(wordsOf(a), wordsOf(b)); }

namespace {
/// The best pairs of lines that replace each other.
class Replacement {
public:
  Replacement(Texts before, Texts after);
  void addTo(std::vector<LinePair> &pairs, size_t firstBefore, size_t firstAfter) const;

private:
  double &best(size_t i, size_t j) { return table[i * (columns + 1) + j]; }
  double best(size_t i, size_t j) const { return table[i * (columns + 1) + j]; }
  bool isPair(size_t i, size_t j) const {
    return best(i, j) > best(i + 1, j) && best(i, j) > best(i, j + 1);
  }

  size_t rows, columns;
  /// Of the lines from i and from j: the sum of the similarities of the best pairs.
  std::vector<double> table;
};
} // namespace

Replacement::Replacement(Texts before, Texts after)
    : rows(before.size()), columns(after.size()), table((rows + 1) * (columns + 1)) {
  constexpr double least = 0.5;
  const auto a = llvm::to_vector(llvm::map_range(before, wordsOf));
  const auto b = llvm::to_vector(llvm::map_range(after, wordsOf));
  for (size_t i = rows; i-- > 0;)
    for (size_t j = columns; j-- > 0;) {
      const double common = similarity(a[i], b[j]);
      best(i, j) = std::max(best(i + 1, j), best(i, j + 1));
      if (common >= least)
        best(i, j) = std::max(best(i, j), common + best(i + 1, j + 1));
    }
}

void Replacement::addTo(std::vector<LinePair> &pairs, size_t firstBefore, size_t firstAfter) const {
  size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && isPair(i, j))
      pairs.push_back({firstBefore + i++, firstAfter + j++, false});
    else if (j == columns || (i < rows && best(i + 1, j) >= best(i, j + 1)))
      pairs.push_back({firstBefore + i++, std::nullopt, false});
    else
      pairs.push_back({std::nullopt, firstAfter + j++, false});
  }
}

std::vector<LinePair> api::pairLines(llvm::ArrayRef<Hunk> hunks, Texts before, Texts after) {
  // Texts that have so little in common are no versions of one kernel.
  constexpr size_t mostCombinations = 1 << 20;
  std::vector<LinePair> pairs;
  for (const auto &[isEqual, a, b] : hunks) {
    if (isEqual) {
      for (size_t i = 0; i < a.count; ++i)
        pairs.push_back({a.first + i, b.first + i, true});
      continue;
    }
    const Texts removed = before.slice(a.first, a.count), added = after.slice(b.first, b.count);
    if (a.count > mostCombinations / std::max<size_t>(b.count, 1)) {
      Replacement(removed, {}).addTo(pairs, a.first, b.first);
      Replacement({}, added).addTo(pairs, a.first, b.first);
    } else {
      Replacement(removed, added).addTo(pairs, a.first, b.first);
    }
  }
  return pairs;
}
