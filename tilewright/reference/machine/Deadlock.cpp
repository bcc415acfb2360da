// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Deadlock.h.

#include "tilewright/reference/machine/Deadlock.h"
#include "tilewright/numerics/Convert.h"

using namespace tilewright;
using namespace tilewright::reference;

size_t IdleBlocks::add(const TileBlock &block) {
  if (changes != block.launch().changes)
    blocks.clear();
  changes = block.launch().changes;
  blocks.insert(&block);
  return blocks.size();
}

namespace {
/// The blocks that wait at the same operation for the same element.
struct Waiting {
  TileBlock *first;
  Allocation *allocation;
  size_t others = 0;
};
} // namespace

/// The number of places to list; launches may have millions of blocks.
static constexpr size_t mostPlaces = 8;

/// Groups the blocks by what they wait for, in the order of each group's first block.
static std::vector<Waiting> placesOf(llvm::ArrayRef<TileBlock *> blocks) {
  std::vector<Waiting> places;
  llvm::DenseMap<std::tuple<mlir::Operation *, uint64_t, unsigned>, size_t> known;
  for (TileBlock *block : blocks) {
    Allocation *allocation = block->polledAllocation();
    if (!allocation)
      continue;
    const Place &place = block->polled->place;
    auto [found, isNew] = known.insert(
        {{block->polled->op, place.address, unsigned(place.isUpperHalf)}, places.size()});
    if (isNew)
      places.push_back({block, allocation});
    else
      ++places[found->second].others;
  }
  return places;
}

/// The note about a group: `waits here: load_ptr_tko reads parameter 1 (2xi32)[1], which is 6`.
static Related noteOf(const Waiting &waiting) {
  const TileBlock::Polled &polled = *waiting.first->polled;
  std::string text = "waits here: " + nameOf(polled.op).str() + " reads " +
                     waiting.allocation->name + waiting.allocation->elementText(polled.place) +
                     ", which is " + numerics::toString(load(*waiting.allocation, polled.place));
  if (waiting.others)
    text += ", and so " + std::string(waiting.others == 1 ? "does" : "do") + " " +
            std::to_string(waiting.others) + " other block" + (waiting.others == 1 ? "" : "s");
  return {polled.op->getLoc(), std::move(text)};
}

void reference::reportDeadlock(llvm::ArrayRef<TileBlock *> blocks) {
  llvm::SmallVector<TileBlock *> sorted(blocks);
  llvm::sort(sorted, [](TileBlock *a, TileBlock *b) { return a->id().number < b->id().number; });
  TileBlock &first = *sorted.front();
  std::string what = "waits for ever: ";
  what += sorted.size() == 1
              ? "no other block is left, and nothing that it repeats changes memory"
              : "all " + std::to_string(sorted.size()) +
                    " blocks that are left wait, and nothing that they repeat changes memory";
  if (first.launch().hasError)
    what += ". Does it wait for what an error has prevented?";
  Finding finding = first.finding(FindingKind::Deadlock, first.position(), what);
  finding.rule = &deadlockRule();

  const std::vector<Waiting> places = placesOf(sorted);
  for (const Waiting &waiting : llvm::ArrayRef(places).take_front(mostPlaces)) {
    Related note = noteOf(waiting);
    if (waiting.first != &first) {
      note.message = waiting.first->blockText() + note.message;
    } else {
      finding.array = waiting.allocation->name;
      finding.arrayElement = waiting.allocation->elementAt(first.polled->place);
    }
    finding.related.push_back(std::move(note));
  }
  if (places.size() > mostPlaces)
    finding.related.back().message +=
        "; " + std::to_string(places.size() - mostPlaces) + " more places are not listed";
  first.add(std::move(finding));
}
