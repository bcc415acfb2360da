// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rings.h.

#include "tilewright/nvidia/emit/Rings.h"

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

static void initializeBarrier(ThreadBuilder &b, Value barrier, int64_t arrivals) {
  b.instruction("mbarrier.init.shared::cta.b64 [$0], $1;", {barrier, b.i32(arrivals)}, "r,r");
}

void Rings::initialize(ThreadBuilder &b, const Plan &plan, SharedMemory &shared, Value thread) {
  b.branch(b.isEqual(thread, b.i32(0)), [&] {
    for (const auto &[product, ring] : plan.roles.rings)
      for (int64_t at = 0; at < 2 * ring.stages; ++at) {
        Value barrier = shared.addressAt(b.i32(ring.barriers + at * Ring::barrierBytes));
        // The producer arrives once with the number of bytes.
        int64_t arrivals = at < ring.stages ? 1 : plan.threads / 32;
        initializeBarrier(b, barrier, arrivals);
      }
    if (!plan.roles.meetings.empty())
      initializeBarrier(b, shared.addressAt(b.i32(plan.roles.meetingBarrier)),
                        plan.threads / 32 + 1);
    b.instruction("fence.mbarrier_init.release.cluster;");
  });
}

Value Rings::barrierOf(const Ring &ring, Value stage, bool isEmpty) {
  int64_t first = ring.barriers + (isEmpty ? ring.stages * Ring::barrierBytes : 0);
  return shared.addressAt(b.add(b.times(stage, Ring::barrierBytes), b.i32(first)));
}

void Rings::waitFor(Value barrier, Value parity) {
  b.instruction("{ .reg .pred p; $$again: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; "
                "@!p bra $$again; }",
                {barrier, parity}, "r,r");
}

//===-- Stages --------------------------------------------------------------------------------===//

static Value read(ThreadBuilder &b, Value state, int64_t number) {
  return b.readWord(state, b.getI32Type(), b.i32(number));
}

static void write(ThreadBuilder &b, Value state, int64_t number, Value value) {
  b.writeWord(state, b.getI32Type(), b.i32(number), value);
}

/// All stages are empty at first: the producer waits for the phase before the first one, which
/// counts as complete.
void Rings::begin() {
  if (role == Role::Everyone)
    return;
  for (const auto &[product, ring] : plan.roles.rings) {
    Value state = states[product] = b.localArray(b.getI32Type(), 2);
    write(b, state, 0, b.i32(0));
    write(b, state, 1, b.i32(role == Role::Producer ? 1 : 0));
  }
  if (!plan.roles.meetings.empty())
    write(b, meeting = b.localArray(b.getI32Type(), 1), 0, b.i32(0));
}

/// The next stage; the parity changes with each round.
void Rings::advance(const Ring &ring, Value state) {
  Value next = b.add(read(b, state, 0), b.i32(1)), parity = read(b, state, 1);
  Value isLast = b.isEqual(next, b.i32(ring.stages));
  write(b, state, 0, b.select(isLast, b.i32(0), next));
  Value other = b.createOrFold<arith::XOrIOp>(parity, b.i32(1));
  write(b, state, 1, b.select(isLast, other, parity));
}

Value Rings::wait(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product), stage = read(b, state, 0);
  waitFor(barrierOf(ring, stage, /*isEmpty=*/false), read(b, state, 1));
  return stage;
}

void Rings::release(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product);
  Value barrier = barrierOf(ring, read(b, state, 0), /*isEmpty=*/true);
  // After `wgmma`, no lane reads the stage any more.
  if (!plan.matrices.find(product)->second.form.isOfWarpgroup())
    b.instruction("bar.warp.sync -1;");
  arriveOnce(barrier);
  advance(ring, state);
}

/// One thread of each warp arrives, or the only one of the producer.
void Rings::arriveOnce(Value barrier) {
  b.branch(b.isEqual(b.modulo(tiles.thread, 32), b.i32(0)),
           [&] { b.instruction("mbarrier.arrive.shared::cta.b64 _, [$0];", {barrier}, "r"); });
}

/// Tensor maps read by the asynchronous proxy what consumers write by the generic one.
void Rings::meet() {
  if (role == Role::Everyone)
    return;
  Value barrier = shared.addressAt(b.i32(plan.roles.meetingBarrier));
  if (!isProducer()) {
    b.instruction("fence.proxy.async;");
    b.instruction("bar.warp.sync -1;");
  }
  arriveOnce(barrier);
  Value parity = read(b, meeting, 0);
  waitFor(barrier, parity);
  write(b, meeting, 0, b.createOrFold<arith::XOrIOp>(parity, b.i32(1)));
}

//===-- Copies --------------------------------------------------------------------------------===//

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
  SmallVector<Value> first = maps.coordinatesOf(map, access, load.getIndex());
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
          shared.addressAt(b.add(base, b.i32(panel * image.panelBytes() + row * image.span)));
      SmallVector<Value> operands = {to, maps.addressOf(copy.map), full};
      llvm::append_range(operands, at);
      b.instruction(text, operands, constraints);
    }
}

void Rings::fill(tile::MatmulOpInterface product) {
  const Ring &ring = *plan.roles.ringOf(product);
  Value state = states.lookup(product), stage = read(b, state, 0);
  waitFor(barrierOf(ring, stage, /*isEmpty=*/true), read(b, state, 1));
  b.instruction("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;",
                {barrierOf(ring, stage, /*isEmpty=*/false), b.i32(ring.bytes)}, "r,r");
  for (const TensorCopy &each : ring.copies)
    copy(ring, each, product, stage);
  advance(ring, state);
}
