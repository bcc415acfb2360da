// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix operations of the dialect nvgpu, which the 32 threads of a subgroup execute together.
// The assignment of elements to threads follows the PTX manual for `mma.sync` and `ldmatrix`. It is
// implemented here independently of the layouts, so that executing a program that was distributed
// by layouts checks them.
//
// With lane = 4 g + t and w elements in a 32-bit word (or one of 64 bits), register i of a lane is
//
//     A   row g + 8 (i/w mod M/8)   column w t + i mod w + 4 w (i/w / (M/8))
//     B   row w t + i mod w + 4 w (i/w)   column g
//     C   row g + 8 (i/2)           column 2 t + i mod 2

#include "tilewright/simt/Combine.h"
#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "tilewright/numerics/Integer.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;
using numerics::Format;

/// The number of threads that hold a fragment.
static constexpr int64_t warp = 32;

static LogicalResult requireWarp(Machine &machine, Operation &op, const Threads &subgroup) {
  if (int64_t(subgroup.size()) != warp)
    return machine.refuse(op, formatv("'{0}' is for subgroups of 32 threads, but one has {1}",
                                      op.getName(), subgroup.size()));
  return machine.requireActive(op, subgroup, "of a subgroup");
}

//===-- mma.sync -------------------------------------------------------------------------===//

namespace {
struct Cell {
  int64_t row, column;
};

/// The rows and columns of a lane's registers.
struct Fragments {
  int64_t rows; ///< M
  int64_t word; ///< w

  Cell left(int64_t lane, int64_t i) const {
    const int64_t group = lane / 4, thread = lane % 4, number = i / word;
    return {group + 8 * (number % (rows / 8)),
            word * thread + i % word + 4 * word * (number / (rows / 8))};
  }
  Cell right(int64_t lane, int64_t i) const {
    return {word * (lane % 4) + i % word + 4 * word * (i / word), lane / 4};
  }
  Cell sum(int64_t lane, int64_t i) const {
    return {lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2};
  }
};

class Matrix {
public:
  Matrix(int64_t rows, int64_t columns) : columns(columns), elements(rows * columns) {}
  Element &operator[](Cell cell) { return elements[cell.row * columns + cell.column]; }

private:
  int64_t columns;
  struct Blank : Element {
    Blank() : Element(Element::boolean(false)) {}
  };
  std::vector<Blank> elements;
};

class Product {
public:
  Product(Machine &machine, nvgpu::MmaSyncOp op, const Threads &subgroup)
      : machine(machine), op(op), subgroup(subgroup), shape(op.getMmaShapeAsArray()),
        fragments{shape[0], wordOf(op)},
        format(*formatOf(op.getMatrixC().getType().getElementType())), left(shape[0], shape[2]),
        right(shape[2], shape[1]), sum(shape[0], shape[1]) {}

  void execute(Register &result) {
    collect(op.getMatrixA(), left, &Fragments::left, true);
    collect(op.getMatrixB(), right, &Fragments::right, true);
    collect(op.getMatrixC(), sum, &Fragments::sum, false);
    for (int64_t row = 0; row < shape[0]; ++row)
      for (int64_t column = 0; column < shape[1]; ++column)
        sum[{row, column}] = dot(row, column);
    for (int64_t lane = 0; lane < warp; ++lane)
      for (int64_t i = 0; i < result.count; ++i)
        result.set(subgroup[lane], i, sum[fragments.sum(lane, i)]);
  }

private:
  static int64_t wordOf(nvgpu::MmaSyncOp op) {
    const Type element = op.getMatrixA().getType().getElementType();
    return std::max<int64_t>(1, 32 / numerics::info(*formatOf(element)).bits);
  }

  void collect(Value value, Matrix &matrix, Cell (Fragments::*place)(int64_t, int64_t) const,
               bool isOperand) {
    const Register &source = machine.of(value);
    for (int64_t lane = 0; lane < warp; ++lane)
      for (int64_t i = 0; i < source.count; ++i) {
        const Element element = source.at(subgroup[lane], i);
        matrix[(fragments.*place)(lane, i)] = widen(isOperand ? operand(element) : element);
      }
  }

  /// An operand as the tensor core reads it: f32 is truncated to tf32 by clearing the last 13 bits.
  static Element operand(Element element) {
    if (element.format == Format::F32)
      element.bits &= ~uint64_t(0x1FFF);
    return element;
  }

  /// Floats are summed in f64, integers in the accumulator's format.
  Element widen(Element element) const {
    if (isFloat())
      return convertFloat(element, Format::F64);
    return element.format == format ? element
                                    : numerics::extI(element, format, numerics::Signedness::Signed);
  }

  bool isFloat() const { return numerics::info(format).isFloat(); }

  /// Float products and sums are computed in f64 and rounded once, which is exact as long as f64
  /// has enough digits. f64 products are fused; integers wrap around.
  Element dot(int64_t row, int64_t column) {
    Element total = sum[{row, column}];
    for (int64_t k = 0; k < shape[2]; ++k) {
      const Element lhs = left[{row, k}], rhs = right[{k, column}];
      total = isFloat() ? fuse(lhs, rhs, total) : add(total, multiply(lhs, rhs));
    }
    return isFloat() ? convertFloat(total, format) : total;
  }

  Machine &machine;
  nvgpu::MmaSyncOp op;
  const Threads &subgroup;
  std::array<int64_t, 3> shape;
  Fragments fragments;
  Format format; ///< Of the sum.
  Matrix left, right, sum;
};
} // namespace

/// The formulas above hold for all shapes of `mma.sync` but one, in which each quarter of the warp
/// works independently.
static LogicalResult checkShape(Machine &machine, nvgpu::MmaSyncOp op) {
  const auto [m, n, k] = op.getMmaShapeAsArray();
  const int64_t lhs = op.getMatrixA().getType().getNumElements() * warp;
  const int64_t rhs = op.getMatrixB().getType().getNumElements() * warp;
  const int64_t acc = op.getMatrixC().getType().getNumElements() * warp;
  if ((m == 8 || m == 16) && n == 8 && lhs == m * k && rhs == k * n && acc == m * n &&
      !(m == 8 && k == 4 && op.getMatrixA().getType().getElementType().isF16()))
    return success();
  return machine.refuse(
      *op, formatv("'nvgpu.mma.sync' of shape {0} x {1} x {2} cannot be executed", m, n, k));
}

static LogicalResult executeMmaSync(Machine &machine, nvgpu::MmaSyncOp op) {
  if (failed(checkShape(machine, op)))
    return failure();
  Register &result = machine.define(op.getRes(), false);
  for (const Threads &subgroup : machine.activeSubgroups()) {
    if (failed(requireWarp(machine, *op, subgroup)))
      return failure();
    Product(machine, op, subgroup).execute(result);
  }
  return success();
}

//===-- ldmatrix -------------------------------------------------------------------------===//

/// Row j of matrix r has 16 bytes and starts at the address that lane 8 r + j gives. Lane l
/// receives, from each matrix, word l mod 4 of row l / 4. If transposed, it receives the elements
/// of column l / 4 from rows 2 (l mod 4) and 2 (l mod 4) + 1; elements must then have 16 bits.
static LogicalResult loadMatrices(Machine &machine, nvgpu::LdMatrixOp op, const Threads &subgroup,
                                  Register &result) {
  const int64_t word = 32 / numerics::info(result.format).bits;
  const Register &memory = machine.of(op.getSrcMemref());
  for (int64_t lane = 0; lane < warp; ++lane)
    for (int64_t i = 0; i < result.count; ++i) {
      const int64_t matrix = i / word, part = i % word;
      const int64_t row = op.getTranspose() ? 2 * (lane % 4) + part : lane / 4;
      const int64_t column = op.getTranspose() ? lane / 4 : word * (lane % 4) + part;
      const int64_t supplier = subgroup[8 * matrix + row];
      auto index = machine.indicesOf(*op, supplier, op.getIndices());
      if (!index)
        return failure();
      index->back() += column;
      const Reference &reference = memory.reference(supplier);
      const auto place = machine.placeOf(*op, supplier, reference, *index);
      if (!place)
        return failure();
      result.set(subgroup[lane], i, machine.load({op, subgroup[lane]}, reference, *place));
    }
  return success();
}

static LogicalResult executeLdMatrix(Machine &machine, nvgpu::LdMatrixOp op) {
  Register &result = machine.define(op.getRes(), false);
  const unsigned bits = numerics::info(result.format).bits;
  if (32 % bits != 0 || (op.getTranspose() && bits != 16))
    return machine.refuse(*op, formatv("'nvgpu.ldmatrix' of elements of {0} bits{1} cannot be "
                                       "executed",
                                       bits, op.getTranspose() ? ", transposed," : ""));
  // Each lane gives the address of one row, so there are at most 32 rows.
  if (result.count * bits > 4 * 32 || op.getIndices().empty())
    return machine.refuse(*op, formatv("'nvgpu.ldmatrix' of {0} bits in each thread from memory of "
                                       "rank {1} cannot be executed; expected at most 128 from "
                                       "memory of rank 1 or more",
                                       result.count * bits, op.getIndices().size()));
  for (const Threads &subgroup : machine.activeSubgroups())
    if (failed(requireWarp(machine, *op, subgroup)) ||
        failed(loadMatrices(machine, op, subgroup, result)))
      return failure();
  return success();
}

void simt::addMatrix(Table &table) {
  table.add<nvgpu::MmaSyncOp, executeMmaSync>();
  table.add<nvgpu::LdMatrixOp, executeLdMatrix>();
}
