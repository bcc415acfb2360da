// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tiles.h.

#include "tilewright/nvidia/emit/Tiles.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

static mlir::Type elementTypeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getElementType();
}

void Tiles::begin(Value number) {
  thread = number;
  scalars.clear();
  homes.clear();
}

//===-- Elements ------------------------------------------------------------------------------===//

/// Scatters the bits of the element number to the bits of the thread number, or of the slot.
Value Tiles::scattered(Value number, const TileLayout &layout, bool isThread) {
  Value result = b.i32(0);
  for (size_t at = 0; at < layout.digits.size();) {
    Digit first = layout.digits[at];
    size_t end = at + 1;
    while (end < layout.digits.size() &&
           layout.digits[end] == Digit{first.isThread, unsigned(first.bit + (end - at))})
      ++end;
    if (first.isThread == isThread) {
      Value bits = b.dividedBy(number, int64_t(1) << first.bit);
      bits = b.modulo(bits, int64_t(1) << (end - at));
      result = b.add(result, b.times(bits, int64_t(1) << at));
    }
    at = end;
  }
  return result;
}

void Tiles::forEachRun(const TileLayout &layout, int64_t width,
                       llvm::function_ref<void(const Own &)> body, std::optional<Slots> only) {
  Value first = layout.isPrivate() ? b.i32(0) : scattered(thread, layout, true);
  if (layout.isInRegisters()) {
    const Slots slots = only.value_or(Slots{0, layout.slots()});
    for (int64_t slot = slots.first; slot < slots.first + slots.count; slot += width)
      body({b.i32(slot), b.add(first, b.i32(layout.indexOf(0, slot)))});
    return;
  }
  b.forEach(0, layout.slots() / width, [&](Value run) {
    Value slot = b.times(run, width);
    body({slot, b.add(first, scattered(slot, layout, false))});
  });
}

void Tiles::forEachTogether(const TileLayout &layout, llvm::ArrayRef<unsigned> slotBits,
                            llvm::function_ref<void(llvm::ArrayRef<Own>)> body) {
  int64_t width = int64_t(1) << slotBits.size(), all = 0;
  for (unsigned bit : slotBits)
    all |= int64_t(1) << bit;
  auto bodyFrom = [&](const Own &first) {
    SmallVector<Own> together;
    for (int64_t number = 0; number < width; ++number) {
      int64_t slot = 0;
      for (auto [at, bit] : llvm::enumerate(slotBits))
        slot |= ((number >> at) & 1) << bit;
      together.push_back(
          {b.add(first.slot, b.i32(slot)), b.add(first.index, b.i32(layout.indexOf(0, slot)))});
    }
    body(together);
  };
  if (!layout.isInRegisters())
    return forEachRun(layout, width, bodyFrom);
  Value first = layout.isPrivate() ? b.i32(0) : scattered(thread, layout, true);
  for (int64_t slot = 0; slot < layout.slots(); ++slot)
    if (!(slot & all))
      bodyFrom({b.i32(slot), b.add(first, b.i32(layout.indexOf(0, slot)))});
}

Own Tiles::ownIn(const TileLayout &layout, int64_t slot) {
  Value first = scattered(thread, layout, true);
  return {b.i32(slot), b.add(first, b.i32(layout.indexOf(0, slot)))};
}

/// Whether the thread number has none of these bits; null if there are none.
Value Tiles::hasNone(int64_t bits) {
  return bits ? b.isEqual(arith::AndIOp::create(b, thread, b.i32(bits)), b.i32(0)) : Value();
}

Value Tiles::isOwner(const TileLayout &layout) { return hasNone(layout.unusedThreadBits()); }

Value Tiles::isOwnerInCta(const TileLayout &layout) {
  return hasNone(layout.unusedThreadBits() & (plan.threadsOfCta() - 1));
}

SmallVector<Value> Tiles::coordinatesOf(Value index, llvm::ArrayRef<int64_t> shape) {
  SmallVector<Value> coordinates;
  auto strides = support::rowMajorStrides<SmallVector<int64_t>>(shape);
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    coordinates.push_back(extent == 1 ? b.i32(0) : b.modulo(b.dividedBy(index, stride), extent));
  return coordinates;
}

//===-- Thread-local arrays -------------------------------------------------------------------===//

Home Tiles::newHome(mlir::Type elementType, const TileLayout &layout) {
  if (!layout.isInRegisters())
    localBytes += layout.slots() * elementwise::wordBytes(elementType);
  return {b.localArray(elementwise::wordType(elementType), layout.slots()), elementType};
}

/// The tile whose array this one uses: a product accumulates in place into a loop-carried tile, if
/// nothing else reads that in the iteration.
static Value holderOf(Value tile) {
  auto product = tile.getDefiningOp<tile::MatmulOpInterface>();
  auto carried = product ? llvm::dyn_cast<mlir::BlockArgument>(product.getAcc()) : Value();
  bool isInPlace =
      carried && carried.hasOneUse() && carried.getParentBlock() == product->getBlock();
  return isInPlace ? carried : tile;
}

Home Tiles::homeOf(Value tile) {
  tile = holderOf(tile);
  Home &home = homes[tile];
  if (!home.base)
    home = newHome(elementTypeOf(tile), layoutOf(tile));
  return home;
}

Value Tiles::read(Value value, const Own &own) {
  if (isScalar(value))
    return scalar(value);
  return isRecomputed(value) ? recomputed(value, own) : read(homeOf(value), own);
}

Value Tiles::recomputed(Value tile, const Own &own) {
  mlir::Operation *op = tile.getDefiningOp();
  mlir::Type type = elementwise::registerType(elementTypeOf(tile));
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
    return b.constantBits(type, elementwise::registerBits(constant, 0));
  if (auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op))
    return read(moved.getMoved(), {b.i32(0), b.i32(0)});
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits > 32)
    return b.createOrFold<arith::ExtUIOp>(type, own.index);
  return bits < 32 ? b.createOrFold<arith::TruncIOp>(type, own.index) : own.index;
}

void Tiles::write(Value value, const Own &own, Value element) {
  if (isScalar(value))
    define(value, element);
  else
    write(homeOf(value), own, element);
}

/// Slot by slot, reads all values before it writes any, because destinations may be sources; tiles
/// that overlap have the same layout.
void Tiles::copy(mlir::ValueRange from, mlir::ValueRange to) {
  if (runsSlice(role))
    return;
  SmallVector<std::pair<TileLayout, SmallVector<std::pair<Value, Value>>>> byLayout;
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    if (!tileTypeOf(source) || holderOf(source) == holderOf(target))
      continue;
    TileLayout layout = layoutOf(target);
    auto *same = llvm::find_if(byLayout, [&](auto &entry) { return entry.first == layout; });
    if (same == byLayout.end())
      same = byLayout.insert(same, {layout, {}});
    same->second.push_back({source, target});
  }
  for (auto &[layout, pairs] : byLayout)
    forEachOwn(layout, [&, &pairs = pairs](const Own &own) {
      SmallVector<Value> values;
      for (auto [source, target] : pairs)
        values.push_back(read(source, own));
      for (auto [pair, value] : llvm::zip_equal(pairs, values))
        write(pair.second, own, value);
    });
}
