// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ThreadBuilder.h.

#include "tilewright/nvidia/emit/ThreadBuilder.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
namespace scf = mlir::scf;

void nvidia::atPlace(ThreadBuilder &b, mlir::Location place, llvm::function_ref<void()> body) {
  mlir::Location before = b.getLoc();
  b.setPlace(place);
  body();
  b.setLoc(before);
}

//===-- Values --------------------------------------------------------------------------------===//

Value ThreadBuilder::i32(int64_t value) { return arith::ConstantIntOp::create(*this, value, 32); }

Value ThreadBuilder::times(Value value, int64_t power) {
  return createOrFold<arith::MulIOp>(value, constantBits(value.getType(), power));
}

Value ThreadBuilder::dividedBy(Value value, int64_t power) {
  if (power == 1)
    return value;
  return createOrFold<arith::ShRUIOp>(value, constantBits(value.getType(), llvm::Log2_64(power)));
}

Value ThreadBuilder::modulo(Value value, int64_t power) {
  return createOrFold<arith::AndIOp>(value, constantBits(value.getType(), power - 1));
}

Value ThreadBuilder::isBelow(Value a, Value b) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, a, b);
}

Value ThreadBuilder::isEqual(Value a, Value b) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
}

Value ThreadBuilder::select(Value condition, Value then, Value otherwise) {
  return createOrFold<arith::SelectOp>(condition, then, otherwise);
}

//===-- Memory --------------------------------------------------------------------------------===//

Value ThreadBuilder::pointerTo(Value address, Space space) {
  return LLVM::IntToPtrOp::create(*this, LLVM::LLVMPointerType::get(getContext(), space), address);
}

Value ThreadBuilder::addressOf(Value pointer) {
  mlir::Type generic = LLVM::LLVMPointerType::get(getContext());
  if (pointer.getType() != generic)
    pointer = LLVM::AddrSpaceCastOp::create(*this, generic, pointer);
  return LLVM::PtrToIntOp::create(*this, getI64Type(), pointer);
}

Value ThreadBuilder::matrixDescriptor(Value start, uint64_t fields) {
  constexpr int64_t unit = 16, unitBits = 14;
  Value address = LLVM::PtrToIntOp::create(*this, getI32Type(), start);
  if (areBlocksClusters) // its upper bits have the rank of the CTA
    address = modulo(address, unit << unitBits);
  return createOrFold<arith::OrIOp>(zeroExtended(dividedBy(address, unit)), i64(int64_t(fields)));
}

Value ThreadBuilder::byteOffset(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(*this, pointer.getType(), getI8Type(), pointer, bytes);
}

Value ThreadBuilder::readWord(Value base, mlir::Type elementType, Value index) {
  mlir::Type word = elementwise::wordType(elementType);
  Value pointer = LLVM::GEPOp::create(*this, base.getType(), word, base, index);
  Value read =
      LLVM::LoadOp::create(*this, word, pointer, unsigned(elementwise::wordBytes(elementType)));
  return elementwise::fromWord(*this, getLoc(), read, elementType);
}

void ThreadBuilder::writeWord(Value base, mlir::Type elementType, Value index, Value element) {
  mlir::Type word = elementwise::wordType(elementType);
  Value pointer = LLVM::GEPOp::create(*this, base.getType(), word, base, index);
  LLVM::StoreOp::create(*this, elementwise::toWord(*this, getLoc(), element), pointer,
                        unsigned(elementwise::wordBytes(elementType)));
}

SmallVector<Value> ThreadBuilder::readWords(Value pointer, mlir::Type word, int64_t count) {
  auto type = mlir::VectorType::get({count}, word);
  unsigned bytes = count * word.getIntOrFloatBitWidth() / 8;
  Value all = LLVM::LoadOp::create(*this, type, pointer, bytes);
  SmallVector<Value> words;
  for (int64_t at = 0; at < count; ++at)
    words.push_back(LLVM::ExtractElementOp::create(*this, all, i32(at)));
  return words;
}

void ThreadBuilder::writeWords(Value pointer, mlir::ValueRange words) {
  mlir::Type word = words.front().getType();
  auto type = mlir::VectorType::get({int64_t(words.size())}, word);
  Value all = LLVM::PoisonOp::create(*this, type);
  for (auto [at, value] : llvm::enumerate(words))
    all = LLVM::InsertElementOp::create(*this, all, value, i32(at));
  unsigned bytes = words.size() * word.getIntOrFloatBitWidth() / 8;
  LLVM::StoreOp::create(*this, all, pointer, bytes);
}

/// One array, not one allocation per word: SROA does not promote several allocations to registers.
Value ThreadBuilder::localArray(mlir::Type word, int64_t count) {
  InsertionGuard guard(*this);
  setInsertionPointToStart(&function().getBody().front());
  return LLVM::AllocaOp::create(*this, LLVM::LLVMPointerType::get(getContext()),
                                LLVM::LLVMArrayType::get(word, count), i64(1), /*alignment=*/16);
}

//===-- Instructions --------------------------------------------------------------------------===//

Value ThreadBuilder::special(llvm::StringRef name) {
  return LLVM::CallIntrinsicOp::create(*this, getI32Type(),
                                       getStringAttr("llvm.nvvm.read.ptx.sreg." + name), {})
      .getResults();
}

Value ThreadBuilder::blockId(llvm::StringRef part) {
  return special(((areBlocksClusters ? "clusterid." : "ctaid.") + part).str());
}

Value ThreadBuilder::blockCount(llvm::StringRef part) {
  return special(((areBlocksClusters ? "nclusterid." : "nctaid.") + part).str());
}

void ThreadBuilder::barrierOfBlock() {
  if (!areBlocksClusters)
    return barrier();
  for (const char *half : {"arrive", "wait"})
    LLVM::CallIntrinsicOp::create(
        *this, getStringAttr(llvm::Twine("llvm.nvvm.barrier.cluster.") + half + ".aligned"),
        mlir::ValueRange());
}

/// Barrier 0 synchronizes the CTA, barrier 1 the consumers.
void ThreadBuilder::barrier() {
  if (participants) {
    LLVM::CallIntrinsicOp::create(*this, getStringAttr("llvm.nvvm.barrier.cta.sync.aligned.count"),
                                  mlir::ValueRange{i32(1), i32(participants)});
    return;
  }
  LLVM::CallIntrinsicOp::create(*this, getStringAttr("llvm.nvvm.barrier.cta.sync.aligned.all"),
                                mlir::ValueRange{i32(0)});
}

/// In halves of 32 bits, which is what the instruction moves.
Value ThreadBuilder::ofOtherLane(Value word, int64_t mask) {
  mlir::Type type = word.getType(), half = getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  auto moved = [&](Value value) -> Value {
    return LLVM::CallIntrinsicOp::create(*this, half, getStringAttr("llvm.nvvm.shfl.sync.bfly.i32"),
                                         mlir::ValueRange{i32(-1), value, i32(mask), i32(31)})
        .getResults();
  };
  Value integer = createOrFold<arith::BitcastOp>(getIntegerType(bits), word);
  if (bits == 64) {
    Value low = arith::TruncIOp::create(*this, half, integer);
    Value high = arith::TruncIOp::create(*this, half, dividedBy(integer, int64_t(1) << 32));
    integer = add(zeroExtended(moved(low)), times(zeroExtended(moved(high)), int64_t(1) << 32));
  } else if (bits == 32) {
    integer = moved(integer);
  } else {
    integer = moved(arith::ExtUIOp::create(*this, half, integer));
    integer = arith::TruncIOp::create(*this, getIntegerType(bits), integer);
  }
  return createOrFold<arith::BitcastOp>(type, integer);
}

SmallVector<Value> ThreadBuilder::ofOtherLane(mlir::ValueRange words, int64_t mask) {
  mlir::Type type = words.front().getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  size_t each = bits < 32 ? 32 / bits : 1;
  SmallVector<Value> moved;
  for (size_t at = 0; at < words.size(); at += each) {
    mlir::ValueRange some = words.slice(at, std::min(each, words.size() - at));
    if (some.size() == 1) {
      moved.push_back(ofOtherLane(some.front(), mask));
      continue;
    }
    Value all = i32(0);
    for (auto [number, word] : llvm::enumerate(some)) {
      Value integer = createOrFold<arith::BitcastOp>(getIntegerType(bits), word);
      integer = arith::ExtUIOp::create(*this, getI32Type(), integer);
      all = createOrFold<arith::OrIOp>(all, times(integer, int64_t(1) << (number * bits)));
    }
    all = ofOtherLane(all, mask);
    for (size_t number = 0; number < some.size(); ++number) {
      Value part = dividedBy(all, int64_t(1) << (number * bits));
      part = arith::TruncIOp::create(*this, getIntegerType(bits), part);
      moved.push_back(createOrFold<arith::BitcastOp>(type, part));
    }
  }
  return moved;
}

void ThreadBuilder::assume(Value condition) {
  if (mayAssume)
    LLVM::AssumeOp::create(*this, condition);
}

void ThreadBuilder::instruction(llvm::StringRef text, mlir::ValueRange operands,
                                llvm::StringRef constraints) {
  std::string all = (constraints + (constraints.empty() ? "~{memory}" : ",~{memory}")).str();
  LLVM::InlineAsmOp::create(*this, mlir::Type(), operands, text, all,
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
                            mlir::ArrayAttr());
}

//===-- Loops and branches --------------------------------------------------------------------===//

void ThreadBuilder::forEach(int64_t first, int64_t end, llvm::function_ref<void(Value)> body) {
  if (first + 1 == end)
    return body(i32(first));
  auto loop = scf::ForOp::create(*this, i32(first), i32(end), i32(1));
  InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value>
ThreadBuilder::carry(int64_t first, int64_t end, mlir::ValueRange initial,
                     llvm::function_ref<SmallVector<Value>(Value, mlir::ValueRange)> body) {
  if (first + 1 == end)
    return body(i32(first), initial);
  auto loop = scf::ForOp::create(*this, i32(first), i32(end), i32(1), initial);
  InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(*this, next);
  return SmallVector<Value>(loop.getResults());
}

void ThreadBuilder::branch(Value condition, llvm::function_ref<void()> then) {
  if (!condition)
    return then();
  auto op = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  InsertionGuard guard(*this);
  setInsertionPointToStart(op.thenBlock());
  then();
}

/// Regions are filled in place, because code emitted there may look up the function.
void ThreadBuilder::branch(Value condition, llvm::function_ref<void()> then,
                           llvm::function_ref<void()> otherwise) {
  auto op = scf::IfOp::create(*this, condition, /*withElseRegion=*/true);
  InsertionGuard guard(*this);
  setInsertionPointToStart(op.thenBlock());
  then();
  setInsertionPointToStart(op.elseBlock());
  otherwise();
}

Value ThreadBuilder::choose(mlir::Type type, Value condition, llvm::function_ref<Value()> then,
                            llvm::function_ref<Value()> otherwise) {
  return chooseAll(
      *this, type, 1, condition, [&] { return Values{then()}; },
      [&] { return Values{otherwise()}; })[0];
}

Value nvidia::opaque(ThreadBuilder &b, Value value) {
  bool isWide = value.getType().isInteger(64);
  return LLVM::InlineAsmOp::create(b, value.getType(), mlir::ValueRange{value},
                                   isWide ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;",
                                   isWide ? "=l,l" : "=r,r", /*has_side_effects=*/true,
                                   /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), mlir::ArrayAttr())
      .getRes();
}

Values nvidia::chooseAll(ThreadBuilder &b, mlir::Type type, size_t count, Value condition,
                         llvm::function_ref<Values()> then,
                         llvm::function_ref<Values()> otherwise) {
  if (!condition)
    return then();
  auto op = scf::IfOp::create(b, SmallVector<mlir::Type>(count, type), condition,
                              /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(b);
  for (auto [block, values] : {std::pair{op.thenBlock(), then}, {op.elseBlock(), otherwise}}) {
    b.setInsertionPointToEnd(block);
    scf::YieldOp::create(b, values());
  }
  return Values(op.getResults());
}
