// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A range is one word, so that its owner and thieves can agree on it by compare-and-exchange. Only
// the owner writes its timing, an estimate that other threads may read late.

#include "tilewright/runtime/WorkQueue.h"

#include <algorithm>
#include <bit>
#include <new>

using namespace tilewright::runtime;

/// A piece is an eighth of the remaining range, or as many blocks as run for at least `leastPiece`
/// nanoseconds: fine enough for others to steal what would be late, and coarse enough to cost
/// nothing.
static constexpr int64_t piecesLeft = 8;
static constexpr double leastPiece = 4000;

struct alignas(WorkQueue::alignment) WorkQueue::Chunk {
  /// The blocks that no thread has taken yet.
  std::atomic<uint64_t> range;
  /// When the owner started its current piece, and the size of the piece; 0: not known.
  std::atomic<int64_t> began = 0;
  std::atomic<int64_t> piece = 0;
  /// Nanoseconds per unit in the piece before; 0: not known.
  std::atomic<double> unitTime = 0;

  explicit Chunk(uint64_t range) : range(range) {}
  double unitTimeAt(int64_t time) const;
  double remainingTimeAt(int64_t time, int64_t left) const;
};

static uint64_t pack(uint64_t first, uint64_t end) { return end << 32 | first; }
static int64_t firstOf(uint64_t range) { return int64_t(range & 0xffffffff); }
static int64_t endOf(uint64_t range) { return int64_t(range >> 32); }
static int64_t countOf(uint64_t range) { return endOf(range) - firstOf(range); }

int64_t WorkQueue::bytesFor(int members) { return int64_t(sizeof(Chunk)) * members; }

WorkQueue::WorkQueue(Blocks all, int members, void *memory)
    : all(all), members(members),
      shift(std::max<int>(std::bit_width(uint64_t(all.count())) - 31, 0)),
      chunks(static_cast<Chunk *>(memory)) {
  const int64_t units = (all.count() + (int64_t(1) << shift) - 1) >> shift;
  for (int64_t member = 0; member < members; ++member)
    new (&chunks[member]) Chunk(pack(units * member / members, units * (member + 1) / members));
}

/// A lower bound of the owner's nanoseconds per unit; the current piece may take long.
double WorkQueue::Chunk::unitTimeAt(int64_t time) const {
  const int64_t size = piece.load(std::memory_order_relaxed);
  const double before = unitTime.load(std::memory_order_relaxed);
  if (!size)
    return before;
  return std::max(before, double(time - began.load(std::memory_order_relaxed)) / double(size));
}

/// Nanoseconds until the owner is done, if `left` units are left and none is stolen.
double WorkQueue::Chunk::remainingTimeAt(int64_t time, int64_t left) const {
  const double unitTime = unitTimeAt(time);
  if (unitTime <= 0)
    return double(left) * 1e18; // not started: longer than any that has
  const double worked = double(time - began.load(std::memory_order_relaxed));
  const double size = double(piece.load(std::memory_order_relaxed));
  return double(left) * unitTime + std::max(size * unitTime - worked, 0.0);
}

Blocks WorkQueue::takePiece(int member, Time now) {
  Chunk &own = chunks[member];
  for (;;) {
    uint64_t range = own.range.load(std::memory_order_relaxed);
    if (!countOf(range) && !steal(own, now))
      return {all.end, all.end};
    range = own.range.load(std::memory_order_relaxed);
    const int64_t left = countOf(range);
    if (!left)
      continue; // another thread was faster
    // The last unit needs no clock: nothing is left to steal.
    const int64_t time = left > 1 ? now() : 0;
    if (int64_t size = own.piece.load(std::memory_order_relaxed); time && size)
      own.unitTime.store(double(time - own.began.load(std::memory_order_relaxed)) / double(size),
                         std::memory_order_relaxed);
    const double unitTime = own.unitTime.load(std::memory_order_relaxed);
    const int64_t least = unitTime > 0 ? int64_t(std::min(leastPiece / unitTime, double(left))) : 1;
    const int64_t size = std::clamp<int64_t>(std::max(left / piecesLeft, least), 1, left);
    const int64_t first = firstOf(range);
    if (!own.range.compare_exchange_strong(range, pack(first + size, endOf(range)),
                                           std::memory_order_relaxed))
      continue;
    own.began.store(time, std::memory_order_relaxed);
    own.piece.store(time ? size : 0, std::memory_order_relaxed);
    return {all.first + (first << shift), std::min(all.first + ((first + size) << shift), all.end)};
  }
}

/// Steals the second half of another range. False: no blocks are left.
bool WorkQueue::steal(Chunk &own, Time now) {
  int64_t time = 0;
  while (Chunk *from = findVictim(own, now, time)) {
    uint64_t range = from->range.load(std::memory_order_relaxed);
    const int64_t size = countOf(range) > 1 ? countOf(range) / 2 : countOf(range);
    const int64_t cut = endOf(range) - size;
    if (!size || !from->range.compare_exchange_strong(range, pack(firstOf(range), cut),
                                                      std::memory_order_relaxed))
      continue;
    own.unitTime.store(from->unitTimeAt(time), std::memory_order_relaxed);
    own.piece.store(0, std::memory_order_relaxed);
    own.range.store(pack(cut, cut + size), std::memory_order_relaxed);
    return true;
  }
  return false;
}

/// The victim to steal from: a chunk whose owner has not started, else the one that would be done
/// last; among equals, the first one behind `own`. Null: no blocks are left. `time` is the current
/// time, or 0 if no clock was needed yet.
WorkQueue::Chunk *WorkQueue::findVictim(const Chunk &own, Time now, int64_t &time) {
  Chunk *last = nullptr;
  double longest = -1;
  const int at = int(&own - chunks);
  for (int other = 1; other < members; ++other) {
    Chunk &chunk = chunks[(at + other) % members];
    const int64_t left = countOf(chunk.range.load(std::memory_order_relaxed));
    if (!left)
      continue;
    if (!time)
      time = now();
    const double rest = chunk.remainingTimeAt(time, left);
    if (rest > longest) {
      longest = rest;
      last = &chunk;
    }
  }
  return last;
}
