// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GlobalPool.h.

#include "tilewright/nvidia/emit/GlobalPool.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;
namespace LLVM = mlir::LLVM;
namespace scf = mlir::scf;

/// A zero-initialised array in global memory.
static LLVM::GlobalOp zeros(ThreadBuilder &b, mlir::ModuleOp into, const char *name, int64_t bytes,
                            int64_t alignment) {
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(into.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes);
  auto global =
      LLVM::GlobalOp::create(b, type, /*isConstant=*/false, LLVM::Linkage::Internal,
                             b.symbols.next(name), mlir::Attribute(), alignment, GlobalSpace);
  b.createBlock(&global.getInitializer());
  LLVM::ReturnOp::create(b, LLVM::ZeroOp::create(b, type).getResult());
  return global;
}

void GlobalPool::declare(mlir::ModuleOp into) {
  if (!plan.pool.bytes)
    return;
  memory = zeros(b, into, "tw_pool", parts * plan.pool.bytes, /*alignment=*/plan.pool.alignment);
  marks = zeros(b, into, "tw_marks", parts * 4, /*alignment=*/4);
}

/// One thread searches for a mark that is 0, beginning with that of the block's number, and sets it
/// to 1.
void GlobalPool::take() {
  if (!plan.pool.bytes)
    return;
  Value base = LLVM::AddressOfOp::create(b, marks);
  auto markOf = [&](Value number) { return b.byteOffset(base, b.times(number, 4)); };
  Value first = b.special("ctaid.z");
  first = b.add(b.mul(first, b.special("nctaid.y")), b.special("ctaid.y"));
  first = b.add(b.mul(first, b.special("nctaid.x")), b.special("ctaid.x"));
  Value isFirst = b.isEqual(tiles.thread, b.i32(0));
  b.branch(isFirst, [&] {
    mlir::Type i32 = b.getI32Type();
    auto loop = scf::WhileOp::create(b, mlir::TypeRange{i32}, b.modulo(first, parts));
    mlir::OpBuilder::InsertionGuard guard(b);
    mlir::Block *body = b.createBlock(&loop.getBefore(), {}, {i32}, {b.getLoc()});
    Value number = body->getArgument(0);
    Value pair = LLVM::AtomicCmpXchgOp::create(b, markOf(number), b.i32(0), b.i32(1),
                                               LLVM::AtomicOrdering::acquire,
                                               LLVM::AtomicOrdering::acquire, "device");
    Value taken = LLVM::ExtractValueOp::create(b, pair, 1);
    Value again = mlir::arith::XOrIOp::create(b, taken, b.constantBits(b.getI1Type(), 1));
    scf::ConditionOp::create(b, again, mlir::ValueRange{number});
    mlir::Block *after = b.createBlock(&loop.getAfter(), {}, {i32}, {b.getLoc()});
    Value next = b.modulo(b.add(after->getArgument(0), b.i32(1)), parts);
    scf::YieldOp::create(b, mlir::ValueRange{next});
    b.setInsertionPointAfter(loop);
    b.writeWord(shared.base(), i32, b.i32(0), loop.getResult(0));
  });
  b.barrier();
  Value number = b.readWord(shared.base(), b.getI32Type(), b.i32(0));
  mark = markOf(number);
  Value pool = LLVM::AddressOfOp::create(b, memory);
  part = b.byteOffset(pool, b.mul(b.zeroExtended(number), b.i64(plan.pool.bytes)));
}

void GlobalPool::giveBack() {
  if (!plan.pool.bytes)
    return;
  b.branch(b.isEqual(tiles.thread, b.i32(0)), [&] {
    LLVM::StoreOp::create(b, b.i32(0), mark, /*alignment=*/4, /*isVolatile=*/false,
                          /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                          LLVM::AtomicOrdering::release, "device");
  });
}

Value GlobalPool::addressOf(tile::AllocaOp op) {
  return addressAt(plan.globalAllocas.find(op)->second);
}

Value GlobalPool::addressAt(int64_t offset) {
  return b.addressOf(b.byteOffset(part, b.i64(offset)));
}
