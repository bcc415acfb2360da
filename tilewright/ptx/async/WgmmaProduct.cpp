// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WgmmaProduct.h. The manual defines which thread holds which element of D and A; sums are
// computed as in matrix/Product.h, except that those of fp8 products keep fewer bits.

#include "tilewright/ptx/async/WgmmaProduct.h"
#include "tilewright/ptx/async/MatrixDescriptor.h"
#include "tilewright/ptx/async/WgmmaGroups.h"
#include "tilewright/ptx/instructions/matrix/Sparse.h"
#include "tilewright/ptx/watch/Counters.h"

#include <bit>
#include <set>

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::wgmma;

/// The significant bits of an f32 sum of fp8 products after each instruction, as the DeepSeek-V3
/// report found on Hopper (arXiv 2412.19437, 3.3.2). The manual does not specify them.
static constexpr unsigned bitsOfFp8Sums = 14;

static constexpr WgmmaKind kinds[] = {
    {Type::F16, Type::F16, Type::F16, 16},   {Type::F32, Type::F16, Type::F16, 16},
    {Type::F32, Type::BF16, Type::BF16, 16}, {Type::F32, Type::TF32, Type::TF32, 8},
    {Type::F16, Type::E4M3, Type::E4M3, 32}, {Type::F16, Type::E4M3, Type::E5M2, 32},
    {Type::F16, Type::E5M2, Type::E4M3, 32}, {Type::F16, Type::E5M2, Type::E5M2, 32},
    {Type::F32, Type::E4M3, Type::E4M3, 32}, {Type::F32, Type::E4M3, Type::E5M2, 32},
    {Type::F32, Type::E5M2, Type::E4M3, 32}, {Type::F32, Type::E5M2, Type::E5M2, 32},
    {Type::S32, Type::S8, Type::S8, 32},     {Type::S32, Type::S8, Type::U8, 32},
    {Type::S32, Type::U8, Type::S8, 32},     {Type::S32, Type::U8, Type::U8, 32},
    {Type::S32, Type::B1, Type::B1, 256},
};

std::span<const WgmmaKind> tilewright::ptx::wgmmaKinds() { return kinds; }

//===-- Fragments ---------------------------------------------------------------------------===//

/// Element i of D in a thread of the warpgroup: two adjacent elements, the row 8 below, then 8
/// columns further.
static Cell cellOfD(unsigned thread, unsigned i) {
  const unsigned lane = thread % 32;
  return {16 * (thread / 32) + lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + lane % 4 * 2 + i % 2};
}

/// Element i of A: one register of adjacent elements, the row 8 below, then the second half of k.
static Cell cellOfA(unsigned thread, unsigned i, unsigned bits) {
  const unsigned lane = thread % 32, packed = 32 / bits;
  const unsigned word = i / packed;
  return {16 * (thread / 32) + lane / 4 + 8 * (word % 2),
          lane % 4 * packed + i % packed + 4 * packed * (word / 2)};
}

//===-- The product -------------------------------------------------------------------------===//

namespace {
template <typename T> struct Values {
  std::vector<T> values;
  std::vector<uint8_t> defined;

  explicit Values(size_t count) : values(count), defined(count) {}
};

template <typename T> class Product {
public:
  Product(Warp &warp, const Op &op)
      : cta(*warp.cta), first(warp.number * lanesPerWarp), op(op), kind(kinds[op.mode & kindBits]),
        n(op.bytes * 8u), stored(kind.k), k(op.mode & isSparse ? 2 * stored : stored),
        a(rows * stored), b(n * k), d(rows * n) {}

  bool run();

private:
  Thread &threadAt(unsigned number) const { return *cta.threads[first + number]; }
  bool readMatrix(uint32_t slot, unsigned count, unsigned columns, Type type, bool isTransposed,
                  bool isNegated, Values<T> &matrix);
  void countReads(const std::vector<uint64_t> &addresses, unsigned count, unsigned columns,
                  unsigned bits, bool isTransposed);
  bool checkReads(const std::set<uint64_t> &blocks, unsigned warp, const Completion &completion);
  void readRegisters();
  void readMetadata();
  void readSums();
  T kept(T sum) const;
  void multiply();
  void finish();
  T valueOf(uint64_t bits, Type type) const;
  uint64_t bitsOf(T value) const;

  Cta &cta;
  uint32_t first;
  const Op &op;
  const WgmmaKind &kind;
  unsigned n, stored, k; ///< `stored`: number of stored elements in a row of A.
  Values<T> a, b, d;
  /// For a sparse A: the columns of the stored elements.
  std::vector<unsigned> columns;
};
} // namespace

template <typename T> T Product<T>::valueOf(uint64_t bits, Type type) const {
  if constexpr (std::is_floating_point_v<T>)
    return T(floatOfElement(bits, type));
  else
    return integerOfElement(bits, type);
}

/// Checks the reads of one warp, which must be ordered after the writes; a warp has 16 rows of A.
template <typename T>
bool Product<T>::checkReads(const std::set<uint64_t> &blocks, unsigned warp,
                            const Completion &completion) {
  Thread &thread = threadAt(warp * lanesPerWarp);
  std::vector<ThreadClock> clocks;
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
    clocks.push_back(threadAt(warp * lanesPerWarp + lane).now());
  Operation operation(thread, op, Proxy::Async, join(clocks, cta.threadCount()));
  for (uint64_t block : blocks) {
    const Target target =
        locateAddress(thread, op, Space::Shared, sharedAddress(thread.cta->rank, block), 16, 16);
    if (!target)
      return false;
    operation.reads(target, 16, completion);
  }
  return true;
}

/// Updates the counters: one core matrix after the other, as if 8 lanes read 8 rows (or columns) of
/// 16 bytes.
template <typename T>
void Product<T>::countReads(const std::vector<uint64_t> &addresses, unsigned count,
                            unsigned columns, unsigned bits, bool isTransposed) {
  Counters *counters = cta.machine->counters;
  if (!counters)
    return;
  const unsigned packed = 128 / bits; // elements per 16 bytes
  const unsigned rowsOfCore = isTransposed ? packed : 8, columnsOfCore = isTransposed ? 8 : packed;
  std::vector<LaneAccess> lanes;
  for (unsigned row = 0; row < count; row += rowsOfCore)
    for (unsigned column = 0; column < columns; column += columnsOfCore)
      for (unsigned line = 0; line < 8; ++line) {
        const size_t at =
            isTransposed ? row * columns + column + line : (row + line) * columns + column;
        lanes.push_back({uint32_t(lanes.size()), 16, addresses[at]});
        if (lanes.size() == lanesPerWarp) {
          counters->read(threadAt(0).site(op), lanes);
          lanes.clear();
        }
      }
  if (!lanes.empty())
    counters->read(threadAt(0).site(op), lanes);
}

/// Reads `count` rows of elements from shared memory.
template <typename T>
bool Product<T>::readMatrix(uint32_t slot, unsigned count, unsigned columns, Type type,
                            bool isTransposed, bool isNegated, Values<T> &matrix) {
  const MatrixDescriptor place(threadAt(0).values[slot]);
  const unsigned bits = bitsOfElement(type), bytes = std::max(bits / 8, 1u);
  const bool isA = &matrix == &a;
  const unsigned span = 16u << unsigned(place.swizzle);
  if (!isTransposed && place.swizzle != Swizzle::None && columns * bits / 8 > span) {
    stop(threadAt(0), op, Check::Collective,
         "the machine does not implement this (the kernel may be right): a matrix with rows of " +
             std::to_string(columns * bits / 8) + " bytes and a swizzle of " +
             std::to_string(span));
    return false;
  }
  std::set<uint64_t> blocks[4];
  std::vector<uint64_t> addresses(count * columns);
  for (unsigned row = 0; row < count; ++row)
    for (unsigned column = 0; column < columns; ++column) {
      const uint64_t address = place.addressOf(row, column, bits, !isTransposed);
      addresses[row * columns + column] = address;
      blocks[isA ? row / 16 : 0].insert(address & ~uint64_t(15));
    }
  countReads(addresses, count, columns, bits, isTransposed);
  const Completion completion = openGroupOf(threadAt(0));
  for (unsigned warp = 0; warp < 4; ++warp)
    if (!checkReads(blocks[isA ? warp : 0], warp, completion))
      return false;
  const Region &shared = *cta.shared;
  for (size_t at = 0; at < addresses.size(); ++at) {
    uint64_t value = shared.load(addresses[at], bytes);
    if (bits == 1)
      value = value >> (at % 8) & 1;
    const uint8_t all = uint8_t((1u << bytes) - 1);
    matrix.values[at] = valueOf(value, type);
    if (isNegated)
      matrix.values[at] = -matrix.values[at];
    matrix.defined[at] = (shared.definedAt(addresses[at]) & all) == all;
  }
  return true;
}

template <typename T> void Product<T>::readRegisters() {
  const unsigned bits = bitsOfElement(kind.a), packed = 32 / bits;
  for (unsigned number = 0; number < threadsPerGroup; ++number) {
    const Thread &thread = threadAt(number);
    const SlotList list = thread.waitOp->list2;
    for (unsigned i = 0; i < 4 * packed; ++i) {
      const uint32_t slot = thread.code->slots[list.first + i / packed];
      const uint64_t word = uint32_t(thread.values[slot]) >> (bits * (i % packed));
      const uint64_t value = bits == 32 ? word : word & ((uint64_t(1) << bits) - 1);
      const Cell cell = cellOfA(number, i, bits);
      const size_t at = cell.row * stored + cell.column;
      a.values[at] = op.mode & negatesA ? -valueOf(value, kind.a) : valueOf(value, kind.a);
      a.defined[at] = (thread.defined[slot] & 0xF) == 0xF;
    }
  }
}

template <typename T> void Product<T>::readMetadata() {
  const Metadata metadata{bitsOfElement(kind.a), stored, 3, unsigned(op.offset)};
  columns.resize(rows * stored);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < stored; ++column) {
      bool isDefined = true;
      const Warp &warp = *threadAt(row / 16 * lanesPerWarp).warp;
      columns[row * stored + column] = columnOf(warp, metadata, {row % 16, column}, isDefined);
      a.defined[row * stored + column] &= isDefined;
    }
}

template <typename T> void Product<T>::readSums() {
  const unsigned packed = kind.d == Type::F16 ? 2 : 1, bits = 32 / packed;
  for (unsigned number = 0; number < threadsPerGroup; ++number) {
    const Thread &thread = threadAt(number);
    const SlotList list = thread.waitOp->list;
    for (unsigned i = 0; i < n / 2; ++i) {
      const uint32_t part = i / packed;
      const Loaded sum = accumulator(thread, thread.code->slots[list.first + part], part);
      const uint64_t word = uint32_t(sum.bits) >> (bits * (i % packed));
      const Cell cell = cellOfD(number, i);
      d.values[cell.row * n + cell.column] = valueOf(packed == 2 ? word & 0xFFFF : word, kind.d);
      d.defined[cell.row * n + cell.column] = (sum.defined & 0xF) == 0xF;
    }
  }
}

/// Sums of fp8 products are truncated.
template <typename T> T Product<T>::kept(T sum) const {
  if constexpr (std::is_floating_point_v<T>)
    if (kind.d == Type::F32 && bitsOfElement(kind.a) == 8)
      return std::bit_cast<float>(std::bit_cast<uint32_t>(sum) & ~0u << (24 - bitsOfFp8Sums));
  return sum;
}

template <typename T> void Product<T>::multiply() {
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < n; ++column) {
      T sum = d.values[row * n + column];
      bool isDefined = d.defined[row * n + column] != 0;
      for (unsigned i = 0; i < stored; ++i) {
        const size_t ofA = row * stored + i;
        const size_t ofB = column * k + (columns.empty() ? i : columns[ofA]);
        const T x = a.values[ofA], y = b.values[ofB];
        isDefined = isDefined && a.defined[ofA] && b.defined[ofB];
        if constexpr (std::is_floating_point_v<T>)
          sum = std::fma(x, y, sum);
        else
          sum += x * y; // for single bits, .and is the product and .popc the sum
      }
      d.values[row * n + column] = kept(sum);
      d.defined[row * n + column] = isDefined;
    }
}

template <typename T> uint64_t Product<T>::bitsOf(T value) const {
  if constexpr (std::is_floating_point_v<T>) {
    if (kind.d == Type::F16)
      return numerics::floatToFloat(toElement(value), numerics::Format::F16).bits;
    return std::bit_cast<uint32_t>(canonical(value));
  } else {
    return uint32_t(op.mode & saturates ? std::clamp<int64_t>(value, INT32_MIN, INT32_MAX) : value);
  }
}

template <typename T> void Product<T>::finish() {
  const unsigned packed = kind.d == Type::F16 ? 2 : 1;
  for (unsigned number = 0; number < threadsPerGroup; ++number) {
    Thread &thread = threadAt(number);
    const SlotList list = thread.waitOp->list;
    std::vector<PendingRegister> registers;
    for (uint32_t part = 0; part < list.count; ++part) {
      PendingRegister reg{thread.code->slots[list.first + part], 0, true};
      for (unsigned i = part * packed; i < (part + 1) * packed; ++i) {
        const Cell cell = cellOfD(number, i);
        const size_t at = cell.row * n + cell.column;
        reg.value |= bitsOf(d.values[at]) << (16 * (i % packed));
        reg.isDefined = reg.isDefined && d.defined[at];
      }
      registers.push_back(reg);
    }
    addPending(thread, *thread.waitOp, op.mode << 8 | op.bytes, std::move(registers));
    thread.advance();
  }
}

template <typename T> bool Product<T>::run() {
  if (op.in[0] == noSlot)
    readRegisters();
  else if (!readMatrix(op.in[0], rows, stored, kind.a, op.mode & transposesA, op.mode & negatesA,
                       a))
    return false;
  if (!readMatrix(op.in[1], n, k, kind.b, op.mode & transposesB, op.mode & negatesB, b))
    return false;
  if (op.mode & isSparse)
    readMetadata();
  if (threadAt(0).values[op.in[2]])
    readSums();
  else
    std::fill(d.defined.begin(), d.defined.end(), uint8_t(1));
  if (Counters *counters = cta.machine->counters)
    counters->product(kind.a, uint64_t(rows) * n * k);
  multiply();
  finish();
  return true;
}

bool tilewright::ptx::multiplyWarpgroup(Warp &warp, const Op &op) {
  if (kinds[op.mode & kindBits].d == Type::S32)
    return Product<int64_t>(warp, op).run();
  return Product<float>(warp, op).run();
}
