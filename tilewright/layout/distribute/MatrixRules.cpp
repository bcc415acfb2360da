// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributes a contraction to matrix instructions, one for each batch of the result and each step
// along K (layouts, 3.6.10). Within a batch, the operands must have the layout of the instruction
// (Fragments.h). Subgroups and batches are free as long as operands and result agree. A may have
// the halves of K as batches instead of outers: its registers are then already in the order of the
// instruction (4.4, option ii).

#include "tilewright/layout/algebra/Fragments.h"
#include "tilewright/layout/algebra/Owners.h"
#include "tilewright/layout/distribute/DistributionRules.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

namespace {

/// The dimensions of an operand: the batch dimensions of the contraction, followed by the two
/// others.
struct MatrixDims {
  SmallVector<int64_t> batches;
  int64_t row = -1, column = -1;

  SmallVector<int64_t> inOrder() const {
    SmallVector<int64_t> all(batches);
    all.append({row, column});
    return all;
  }
};

struct Matrices {
  MatrixDims lhs, rhs, result;
};

/// One operand, with its dimensions in the order of MatrixDims.
struct Matrix {
  Value distributed;
  Dim row, column;
};

} // namespace

// --- Dimensions -----------------------------------------------------------------------

static std::optional<unsigned> resultFor(AffineMap map, unsigned dim) {
  return map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}

/// Finds M, N, K and the batch dimensions; none unless there is exactly one M, N and K.
static std::optional<Matrices> matricesOf(vector::ContractionOp contraction) {
  SmallVector<AffineMap, 4> maps = contraction.getIndexingMapsArray();
  Matrices found;
  auto assign = [](int64_t &slot, unsigned value) {
    bool first = slot < 0;
    slot = value;
    return first;
  };
  for (unsigned dim = 0; dim < maps[0].getNumDims(); ++dim) {
    auto l = resultFor(maps[0], dim), r = resultFor(maps[1], dim), c = resultFor(maps[2], dim);
    bool ok = true;
    if (l && r && c) {
      found.lhs.batches.push_back(*l);
      found.rhs.batches.push_back(*r);
      found.result.batches.push_back(*c);
    } else if (l && r) {
      ok = assign(found.lhs.column, *l) && assign(found.rhs.row, *r);
    } else if (l && c) {
      ok = assign(found.lhs.row, *l) && assign(found.result.row, *c);
    } else if (r && c) {
      ok = assign(found.rhs.column, *r) && assign(found.result.column, *c);
    } else {
      ok = false;
    }
    if (!ok)
      return std::nullopt;
  }
  if (found.lhs.row < 0 || found.lhs.column < 0 || found.rhs.column < 0)
    return std::nullopt;
  return found;
}

static Value transposed(OpBuilder &builder, Value distributed, ArrayRef<int64_t> permutation) {
  if (isIdentityPermutation(permutation))
    return distributed;
  return vector::TransposeOp::create(builder, distributed.getLoc(), distributed,
                                     permutationOfDistributed(permutation));
}

static Matrix matrixOf(Value whole, const MatrixDims &dims, ThreadFunction &thread) {
  Layout layout = thread.layoutOf(whole);
  return {transposed(thread.builder, thread.distributed(whole), dims.inOrder()), layout[dims.row],
          layout[dims.column]};
}

// --- Checks ---------------------------------------------------------------------------

static bool sameWithinBatch(const Dim &a, const Dim &b) {
  return a.outers == b.outers && a.threads == b.threads && a.elements == b.elements &&
         a.threadStride == b.threadStride;
}

static bool sameAcrossBatches(const Dim &a, const Dim &b) {
  return a.subgroups == b.subgroups && a.subgroupStride == b.subgroupStride &&
         a.batches == b.batches;
}

/// Whether the dimension has the halves of K as batches.
static bool isHalf(const Dim &dim, const Dim &fragment) {
  Dim half = fragment;
  half.outers = 1;
  return fragment.outers == 2 && sameWithinBatch(dim, half);
}

static InFlightDiagnostic mismatch(vector::ContractionOp contraction, const Twine &what,
                                   Attribute kind) {
  return contraction.emitOpError(what) << ", as " << kind << " needs it";
}

/// A batch dimension must belong to one subgroup, and to all of its threads.
static LogicalResult checkBatches(vector::ContractionOp contraction, Attribute kind,
                                  const Matrices &dims, ThreadFunction &thread) {
  Layout lhs = thread.layoutOf(contraction.getLhs()), rhs = thread.layoutOf(contraction.getRhs()),
         result = thread.layoutOf(contraction.getResult());
  for (auto [l, r, c] : llvm::zip_equal(dims.lhs.batches, dims.rhs.batches, dims.result.batches)) {
    Dim whole{.subgroups = lhs[l].subgroups,
              .batches = lhs[l].batches,
              .subgroupStride = lhs[l].subgroupStride};
    if (lhs[l] != whole || rhs[r] != whole || result[c] != whole)
      return mismatch(contraction,
                      "a batch is not held by one subgroup alike in operands and result", kind);
  }
  return success();
}

static LogicalResult checkFragments(vector::ContractionOp contraction, Attribute kind, Mma mma,
                                    const Matrix &a, const Matrix &b, const Matrix &c) {
  Layout fragmentA = fragmentOfA(mma).layout, fragmentB = fragmentOfB(mma).layout,
         fragmentC = fragmentOfC(mma).layout;
  if (!sameWithinBatch(a.row, fragmentA[0]) ||
      !(sameWithinBatch(a.column, fragmentA[1]) || isHalf(a.column, fragmentA[1])))
    return mismatch(contraction, "lhs is not held in fragments " + toText(fragmentA), kind);
  if (!sameWithinBatch(b.row, fragmentB[0]) || !sameWithinBatch(b.column, fragmentB[1]))
    return mismatch(contraction, "rhs is not held in fragments " + toText(fragmentB), kind);
  if (!sameWithinBatch(c.row, fragmentC[0]) || !sameWithinBatch(c.column, fragmentC[1]))
    return mismatch(contraction, "result is not held in fragments " + toText(fragmentC), kind);
  if (!sameAcrossBatches(a.row, c.row) || !sameAcrossBatches(b.column, c.column))
    return mismatch(contraction,
                    "operands and result are not spread alike over subgroups and "
                    "batches along M and N",
                    kind);
  int64_t half = isHalf(a.column, fragmentA[1]) ? 2 : 1;
  if (a.column.subgroups != 1 || b.row.subgroups != 1 || a.column.batches != half * b.row.batches)
    return mismatch(contraction,
                    "lhs and rhs have not all of K in the same batches of each "
                    "subgroup",
                    kind);
  return success();
}

/// A register has 32 bits, except for f64.
static bool takesTypes(Mma mma, Type element, Type acc) {
  switch (mma) {
  case Mma::M16N8K16_f16:
  case Mma::M16N8K8_f16:
    return (element.isF16() && (acc.isF16() || acc.isF32())) || (element.isBF16() && acc.isF32());
  case Mma::M16N8K8_tf32:
  case Mma::M16N8K4_tf32:
    return element.isF32() && acc.isF32();
  case Mma::M16N8K32_i8:
    return element.isInteger(8) && acc.isInteger(32);
  case Mma::M16N8K64_i4:
    return element.isInteger(4) && acc.isInteger(32);
  case Mma::M8N8K4_f64:
    return element.isF64() && acc.isF64();
  }
  llvm_unreachable("a member of Mma");
}

static LogicalResult checkTypes(vector::ContractionOp contraction, Attribute kind, Mma mma,
                                int64_t lanes) {
  if (lanes != 32)
    return contraction.emitOpError("is done by 32 threads, as ")
           << kind << " says, but a subgroup has " << lanes;
  Type lhs = contraction.getLhsType().getElementType();
  Type acc = getElementTypeOrSelf(contraction.getAccType());
  if (lhs != contraction.getRhsType().getElementType() || !takesTypes(mma, lhs, acc))
    return mismatch(contraction, "operands and result do not have types that go together", kind);
  return success();
}

// --- Instructions ---------------------------------------------------------------------

/// The registers of one fragment in the order of the instruction: register `r` of the layout moves
/// to `order[r]`. `neighbours` elements share a machine register.
static Value fragment(OpBuilder &builder, Value part, ArrayRef<int64_t> order, int64_t neighbours) {
  Location loc = part.getLoc();
  auto type = cast<VectorType>(part.getType());
  int64_t count = type.getNumElements();
  part = vector::ShapeCastOp::create(builder, loc, VectorType::get(count, type.getElementType()),
                                     part);
  if (!isIdentityPermutation(order))
    part = vector::ShuffleOp::create(builder, loc, part, part, invertPermutationVector(order));
  return vector::ShapeCastOp::create(
      builder, loc, VectorType::get({count / neighbours, neighbours}, type.getElementType()), part);
}

/// The registers of the batches `[batch.., row, column to column + columns - 1]`.
static Value batchesAt(OpBuilder &builder, const Matrix &matrix, ArrayRef<int64_t> batch,
                       int64_t row, int64_t column, int64_t columns = 1) {
  SmallVector<int64_t> place(batch);
  place.push_back(row);
  if (columns == 1) {
    place.push_back(column);
    return vector::ExtractOp::create(builder, matrix.distributed.getLoc(), matrix.distributed,
                                     place);
  }
  Value ofRow =
      vector::ExtractOp::create(builder, matrix.distributed.getLoc(), matrix.distributed, place);
  return vector::ExtractStridedSliceOp::create(builder, matrix.distributed.getLoc(), ofRow,
                                               ArrayRef<int64_t>{column},
                                               ArrayRef<int64_t>{columns}, ArrayRef<int64_t>{1});
}

/// One instruction for each batch of the result (`batchDims` dimensions, and the batches along M
/// and N), and for each step along K.
static Value multiply(OpBuilder &builder, Mma mma, const Matrix &a, const Matrix &b,
                      const Matrix &c, size_t batchDims) {
  Location loc = c.distributed.getLoc();
  Fragment fragmentA = fragmentOfA(mma), fragmentB = fragmentOfB(mma), fragmentC = fragmentOfC(mma);
  assert(isIdentityPermutation(fragmentC.order) && "results come in the order of the layout");
  int64_t packed = fragmentA.layout[1].elements;
  std::array<int64_t, 3> shape = shapeOfMma(mma);
  bool tf32 = mma == Mma::M16N8K8_tf32 || mma == Mma::M16N8K4_tf32;
  int64_t steps = b.row.batches, halves = a.column.batches / steps;
  if (halves == 2) // already in the order of the instruction
    std::iota(fragmentA.order.begin(), fragmentA.order.end(), 0);

  Value result = c.distributed;
  Numbers places(cast<VectorType>(c.distributed.getType()).getShape().take_front(batchDims + 2));
  forEachElement(places, [&](ArrayRef<int64_t> place) {
    ArrayRef<int64_t> batch = place.take_front(batchDims);
    int64_t m = place[batchDims], n = place[batchDims + 1];
    Value part = vector::ExtractOp::create(builder, loc, c.distributed, place);
    Value sum = fragment(builder, part, fragmentC.order, /*neighbours=*/2);
    for (int64_t k = 0; k < steps; ++k) {
      Value ofA = batchesAt(builder, a, batch, m, halves * k, halves);
      Value ofB = batchesAt(builder, b, batch, k, n);
      sum = nvgpu::MmaSyncOp::create(builder, loc, fragment(builder, ofA, fragmentA.order, packed),
                                     fragment(builder, ofB, fragmentB.order, packed), sum,
                                     ArrayRef<int64_t>(shape), tf32);
    }
    sum = vector::ShapeCastOp::create(builder, loc, part.getType(), sum);
    result = vector::InsertOp::create(builder, loc, sum, result, place);
  });
  return result;
}

// --- The rule -------------------------------------------------------------------------

LogicalResult layout::distributeToMma(vector::ContractionOp contraction, Attribute kind,
                                      ThreadFunction &thread) {
  OpBuilder &builder = thread.builder;
  auto name = dyn_cast<StringAttr>(kind);
  std::optional<Mma> mma = name ? mmaNamed(name.getValue()) : std::nullopt;
  if (!mma)
    return contraction.emitOpError("mma_kind is ") << kind << ", not one of " << namesOfMma();
  std::optional<Matrices> dims = matricesOf(contraction);
  if (!dims || contraction.getKind() != vector::CombiningKind::ADD)
    return mismatch(contraction, "is no sum over one dimension K of a product along M and N", kind);
  if (failed(checkTypes(contraction, kind, *mma, thread.shape.lanes)) ||
      failed(checkBatches(contraction, kind, *dims, thread)))
    return failure();
  Matrix a = matrixOf(contraction.getLhs(), dims->lhs, thread);
  Matrix b = matrixOf(contraction.getRhs(), dims->rhs, thread);
  Matrix c = matrixOf(contraction.getAcc(), dims->result, thread);
  if (failed(checkFragments(contraction, kind, *mma, a, b, c)))
    return failure();

  Value result = multiply(builder, *mma, a, b, c, dims->result.batches.size());
  thread.setDistributed(
      contraction.getResult(),
      transposed(builder, result, invertPermutationVector(dims->result.inOrder())));
  return success();
}
