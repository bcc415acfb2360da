// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Mbarriers.h.

#include "tilewright/nvidia/emit/Mbarriers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;
namespace LLVM = mlir::LLVM;

Value Mbarriers::addressAt(Value offset) {
  return LLVM::PtrToIntOp::create(b, b.getI32Type(), b.byteOffset(shared.base(), offset));
}

void Mbarriers::initialize(int64_t offset, int64_t arrivals) {
  b.instruction("mbarrier.init.shared::cta.b64 [$0], $1;", {addressAt(offset), b.i32(arrivals)},
                "r,r");
}

static void emitWait(ThreadBuilder &b, const char *order, Value barrier, Value parity) {
  b.instruction(
      llvm::formatv(
          "{{ .reg .pred p; $$again: mbarrier.try_wait.parity{0}.shared::cta.b64 p, [$0], "
          "$1; @!p bra $$again; }",
          order)
          .str(),
      {barrier, parity}, "r,r");
}

void Mbarriers::wait(Value barrier, Value parity) { emitWait(b, "", barrier, parity); }

void Mbarriers::waitForCluster(Value barrier, Value parity) {
  emitWait(b, b.areBlocksClusters ? ".acquire.cluster" : "", barrier, parity);
}

void Mbarriers::arriveOnce(Value barrier) {
  b.branch(b.isEqual(b.modulo(tiles.thread, 32), b.i32(0)),
           [&] { b.instruction("mbarrier.arrive.shared::cta.b64 _, [$0];", {barrier}, "r"); });
}

void Mbarriers::arriveInCluster(Value barrier) {
  Value lane = b.modulo(tiles.thread, 32);
  b.branch(b.isBelow(lane, b.i32(ctasOfCluster)), [&] {
    b.instruction("{ .reg .b32 there; mapa.shared::cluster.u32 there, $0, $1; "
                  "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }",
                  {barrier, lane}, "r,r");
  });
}

Value Mbarriers::inFirstCta(Value barrier) {
  return LLVM::InlineAsmOp::create(
             b, b.getI32Type(), barrier, "mapa.shared::cluster.u32 $0, $1, 0;", "=r,r",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), mlir::ArrayAttr())
      .getRes();
}

void Mbarriers::arriveInFirstCta(Value barrier) {
  b.branch(b.isEqual(b.modulo(tiles.thread, 32), b.i32(0)), [&] {
    b.instruction("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];",
                  {inFirstCta(barrier)}, "r");
  });
}

void Mbarriers::arriveAtBoth(Value barrier) {
  static_assert(ctasOfCluster == 2, "the other CTA has the other rank");
  b.branch(b.isEqual(tiles.threadOfCta(), b.i32(0)), [&] {
    Value other = b.createOrFold<mlir::arith::XOrIOp>(b.rank(), b.i32(1));
    b.instruction("{ .reg .b32 there; mapa.shared::cluster.u32 there, $0, $1; "
                  "mbarrier.arrive.release.cluster.shared::cta.b64 _, [$0]; "
                  "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }",
                  {barrier, other}, "r,r");
  });
}

void Mbarriers::arriveByCommit(Value barrier) {
  if (!b.areBlocksClusters)
    return b.instruction(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];", {barrier},
        "r");
  b.instruction("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster."
                "multicast::cluster.b64 [$0], $1;",
                {barrier, b.constantBits(b.getIntegerType(16), allCtasOfCluster)}, "r,h");
}

Value nvidia::readState(ThreadBuilder &b, Value state, int64_t number) {
  return b.readWord(state, b.getI32Type(), b.i32(number));
}

void nvidia::writeState(ThreadBuilder &b, Value state, int64_t number, Value value) {
  b.writeWord(state, b.getI32Type(), b.i32(number), value);
}
