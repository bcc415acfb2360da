// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma.mma_async (PTX ISA, 9.7.15.5): D = A * B + D by the 128 threads of a warpgroup. B and, if
// it is not in registers, A are in shared memory, which is read through the async proxy. D is
// computed when all threads are there, and reaches its registers when its group was waited for.
// The manual says which thread holds which element of D and A; sums are as in Matrix.cpp.

#include "tilewright/ptx/async/MatrixDescriptor.h"
#include "tilewright/ptx/async/WgmmaGroups.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/matrix/Element.h"
#include "tilewright/ptx/machine/Meet.h"

#include <bit>
#include <set>

using namespace tilewright;
using namespace tilewright::ptx;

namespace {
/// The types of a product; k has 256 bits.
struct Kind {
  Type d, a, b;
  unsigned k;
};
} // namespace

static constexpr Kind kinds[] = {
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

// op.in[0] and op.in[1] are descriptors, op.in[2] the predicate that says whether D is added;
// op.list has D, op.list2 A if it is in registers; op.bytes is n / 8; op.mode the kind, and this.
static constexpr uint32_t kindBits = 0xFF, negatesA = 1u << 8, negatesB = 1u << 9,
                          transposesA = 1u << 10, transposesB = 1u << 11, saturates = 1u << 12;

static constexpr unsigned rows = 64, threadsPerGroup = 128;

//===-- Fragments ---------------------------------------------------------------------------===//

namespace {
struct Cell {
  unsigned row, column;
};
} // namespace

/// Element i of D in a thread of the warpgroup: two neighbours, the row 8 below, 8 columns on.
static Cell cellOfD(unsigned thread, unsigned i) {
  const unsigned lane = thread % 32;
  return {16 * (thread / 32) + lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + lane % 4 * 2 + i % 2};
}

/// Element i of A: a register full of neighbours, the row 8 below, then the second half of k.
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
        n(op.bytes * 8u), a(rows * kind.k), b(n * kind.k), d(rows * n) {}

  bool run();

private:
  Thread &threadAt(unsigned number) const { return *cta.threads[first + number]; }
  bool readMatrix(uint32_t slot, unsigned count, Type type, bool isTransposed, bool isNegated,
                  Values<T> &matrix);
  bool checkReads(const std::set<uint64_t> &blocks, unsigned warp, const Completion &completion);
  void readRegisters();
  void readSums();
  void multiply();
  void finish();
  T valueOf(uint64_t bits, Type type) const;
  uint64_t bitsOf(T value) const;

  Cta &cta;
  uint32_t first;
  const Op &op;
  const Kind &kind;
  unsigned n;
  Values<T> a, b, d;
};
} // namespace

template <typename T> T Product<T>::valueOf(uint64_t bits, Type type) const {
  if constexpr (std::is_floating_point_v<T>)
    return T(floatOfElement(bits, type));
  else
    return integerOfElement(bits, type);
}

/// Each warp has to know of what it reads; A has 16 rows for each.
template <typename T>
bool Product<T>::checkReads(const std::set<uint64_t> &blocks, unsigned warp,
                            const Completion &completion) {
  Thread &thread = threadAt(warp * lanesPerWarp);
  std::vector<ThreadClock> clocks;
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
    clocks.push_back(threadAt(warp * lanesPerWarp + lane).now());
  Operation operation(thread, op, Proxy::Async, join(clocks, cta.threadCount()));
  for (uint64_t block : blocks) {
    const Target target = locateAddress(thread, op, Space::Shared, block, 16, 16);
    if (!target)
      return false;
    operation.reads(target, 16, completion);
  }
  return true;
}

/// From shared memory: `count` rows of k elements.
template <typename T>
bool Product<T>::readMatrix(uint32_t slot, unsigned count, Type type, bool isTransposed,
                            bool isNegated, Values<T> &matrix) {
  const MatrixDescriptor place(threadAt(0).values[slot]);
  const unsigned bits = bitsOfElement(type), bytes = std::max(bits / 8, 1u);
  const bool isA = &matrix == &a;
  std::set<uint64_t> blocks[4];
  std::vector<uint64_t> addresses(count * kind.k);
  for (unsigned row = 0; row < count; ++row)
    for (unsigned column = 0; column < kind.k; ++column) {
      const uint64_t address = place.addressOf(row, column, bits, !isTransposed);
      addresses[row * kind.k + column] = address;
      blocks[isA ? row / 16 : 0].insert(address & ~uint64_t(15));
    }
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
      const size_t at = cell.row * kind.k + cell.column;
      a.values[at] = op.mode & negatesA ? -valueOf(value, kind.a) : valueOf(value, kind.a);
      a.defined[at] = (thread.defined[slot] & 0xF) == 0xF;
    }
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

template <typename T> void Product<T>::multiply() {
  const unsigned k = kind.k;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < n; ++column) {
      T sum = d.values[row * n + column];
      bool isDefined = d.defined[row * n + column] != 0;
      for (unsigned i = 0; i < k; ++i) {
        const T x = a.values[row * k + i], y = b.values[column * k + i];
        isDefined = isDefined && a.defined[row * k + i] && b.defined[column * k + i];
        if constexpr (std::is_floating_point_v<T>)
          sum = std::fma(x, y, sum);
        else
          sum += x * y; // of single bits, a product is their .and, and a sum is .popc
      }
      d.values[row * n + column] = sum;
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
  else if (!readMatrix(op.in[0], rows, kind.a, op.mode & transposesA, op.mode & negatesA, a))
    return false;
  if (!readMatrix(op.in[1], n, kind.b, op.mode & transposesB, op.mode & negatesB, b))
    return false;
  if (threadAt(0).values[op.in[2]])
    readSums();
  else
    std::fill(d.defined.begin(), d.defined.end(), uint8_t(1));
  multiply();
  finish();
  return true;
}

//===-- Execution ---------------------------------------------------------------------------===//

static bool refuse(Thread &thread, const Op &op, std::string message) {
  stop(thread, op, Check::Collective, std::move(message));
  return false;
}

/// Descriptors and the predicate are the same in all threads.
static bool checkUniform(Warp &warp, const Op &op) {
  Thread &thread = *warp.threads.front();
  for (unsigned part = 0; part < 3; ++part) {
    const uint32_t slot = op.in[part];
    if (slot == noSlot)
      continue;
    for (unsigned number = 0; number < threadsPerGroup; ++number) {
      const Thread &other = *warp.cta->threads[warp.number * lanesPerWarp + number];
      if (!(part == 2 ? other.has<uint8_t>(slot) : other.has<uint64_t>(slot)))
        return refuse(thread, op, "a descriptor or predicate of a wgmma is not defined");
      if (other.values[slot] != thread.values[slot])
        return refuse(thread, op,
                      "a descriptor or predicate of a wgmma is not the same in all threads of the "
                      "warpgroup");
    }
    if (part < 2 && MatrixDescriptor(thread.values[slot]).baseOffset)
      return refuse(thread, op, "a matrix descriptor with a base offset is not supported");
  }
  return true;
}

static bool multiplyTogether(Warp &warp, uint32_t) {
  const Op &op = *warp.threads.front()->waitOp;
  if (!checkUniform(warp, op))
    return false;
  if (kinds[op.mode & kindBits].d == Type::S32)
    return Product<int64_t>(warp, op).run();
  return Product<float>(warp, op).run();
}

static Step runMultiply(Thread &thread, const Op &op) {
  checkProductRegisters(thread, op, op.mode << 8 | op.bytes);
  return meetWarpgroup(thread, op);
}

//===-- Decoding ----------------------------------------------------------------------------===//

/// `m64n128k16`: the n, or 0 if the shape is none.
static unsigned takeShape(Decoder &decoder, const Kind &kind) {
  const bool isInteger = kind.d == Type::S32;
  for (unsigned n = 8; n <= 256; n += 8) {
    if (isInteger && n > 32 && n % 16)
      continue; // and 24 is one of them
    if (decoder.take("m64n" + std::to_string(n) + "k" + std::to_string(kind.k)))
      return n;
  }
  return 0;
}

/// 1 or -1.
static bool takeSign(Decoder &decoder, const Operand &operand, uint32_t flag) {
  uint64_t sign = 0;
  if (!decoder.integer(operand, sign))
    return false;
  if (int64_t(sign) != 1 && int64_t(sign) != -1)
    return decoder.refuseAt(operand.place, "'" + decoder.name() + "': expected 1 or -1");
  decoder.op.mode |= int64_t(sign) == -1 ? flag : 0;
  return true;
}

static bool takeTransposition(Decoder &decoder, const Operand &operand, uint32_t flag) {
  uint64_t value = 0;
  if (!decoder.integer(operand, value))
    return false;
  if (value > 1)
    return decoder.refuseAt(operand.place, "'" + decoder.name() + "': expected 0 or 1");
  decoder.op.mode |= value ? flag : 0;
  return true;
}

/// D, A, B, whether D is added.
static bool takeMatrices(Decoder &decoder, const Kind &kind, unsigned n) {
  Op &op = decoder.op;
  const bool isVector = decoder.operand(1).kind == OperandKind::Vector;
  const unsigned registers = kind.d == Type::F16 ? n / 4 : n / 2;
  const Type sum = kind.d == Type::F32 ? Type::F32 : Type::B32;
  return decoder.destinations(decoder.operand(0), sum, registers, op.list) &&
         (isVector ? decoder.sources(decoder.operand(1), Type::B32, 4, op.list2)
                   : decoder.source(decoder.operand(1), Type::B64, op.in[0])) &&
         decoder.source(decoder.operand(2), Type::B64, op.in[1]) &&
         decoder.source(decoder.operand(3), Type::Pred, op.in[2]);
}

/// The constants at the end: signs of floats, transpositions of 16-bit ones.
static bool takeConstants(Decoder &decoder, const Kind &kind) {
  const bool isVector = decoder.operand(1).kind == OperandKind::Vector;
  if (kind.d == Type::S32)
    return decoder.expectOperands(4);
  const bool canTranspose = kind.k == 16;
  const size_t count = !canTranspose ? 6 : isVector ? 7 : 8;
  if (!decoder.expectOperands(count) || !takeSign(decoder, decoder.operand(4), negatesA) ||
      !takeSign(decoder, decoder.operand(5), negatesB))
    return false;
  if (canTranspose && !isVector && !takeTransposition(decoder, decoder.operand(6), transposesA))
    return false;
  return !canTranspose || takeTransposition(decoder, decoder.operand(count - 1), transposesB);
}

static bool decodeMultiply(Decoder &decoder) {
  const auto d = decoder.takeType(), a = decoder.takeType(), b = decoder.takeType();
  const bool isSaturated = decoder.take("satfinite");
  if (!d || !a || !b || !decoder.expectOperands(4, 8))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  for (uint32_t number = 0; number < std::size(kinds); ++number) {
    const Kind &kind = kinds[number];
    if (kind.d != *d || kind.a != *a || kind.b != *b)
      continue;
    const bool isBit = kind.a == Type::B1;
    if (isBit && (!decoder.take("and") || !decoder.take("popc")))
      return decoder.refuse("'" + decoder.name() + "' has no .and.popc");
    if (isSaturated && (kind.d != Type::S32 || isBit))
      return decoder.refuse("'" + decoder.name() + "' is not supported: modifier '.satfinite'");
    const unsigned n = takeShape(decoder, kind);
    if (!n)
      return decoder.refuse("'" + decoder.name() + "' is not supported in this shape");
    decoder.op.mode = number | (isSaturated ? saturates : 0);
    decoder.op.bytes = uint8_t(n / 8);
    decoder.op.together = multiplyTogether;
    decoder.op.mayUsePending = true;
    return takeMatrices(decoder, kind, n) && takeConstants(decoder, kind) &&
           decoder.finish(runMultiply);
  }
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}

static bool decodeWgmma(Decoder &decoder) {
  const auto what = decoder.takeOneOf({"mma_async", "fence", "commit_group", "wait_group"});
  if (!what || !decoder.take("sync") || !decoder.take("aligned"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (*what == 0)
    return decodeMultiply(decoder);
  if (*what == 1)
    return decoder.expectOperands(0) && decoder.finish(fenceProducts);
  if (*what == 2)
    return decoder.expectOperands(0) && decoder.finish(commitProducts);
  uint64_t pending = 0;
  if (!decoder.expectOperands(1) || !decoder.integer(decoder.operand(0), pending))
    return false;
  decoder.op.offset = int64_t(std::min<uint64_t>(pending, UINT32_MAX));
  return decoder.finish(waitForProducts);
}

//===-- setmaxnreg --------------------------------------------------------------------------===//

/// How many registers a warp has changes nothing that a program can see.
static Step runNothing(Thread &, const Op &) { return Step::Next; }

static bool decodeRegisterCount(Decoder &decoder) {
  uint64_t count = 0;
  if (!decoder.takeOneOf({"inc", "dec"}) || !decoder.take("sync") || !decoder.take("aligned") ||
      !decoder.take("u32") || !decoder.expectOperands(1) ||
      !decoder.integer(decoder.operand(0), count))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (count < 24 || count > 256 || count % 8)
    return decoder.refuse("'" + decoder.name() +
                          "': expected a multiple of 8 from 24 to 256, found " +
                          std::to_string(count));
  return decoder.finish(runNothing);
}

std::span<const OpcodeRow> tilewright::ptx::wgmmaOpcodes() {
  static constexpr OpcodeRow rows[] = {{"wgmma", decodeWgmma}, {"setmaxnreg", decodeRegisterCount}};
  return rows;
}
