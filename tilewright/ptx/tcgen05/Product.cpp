// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes tcgen05.mma (PTX ISA, 9.7.16.10.9): D = A * B + D, where D is in tensor memory, A in
// shared or tensor memory, and B in shared memory. The product is computed when it is issued. Its
// accesses complete with the next tcgen05.commit of the thread.

#include "tilewright/ptx/tcgen05/Product.h"
#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/tcgen05/Operands.h"
#include "tilewright/ptx/watch/Counters.h"

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::tensor;

namespace {
class Product {
public:
  Product(Thread &thread, const Op &op)
      : thread(thread), op(op), kind(TensorKind(op.mode & kindBits)), k(infoOf(kind).k),
        scales(op.mode >> scalesShift),
        isPacked(kind == TensorKind::MXF4 || kind == TensorKind::MXF4NVF4) {}

  bool run();

private:
  struct Place {
    Cta *cta;
    uint32_t lane, column;
  };

  bool decode();
  bool findCtas();
  /// Where an element of D is (PTX ISA, 9.7.16.10.5).
  Place placeOf(unsigned row, unsigned column) const;
  bool checkPlace(const TensorAddress &address, const char *what) const;
  bool readA(TensorMatrix &a);
  bool readTensorA(TensorMatrix &a);
  bool readB(TensorMatrix &b);
  bool readMatrix(Cta &owner, Slot slot, unsigned rows, unsigned first, TensorMatrix &matrix);
  bool readAllScales(TensorMatrix &ofA, TensorMatrix &ofB);
  bool accessD();
  bool isDisabled(unsigned lane, unsigned ctaNumber) const;
  void multiply(const TensorMatrix &a, const TensorMatrix &b, const TensorMatrix &scalesOfA,
                const TensorMatrix &scalesOfB);
  unsigned scalesOfColumns(unsigned row) const;
  void addRow(const TensorMatrix &a, const std::vector<double> &columns, unsigned row,
              const TensorMatrix &scalesOfA, const TensorMatrix &scalesOfB);
  double input(uint32_t word) const;
  uint32_t output(double sum) const;

  uint32_t slot(Slot number) const { return thread.code->slots[op.list.first + number]; }
  TensorAddress addressAt(Slot number) const {
    return TensorAddress(thread.get<uint32_t>(slot(number)) +
                         uint32_t(thread.values[slot(Slot(number + 1))]));
  }
  TensorAccess access() const {
    return tensorAccess(thread, op, pipelineAgentOf(*thread.warp), thread.warp->tensor.group);
  }
  bool fail(std::string message) const {
    failTensor(thread, op, std::move(message));
    return false;
  }

  Thread &thread;
  const Op &op;
  TensorKind kind;
  unsigned k, scales;
  bool isPacked;
  InstructionDescriptor descriptor;
  std::vector<Cta *> ctas; ///< One, or the two of a pair.
  TensorAddress d{0};
  bool addsD = false;
  std::vector<double> sums;
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

bool Product::decode() {
  for (Slot number : {D, A, B, Descriptor, ScaleA, ScaleB}) {
    const bool isWide = number == B || (number == A && !(op.mode & readsTensor));
    if (!tensorOperand(thread, op, slot(number), isWide))
      return false;
  }
  if (!thread.has<uint8_t>(slot(Enable))) {
    stop(thread, op, Check::Undefined, "the predicate for adding D is not defined");
    return false;
  }
  addsD = thread.values[slot(Enable)] != 0;
  const unsigned group = op.mode & ofPair ? 2 : 1;
  if (!checkTensorGroup(thread, op, group) || !findCtas())
    return false;
  auto decoded =
      decodeInstructionDescriptor(thread.get<uint32_t>(slot(Descriptor)), kind, group, scales);
  if (const auto *wrong = std::get_if<std::string>(&decoded))
    return fail(*wrong);
  descriptor = std::get<InstructionDescriptor>(decoded);
  d = addressAt(D);
  return checkPlace(d, "D");
}

/// A matrix of 64 rows has 16 lanes of each quarter, from lane 0 or 16 on.
bool Product::checkPlace(const TensorAddress &address, const char *what) const {
  const bool isHalf = descriptor.m / ctas.size() == 64 && ctas.size() == 1;
  if (address.lane == 0 || (isHalf && address.lane == lanesPerGroup))
    return true;
  return fail(std::string(what) + " begins at lane 0" + (isHalf ? " or 16" : "") +
              " of tensor memory, and not at " + toString(address));
}

Product::Place Product::placeOf(unsigned row, unsigned column) const {
  if (descriptor.m == 64) // lanes 0 to 15, 32 to 47 ...
    return {ctas[0], d.lane + row / 16 * 32 + row % 16, d.column + column};
  const unsigned rows = descriptor.m / unsigned(ctas.size());
  Cta *cta = ctas[row / rows];
  if (rows == tensorLanes)
    return {cta, row % rows, d.column + column};
  // Pairs with 64 rows in a CTA: the second half of the columns is in lanes 64 to 127.
  const unsigned half = descriptor.n / 2;
  return {cta, row % rows + (column >= half ? 64 : 0), d.column + column % half};
}

//===-- Operands ----------------------------------------------------------------------------===//

bool Product::readMatrix(Cta &owner, Slot number, unsigned rows, unsigned first,
                         TensorMatrix &matrix) {
  auto place = decodeTensorMatrix(thread.values[slot(number)]);
  if (const auto *wrong = std::get_if<std::string>(&place))
    return fail(*wrong);
  const bool isA = number == A;
  const SharedMatrix shared{std::get<MatrixDescriptor>(place),
                            isA ? descriptor.a : descriptor.b,
                            rows,
                            k,
                            isA ? descriptor.transposesA : descriptor.transposesB,
                            isA ? descriptor.negatesA : descriptor.negatesB,
                            isPacked};
  return readShared(thread, op, owner, shared, matrix, first);
}

bool Product::readTensorA(TensorMatrix &a) {
  const TensorAddress address = addressAt(A);
  if (descriptor.transposesA)
    return fail("A in tensor memory cannot be transposed");
  if (!checkPlace(address, "A"))
    return false;
  const unsigned bits = containerBits(descriptor.a, isPacked), perWord = 32 / bits;
  const unsigned rows = descriptor.m / unsigned(ctas.size());
  if (ctas.size() == 2 && rows == 64)
    return fail("the machine does not implement this (the kernel may be right): A in tensor memory "
                "with 64 rows in each CTA of a pair");
  const uint32_t groups = rows == tensorLanes ? 0xFF : address.lane ? 0xAA : 0x55;
  for (unsigned number = 0; number < ctas.size(); ++number) {
    Cta &cta = *ctas[number];
    if (!accessTensor(thread, op, cta, {groups, address.column, k / perWord}, /*isWrite=*/false,
                      access(), orderingOf(thread)))
      return false;
    const TensorMemory &tensor = tensorMemoryOf(cta);
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < k; ++column) {
        const unsigned lane = rows == 64 ? address.lane + row / 16 * 32 + row % 16 : row;
        const size_t at = TensorMemory::at(lane, address.column + column / perWord);
        const unsigned shift = column % perWord * bits;
        const uint64_t word =
            bits == 32 ? tensor.words[at] : tensor.words[at] >> shift & ((1u << bits) - 1);
        const uint8_t bytes = bits == 32 ? 15 : uint8_t(((1u << (bits + 7) / 8) - 1) << shift / 8);
        const double value = valueOfContainer(word, descriptor.a, isPacked);
        const unsigned to = number * rows + row;
        a.values[to * k + column] = descriptor.negatesA ? -value : value;
        a.defined[to] &= (tensor.defined[at] & bytes) == bytes;
      }
  }
  return true;
}

bool Product::readA(TensorMatrix &a) {
  if (op.mode & readsTensor)
    return readTensorA(a);
  const unsigned rows = descriptor.m / unsigned(ctas.size());
  for (unsigned number = 0; number < ctas.size(); ++number)
    if (!readMatrix(*ctas[number], A, rows, number * rows, a))
      return false;
  return true;
}

bool Product::readB(TensorMatrix &b) {
  const unsigned columns = descriptor.n / unsigned(ctas.size());
  for (unsigned number = 0; number < ctas.size(); ++number)
    if (!readMatrix(*ctas[number], B, columns, number * columns, b))
      return false;
  return true;
}

bool Product::readAllScales(TensorMatrix &ofA, TensorMatrix &ofB) {
  if (!(op.mode & hasScales))
    return true;
  const unsigned rows = descriptor.m / unsigned(ctas.size());
  if (rows < tensorLanes)
    return fail("the machine does not implement this (the kernel may be right): block-scaled "
                "products with 64 rows in each CTA of a pair");
  for (unsigned number = 0; number < ctas.size(); ++number)
    if (!readScales(thread, op, *ctas[number],
                    {addressAt(ScaleA), rows, scales, descriptor.scaleOfA, descriptor.scale}, ofA,
                    number * rows))
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
  const unsigned rows = descriptor.m / unsigned(ctas.size());
  const bool isSplit = ctas.size() == 2 && rows == 64;
  const uint32_t groups = rows == tensorLanes || isSplit ? 0xFF : d.lane ? 0xAA : 0x55;
  for (Cta *cta : ctas)
    if (!accessTensor(thread, op, *cta,
                      {groups, d.column, isSplit ? descriptor.n / 2 : descriptor.n},
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

bool Product::isDisabled(unsigned lane, unsigned ctaNumber) const {
  if (op.list2.count == 0)
    return false;
  const uint32_t word = thread.code->slots[op.list2.first + ctaNumber * 4 + lane / 32];
  return thread.get<uint32_t>(word) >> (lane % 32) & 1;
}

/// Where the scales of a row's columns begin in the matrix of all scales of B.
unsigned Product::scalesOfColumns(unsigned row) const {
  return row / (descriptor.m / unsigned(ctas.size())) * descriptor.n;
}

/// Adds the products of a row to `sums`. `columns` has B by rows of k.
void Product::addRow(const TensorMatrix &a, const std::vector<double> &columns, unsigned row,
                     const TensorMatrix &scalesOfA, const TensorMatrix &scalesOfB) {
  const unsigned n = descriptor.n;
  if (op.mode & hasScales) {
    const unsigned length = k / scales, first = scalesOfColumns(row);
    for (unsigned column = 0; column < n; ++column)
      for (unsigned number = 0; number < scales; ++number) {
        double block = 0;
        for (unsigned i = number * length; i < (number + 1) * length; ++i)
          block += a.values[row * k + i] * columns[i * n + column];
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
  for (unsigned i = 0; i < k; ++i) {
    const double x = a.values[row * k + i];
    const double *y = &columns[i * n];
    if (isInteger)
      for (unsigned column = 0; column < n; ++column)
        sums[column] += x * y[column];
    else if (isExact)
      for (unsigned column = 0; column < n; ++column)
        sums[column] = float(sums[column]) + float(x) * float(y[column]);
    else
      for (unsigned column = 0; column < n; ++column)
        sums[column] = std::fma(float(x), float(y[column]), float(sums[column]));
  }
}

void Product::multiply(const TensorMatrix &a, const TensorMatrix &b, const TensorMatrix &scalesOfA,
                       const TensorMatrix &scalesOfB) {
  const unsigned n = descriptor.n;
  std::vector<double> columns(k * n);
  for (unsigned column = 0; column < n; ++column)
    for (unsigned i = 0; i < k; ++i)
      columns[i * n + column] = b.values[column * k + i];
  sums.resize(n);
  std::vector<uint8_t> defined(n);
  for (unsigned row = 0; row < descriptor.m; ++row) {
    for (unsigned column = 0; column < n; ++column) {
      const Place place = placeOf(row, column);
      const TensorMemory &tensor = *place.cta->tensor;
      const size_t at = TensorMemory::at(place.lane, place.column);
      const uint8_t bytes = descriptor.d == Type::F16 ? 3 : 15;
      sums[column] = addsD ? std::ldexp(input(tensor.words[at]), -int(op.offset)) : 0;
      defined[column] = a.defined[row] && b.defined[column] && scalesOfA.defined[row] &&
                        scalesOfB.defined[scalesOfColumns(row) + column] &&
                        (!addsD || (tensor.defined[at] & bytes) == bytes);
    }
    addRow(a, columns, row, scalesOfA, scalesOfB);
    for (unsigned column = 0; column < n; ++column) {
      const Place place = placeOf(row, column);
      if (isDisabled(place.lane, place.cta == ctas[0] ? 0 : 1))
        continue;
      TensorMemory &tensor = *place.cta->tensor;
      const size_t at = TensorMemory::at(place.lane, place.column);
      tensor.words[at] = output(sums[column]);
      tensor.defined[at] = defined[column] ? 15 : 0;
    }
  }
}

bool Product::run() {
  for (uint32_t part = 0; part < op.list2.count; ++part)
    if (!tensorOperand(thread, op, thread.code->slots[op.list2.first + part], /*isWide=*/false))
      return false;
  if (!decode())
    return false;
  TensorMatrix a(descriptor.m, k), b(descriptor.n, k);
  TensorMatrix scalesOfA(descriptor.m, scales),
      scalesOfB(descriptor.n * unsigned(ctas.size()), scales);
  if (!readA(a) || !readB(b) || !readAllScales(scalesOfA, scalesOfB) || !accessD())
    return false;
  if (Counters *counters = thread.cta->machine->counters)
    counters->product(descriptor.a, uint64_t(descriptor.m) * descriptor.n * k);
  multiply(a, b, scalesOfA, scalesOfB);
  return true;
}

Step tilewright::ptx::tensor::runProduct(Thread &thread, const Op &op) {
  return Product(thread, op).run() ? Step::Next : Step::Stop;
}
