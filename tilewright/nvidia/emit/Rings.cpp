// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rings.h.

#include "tilewright/nvidia/emit/Rings.h"
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

//===-- Barriers ------------------------------------------------------------------------------===//

void Rings::initialize(const Plan &plan, Mbarriers &barriers) {
  for (const auto &[product, ring] : plan.roles.rings)
    for (int64_t at = 0; at < 2 * ring.stages; ++at) {
      // The producer arrives once with the number of bytes, and a commit once.
      const bool isOnce = at < ring.stages || plan.tensor.find(product);
      barriers.initialize(ring.barriers + at * Ring::barrierBytes, isOnce ? 1 : plan.threads / 32);
    }
  if (!plan.roles.meetings.empty())
    barriers.initialize(plan.roles.meetingBarrier, plan.threads / 32 + 1);
}

Value Rings::barrierOf(const Ring &ring, Value stage, bool isEmpty) {
  int64_t first = ring.barriers + (isEmpty ? ring.stages * Ring::barrierBytes : 0);
  return barriers.addressAt(b.add(b.times(stage, Ring::barrierBytes), b.i32(first)));
}

//===-- Stages --------------------------------------------------------------------------------===//

/// All stages are empty at first: the producer waits for the phase before the first one, which
/// counts as complete.
void Rings::begin() {
  if (role == Role::Everyone)
    return;
  for (const auto &[product, ring] : plan.roles.rings) {
    Value state = states[product] = b.localArray(b.getI32Type(), 2);
    writeState(b, state, 0, b.i32(0));
    writeState(b, state, 1, b.i32(role == Role::Producer ? 1 : 0));
  }
  if (!plan.roles.meetings.empty())
    writeState(b, meeting = b.localArray(b.getI32Type(), 1), 0, b.i32(0));
}

/// The next stage; the parity changes with each round.
void Rings::advance(const Ring &ring, Value state) {
  Value next = b.add(readState(b, state, 0), b.i32(1)), parity = readState(b, state, 1);
  Value isLast = b.isEqual(next, b.i32(ring.stages));
  writeState(b, state, 0, b.select(isLast, b.i32(0), next));
  Value other = b.createOrFold<arith::XOrIOp>(parity, b.i32(1));
  writeState(b, state, 1, b.select(isLast, other, parity));
}

Value Rings::wait(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product), stage = readState(b, state, 0);
  barriers.wait(barrierOf(ring, stage, /*isEmpty=*/false), readState(b, state, 1));
  return stage;
}

void Rings::release(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product);
  Value barrier = barrierOf(ring, readState(b, state, 0), /*isEmpty=*/true);
  // A commit arrives when the instructions so far have read the stage.
  if (plan.tensor.find(product)) {
    b.instruction("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];",
                  {barrier}, "r");
    return advance(ring, state);
  }
  // After `wgmma`, no lane reads the stage any more.
  if (!plan.matrices.find(product)->second.form.isOfWarpgroup())
    b.instruction("bar.warp.sync -1;");
  barriers.arriveOnce(barrier);
  advance(ring, state);
}

/// Tensor maps read by the asynchronous proxy what consumers write by the generic one.
void Rings::meet() {
  if (role == Role::Everyone || role == Role::Multiplier)
    return;
  Value barrier = barriers.addressAt(plan.roles.meetingBarrier);
  if (!isProducer()) {
    b.instruction("fence.proxy.async;");
    b.instruction("bar.warp.sync -1;");
  }
  barriers.arriveOnce(barrier);
  Value parity = readState(b, meeting);
  barriers.wait(barrier, parity);
  writeState(b, meeting, 0, b.createOrFold<arith::XOrIOp>(parity, b.i32(1)));
}

//===-- Tensor maps ---------------------------------------------------------------------------===//

/// Sets the fields of a map in shared memory (PTX ISA, tensormap.replace). A map must not have an
/// extent of 0, nor a stride that is no multiple of 16 bytes. Where a dimension has no or one
/// element, a valid placeholder is safe: `copy` never reads inside of such a dimension.
void Rings::makeMap(const TensorMap &map, Value at) {
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
    Value atLeastOne = b.createOrFold<arith::MaxUIOp>(extent, one);
    const std::string ordinal = std::to_string(number) + ", ";
    set("box_dim", ordinal, b.i32(map.box[number]));
    set("global_dim", ordinal, arith::TruncIOp::create(b, b.getI32Type(), atLeastOne));
    set("element_stride", ordinal, b.i32(1));
    if (number == 0)
      continue;
    Value bytes = b.mul(array.strides[dim], b.i64(map.elementBytes));
    set("global_stride", std::to_string(number - 1) + ", ",
        b.select(b.isBelow(one, extent), bytes, b.i64(16)));
  }
  // Elements are copied as unsigned integers; those outside of the array are 0.
  setConstant("elemtype", llvm::Log2_64(map.elementBytes) + (map.elementBytes == 8));
  setConstant("interleave_layout", 0);
  setConstant("swizzle_mode", map.span() == 32 ? 1 : map.span() == 64 ? 2 : 3);
  setConstant("fill_mode", 0);
}

/// Maps are made in shared memory and copied to the block's part of the pool, because copies read
/// them from global memory.
void Rings::makeMaps(GlobalPool &pool) {
  Value lane = b.modulo(tiles.thread, 32);
  SmallVector<Value> made;
  for (size_t number = 0; number < plan.roles.maps.size(); ++number) {
    int64_t offset = int64_t(number) * TensorMap::bytes;
    Value at = b.byteOffset(shared.base(), b.i32(plan.roles.mapsInShared + offset));
    b.writeWord(at, b.getI32Type(), lane, b.i32(0));
    made.push_back(LLVM::PtrToIntOp::create(b, b.getI32Type(), at));
    maps.push_back(pool.addressAt(plan.roles.mapsInPool + offset));
  }
  b.instruction("bar.warp.sync -1;");
  b.branch(b.isEqual(lane, b.i32(0)), [&] {
    for (auto [map, at] : llvm::zip_equal(plan.roles.maps, made))
      makeMap(map, at);
  });
  b.instruction("bar.warp.sync -1;");
  for (auto [from, to] : llvm::zip_equal(made, maps))
    b.instruction("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
                  "aligned [$0], [$1], 128;",
                  {to, from}, "l,r");
  for (Value map : maps)
    b.instruction("fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", {map}, "l");
}

//===-- Copies --------------------------------------------------------------------------------===//

/// The coordinates of a load's tile in the order of the map. Coordinates have 32 bits and a sign; a
/// tile that begins outside of the array gets a coordinate that is certainly outside.
static SmallVector<Value> coordinatesOf(ThreadBuilder &b, const TensorMap &map,
                                        const TileRegion &region, tile::TileView view) {
  SmallVector<Value> coordinates(map.dims.size());
  auto rules = tile::rulesOf(view);
  for (auto [axis, rule] : llvm::zip_equal(region.axes, rules)) {
    size_t number = llvm::find(map.dims, rule.tensorDim) - map.dims.begin();
    Value first = arith::TruncIOp::create(b, b.getI32Type(), axis.first);
    coordinates[number] =
        b.select(b.isBelow(axis.first, axis.extent), first, b.i32(-(int64_t(1) << 30)));
  }
  return coordinates;
}

/// Copies an operand to its image: for each panel, boxes of up to 256 rows.
void Rings::copy(const Ring &ring, const TensorCopy &copy, tile::MatmulOpInterface product,
                 Value stage) {
  const MatrixProduct &matrices = plan.matrices.find(product)->second;
  const Staging &staging = plan.staged.find(product)->second;
  const StagedOperand &operand = copy.isLhs ? staging.lhs : staging.rhs;
  const TensorMap &map = plan.roles.maps[copy.map];
  tile::LoadViewOp load = copy.load;
  const SharedImage image = imageOf(matrices, copy.isLhs, staging.isAlongK(copy.isLhs), matrices.k);
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  SmallVector<Value> first = coordinatesOf(b, map, views.regionOf(access, load.getIndex()),
                                           llvm::cast<tile::TileView>(load.getView().getType()));
  Value base = b.add(b.mul(stage, b.i32(operand.bytes)), b.i32(operand.offset));
  Value full = barrierOf(ring, stage, /*isEmpty=*/false);
  const int64_t rowsOfBox = map.box[copy.rowDim];
  std::string names, constraints = "r,l,r";
  for (size_t number = 0; number < map.dims.size(); ++number) {
    names += (number ? ", $" : "$") + std::to_string(number + 3);
    constraints += ",r";
  }
  std::string text =
      formatv("cp.async.bulk.tensor.{0}d.shared::cluster.global.mbarrier::complete_tx"
              "::bytes [$0], [$1, {{{1}}], [$2];",
              map.dims.size(), names);
  for (int64_t panel = 0; panel < image.panels(); ++panel)
    for (int64_t row = 0; row < image.rows; row += rowsOfBox) {
      SmallVector<Value> at = first;
      at[0] = b.add(at[0], b.i32(panel * map.box[0]));
      at[copy.rowDim] = b.add(at[copy.rowDim], b.i32(row));
      Value to =
          barriers.addressAt(b.add(base, b.i32(panel * image.panelBytes() + row * image.span)));
      SmallVector<Value> operands = {to, maps[copy.map], full};
      llvm::append_range(operands, at);
      b.instruction(text, operands, constraints);
    }
}

void Rings::fill(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product), stage = readState(b, state, 0);
  barriers.wait(barrierOf(ring, stage, /*isEmpty=*/true), readState(b, state, 1));
  b.instruction("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;",
                {barrierOf(ring, stage, /*isEmpty=*/false), b.i32(ring.bytes)}, "r,r");
  for (const TensorCopy &each : ring.copies)
    copy(ring, each, product, stage);
  advance(ring, state);
}
