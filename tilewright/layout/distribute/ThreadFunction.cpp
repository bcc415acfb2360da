// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The position of a thread: decomposes its flat id into the digits of a layout (layouts, 1.8).

#include "tilewright/layout/distribute/ThreadFunction.h"
#include "tilewright/layout/algebra/Owners.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

ThreadFunction::ThreadFunction(func::FuncOp whole, const LayoutMap &layouts,
                               const WorkgroupShape &shape)
    : builder(whole.getContext()), shape(shape), whole(whole), layouts(layouts), divergence(whole),
      atEntry(whole.getContext()) {}

Type ThreadFunction::typeOf(Value value) const {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return value.getType();
  return VectorType::get(attrOf(value).getDistributedShape(), type.getElementType());
}

/// `(z * ny + y) * nx + x`, with only those dimensions that have several threads.
Value ThreadFunction::threadId() {
  if (flatId)
    return flatId;
  Location loc = whole.getLoc();
  SmallVector<Value> ids;
  SmallVector<int64_t> sizes;
  static constexpr gpu::Dimension slowestFirst[] = {gpu::Dimension::z, gpu::Dimension::y,
                                                    gpu::Dimension::x};
  for (auto [dim, size] : llvm::zip_equal(slowestFirst, llvm::reverse(shape.threads))) {
    if (size == 1 && !(dim == gpu::Dimension::x && ids.empty()))
      continue;
    ids.push_back(gpu::ThreadIdOp::create(atEntry, loc, dim, atEntry.getIndexAttr(size)));
    sizes.push_back(size);
  }
  flatId = ids.size() == 1 ? ids.front()
                           : affine::AffineLinearizeIndexOp::create(atEntry, loc, ids, sizes,
                                                                    /*disjoint=*/true);
  return flatId;
}

/// The digits of the thread id, from the part beyond the basis to the fastest digit; null for a
/// digit that is always 0.
SmallVector<Value> ThreadFunction::digits(ArrayRef<int64_t> basis) {
  SmallVector<int64_t> real;
  llvm::copy_if(basis, std::back_inserter(real), [](int64_t size) { return size > 1; });
  if (real.empty()) {
    SmallVector<Value> all(basis.size() + 1);
    all.front() = threadId();
    return all;
  }
  SmallVector<Value> &known = digitsOf[atEntry.getDenseI64ArrayAttr(real)];
  if (known.empty())
    llvm::append_range(known, affine::AffineDelinearizeIndexOp::create(atEntry, whole.getLoc(),
                                                                       threadId(), real,
                                                                       /*hasOuterBound=*/false)
                                  .getResults());
  SmallVector<Value> all{known.front()};
  for (auto next = std::next(known.begin()); int64_t size : basis)
    all.push_back(size > 1 ? *next++ : Value());
  return all;
}

const ThreadFunction::Position &ThreadFunction::positionIn(NestedLayoutAttr attr) {
  auto [found, fresh] = positions.try_emplace(attr);
  if (!fresh)
    return found->second;
  Layout layout = attr.getLayout();
  DigitBasis ofThreads = *digitBasis(layout.each(&Dim::threads), layout.each(&Dim::threadStride));
  DigitBasis ofSubgroups =
      *digitBasis(layout.each(&Dim::subgroups), layout.each(&Dim::subgroupStride));
  ofSubgroups.sizes.push_back(shape.lanes);

  Position position;
  for (auto [dim, digit] : llvm::zip_equal(layout.dims(), ofThreads.resultOf))
    position.threads.push_back(dim.threads > 1 ? digits(ofThreads.sizes)[digit] : Value());
  for (auto [dim, digit] : llvm::zip_equal(layout.dims(), ofSubgroups.resultOf))
    position.subgroups.push_back(dim.subgroups > 1 ? digits(ofSubgroups.sizes)[digit] : Value());
  return found->second = std::move(position);
}

/// Threads that differ only in digits that no dimension uses own the same elements: in the first of
/// them all these digits are 0 (layouts, 3.6.4).
Value ThreadFunction::isFirstOwner(NestedLayoutAttr attr) {
  auto [found, fresh] = owners.try_emplace(attr);
  if (!fresh)
    return found->second;
  Layout layout = attr.getLayout();
  Numbers sizes = layout.each(&Dim::threads), strides = layout.each(&Dim::threadStride);
  llvm::append_range(sizes, layout.each(&Dim::subgroups));
  for (int64_t stride : layout.each(&Dim::subgroupStride))
    strides.push_back(stride * shape.lanes);
  DigitBasis basis = *digitBasis(sizes, strides);

  int64_t used = computeProduct(basis.sizes);
  Location loc = whole.getLoc();
  Value first, zero;
  SmallVector<Value> all;
  for (size_t digit = 0; digit <= basis.sizes.size(); ++digit) {
    bool always0 = digit == 0 ? used == shape.workgroup().threads : basis.sizes[digit - 1] == 1;
    if (always0 || llvm::is_contained(basis.resultOf, digit))
      continue;
    if (all.empty()) {
      all = digits(basis.sizes);
      zero = arith::ConstantIndexOp::create(atEntry, loc, 0);
    }
    Value is0 = arith::CmpIOp::create(atEntry, loc, arith::CmpIPredicate::eq, all[digit], zero);
    first = first ? arith::AndIOp::create(atEntry, loc, first, is0) : is0;
  }
  return found->second = first;
}

Value layout::linearSum(OpBuilder &builder, Location loc, int64_t constant,
                        ArrayRef<std::pair<Value, int64_t>> products) {
  SmallVector<Value> values;
  AffineExpr all = builder.getAffineConstantExpr(0);
  for (auto [value, factor] : products) {
    if (!value)
      continue;
    if (std::optional<int64_t> known = getConstantIntValue(value)) {
      constant += *known * factor;
      continue;
    }
    all = all + builder.getAffineDimExpr(values.size()) * factor;
    values.push_back(value);
  }
  if (values.empty())
    return arith::ConstantIndexOp::create(builder, loc, constant);
  AffineMap map = AffineMap::get(values.size(), 0, all + constant);
  if (map.isIdentity())
    return values.front();
  return affine::AffineApplyOp::create(builder, loc, map, values);
}

Value ThreadFunction::indexAt(NestedLayoutAttr layout, unsigned dim, int64_t start) {
  Value &index = indices[{layout, {dim, start}}];
  if (!index) {
    const Position &at = positionIn(layout);
    const Dim digits = layout.getLayout()[dim];
    index = linearSum(atEntry, whole.getLoc(), start,
                      {{at.subgroups[dim], indexOf(digits, {.subgroup = 1})},
                       {at.threads[dim], indexOf(digits, {.thread = 1})}});
  }
  return index;
}
