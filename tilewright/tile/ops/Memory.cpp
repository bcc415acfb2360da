// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of memory accesses: orderings and scopes (operations, 2.4), pointers and their pointees
// (7), atomics (9).

#include "tilewright/tile/ops/Memory.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- Ordering and scope ------------------------------------------------------------------===//

static LogicalResult verifyOrdering(Operation *op, MemoryOrderingSemantics ordering,
                                    std::optional<MemoryScope> scope,
                                    MemoryOrderingSemantics strong, StringRef access) {
  StringRef name = stringifyMemoryOrderingSemantics(ordering);
  if (ordering == MemoryOrderingSemantics::Weak) {
    if (scope)
      return op->emitOpError() << "weak " << access << " must not have memory scope";
    return success();
  }
  if (ordering != MemoryOrderingSemantics::Relaxed && ordering != strong)
    return op->emitOpError() << "expect one of: weak, relaxed, or "
                             << stringifyMemoryOrderingSemantics(strong) << ", but got: " << name;
  if (!scope)
    return op->emitOpError() << "memory scope is required for " << name << " " << access
                             << ", one of: tl_blk, device, sys";
  return success();
}

LogicalResult tile::verifyLoadOrdering(Operation *op, MemoryOrderingSemantics ordering,
                                       std::optional<MemoryScope> scope) {
  return verifyOrdering(op, ordering, scope, MemoryOrderingSemantics::Acquire, "load");
}

LogicalResult tile::verifyStoreOrdering(Operation *op, MemoryOrderingSemantics ordering,
                                        std::optional<MemoryScope> scope) {
  return verifyOrdering(op, ordering, scope, MemoryOrderingSemantics::Release, "store");
}

/// Atomics are never weak.
static LogicalResult verifyAtomicOrdering(Operation *op, MemoryOrderingSemantics ordering) {
  if (ordering != MemoryOrderingSemantics::Weak)
    return success();
  return op->emitOpError()
         << "memory ordering semantics must be one of: relaxed, acquire, release, acq_rel";
}

//===-- Tokens and alloca ---------------------------------------------------------------------===//

LogicalResult JoinTokensOp::verify() {
  if (getTokens().size() < 2)
    return emitOpError() << "expect two or more tokens";
  return success();
}

LogicalResult AllocaOp::verify() {
  if (!llvm::isPowerOf2_64(getAlignment()) || int64_t(getAlignment()) < 0)
    return emitOpError() << "'alignment' must be power of two";
  Type element = cast<PointerType>(getType().getElementType()).getPointeeType();
  // As in the public tools: i1 takes one byte, f4 none, tf32 two (types, 2.5).
  unsigned width = element.getIntOrFloatBitWidth();
  uint64_t natural = width == 1 ? 1 : width / 8;
  if (getAlignment() < natural)
    return emitOpError() << "'alignment' (" << getAlignment()
                         << ") must be at least the natural size (" << natural
                         << " bytes) for element type " << element;
  return success();
}

//===-- Loads and stores ----------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOf(Value tile) { return cast<TileType>(tile.getType()).getShape(); }

static Type pointeeOf(Value pointers) {
  return cast<PointerType>(cast<TileType>(pointers.getType()).getElementType()).getPointeeType();
}

static LogicalResult verifyPointers(Operation *op, Value pointers) {
  auto pointer = cast<PointerType>(cast<TileType>(pointers.getType()).getElementType());
  return verifyNotMulticast(op, pointer.getAttribute());
}

/// Checks that `pointers` has one pointer for each element of `value`.
static LogicalResult verifyPointsTo(Operation *op, Value pointers, StringRef pointersName,
                                    Value value, StringRef valueName) {
  auto type = cast<TileType>(value.getType());
  if (shapeOf(pointers) == shapeOf(value) && pointeeOf(pointers) == type.getElementType())
    return success();
  Type element = type.getElementType();
  // No pointer points to a pointer or to an i4 (types, 2.8 and 4.1).
  if (isa<PointerType>(element) || element.isInteger(4))
    return op->emitOpError() << "expected '" << valueName
                             << "' to have elements that a pointer can point to, but got " << type;
  Type expected = type.withElementType(PointerType::get(element));
  return op->emitOpError() << "expected '" << pointersName << "' to have type " << expected
                           << ", since '" << valueName << "' has type " << type << ", but got "
                           << pointers.getType();
}

LogicalResult LoadPtrOp::verify() {
  if (failed(verifyLoadOrdering(*this, getMemoryOrderingSemantics(), getMemoryScope())))
    return failure();
  if (failed(verifyPointsTo(*this, getSource(), "source", getResult(), "result")))
    return failure();
  if (getMask() && shapeOf(getMask()) != shapeOf(getSource()))
    return emitOpError() << "failed to verify that shape of 'mask' must match the shape of "
                            "'source'";
  if (getPaddingValue() && getPaddingValue().getType() != getResult().getType())
    return emitOpError() << "failed to verify that type of 'paddingValue' must match the type of "
                            "'result'";
  if (failed(verifyPointers(*this, getSource())))
    return failure();
  return verifyHints(*this, getOptimizationHintsAttr());
}

LogicalResult StorePtrOp::verify() {
  if (failed(verifyStoreOrdering(*this, getMemoryOrderingSemantics(), getMemoryScope())))
    return failure();
  if (failed(verifyPointsTo(*this, getDestination(), "destination", getValue(), "value")))
    return failure();
  if (getMask() && shapeOf(getMask()) != shapeOf(getDestination()))
    return emitOpError() << "failed to verify that shape of 'destination' must match the shape of "
                            "'mask'";
  if (failed(verifyPointers(*this, getDestination())))
    return failure();
  return verifyHints(*this, getOptimizationHintsAttr());
}

//===-- Atomics -------------------------------------------------------------------------------===//

static bool is32Or64Bits(Type element) {
  unsigned width = element.getIntOrFloatBitWidth(); // 19 for tf32
  return width == 32 || width == 64;
}

/// Checks that an atomic mode supports the type (operations, 9.1).
static LogicalResult verifyMode(Operation *op, AtomicRMWMode mode, Type element) {
  StringRef name = stringifyAtomicRMWMode(mode);
  if (mode == AtomicRMWMode::Xchg) {
    if (!is32Or64Bits(element))
      return op->emitOpError() << "'xchg' works only with integers or float of 32 or 64 bitwidth";
  } else if (mode == AtomicRMWMode::AddF) {
    if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
      return op->emitOpError() << "'addf' works only with floats f16, bf16, f32, and f64";
  } else if (!element.isInteger(32) && !element.isInteger(64)) {
    return op->emitOpError() << "'" << name << "' works only with integers i32 and i64";
  }
  return success();
}

static LogicalResult verifySameShapes(Operation *op, ArrayRef<Value> values, StringRef names) {
  for (Value value : values)
    if (value && shapeOf(value) != shapeOf(values.front()))
      return op->emitOpError() << "failed to verify that all of {" << names << "} have same shape";
  return success();
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyAtomicOrdering(*this, getMemoryOrderingSemantics())) ||
      failed(verifySameShapes(*this, {getPointers(), getArg(), getResult()},
                              "pointers, arg, result")) ||
      failed(verifySameShapes(*this, {getPointers(), getArg(), getMask()}, "pointers, arg, mask")))
    return failure();
  Type element = getArg().getType().getElementType();
  if (pointeeOf(getPointers()) != element)
    return emitOpError() << "expected pointee type (" << pointeeOf(getPointers())
                         << ") to match element type of 'arg' (" << element << ")";
  if (failed(verifyPointers(*this, getPointers())))
    return failure();
  return verifyMode(*this, getMode(), element);
}

LogicalResult AtomicCASOp::verify() {
  if (failed(verifyAtomicOrdering(*this, getMemoryOrderingSemantics())) ||
      failed(verifySameShapes(*this, {getPointers(), getCmp(), getVal(), getResult()},
                              "pointers, cmp, val, result")) ||
      failed(verifySameShapes(*this, {getPointers(), getMask()}, "pointers, mask")))
    return failure();
  Type element = getVal().getType().getElementType();
  if (!is32Or64Bits(element))
    return emitOpError() << "expect only float or integer types with 32 or 64 bit";
  if (pointeeOf(getPointers()) != element)
    return emitOpError() << "expected pointee type (" << pointeeOf(getPointers())
                         << ") to match element type of 'val' (" << element << ")";
  return verifyPointers(*this, getPointers());
}

/// The indices of a reduction are scalars; unlike those of loads, they may have different types.
static LogicalResult verifyReductionIndices(AtomicRedViewOp op, size_t rank) {
  if (op.getIndex().size() != rank)
    return op.emitOpError() << "expected " << rank << " index operand(s) for view with tile rank "
                            << rank << ", got " << op.getIndex().size();
  for (auto [i, index] : llvm::enumerate(op.getIndex()))
    if (!shapeOf(index).empty())
      return op.emitOpError() << "index operand " << i
                              << " must be a scalar tile (rank 0), got shape " << shapeOf(index);
  return success();
}

LogicalResult AtomicRedViewOp::verify() {
  if (getMemoryOrderingSemantics() != MemoryOrderingSemantics::Relaxed)
    return emitOpError() << "only 'relaxed' memory ordering is supported for view-based atomic "
                            "reductions";
  if (getMemoryScope() == MemoryScope::Sys)
    return emitOpError() << "memory scope 'sys' is not supported for view-based atomic reductions; "
                            "use 'tl_blk' or 'device' for TMA compatibility";
  TileView view = getView().getType();
  if (failed(verifyNotMulticast(*this, view.getTensorView().getAttribute())))
    return failure();
  if (isa<GatherScatterViewType>(view))
    return emitOpError() << "gather_scatter_view is not supported; use partition_view instead";
  if (view.getPaddingValue())
    return emitOpError() << "views with padding_value are not supported for atomic reductions";
  if (getMode() == AtomicRMWMode::Xchg)
    return emitOpError() << "atomic_red_view_tko op cannot use xchg operation";
  TileType expected = view.getTileType(), value = getValue().getType();
  if (expected.getElementType() != value.getElementType())
    return emitOpError() << "view element type (" << expected.getElementType()
                         << ") must match value element type (" << value.getElementType() << ")";
  if (expected.getShape() != value.getShape())
    return emitOpError() << "view tile shape " << expected.getShape() << " must match value shape "
                         << value.getShape() << " for element-wise atomic operations";
  if (failed(verifyReductionIndices(*this, expected.getRank())) ||
      failed(verifyInbounds(*this, getInboundsAttr(), getIndex().size())))
    return failure();
  return verifyMode(*this, getMode(), value.getElementType());
}

//===-- Names in printed text (textual format, 12.2) ---------------------------------------===//

void LoadPtrOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}

void AtomicRMWOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}

void AtomicCASOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}
