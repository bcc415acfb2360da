// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes tcgen05.mma, with .sp and .ws (PTX ISA, 9.7.16.10.9): D = A * B + D, where D is in
// tensor memory, A in shared or tensor memory, and B in shared memory. The product is computed when
// it is issued. Its accesses complete with the next tcgen05.commit of the thread.

#include "tilewright/ptx/tcgen05/Product.h"
#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/tcgen05/Operands.h"
#include "tilewright/ptx/tcgen05/Sparsity.h"
#include "tilewright/ptx/tcgen05/ZeroColumns.h"
#include "tilewright/ptx/watch/Counters.h"

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::tensor;

namespace {
class Product {
public:
  Product(Thread &thread, const Op &op)
      : thread(thread), op(op), kind(TensorKind(op.mode & kindBits)),
        k(infoOf(kind).k * (op.mode & isSparse ? 2 : 1)), stored(infoOf(kind).k),
        scales(op.mode >> scalesShift),
        isPacked(kind == TensorKind::MXF4 || kind == TensorKind::MXF4NVF4) {}

  bool run();

private:
  struct Place {
    Cta *cta;
    uint32_t lane, column;
  };

  bool decode();
  bool decodeDescriptor();
  bool decodeMask();
  bool findCtas();
  bool checkLane(const TensorAddress &address, bool isD) const;
  /// Where the columns of a part of D begin.
  Place placeOf(unsigned row, unsigned part) const;
  bool readA(TensorMatrix &a);
  bool readTensorA(TensorMatrix &a);
  bool readB(TensorMatrix &b);
  bool readSparsity();
  bool readMatrix(Cta &owner, Slot slot, unsigned rows, unsigned first, TensorMatrix &matrix);
  bool readAllScales(TensorMatrix &ofA, TensorMatrix &ofB);
  bool accessD();
  bool isDisabled(const Place &place) const;
  void multiply(const TensorMatrix &a, const TensorMatrix &b, const TensorMatrix &scalesOfA,
                const TensorMatrix &scalesOfB);
  void multiplyPart(const TensorMatrix &a, const TensorMatrix &b, const TensorMatrix &scalesOfA,
                    const TensorMatrix &scalesOfB, unsigned row, unsigned part);
  unsigned rowOfA(unsigned row, unsigned part) const;
  unsigned scalesOfColumns(unsigned row) const;
  void addRow(const double *a, const uint16_t *places, unsigned firstColumn,
              const TensorMatrix &scalesOfA, const TensorMatrix &scalesOfB, unsigned row);
  double input(uint32_t word) const;
  uint32_t output(double sum) const;

  uint32_t slot(Slot number) const { return thread.code->slots[op.list.first + number]; }
  TensorAddress addressAt(Slot number) const {
    return TensorAddress(thread.get<uint32_t>(slot(number)) +
                         uint32_t(thread.values[slot(Slot(number + 1))]));
  }
  ElementForm elementOfA() const { return {descriptor.a, descriptor.negatesA, isPacked}; }
  ElementForm elementOfB() const { return {descriptor.b, descriptor.negatesB, isPacked}; }
  TensorAccess access() const { return pipelinedAccess(thread, op); }
  bool fail(std::string message) const {
    failTensor(thread, op, std::move(message));
    return false;
  }

  Thread &thread;
  const Op &op;
  TensorKind kind;
  unsigned k, stored; ///< Number of products in a sum, and of stored elements in a row of A.
  unsigned scales;
  bool isPacked;
  InstructionDescriptor descriptor;
  std::vector<Cta *> ctas; ///< One, or the two of a pair.
  DataPath path{tensorLanes, false};
  ZeroColumns zeroColumns;
  TensorAddress d{0};
  bool addsD = false;
  StoredPositions positions{0, 0};
  std::vector<double> columns; ///< B by rows of k.
  std::vector<double> sums;    ///< Of a part of a row.
};
} // namespace

//===-- Descriptors and places --------------------------------------------------------------===//

bool Product::findCtas() {
  ctas = {thread.cta};
  if (!(op.mode & ofPair))
    return true;
  Cta *peer = peerOf(thread, op);
  if (!peer)
    return false;
  ctas.insert(peer->rank < thread.cta->rank ? ctas.begin() : ctas.end(), peer);
  return true;
}

bool Product::decodeDescriptor() {
  const ProductForm form{kind, op.mode & ofPair ? 2u : 1u, scales, bool(op.mode & isStationary),
                         bool(op.mode & isSparse)};
  auto decoded = decodeInstructionDescriptor(thread.get<uint32_t>(slot(Descriptor)), form);
  if (const auto *wrong = std::get_if<std::string>(&decoded))
    return fail(*wrong);
  descriptor = std::get<InstructionDescriptor>(decoded);
  path = DataPath(descriptor.m / unsigned(ctas.size()),
                  ctas.size() == 1 && descriptor.m == 64 && !form.isStationary);
  if (form.isSparse && !form.isStationary && path.rows < tensorLanes)
    return fail("the machine does not implement this (the kernel may be right): sparse products "
                "with 64 rows in a CTA, without .ws");
  return true;
}

bool Product::decodeMask() {
  auto decoded = decodeZeroColumns(thread.values[slot(ZeroMask)], descriptor, path.parts);
  if (const auto *wrong = std::get_if<std::string>(&decoded))
    return fail(*wrong);
  zeroColumns = std::get<ZeroColumns>(decoded);
  return true;
}

bool Product::decode() {
  for (Slot number : {D, A, B, Descriptor, ScaleA, ScaleB, ZeroMask, Sparsity}) {
    const bool isWide =
        number == B || number == ZeroMask || (number == A && !(op.mode & readsTensor));
    if (!tensorOperand(thread, op, slot(number), isWide))
      return false;
  }
  if (!thread.has<uint8_t>(slot(Enable))) {
    stop(thread, op, Check::Undefined, "the predicate for adding D is not defined");
    return false;
  }
  addsD = thread.values[slot(Enable)] != 0;
  d = addressAt(D);
  return checkTensorGroup(thread, op, op.mode & ofPair ? 2 : 1) && findCtas() &&
         decodeDescriptor() && decodeMask() && checkLane(d, /*isD=*/true);
}

/// With half of the lanes, D begins at lane 0 or 16, and A at the same (PTX ISA, 9.7.16.10.5).
bool Product::checkLane(const TensorAddress &address, bool isD) const {
  if (path.isHalf ? address.lane == d.lane && d.lane % lanesPerGroup == 0 && d.lane <= lanesPerGroup
                  : address.lane == 0)
    return true;
  const std::string lanes = !path.isHalf ? "0" : isD ? "0 or 16" : std::to_string(d.lane);
  return fail(std::string(isD ? "D" : "A") + " begins at lane " + lanes + " of tensor memory" +
              (path.isHalf && !isD ? ", as D does" : "") + ", and not at " + toString(address));
}

Product::Place Product::placeOf(unsigned row, unsigned part) const {
  return {ctas[row / path.rows], d.lane + path.laneOf(row % path.rows, part), d.column};
}

//===-- Operands ----------------------------------------------------------------------------===//

bool Product::readMatrix(Cta &owner, Slot number, unsigned rows, unsigned first,
                         TensorMatrix &matrix) {
  auto place = decodeTensorMatrix(thread.values[slot(number)]);
  if (const auto *wrong = std::get_if<std::string>(&place))
    return fail(*wrong);
  const bool isA = number == A;
  const SharedMatrix shared{std::get<MatrixDescriptor>(place),
                            isA ? elementOfA() : elementOfB(),
                            isA ? 0 : zeroColumns.shift,
                            rows,
                            matrix.k,
                            isA ? descriptor.transposesA : descriptor.transposesB};
  if (!isA && op.mode & isSparse && !shared.isTransposed &&
      shared.place.swizzle == Swizzle::Bytes32)
    return fail("the machine does not implement this (the kernel may be right): a B of a sparse "
                "product with rows wider than the swizzle");
  return readShared(thread, op, owner, shared, matrix, first);
}

bool Product::readTensorA(TensorMatrix &a) {
  const TensorAddress address = addressAt(A);
  if (descriptor.transposesA)
    return fail("A in tensor memory cannot be transposed");
  if (!checkLane(address, /*isD=*/false))
    return false;
  for (unsigned part = 0; part < path.parts; ++part)
    for (unsigned number = 0; number < ctas.size(); ++number)
      if (!readTensor(thread, op, *ctas[number], {address, path, part, stored, elementOfA()}, a,
                      rowOfA(number * path.rows, part)))
        return false;
  return true;
}

bool Product::readA(TensorMatrix &a) {
  if (op.mode & readsTensor)
    return readTensorA(a);
  for (unsigned number = 0; number < ctas.size(); ++number)
    if (!readMatrix(*ctas[number], A, path.rows, number * path.rows, a))
      return false;
  return true;
}

bool Product::readB(TensorMatrix &b) {
  const unsigned share = descriptor.n / unsigned(ctas.size());
  for (unsigned number = 0; number < ctas.size(); ++number)
    if (!readMatrix(*ctas[number], B, share, number * share, b))
      return false;
  for (unsigned column = 0; column < descriptor.n; ++column)
    if (zeroColumns.isZero[column]) {
      std::fill_n(b.values.begin() + column * k, k, 0);
      b.defined[column] = 1;
    }
  return true;
}

bool Product::readSparsity() {
  if (!(op.mode & isSparse))
    return true;
  positions = StoredPositions(path.parts * descriptor.m, stored);
  for (unsigned part = 0; part < path.parts; ++part)
    for (unsigned number = 0; number < ctas.size(); ++number)
      if (!readMetadata(
              thread, op, *ctas[number],
              {addressAt(Sparsity), path, part, descriptor.a, isPacked, descriptor.selector},
              positions, part * descriptor.m + number * path.rows))
        return false;
  return true;
}

bool Product::readAllScales(TensorMatrix &ofA, TensorMatrix &ofB) {
  if (!(op.mode & hasScales))
    return true;
  if (path.rows < tensorLanes)
    return fail("the machine does not implement this (the kernel may be right): block-scaled "
                "products with 64 rows in each CTA of a pair");
  for (unsigned number = 0; number < ctas.size(); ++number)
    if (!readScales(thread, op, *ctas[number],
                    {addressAt(ScaleA), path.rows, scales, descriptor.scaleOfA, descriptor.scale},
                    ofA, number * path.rows))
      return false;
  // Each CTA has the scales of all columns.
  for (unsigned number = 0; number < ctas.size(); ++number)
    if (!readScales(
            thread, op, *ctas[number],
            {addressAt(ScaleB), descriptor.n, scales, descriptor.scaleOfB, descriptor.scale}, ofB,
            number * descriptor.n))
      return false;
  return true;
}

bool Product::accessD() {
  for (Cta *cta : ctas)
    if (!accessTensor(thread, op, *cta,
                      {path.groupsFrom(d.lane), d.column, descriptor.n / path.parts},
                      /*isWrite=*/true, access(), orderingOf(thread)))
      return false;
  return true;
}

//===-- The product -------------------------------------------------------------------------===//

double Product::input(uint32_t word) const {
  if (descriptor.d == Type::S32)
    return double(int32_t(word));
  if (descriptor.d == Type::F16)
    return numerics::Element{word & 0xFFFF, numerics::Format::F16}.asDouble();
  return std::bit_cast<float>(word);
}

uint32_t Product::output(double sum) const {
  if (descriptor.d == Type::S32) {
    // Sums of 32 products and an integer are exact.
    const auto exact = int64_t(sum);
    return uint32_t(descriptor.saturates ? std::clamp<int64_t>(exact, INT32_MIN, INT32_MAX)
                                         : exact);
  }
  if (descriptor.d == Type::F16)
    return uint32_t(numerics::floatToFloat(toElement(float(sum)), numerics::Format::F16).bits);
  return std::bit_cast<uint32_t>(canonical(float(sum)));
}

bool Product::isDisabled(const Place &place) const {
  if (op.list2.count == 0)
    return false;
  const unsigned first = place.cta == ctas[0] ? 0 : 4;
  const uint32_t word = thread.code->slots[op.list2.first + first + place.lane / 32];
  return thread.get<uint32_t>(word) >> (place.lane % 32) & 1;
}

/// The row of the matrix A for a row of D: in tensor memory, each part of the columns has its own.
unsigned Product::rowOfA(unsigned row, unsigned part) const {
  return op.mode & readsTensor ? part * descriptor.m + row : row;
}

/// Where the scales of a row's columns begin in the matrix of all scales of B.
unsigned Product::scalesOfColumns(unsigned row) const { return row / path.rows * descriptor.n; }

/// Adds the products of a row to `sums`, those of some columns. `places` has which of the k
/// elements are stored; null means all.
void Product::addRow(const double *a, const uint16_t *places, unsigned firstColumn,
                     const TensorMatrix &scalesOfA, const TensorMatrix &scalesOfB, unsigned row) {
  const unsigned n = descriptor.n;
  const size_t width = sums.size();
  const double *b = &columns[firstColumn];
  if (op.mode & hasScales) {
    const unsigned length = stored / scales, first = scalesOfColumns(row) + firstColumn;
    for (unsigned column = 0; column < width; ++column)
      for (unsigned number = 0; number < scales; ++number) {
        double block = 0;
        for (unsigned i = number * length; i < (number + 1) * length; ++i)
          block += a[i] * b[(places ? places[i] : i) * n + column];
        const double scale = scalesOfA.values[row * scales + number] *
                             scalesOfB.values[(first + column) * scales + number];
        sums[column] = float(sums[column] + block * scale);
      }
    return;
  }
  // Each product is added as in a fused multiply-add. Products of two floats of at most 12 bits are
  // exact.
  const bool isInteger = descriptor.d == Type::S32;
  const bool isExact =
      kind == TensorKind::F8F6F4 || (descriptor.a == Type::F16 && descriptor.b == Type::F16);
  for (unsigned i = 0; i < stored; ++i) {
    const double x = a[i];
    const double *y = b + (places ? places[i] : i) * n;
    if (isInteger)
      for (unsigned column = 0; column < width; ++column)
        sums[column] += x * y[column];
    else if (isExact)
      for (unsigned column = 0; column < width; ++column)
        sums[column] = float(sums[column]) + float(x) * float(y[column]);
    else
      for (unsigned column = 0; column < width; ++column)
        sums[column] = std::fma(float(x), float(y[column]), float(sums[column]));
  }
}

void Product::multiplyPart(const TensorMatrix &a, const TensorMatrix &b,
                           const TensorMatrix &scalesOfA, const TensorMatrix &scalesOfB,
                           unsigned row, unsigned part) {
  const Place place = placeOf(row, part);
  if (isDisabled(place))
    return;
  TensorMemory &tensor = *place.cta->tensor;
  const size_t at = TensorMemory::at(place.lane, place.column);
  const unsigned first = part * unsigned(sums.size()), ofA = rowOfA(row, part);
  const uint8_t bytes = descriptor.d == Type::F16 ? 3 : 15;
  for (unsigned column = 0; column < sums.size(); ++column)
    sums[column] = addsD ? std::ldexp(input(tensor.words[at + column]), -int(op.offset)) : 0;
  const bool hasPlaces = op.mode & isSparse;
  const unsigned ofPlaces = part * descriptor.m + row;
  addRow(&a.values[ofA * stored], hasPlaces ? &positions.positions[ofPlaces * stored] : nullptr,
         first, scalesOfA, scalesOfB, row);
  for (unsigned column = 0; column < sums.size(); ++column) {
    const bool isDefined = (!hasPlaces || positions.defined[ofPlaces]) && a.defined[ofA] &&
                           b.defined[first + column] && scalesOfA.defined[row] &&
                           scalesOfB.defined[scalesOfColumns(row) + first + column] &&
                           (!addsD || (tensor.defined[at + column] & bytes) == bytes);
    tensor.words[at + column] = output(sums[column]);
    tensor.defined[at + column] = isDefined ? 15 : 0;
  }
}

void Product::multiply(const TensorMatrix &a, const TensorMatrix &b, const TensorMatrix &scalesOfA,
                       const TensorMatrix &scalesOfB) {
  const unsigned n = descriptor.n;
  columns.resize(k * n);
  for (unsigned column = 0; column < n; ++column)
    for (unsigned i = 0; i < k; ++i)
      columns[i * n + column] = b.values[column * k + i];
  sums.resize(n / path.parts);
  for (unsigned row = 0; row < descriptor.m; ++row)
    for (unsigned part = 0; part < path.parts; ++part)
      multiplyPart(a, b, scalesOfA, scalesOfB, row, part);
}

bool Product::run() {
  for (uint32_t part = 0; part < op.list2.count; ++part)
    if (!tensorOperand(thread, op, thread.code->slots[op.list2.first + part], /*isWide=*/false))
      return false;
  if (!decode())
    return false;
  TensorMatrix a(rowOfA(descriptor.m, path.parts - 1), stored), b(descriptor.n, k);
  TensorMatrix scalesOfA(descriptor.m, scales),
      scalesOfB(descriptor.n * unsigned(ctas.size()), scales);
  if (!readA(a) || !readB(b) || !readSparsity() || !readAllScales(scalesOfA, scalesOfB) ||
      !accessD())
    return false;
  if (Counters *counters = thread.cta->machine->counters)
    counters->product(descriptor.a, uint64_t(descriptor.m) * descriptor.n * k);
  multiply(a, b, scalesOfA, scalesOfB);
  return true;
}

Step tilewright::ptx::tensor::runProduct(Thread &thread, const Op &op) {
  return Product(thread, op).run() ? Step::Next : Step::Stop;
}
