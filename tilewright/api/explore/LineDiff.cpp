// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LineDiff.h. Hirschberg's algorithm: in linear space, it finds where the middle of one
// sequence splits the other one, and recurses into both halves.

#include "tilewright/api/explore/LineDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::api;

namespace {
/// A line, as a number that equal lines share.
struct Line {
  unsigned content;
  size_t index;
};
using Lines = std::vector<Line>;
using Span = llvm::ArrayRef<Line>;
using Match = std::pair<size_t, size_t>;
} // namespace

/// The lines that occur in the other text, too: no others can match.
static Lines sharedLines(llvm::ArrayRef<llvm::StringRef> lines,
                         llvm::ArrayRef<llvm::StringRef> others,
                         llvm::StringMap<unsigned> &numbers) {
  llvm::StringMap<char> known;
  for (llvm::StringRef line : others)
    known[line] = 1;
  Lines shared;
  for (auto [index, line] : llvm::enumerate(lines))
    if (known.contains(line))
      shared.push_back({numbers.insert({line, unsigned(numbers.size())}).first->second, index});
  return shared;
}

/// For each prefix of `b`, the length of the longest subsequence that it shares with `a`. With
/// reverse iterators, for each suffix.
template <typename A, typename B> static std::vector<unsigned> sharedLengths(A a, B b) {
  std::vector<unsigned> lengths(size_t(std::distance(b.begin(), b.end())) + 1);
  for (const Line &line : a) {
    unsigned diagonal = 0;
    size_t at = 1;
    for (const Line &other : b) {
      const unsigned above = lengths[at];
      lengths[at] = line.content == other.content ? diagonal + 1 : std::max(above, lengths[at - 1]);
      diagonal = above;
      ++at;
    }
  }
  return lengths;
}

/// Appends the matches of a longest common subsequence, in order.
static void match(Span a, Span b, std::vector<Match> &matches) {
  const auto isSame = [](const Line &x, const Line &y) { return x.content == y.content; };
  while (!a.empty() && !b.empty() && isSame(a.front(), b.front())) {
    matches.push_back({a.front().index, b.front().index});
    a = a.drop_front(), b = b.drop_front();
  }
  size_t end = 0;
  while (end < std::min(a.size(), b.size()) && isSame(a.rbegin()[end], b.rbegin()[end]))
    ++end;
  const Span endOfA = a.take_back(end), endOfB = b.take_back(end);
  a = a.drop_back(end), b = b.drop_back(end);
  if (a.size() == 1 || b.size() == 1) {
    for (const Line &line : a)
      if (const auto *same = llvm::find_if(b, [&](const Line &y) { return isSame(line, y); });
          same != b.end()) {
        matches.push_back({line.index, same->index});
        break;
      }
  } else if (!a.empty() && !b.empty()) {
    const size_t middle = a.size() / 2;
    const std::vector<unsigned> first = sharedLengths(a.take_front(middle), b);
    const std::vector<unsigned> last =
        sharedLengths(llvm::reverse(a.drop_front(middle)), llvm::reverse(b));
    size_t split = 0;
    for (size_t at = 1; at <= b.size(); ++at)
      if (first[at] + last[b.size() - at] > first[split] + last[b.size() - split])
        split = at;
    match(a.take_front(middle), b.take_front(split), matches);
    match(a.drop_front(middle), b.drop_front(split), matches);
  }
  for (auto [x, y] : llvm::zip_equal(endOfA, endOfB))
    matches.push_back({x.index, y.index});
}

static void addMatch(std::vector<Hunk> &hunks, size_t before, size_t after) {
  if (hunks.empty() || !hunks.back().isEqual)
    hunks.push_back({true, {before, 0}, {after, 0}});
  ++hunks.back().before.count;
  ++hunks.back().after.count;
}

std::vector<Hunk> api::diffLines(llvm::ArrayRef<llvm::StringRef> before,
                                 llvm::ArrayRef<llvm::StringRef> after) {
  llvm::StringMap<unsigned> numbers;
  const Lines a = sharedLines(before, after, numbers), b = sharedLines(after, before, numbers);
  std::vector<Match> matches;
  match(a, b, matches);
  std::vector<Hunk> hunks;
  size_t nextBefore = 0, nextAfter = 0;
  const auto skipTo = [&](size_t lineBefore, size_t lineAfter) {
    if (lineBefore > nextBefore || lineAfter > nextAfter)
      hunks.push_back(
          {false, {nextBefore, lineBefore - nextBefore}, {nextAfter, lineAfter - nextAfter}});
  };
  for (auto [lineBefore, lineAfter] : matches) {
    skipTo(lineBefore, lineAfter);
    addMatch(hunks, lineBefore, lineAfter);
    nextBefore = lineBefore + 1;
    nextAfter = lineAfter + 1;
  }
  skipTo(before.size(), after.size());
  return hunks;
}
