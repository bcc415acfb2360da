// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in workgroup memory (layouts, 3.4). Rows are padded if that reduces bank conflicts; a
// value that is read in another shape is stored without padding.

#include "tilewright/layout/distribute/SharedBuffers.h"
#include "tilewright/layout/algebra/Movement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

static MemRefType inWorkgroupMemory(ArrayRef<int64_t> shape, Type element) {
  auto space = gpu::AddressSpaceAttr::get(element.getContext(), gpu::AddressSpace::Workgroup);
  return MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
}

/// The part of a padded buffer without its padding.
static Value withoutPadding(OpBuilder &builder, Location loc, Value buffer,
                            ArrayRef<int64_t> shape) {
  if (cast<MemRefType>(buffer.getType()).getShape() == shape)
    return buffer;
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> steps(shape.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, buffer, offsets,
                                   getAsIndexOpFoldResult(builder.getContext(), shape), steps);
}

Value SharedBuffers::next(ArrayRef<int64_t> shape, Type element, int64_t padding) {
  SmallVector<int64_t> padded(shape);
  if (!padded.empty())
    padded.back() += padding;
  MemRefType type = inWorkgroupMemory(padded, element);
  Pair &pair = pairs[{type, padding}];
  Value &buffer = pair.buffers[pair.second];
  pair.second = !pair.second;
  if (!buffer) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Location loc = function.getLoc();
    buffer = withoutPadding(builder, loc, memref::AllocOp::create(builder, loc, type), shape);
  }
  return buffer;
}

// --- Padding --------------------------------------------------------------------------

/// The bank-conflict cycles of all accesses of a layout, each as wide as the layout allows.
static int64_t bankSteps(const Layout &layout, Workgroup workgroup, const MemoryTile &memory) {
  for (int64_t bytes : {16, 8, 4, 2, 1})
    if (Result<AccessCount> count = countBankSteps(layout, workgroup, memory, bytes))
      return count->transactions;
  return 0;
}

static int64_t bestPadding(VectorType type, const Layout &from, const Layout &to,
                           Workgroup workgroup) {
  int64_t bits = std::max(8U, type.getElementTypeBitWidth());
  int64_t best = 0, fewest = std::numeric_limits<int64_t>::max();
  for (int64_t bytes : {0, 4, 8, 16}) {
    if (bytes * 8 % bits != 0)
      continue;
    SmallVector<int64_t> shape(type.getShape());
    shape.back() += bytes * 8 / bits;
    MemoryTile memory{Numbers(computeStrides(shape)), bits};
    int64_t steps = bankSteps(from, workgroup, memory) + bankSteps(to, workgroup, memory);
    if (steps < fewest) {
      fewest = steps;
      best = bytes * 8 / bits;
    }
  }
  return best;
}

int64_t SharedBuffers::paddingFor(VectorType type, NestedLayoutAttr from, NestedLayoutAttr to) {
  if (type.getRank() < 2 || !type.getElementType().isIntOrFloat())
    return 0;
  auto [known, fresh] = paddings.try_emplace({type, from, to});
  if (fresh)
    known->second = bestPadding(type, from.getLayout(), to.getLayout(), workgroup);
  return known->second;
}

// --- Passing values -------------------------------------------------------------------

Value SharedBuffers::atEntry(TypedAttr constant) {
  Value &value = constants[constant];
  if (!value) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    value = arith::ConstantOp::create(builder, function.getLoc(), constant);
  }
  return value;
}

SmallVector<Value> SharedBuffers::origin(int64_t rank) {
  Builder builder(function.getContext());
  return SmallVector<Value>(rank, rank == 0 ? Value() : atEntry(builder.getIndexAttr(0)));
}

Value SharedBuffers::readWhole(OpBuilder &builder, Location loc, Value memory, VectorType type) {
  // Nothing is out of bounds, so the padding value is never used.
  Value padding = atEntry(builder.getZeroAttr(type.getElementType()));
  SmallVector<bool> inBounds(type.getRank(), true);
  return vector::TransferReadOp::create(builder, loc, type, memory, origin(type.getRank()), padding,
                                        inBounds);
}

void SharedBuffers::writeWhole(OpBuilder &builder, Value value, Value memory) {
  int64_t rank = cast<VectorType>(value.getType()).getRank();
  SmallVector<bool> inBounds(rank, true);
  vector::TransferWriteOp::create(builder, value.getLoc(), value, memory, origin(rank), inBounds);
}

static Value underShape(OpBuilder &builder, Location loc, Value buffer, VectorType as) {
  auto type = inWorkgroupMemory(as.getShape(), as.getElementType());
  return memref::ReinterpretCastOp::create(builder, loc, type, buffer, /*offset=*/0, as.getShape(),
                                           computeStrides(as.getShape()));
}

Value SharedBuffers::pass(OpBuilder &builder, Value value, NestedLayoutAttr from, VectorType as,
                          NestedLayoutAttr to) {
  Location loc = value.getLoc();
  auto type = cast<VectorType>(value.getType());
  bool sameShape = type.getShape() == as.getShape();
  Value buffer =
      next(type.getShape(), type.getElementType(), sameShape ? paddingFor(type, from, to) : 0);
  writeWhole(builder, value, buffer);
  return readWhole(builder, loc, sameShape ? buffer : underShape(builder, loc, buffer, as), as);
}

Value SharedBuffers::pass(OpBuilder &builder, Value scalar) {
  Value buffer = next({}, scalar.getType(), /*padding=*/0);
  memref::StoreOp::create(builder, scalar.getLoc(), scalar, buffer, ValueRange());
  return memref::LoadOp::create(builder, scalar.getLoc(), buffer, ValueRange());
}

// --- Constants ------------------------------------------------------------------------

Value SharedBuffers::read(OpBuilder &builder, Location loc, DenseElementsAttr elements) {
  auto type = cast<VectorType>(elements.getType());
  auto memory = MemRefType::get(type.getShape(), type.getElementType());
  StringAttr &name = globals[elements];
  if (!name) {
    if (!symbols)
      symbols.emplace(SymbolTable::getNearestSymbolTable(function->getParentOp()));
    OpBuilder detached(builder.getContext());
    auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
    name = symbols->insert(memref::GlobalOp::create(
        detached, loc, (function.getName() + "_constant").str(), detached.getStringAttr("private"),
        memory, elements.reshape(tensor), /*constant=*/true, /*alignment=*/IntegerAttr()));
  }
  Value source = memref::GetGlobalOp::create(builder, loc, memory, name);
  return readWhole(builder, loc, source, type);
}
