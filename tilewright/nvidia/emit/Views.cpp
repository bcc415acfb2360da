// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Views.h.

#include "tilewright/nvidia/emit/Views.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

bool Views::emitAssume(tile::AssumeOp op) {
  const ViewValue *view = views.emitAssume(op);
  // Divisibility of a view refers to its base (types, 8.1).
  if (auto divBy = llvm::dyn_cast<tile::DivByAttr>(op.getPredicate()); view && divBy)
    b.assume(b.isEqual(b.modulo(view->base, divBy.getDivisor()), b.i64(0)));
  return view;
}

//===-- Regions and addresses -----------------------------------------------------------------===//

/// For each element of a tile, the list's coordinate for its row.
Home Views::spread(Value list, int64_t dim, const TileRegion &region, int64_t bytes) {
  Home home =
      tiles.newHome(llvm::cast<tile::TileType>(list.getType()).getElementType(), region.layout);
  auto number = [&](const Own &own) { return tiles.coordinatesOf(own.index, region.shape)[dim]; };
  auto receive = [&](const Own &own, Value index) { tiles.write(home, own, index); };
  shared.gather(list, {{region.layout, number, receive}}, bytes);
  return home;
}

TileRegion Views::regionOf(tile::MemoryAccessOpInterface access, mlir::OperandRange indices) {
  auto type = llvm::cast<tile::TileView>(access.getAddressed().getType());
  const ViewValue &tensor = views.of(access.getAddressed());
  TileRegion region{
      type.getTensorView().getElementType(), tensor.base, plan.layoutOfAccess(access), {}, {}};
  region.shape.append(type.getTileShape().begin(), type.getTileShape().end());
  for (auto [dim, extent] : llvm::enumerate(region.shape)) {
    tile::DimensionRule rule = tile::ruleOf(type, dim);
    Axis axis{extent, {}, {}, tensor.extents[rule.tensorDim], tensor.strides[rule.tensorDim]};
    if (rule.isSparse)
      axis.listed = spread(indices[dim], dim, region, plan.lists.find(access)->second.bytes);
    else
      axis.first = b.mul(b.zeroExtended(tiles.scalar(indices[dim])), b.i64(rule.step));
    region.axes.push_back(axis);
  }
  return region;
}

Address Views::addressAt(const TileRegion &region, const Own &own) {
  Value offset = b.i64(0);
  Address address;
  for (auto [axis, at] :
       llvm::zip_equal(region.axes, tiles.coordinatesOf(own.index, region.shape))) {
    Value coordinate = axis.listed ? b.zeroExtended(tiles.read(*axis.listed, own))
                                   : b.add(axis.first, b.zeroExtended(at));
    offset = b.add(offset, b.mul(coordinate, axis.stride));
    address.mask = b.conjunction(address.mask, b.isBelow(coordinate, axis.extent));
  }
  unsigned bits = numerics::info(*tile::formatOf(region.elementType)).storageBits;
  if (bits < 8) {
    // Two f4E2M1FN share a byte, the lower half first (types, 2.3).
    Value half = b.times(b.modulo(offset, 2), 4);
    address.shift = arith::TruncIOp::create(b, b.getI8Type(), half);
    address.bytes = b.add(region.base, b.dividedBy(offset, 2));
  } else {
    address.bytes = b.add(region.base, b.mul(offset, b.i64(bits / 8)));
  }
  return address;
}

/// An address is aligned if the base, the coordinate and all other strides are.
Run Views::runOf(tile::MemoryAccessOpInterface access, const TileRegion &region) {
  int64_t width = plan.widthOfAccess(access);
  if (width == 1)
    return {};
  const Axis &axis = region.axes[plan.runDimensionOf(access)];
  auto isMultiple = [&](Value value, int64_t of) {
    return b.isEqual(b.modulo(value, of), b.constantBits(value.getType(), 0));
  };
  Value holds = b.isEqual(axis.stride, b.i64(1));
  holds = b.conjunction(holds, isMultiple(region.base, width * wordBytes(region.elementType)));
  holds = b.conjunction(holds, isMultiple(axis.first, width));
  for (const Axis &other : region.axes)
    if (&other != &axis)
      holds = b.conjunction(holds, isMultiple(other.stride, width));
  // Either no run crosses the end, or the tile does not.
  Value isInside = arith::AndIOp::create(
      b, b.isBelow(axis.first, axis.extent),
      b.isBelow(b.i64(axis.tileExtent - 1), arith::SubIOp::create(b, axis.extent, axis.first)));
  isInside = arith::OrIOp::create(b, isMultiple(axis.extent, width), isInside);
  return {width, b.conjunction(holds, isInside)};
}

/// Accesses elements one by one. If they might also be contiguous, this code is only the fallback,
/// but LLVM would hoist the address computations for all elements out of the surrounding loop, and
/// keep the addresses in registers; opaque values prevent that.
void Views::forEachAlone(const TileRegion &region, const Run &run,
                         llvm::function_ref<void(const Own &, const Address &)> body,
                         std::optional<Slots> only) {
  tiles.forEachRun(
      region.layout, run.width,
      [&](const Own &first) {
        TileRegion here = region;
        if (run.width > 1) {
          here.base = opaque(b, region.base);
          for (Axis &axis : here.axes) {
            axis.stride = opaque(b, axis.stride);
            if (axis.first)
              axis.first = opaque(b, axis.first);
          }
        }
        for (int64_t number = 0; number < run.width; ++number) {
          Own own{b.add(first.slot, b.i32(number)),
                  b.add(first.index, b.i32(number * region.layout.step()))};
          body(own, addressAt(here, own));
        }
      },
      only);
}

//===-- Operations ----------------------------------------------------------------------------===//

/// Collects what is received, in order.
template <typename Reading> static SmallVector<Value> collected(Reading read) {
  SmallVector<Value> elements;
  read([&](const Own &, Value element) { elements.push_back(element); });
  return elements;
}

/// The padding element outside of the tensor; none if it is unspecified.
static std::optional<numerics::Element> paddingOf(tile::LoadViewOp op) {
  return tile::paddingOf(llvm::cast<tile::TileView>(op.getView().getType()));
}

void Views::load(tile::LoadViewOp op, const TileRegion &region, Home into,
                 std::optional<Slots> only) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  std::optional<numerics::Element> fill = paddingOf(op);
  Value padding = fill ? b.constantElement(region.elementType, fill->bits) : Value();
  Run run = runOf(access, region);
  using Receive = llvm::function_ref<void(const Own &, Value)>;
  auto receive = [&](const Own &own, Value element) { tiles.write(into, own, element); };
  auto readOnes = [&](Value isReader, Receive receive) {
    forEachAlone(
        region, run,
        [&](const Own &own, Address from) {
          from.mask = b.conjunction(from.mask, isReader);
          receive(own, memory.read(from, region.elementType, padding, AccessOrder::of(access)));
        },
        only);
  };
  auto readRuns = [&](Receive receive) {
    tiles.forEachRun(
        region.layout, run.width,
        [&](const Own &own) {
          auto elements =
              memory.readRun(addressAt(region, own), region.elementType, run.width, padding);
          for (auto [number, element] : llvm::enumerate(elements))
            receive({b.add(own.slot, b.i32(number)), {}}, element);
        },
        only);
  };
  // Memory that other blocks may write concurrently is read only once.
  if (!access.isWeak())
    return readOnes(tiles.isOwner(region.layout), receive);
  if (run.width == 1)
    return readOnes({}, receive);
  if (!region.layout.isInRegisters())
    return b.branch(run.condition, [&] { readRuns(receive); }, [&] { readOnes({}, receive); });
  // For constant slots, branches return values: LLVM promotes an array to registers in linear time
  // if each element is written in one place.
  SmallVector<Value> elements = chooseAll(
      b, registerType(region.elementType), only ? only->count : region.layout.slots(),
      run.condition, [&] { return collected(readRuns); },
      [&] { return collected([&](Receive receive) { readOnes({}, receive); }); });
  size_t slot = 0;
  auto receiveNext = [&](const Own &own) { receive(own, elements[slot++]); };
  tiles.forEachRun(region.layout, 1, receiveNext, only);
}

void Views::copy(tile::LoadViewOp op, llvm::function_ref<Value(Value)> placeOf) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileRegion region = regionOf(access, op.getIndex());
  std::optional<numerics::Element> fill = paddingOf(op);
  Value padding = fill ? b.constantElement(region.elementType, fill->bits) : Value();
  bool isAsynchronous = plan.target.capability >= 80 && (!fill || fill->bits == 0);
  Run run = runOf(access, region);
  int64_t bytes = run.width * wordBytes(region.elementType);
  TileLayout layout = region.layout;
  if (plan.unrolledCopies.contains(op))
    layout.mostInRegisters = layout.slots();
  auto copyRuns = [&] {
    tiles.forEachRun(layout, run.width, [&](const Own &own) {
      Address from = addressAt(region, own);
      if (isAsynchronous)
        return memory.copyRun(from, placeOf(own.index), bytes);
      SmallVector<Value> words;
      for (Value element : memory.readRun(from, region.elementType, run.width, padding))
        words.push_back(toWord(b, b.getLoc(), element));
      b.writeWords(placeOf(own.index), words);
    });
  };
  // Loops: the fallback for elements that are not contiguous.
  TileRegion alone = region;
  alone.layout.mostInRegisters = 0;
  auto copyOnes = [&] {
    forEachAlone(alone, run, [&](const Own &own, const Address &from) {
      Value element = memory.read(from, region.elementType, padding, AccessOrder::of(access));
      b.writeWord(placeOf(own.index), region.elementType, b.i32(0), element);
    });
  };
  b.branch(tiles.isOwnerInCta(region.layout), [&] { b.branch(run.condition, copyRuns, copyOnes); });
}

void Views::emitPiece(tile::LoadViewOp op, Slots slots) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  load(op, regionOf(access, op.getIndex()), tiles.homeOf(op.getTile()), slots);
}

void Views::emit(tile::LoadViewOp op) {
  if (plan.copied.contains(op.getTile()))
    return; // copied when its product is emitted
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileRegion region = regionOf(access, op.getIndex());
  Value tile = op.getTile();
  TileLayout layout = tiles.layoutOf(tile);
  bool isHeld = layout == region.layout && !isScalar(tile);
  Home into = isHeld ? tiles.homeOf(tile) : tiles.newHome(region.elementType, region.layout);
  load(op, region, into);
  if (isScalar(tile))
    tiles.define(tile, tiles.read(into, {b.i32(0), b.i32(0)}));
  if (tile.use_empty())
    return;
  if (!access.isWeak() && layout.isReplicated())
    return shared.share(tile, plan.exchangeOf(op)->bytes);
  if (isHeld || isScalar(tile))
    return;
  auto element = [&](const Own &own) { return tiles.read(into, own); };
  auto receive = [&](const Own &own, Value value) { tiles.write(tile, own, value); };
  shared.convert({region.layout, region.elementType, element}, layout, receive,
                 *plan.exchangeOf(op));
}

void Views::store(tile::StoreViewOp op, const TileRegion &region, ElementOf element) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  Value isWriter = tiles.isOwner(region.layout);
  Run run = runOf(access, region);
  auto writeOnes = [&] {
    forEachAlone(region, run, [&](const Own &own, Address to) {
      to.mask = b.conjunction(to.mask, isWriter);
      memory.write(to, region.elementType, element(own), AccessOrder::of(access));
    });
  };
  if (run.width == 1)
    return writeOnes();
  b.branch(
      run.condition,
      [&] {
        tiles.forEachRun(region.layout, run.width, [&](const Own &own) {
          Address to = addressAt(region, own);
          to.mask = b.conjunction(to.mask, isWriter);
          SmallVector<Value> elements;
          for (int64_t number = 0; number < run.width; ++number)
            elements.push_back(element({b.add(own.slot, b.i32(number)),
                                        b.add(own.index, b.i32(number * region.layout.step()))}));
          memory.writeRun(to, elements);
        });
      },
      writeOnes);
}

void Views::emit(tile::StoreViewOp op) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileRegion region = regionOf(access, op.getIndex());
  Value tile = op.getTile();
  TileLayout layout = tiles.layoutOf(tile);
  Home home;
  if (layout != region.layout && !isRecomputed(tile)) {
    home = tiles.newHome(region.elementType, region.layout);
    auto held = [&](const Own &own) { return tiles.read(tile, own); };
    auto receive = [&](const Own &own, Value value) { tiles.write(home, own, value); };
    shared.convert({layout, region.elementType, held}, region.layout, receive,
                   *plan.exchangeOf(op));
  }
  auto element = [&](const Own &own) {
    return home.base ? tiles.read(home, own) : tiles.read(tile, own);
  };
  if (llvm::isa<mlir::Float4E2M1FNType>(region.elementType))
    storeHalves(region, AccessOrder::of(access), element);
  else
    store(op, region, element);
}

//===-- Halves of bytes -----------------------------------------------------------------------===//

/// Whether an element and its partner are the two halves of a byte in memory.
Value Views::areByte(const Address &element, const Address &partner, Value isEven) {
  Value low = b.select(isEven, element.shift, partner.shift);
  Value high = b.select(isEven, partner.shift, element.shift);
  mlir::Type shift = b.getI8Type();
  Value sameByte = b.isEqual(element.bytes, partner.bytes);
  Value inOrder = b.conjunction(b.isEqual(low, b.constantBits(shift, 0)),
                                b.isEqual(high, b.constantBits(shift, 4)));
  return b.conjunction(b.conjunction(sameByte, inOrder), b.conjunction(element.mask, partner.mask));
}

/// The adjacent element that may share the byte: the same thread holds it, or one in its warp.
Own Views::partnerOf(const TileLayout &layout, const Own &own) {
  Digit last = layout.digits[0];
  auto flip = [&](Value number, int64_t bit) {
    return b.createOrFold<arith::XOrIOp>(number, b.i32(bit));
  };
  return {last.isThread ? own.slot : flip(own.slot, int64_t(1) << last.bit), flip(own.index, 1)};
}

/// Bytes of which a tile has both halves are written whole, so that uninitialised memory is not
/// read. Of other bytes, the other half is preserved. Two threads may hold the halves of a byte.
/// Two blocks must not (memory model: they are one location).
void Views::storeHalves(const TileRegion &region, AccessOrder order, ElementOf element) {
  const TileLayout &layout = region.layout;
  Value isWriter = tiles.isOwner(layout);
  Home isWhole = tiles.newHome(b.getI1Type(), layout);
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value isPair = b.constantBits(b.getI1Type(), 0);
    if (layout.elements() > 1 && !layout.digits[0].isOfWarp()) {
      Own partner = partnerOf(layout, own);
      Value other = layout.digits[0].isThread
                        ? b.ofOtherLane(element(own), int64_t(1) << layout.digits[0].bit)
                        : element(partner);
      Address to = addressAt(region, own);
      Value isEven = b.isEqual(b.modulo(own.index, 2), b.i32(0));
      isPair = areByte(to, addressAt(region, partner), isEven);
      Value high = arith::ShLIOp::create(b, other, b.constantBits(other.getType(), 4));
      Address whole{to.bytes, {}, b.conjunction(b.conjunction(isPair, isEven), isWriter)};
      memory.write(whole, region.elementType, arith::OrIOp::create(b, element(own), high), order);
    }
    tiles.write(isWhole, own, isPair);
  });
  for (int shift : {0, 4}) {
    if (shift)
      b.barrier();
    tiles.forEachOwn(layout, [&](const Own &own) {
      Address to = addressAt(region, own);
      Value isLeft = b.isEqual(tiles.read(isWhole, own), b.constantBits(b.getI1Type(), 0));
      Value isMine = b.isEqual(to.shift, b.constantBits(b.getI8Type(), shift));
      to.mask = b.conjunction(b.conjunction(to.mask, isWriter), b.conjunction(isLeft, isMine));
      memory.write(to, region.elementType, element(own), order);
    });
  }
}
