// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LoopBuilder.h.

#include "tilewright/cpu/emit/LoopBuilder.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <deque>
#include <numeric>

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Values --------------------------------------------------------------------------------===//

/// The function that is being emitted; null outside of functions. A region that has no parent
/// operation yet belongs to the function of the previous call.
LLVM::LLVMFuncOp LoopBuilder::currentFunction() {
  mlir::Operation *around = getInsertionBlock()->getParentOp();
  while (around && !llvm::isa<LLVM::LLVMFuncOp, mlir::ModuleOp>(around))
    around = around->getParentOp();
  if (!around)
    return constantsOf;
  auto function = llvm::dyn_cast<LLVM::LLVMFuncOp>(around);
  if (function != constantsOf)
    constants.clear();
  constantsOf = function;
  return function;
}

/// Nearly half of all operations would be copies of the same few constants, so each function has
/// one of each.
Value LoopBuilder::i64(int64_t value) {
  LLVM::LLVMFuncOp function = currentFunction();
  if (!function)
    return arith::ConstantIntOp::create(*this, value, 64);
  Value &constant = constants[value];
  if (constant) {
    ++counter.count;
    return constant;
  }
  InsertionGuard guard(*this);
  setInsertionPointToStart(&function.getBody().front());
  constant = arith::ConstantIntOp::create(*this, value, 64);
  return constant;
}

Value LoopBuilder::splat(Value scalar, int64_t width) {
  if (width == 1)
    return scalar;
  return mlir::vector::BroadcastOp::create(*this, mlir::VectorType::get({width}, scalar.getType()),
                                           scalar);
}

Value LoopBuilder::splatOf(tile::ConstantOp constant, int64_t width) {
  mlir::Type element = llvm::cast<tile::TileType>(constant.getType()).getElementType();
  return splat(constantBits(registerType(element), registerBits(constant, 0)), width);
}

Value LoopBuilder::stepVector(int64_t width) {
  SmallVector<int64_t> steps(width);
  std::iota(steps.begin(), steps.end(), 0);
  return arith::ConstantOp::create(*this, getI64VectorAttr(steps));
}

//===-- Addresses and words -------------------------------------------------------------------===//

Value LoopBuilder::asPointers(Value addresses) {
  mlir::Type pointer = LLVM::LLVMPointerType::get(getContext());
  return LLVM::IntToPtrOp::create(*this, shapedLike(pointer, addresses.getType()), addresses);
}

Value LoopBuilder::wordAddress(Value base, mlir::Type word, Value words) {
  return LLVM::GEPOp::create(*this, base.getType(), word, base, words);
}

Value LoopBuilder::byteAddress(Value base, Value bytes) {
  return wordAddress(base, getI8Type(), bytes);
}

Value LoopBuilder::readWords(Value base, mlir::Type elementType, Value linear, int64_t stride,
                             int64_t width) {
  mlir::Type word = wordType(elementType);
  unsigned bytes = wordBytes(elementType);
  Value address = wordAddress(base, word, linear);
  if (width == 1 || stride == 1) {
    mlir::Type type = width == 1 ? word : mlir::Type(mlir::VectorType::get({width}, word));
    Value words = LLVM::LoadOp::create(*this, type, address, bytes);
    return fromWord(*this, getLoc(), words, elementType);
  }
  SmallVector<Value> lanes;
  for (int64_t i = 0; i < width; ++i)
    lanes.push_back(
        LLVM::LoadOp::create(*this, word, wordAddress(address, word, i64(i * stride)), bytes));
  Value words =
      mlir::vector::FromElementsOp::create(*this, mlir::VectorType::get({width}, word), lanes);
  return fromWord(*this, getLoc(), words, elementType);
}

void LoopBuilder::writeWords(Value base, mlir::Type elementType, Value linear, int64_t stride,
                             Value value) {
  mlir::Type word = wordType(elementType);
  unsigned bytes = wordBytes(elementType);
  Value words = toWord(*this, getLoc(), value), address = wordAddress(base, word, linear);
  auto vector = llvm::dyn_cast<mlir::VectorType>(words.getType());
  if (!vector || stride == 1) {
    LLVM::StoreOp::create(*this, words, address, bytes);
    return;
  }
  for (int64_t i = 0; i < vector.getNumElements(); ++i)
    LLVM::StoreOp::create(*this, mlir::vector::ExtractOp::create(*this, words, i),
                          wordAddress(address, word, i64(i * stride)), bytes);
}

std::pair<Value, int64_t> LoopBuilder::locate(llvm::ArrayRef<int64_t> shape,
                                              const Position &position) {
  auto strides = support::rowMajorStrides<SmallVector<int64_t>>(shape);
  Value linear = i64(0);
  for (auto [at, stride] : llvm::zip_equal(position.at, strides))
    linear = add(linear, mul(at, i64(stride)));
  return {linear, position.width == 1 ? 1 : strides[position.lanes]};
}

//===-- Loops and branches --------------------------------------------------------------------===//

void LoopBuilder::forEach(llvm::ArrayRef<int64_t> shape, int64_t lanes,
                          llvm::function_ref<void(const Position &)> body, int64_t laneDim) {
  InsertionGuard guard(*this);
  Position position;
  position.lanes = laneDim >= 0 ? laneDim : lastWideDimension(shape);
  position.width = position.lanes >= 0 ? std::min(lanes, shape[position.lanes]) : 1;
  ValueCache::Scope scope(cache);
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    int64_t step = int64_t(dim) == position.lanes ? position.width : 1;
    if (step == extent) {
      position.at.push_back(i64(0));
      continue;
    }
    auto loop = mlir::scf::ForOp::create(*this, i64(0), i64(extent), i64(step));
    position.at.push_back(loop.getInductionVar());
    setInsertionPointToStart(loop.getBody());
  }
  body(position);
}

void LoopBuilder::forEachFrom(int64_t first, int64_t end, int64_t step,
                              llvm::function_ref<void(Value)> body) {
  if (first + step == end)
    return body(i64(first));
  auto loop = mlir::scf::ForOp::create(*this, i64(first), i64(end), i64(step));
  InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value>
LoopBuilder::carryFrom(int64_t first, int64_t end, int64_t step, llvm::ArrayRef<Value> carried,
                       llvm::function_ref<SmallVector<Value>(Value, mlir::ValueRange)> body) {
  if (first == end)
    return llvm::to_vector(carried);
  if (first + step == end)
    return body(i64(first), carried);
  auto loop = mlir::scf::ForOp::create(*this, i64(first), i64(end), i64(step), carried);
  InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty()) // otherwise it exists already
    mlir::scf::YieldOp::create(*this, next);
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value>
LoopBuilder::carryUpTo(int64_t first, Value end, llvm::ArrayRef<Value> carried,
                       llvm::function_ref<SmallVector<Value>(Value, mlir::ValueRange)> body) {
  auto loop = mlir::scf::ForOp::create(*this, i64(first), end, i64(1), carried);
  InsertionGuard guard(*this);
  ValueCache::Scope scope(cache);
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty()) // otherwise it exists already
    mlir::scf::YieldOp::create(*this, next);
  return SmallVector<Value>(loop.getResults());
}

void LoopBuilder::branch(Value condition, llvm::function_ref<void()> then,
                         llvm::function_ref<void()> otherwise) {
  auto op = mlir::scf::IfOp::create(*this, condition, /*withElseRegion=*/true);
  InsertionGuard guard(*this);
  auto fill = [&](mlir::Block *block, llvm::function_ref<void()> body) {
    ValueCache::Scope scope(cache);
    setInsertionPointToStart(block);
    body();
  };
  fill(op.thenBlock(), then);
  fill(op.elseBlock(), otherwise);
}

SmallVector<Value> LoopBuilder::choose(Value condition,
                                       llvm::function_ref<SmallVector<Value>()> then,
                                       llvm::function_ref<SmallVector<Value>()> otherwise) {
  (void)currentFunction(); // needed for code that is emitted before the `if` is inserted
  auto region = [&](llvm::function_ref<SmallVector<Value>()> values) {
    return [this, values](mlir::OpBuilder &, mlir::Location place) {
      ValueCache::Scope scope(cache);
      mlir::scf::YieldOp::create(*this, place, values());
    };
  };
  return llvm::to_vector_of<Value>(
      mlir::scf::IfOp::create(*this, condition, region(then), region(otherwise)).getResults());
}

Value LoopBuilder::chooseValue(Value condition, llvm::function_ref<Value()> then,
                               llvm::function_ref<Value()> otherwise) {
  if (!condition)
    return then();
  return choose(
      condition, [&] { return SmallVector<Value>{then()}; },
      [&] { return SmallVector<Value>{otherwise()}; })[0];
}

void LoopBuilder::inTurns(int64_t count, llvm::function_ref<void(int64_t)> body) {
  mlir::Block *block = getInsertionBlock();
  SmallVector<std::deque<mlir::Operation *>> made(count); // the operations of each call, in order
  llvm::DenseSet<mlir::Operation *> waiting;
  for (auto [number, operations] : llvm::enumerate(made)) {
    bool isFirst = getInsertionPoint() == block->begin();
    mlir::Operation *before = isFirst ? nullptr : &*std::prev(getInsertionPoint());
    body(int64_t(number));
    auto from = before ? std::next(before->getIterator()) : block->begin();
    for (mlir::Operation &op : llvm::make_range(from, getInsertionPoint())) {
      operations.push_back(&op);
      waiting.insert(&op);
    }
  }
  auto isWaitingFor = [&](Value value) {
    mlir::Operation *op = value.getDefiningOp();
    return op && waiting.contains(op);
  };
  auto mayCome = [&](mlir::Operation *op) {
    return !op->walk([&](mlir::Operation *inner) {
                return llvm::any_of(inner->getOperands(), isWaitingFor)
                           ? mlir::WalkResult::interrupt()
                           : mlir::WalkResult::advance();
              }).wasInterrupted();
  };
  while (!waiting.empty()) // the next one of the first call is always ready
    for (std::deque<mlir::Operation *> &operations : made)
      if (!operations.empty() && mayCome(operations.front())) {
        operations.front()->moveBefore(block, getInsertionPoint());
        waiting.erase(operations.front());
        operations.pop_front();
      }
}
