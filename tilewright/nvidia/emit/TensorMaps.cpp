// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TensorMaps.h.

#include "tilewright/nvidia/emit/TensorMaps.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Making them ---------------------------------------------------------------------------===//

/// Sets the fields of a map in shared memory (PTX ISA, tensormap.replace). A map must not have an
/// extent of 0, nor a stride that is no multiple of 16 bytes. Where a dimension has no or one
/// element, a valid placeholder is safe: `copy` never reads inside of such a dimension.
void TensorMaps::make(const TensorMap &map, Value at) {
  auto set = [&](llvm::StringRef field, const std::string &ordinal, Value value) {
    const bool isWide = value.getType().isInteger(64);
    std::string text = formatv("tensormap.replace.tile.{0}.shared::cta.b1024.{1} [$0], {2}$1;",
                               field, isWide ? "b64" : "b32", ordinal);
    b.instruction(text, {at, value}, isWide ? "r,l" : "r,r");
  };
  auto setConstant = [&](llvm::StringRef field, int64_t value) {
    std::string text =
        formatv("tensormap.replace.tile.{0}.shared::cta.b1024.b32 [$0], {1};", field, value);
    b.instruction(text, {at}, "r");
  };
  const ViewValue array = views.valueOf(map.view);
  set("global_address", "", array.base);
  setConstant("rank", int64_t(map.dims.size()) - 1);
  for (auto [number, dim] : llvm::enumerate(map.dims)) {
    Value extent = array.extents[dim], one = b.i64(1);
    if (number == 0) {
      extent = b.dividedBy(extent, map.elementsOfUnit);
      for (unsigned other : map.merged)
        extent = b.mul(extent, array.extents[other]);
    }
    Value atLeastOne = b.createOrFold<arith::MaxUIOp>(extent, one);
    const std::string ordinal = std::to_string(number) + ", ";
    set("box_dim", ordinal, b.i32(map.box[number]));
    set("global_dim", ordinal, arith::TruncIOp::create(b, b.getI32Type(), atLeastOne));
    set("element_stride", ordinal, b.i32(1));
    if (number == 0)
      continue;
    Value bytes =
        b.dividedBy(b.mul(array.strides[dim], b.i64(map.elementBytes)), map.elementsOfUnit);
    set("global_stride", std::to_string(number - 1) + ", ",
        b.select(b.isBelow(one, extent), bytes, b.i64(16)));
  }
  // Elements are copied as unsigned integers; those outside of the array are 0.
  setConstant("elemtype", llvm::Log2_64(map.elementBytes) + (map.elementBytes == 8));
  setConstant("interleave_layout", 0);
  setConstant("swizzle_mode", llvm::Log2_64(map.span() / SharedImage::pieceBytes));
  setConstant("fill_mode", 0);
}

/// Maps are made in shared memory and copied to the block's part of the pool, because copies read
/// them from global memory.
void TensorMaps::makeAll(size_t first, size_t end, GlobalPool &pool) {
  Value lane = b.modulo(tiles.thread, 32);
  SmallVector<Value> made;
  for (size_t number = first; number < end; ++number) {
    Value at = b.byteOffset(shared.base(), b.i32(plan.roles.mapsInShared + offsetOf(number)));
    b.writeWord(at, b.getI32Type(), lane, b.i32(0));
    made.push_back(LLVM::PtrToIntOp::create(b, b.getI32Type(), at));
  }
  b.instruction("bar.warp.sync -1;");
  b.branch(b.isEqual(lane, b.i32(0)), [&] {
    for (auto [number, at] : llvm::enumerate(made))
      make(plan.roles.maps[first + number], at);
  });
  b.instruction("bar.warp.sync -1;");
  for (auto [number, from] : llvm::enumerate(made))
    b.instruction("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
                  "aligned [$0], [$1], 128;",
                  {addresses[first + number], from}, "l,r");
  for (size_t number = first; number < end; ++number)
    b.instruction("fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", {addresses[number]},
                  "l");
}

void TensorMaps::makeForRole(GlobalPool &pool) {
  const Roles &roles = plan.roles;
  for (size_t number = 0; number < roles.maps.size(); ++number)
    addresses.push_back(pool.addressAt(roles.mapsInPool + offsetOf(number)));
  if (role == Role::Producer)
    makeAll(0, roles.mapsOfLoads, pool);
  else if (!roles.stores.empty())
    b.branch(b.isBelow(tiles.threadOfCta(), b.i32(32)),
             [&] { makeAll(roles.mapsOfLoads, roles.maps.size(), pool); });
}

//===-- Boxes ---------------------------------------------------------------------------------===//

/// Coordinates have 32 bits and a sign; a tile that begins outside of the array gets a coordinate
/// that is certainly outside.
SmallVector<Value> TensorMaps::coordinatesOf(const TensorMap &map,
                                             tile::MemoryAccessOpInterface access,
                                             mlir::OperandRange indices, size_t rowDim,
                                             const CopiedPart &part) {
  constexpr int64_t outside = -(int64_t(1) << 30);
  const TileRegion region = views.regionOf(access, indices);
  auto view = llvm::cast<tile::TileView>(access.getAddressed().getType());
  SmallVector<Value> coordinates(map.dims.size());
  Value isInside; // along merged dimensions, of which a tile is all or nothing
  auto rules = tile::rulesOf(view);
  for (auto [axis, rule] : llvm::zip_equal(region.axes, rules)) {
    size_t number = llvm::find(map.dims, rule.tensorDim) - map.dims.begin();
    if (number == map.dims.size()) {
      isInside = b.conjunction(isInside, b.isBelow(axis.first, axis.extent));
      continue;
    }
    Value inUnits = number == 0 ? b.dividedBy(axis.first, map.elementsOfUnit) : axis.first;
    Value first = arith::TruncIOp::create(b, b.getI32Type(), inUnits);
    coordinates[number] = b.select(b.isBelow(axis.first, axis.extent), first, b.i32(outside));
  }
  if (plan.ctas > 1 && part.divides != CopiedPart::Nothing) {
    const bool areRows = part.divides == CopiedPart::Rows;
    Value &divided = coordinates[areRows ? rowDim : 0];
    const SharedImage &image = part.image;
    const int64_t extent = areRows ? image.rows : image.rowBytes / map.elementBytes;
    divided = b.add(divided, b.mul(b.rank(), b.i32(extent)));
  }
  if (isInside)
    coordinates[0] = b.select(isInside, coordinates[0], b.i32(outside));
  return coordinates;
}

//===-- Stores --------------------------------------------------------------------------------===//

/// Ends the wait when the thread's copies have read shared memory, or also written global memory.
void TensorMaps::waitForStores(bool untilWritten) {
  if (!plan.roles.stores.empty())
    b.instruction(untilWritten ? "cp.async.bulk.wait_group 0;"
                               : "cp.async.bulk.wait_group.read 0;");
}

/// Writes pairs of elements. The place of an element is an exclusive-or of the places of the bits
/// of its number, so that of a thread and that of a slot are combined: the part of the latter that
/// shares no bits with places of threads is added, as an immediate of the store.
void TensorMaps::write(Value tile, const TensorStore &store) {
  const TileLayout layout = tiles.layoutOf(tile);
  const SharedImage &image = store.part.image;
  const int64_t columns = llvm::cast<tile::TileType>(tile.getType()).getShape().back();
  const int64_t bytes = image.rowBytes / columns;
  // The last bits are those of the CTA.
  const auto digits = llvm::ArrayRef(layout.digits).drop_back(llvm::Log2_64(uint64_t(plan.ctas)));
  auto placeOfBit = [&](size_t bit) {
    const int64_t number = int64_t(1) << bit;
    return image.placeOf(number / columns, number % columns * bytes);
  };
  Value ofThread = b.i32(0);
  int64_t bitsOfThreads = 0;
  for (auto [bit, digit] : llvm::enumerate(digits)) {
    if (!digit.isThread)
      continue;
    Value isSet = b.modulo(b.dividedBy(tiles.thread, int64_t(1) << digit.bit), 2);
    Value place = b.mul(isSet, b.i32(placeOfBit(bit)));
    ofThread = b.createOrFold<arith::XOrIOp>(ofThread, place);
    bitsOfThreads |= placeOfBit(bit);
  }
  for (int64_t slot = 0; slot < layout.slots(); slot += 2) {
    int64_t ofSlot = 0;
    for (auto [bit, digit] : llvm::enumerate(digits))
      if (!digit.isThread && slot >> digit.bit & 1)
        ofSlot ^= placeOfBit(bit);
    Value place = b.createOrFold<arith::XOrIOp>(ofThread, b.i32(ofSlot & bitsOfThreads));
    Value to = b.byteOffset(b.byteOffset(shared.base(), place),
                            b.i32(store.offset + (ofSlot & ~bitsOfThreads)));
    SmallVector<Value> pair;
    for (int64_t at : {slot, slot + 1})
      pair.push_back(elementwise::toWord(b, b.getLoc(), tiles.read(tile, {b.i32(at), {}})));
    b.writeWords(to, pair);
  }
}

void TensorMaps::copyBoxes(const TensorMap &map, const SharedImage &image, size_t rowDim,
                           llvm::ArrayRef<Value> first, const char *text, std::string constraints,
                           llvm::function_ref<SmallVector<Value>(int64_t)> operandsAt) {
  const size_t before = llvm::StringRef(constraints).count(',') + 1;
  std::string coordinates;
  for (size_t number = 0; number < map.dims.size(); ++number) {
    coordinates += (number ? ", $" : "$") + std::to_string(before + number);
    constraints += ",r";
  }
  const std::string instruction = formatv(text, map.dims.size(), coordinates);
  for (int64_t panel = 0; panel < image.panels(); ++panel)
    for (int64_t row = 0; row < image.rows; row += map.box[rowDim]) {
      SmallVector<Value> at(first);
      at[0] = b.add(at[0], b.i32(panel * map.box[0]));
      at[rowDim] = b.add(at[rowDim], b.i32(row));
      SmallVector<Value> operands = operandsAt(panel * image.panelBytes() + row * image.span);
      llvm::append_range(operands, at);
      b.instruction(instruction, operands, constraints);
    }
}

/// By the first thread of the CTA.
void TensorMaps::copy(tile::StoreViewOp op, const TensorStore &store) {
  const TensorMap &map = plan.roles.maps[store.map];
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  copyBoxes(map, store.part.image, store.rowDim,
            coordinatesOf(map, access, op.getIndex(), store.rowDim, store.part),
            "cp.async.bulk.tensor.{0}d.global.shared::cta.bulk_group [$0, {{{1}}], [$1];", "l,r",
            [&](int64_t offset) -> SmallVector<Value> {
              return {addresses[store.map], shared.addressAt(b.i32(store.offset + offset))};
            });
  b.instruction("cp.async.bulk.commit_group;");
}

/// Before the first barrier, other threads may read stages, and an earlier store this memory,
/// unless the store has a barrier of its own. The copies follow what threads have written, also
/// what they have accessed in global memory before.
void TensorMaps::store(tile::StoreViewOp op) {
  const TensorStore &store = plan.roles.stores.find(op)->second;
  if (!plan.barriers.contains(op)) {
    waitForStores(/*untilWritten=*/false);
    b.barrier();
  }
  write(op.getTile(), store);
  b.instruction("fence.proxy.async;");
  b.barrier();
  b.branch(b.isEqual(tiles.threadOfCta(), b.i32(0)), [&] { copy(op, store); });
}
