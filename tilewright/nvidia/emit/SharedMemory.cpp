// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SharedMemory.h.

#include "tilewright/nvidia/emit/SharedMemory.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;
namespace LLVM = mlir::LLVM;

void SharedMemory::declare(mlir::ModuleOp into, const Reserved &size, SharedMemoryForm form) {
  memory = {};
  if (!size.bytes)
    return;
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(into.getBody());
  std::string name = b.symbols.next("tw_shared");
  const bool isStatic = form == SharedMemoryForm::Static;
  memory = LLVM::GlobalOp::create(
      b, LLVM::LLVMArrayType::get(b.getI8Type(), isStatic ? size.bytes : 0),
      /*isConstant=*/false, isStatic ? LLVM::Linkage::Internal : LLVM::Linkage::External, name,
      mlir::Attribute(), size.alignment, SharedSpace);
  if (!isStatic)
    return;
  b.createBlock(&memory.getInitializer());
  Value nothing = LLVM::UndefOp::create(b, memory.getType());
  LLVM::ReturnOp::create(b, nothing);
}

Value SharedMemory::base() { return LLVM::AddressOfOp::create(b, memory); }

//===-- Exchanges -----------------------------------------------------------------------------===//

void SharedMemory::writeWindow(const Given &given, Value at, Value window, int64_t size,
                               int64_t windows) {
  b.branch(tiles.isOwnerInCta(given.layout), [&] {
    tiles.forEachOwn(given.layout, [&](const Own &own) {
      Value number = given.numberOf ? given.numberOf(own) : own.index;
      Value isThere = windows == 1 ? Value() : b.isEqual(b.dividedBy(number, size), window);
      b.branch(isThere, [&] {
        b.writeWord(at, given.elementType, b.modulo(number, size), given.element(own));
      });
    });
  });
}

/// Runs of bits with successive places are moved together.
Value SharedMemory::placeOf(Value number, const Part &part) {
  Value place = b.i32(0);
  const auto &bits = part.places.bits;
  for (size_t term = 0;; ++term) {
    auto has = [&](size_t at) { return at < bits.size() && bits[at].size() > term; };
    bool isAny = false;
    for (size_t at = 0; at < bits.size(); ++at) {
      if (!has(at))
        continue;
      isAny = true;
      size_t first = at;
      while (has(at + 1) && bits[at + 1][term] == bits[at][term] + 1)
        ++at;
      Value run = b.modulo(b.dividedBy(number, int64_t(1) << bits[first][term]),
                           int64_t(1) << (at + 1 - first));
      place = b.createOrFold<mlir::arith::XOrIOp>(place, b.times(run, int64_t(1) << first));
    }
    if (!isAny)
      return place;
  }
}

/// Whether the element is in the chunk: the upper bits of its number are those of the chunk.
Value SharedMemory::isThere(Value number, const Part &part) {
  return part.windows == 1 ? Value() : b.isEqual(b.dividedBy(number, part.size), part.window);
}

Value SharedMemory::pointerTo(Value number, mlir::Type elementType, const Part &part) {
  return b.byteOffset(part.at, b.times(placeOf(number, part), elementwise::wordBytes(elementType)));
}

void SharedMemory::write(const Given &given, const Part &part) {
  b.branch(tiles.isOwnerInCta(given.layout), [&] {
    tiles.forEachTogether(given.layout, part.places.givenSlots, [&](llvm::ArrayRef<Own> together) {
      Value number = together.front().index;
      b.branch(isThere(number, part), [&] {
        auto words = llvm::map_to_vector(together, [&](const Own &own) {
          return elementwise::toWord(b, b.getLoc(), given.element(own));
        });
        b.writeWords(pointerTo(number, given.elementType, part), words);
      });
    });
  });
}

void SharedMemory::read(const Wanted &want, mlir::Type elementType, const Part &part) {
  tiles.forEachTogether(want.layout, part.places.takenSlots, [&](llvm::ArrayRef<Own> together) {
    const Own &own = together.front();
    Value number = want.number ? want.number(own) : own.index;
    Value condition = isThere(number, part);
    if (want.condition)
      condition = b.conjunction(condition, want.condition(own));
    b.branch(condition, [&] {
      auto words = b.readWords(pointerTo(number, elementType, part),
                               elementwise::wordType(elementType), together.size());
      for (auto [own, word] : llvm::zip_equal(together, words))
        want.receive(own, elementwise::fromMemory(b, b.getLoc(), word, elementType));
    });
  });
}

/// The places for the first reader, or for any reader if its pattern is unknown.
static SharedPlaces placesFor(const Given &given, const Wanted &want, int64_t size) {
  int64_t wordBytes = elementwise::wordBytes(given.elementType);
  unsigned count = llvm::Log2_64(size);
  if (want.number && want.sourceBits.empty())
    return {wordBytes, count};
  SharedSide taken = want.number
                         ? SharedSide(want.layout, want.sourceBits, given.layout.digits.size())
                         : SharedSide(want.layout);
  return {SharedSide(given.layout), taken, wordBytes, count};
}

void SharedMemory::exchange(const Given &given, llvm::ArrayRef<Wanted> wanted, int64_t bytes) {
  int64_t elements = given.layout.elements();
  int64_t size = std::min<int64_t>(
      elements, llvm::bit_floor(uint64_t(bytes / elementwise::wordBytes(given.elementType))));
  SharedPlaces places = placesFor(given, wanted.front(), size);
  b.forEach(0, elements / size, [&](Value window) {
    Part part{base(), window, size, elements / size, places};
    b.barrier();
    write(given, part);
    b.barrier();
    for (const Wanted &want : wanted)
      read(want, given.elementType, part);
  });
}

void SharedMemory::convert(const Given &given, const TileLayout &to,
                           llvm::function_ref<void(const Own &, Value)> receive,
                           const Exchange &how) {
  if (how.swaps)
    return shuffle(given, to, receive, *how.swaps);
  exchange(given, {{to, nullptr, receive}}, how.bytes);
}

//===-- Shuffles ------------------------------------------------------------------------------===//

/// In a pair of lanes, each keeps the one of two elements that belongs to it, and sends the other.
static void swapWithLane(ThreadBuilder &b, Value thread, const LaneSwap &swap,
                         llvm::MutableArrayRef<Value> words) {
  int64_t lane = int64_t(1) << swap.lane, slot = int64_t(1) << swap.slot;
  Value isUpper = b.isEqual(b.modulo(b.dividedBy(thread, lane), 2), b.i32(1));
  llvm::SmallVector<std::pair<size_t, size_t>> pairs;
  for (size_t at = 0; at < words.size(); ++at)
    if (!(at & slot))
      pairs.push_back({at, at | slot});
  llvm::SmallVector<Value> sent;
  for (auto [low, high] : pairs)
    sent.push_back(b.select(isUpper, words[low], words[high]));
  for (auto [pair, received] : llvm::zip_equal(pairs, b.ofOtherLane(sent, lane))) {
    auto [low, high] = pair;
    words[low] = b.select(isUpper, received, words[low]);
    words[high] = b.select(isUpper, words[high], received);
  }
}

void SharedMemory::shuffle(const Given &given, const TileLayout &to,
                           llvm::function_ref<void(const Own &, Value)> receive,
                           const LaneSwaps &swaps) {
  llvm::SmallVector<Value> words;
  tiles.forEachOwn(given.layout, [&](const Own &own) {
    words.push_back(elementwise::toWord(b, b.getLoc(), given.element(own)));
  });
  for (const LaneSwap &swap : swaps.swaps)
    swapWithLane(b, tiles.thread, swap, words);
  int64_t slot = 0;
  tiles.forEachOwn(to, [&](const Own &own) {
    int64_t from = 0;
    for (auto [bit, source] : llvm::enumerate(swaps.slots))
      from |= ((slot >> bit) & 1) << source;
    ++slot;
    receive(own, elementwise::fromMemory(b, b.getLoc(), words[from], given.elementType));
  });
}

//===-- Tiles ---------------------------------------------------------------------------------===//

void SharedMemory::gather(Value source, llvm::ArrayRef<Wanted> wanted, int64_t bytes) {
  auto type = llvm::cast<tile::TileType>(source.getType());
  TileLayout layout = tiles.layoutOf(source);
  bool isAtHand = layout.elements() == 1 || layout.isPrivate() || isRecomputed(source);
  if (!isAtHand)
    return exchange(
        {layout, type.getElementType(), [&](const Own &own) { return tiles.read(source, own); }},
        wanted, bytes);
  // Each thread has the single element, or all elements, or rematerializes them.
  for (const Wanted &want : wanted)
    tiles.forEachOwn(want.layout, [&](const Own &own) {
      Value number = layout.elements() == 1 ? b.i32(0) : want.number ? want.number(own) : own.index;
      b.branch(want.condition ? want.condition(own) : Value(),
               [&] { want.receive(own, tiles.read(source, {number, number})); });
    });
}

void SharedMemory::share(Value tile, int64_t bytes) {
  auto type = llvm::cast<tile::TileType>(tile.getType());
  TileLayout layout = tiles.layoutOf(tile);
  auto element = [&](const Own &own) { return tiles.read(tile, own); };
  auto receive = [&](const Own &own, Value value) { tiles.write(tile, own, value); };
  exchange({layout, type.getElementType(), element}, {{layout, nullptr, receive}}, bytes);
}
