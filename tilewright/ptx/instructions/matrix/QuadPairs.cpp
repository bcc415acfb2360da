// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.m8n8k4 of f16 (PTX ISA, 9.7.14.5.1): four products at once. Lanes 4q to 4q + 3 and the lanes
// 16 further on form a quad pair; each of the four quad pairs multiplies its own matrices.

#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/matrix/Form.h"
#include "tilewright/ptx/watch/Counters.h"

using namespace tilewright;
using namespace tilewright::ptx;
using numerics::Format;

// Flags of op.mode.
static constexpr uint32_t isColumnA = 1, isColumnB = 2, isSingleC = 4, isSingleD = 8;

static constexpr unsigned extent = 8, depth = 4, perLane = 8;

namespace {
struct Value {
  float value = 0;
  bool isDefined = true;
};
/// A is 8x4, B 4x8, C and D 8x8.
struct Matrices {
  Value a[extent][depth], b[depth][extent], c[extent][extent];
};
} // namespace

/// Lanes from 16 on have the second half.
static unsigned halfOf(const Thread &thread) { return thread.lane < 16 ? 0 : 4; }

static Value halfAt(const Thread &thread, SlotList list, unsigned i) {
  bool isDefined = true;
  const uint64_t bits = extract(thread, list, i, 16, isDefined);
  return {float(floatOfElement(bits, Type::F16)), isDefined};
}

/// Element i of C or D in a lane, for f32 or f16.
static Cell cellOfSum(const Thread &thread, unsigned i, bool isSingle) {
  const unsigned lane = thread.lane;
  if (isSingle)
    return {halfOf(thread) + (lane & 1) + (i & 2), (i & 4) + (lane & 2) + (i & 1)};
  return {halfOf(thread) + lane % 4, i};
}

static void gather(const Thread &thread, Matrices &matrices) {
  const Op &op = *thread.waitOp;
  const unsigned inQuad = thread.lane % 4, half = halfOf(thread);
  for (unsigned i = 0; i < depth; ++i) {
    const Value a = halfAt(thread, op.list2, i), b = halfAt(thread, op.list3, i);
    (op.mode & isColumnA ? matrices.a[half + i][inQuad] : matrices.a[half + inQuad][i]) = a;
    (op.mode & isColumnB ? matrices.b[i][half + inQuad] : matrices.b[inQuad][half + i]) = b;
  }
  for (unsigned i = 0; i < perLane; ++i) {
    const Cell cell = cellOfSum(thread, i, op.mode & isSingleC);
    const uint32_t slot = thread.code->slots[op.list4.first + (op.mode & isSingleC ? i : 0)];
    matrices.c[cell.row][cell.column] =
        op.mode & isSingleC ? Value{thread.get<float>(slot), thread.has<float>(slot)}
                            : halfAt(thread, op.list4, i);
  }
}

static void multiply(Matrices &matrices) {
  for (unsigned row = 0; row < extent; ++row)
    for (unsigned column = 0; column < extent; ++column)
      for (unsigned k = 0; k < depth; ++k) {
        const Value &a = matrices.a[row][k], &b = matrices.b[k][column];
        Value &sum = matrices.c[row][column];
        sum.value = std::fma(a.value, b.value, sum.value);
        sum.isDefined &= a.isDefined && b.isDefined;
      }
}

static void scatter(Thread &thread, const Matrices &matrices) {
  const Op &op = *thread.waitOp;
  const bool isSingle = op.mode & isSingleD;
  const auto at = [&](unsigned i) {
    const Cell cell = cellOfSum(thread, i, isSingle);
    return matrices.c[cell.row][cell.column];
  };
  const auto halfBits = [](float value) {
    return uint32_t(numerics::floatToFloat(toElement(value), Format::F16).bits);
  };
  for (uint32_t part = 0; part < op.list.count; ++part) {
    const uint32_t slot = thread.code->slots[op.list.first + part];
    if (isSingle) {
      thread.put(slot, canonical(at(part).value), at(part).isDefined);
      continue;
    }
    const Value lower = at(2 * part), upper = at(2 * part + 1);
    thread.put(slot, halfBits(lower.value) | halfBits(upper.value) << 16,
               lower.isDefined && upper.isDefined);
  }
}

static bool multiplyPairs(Warp &warp, uint32_t) {
  if (Counters *counters = warp.cta->machine->counters)
    counters->product(Type::F16, uint64_t(4) * extent * extent * depth);
  for (unsigned pair = 0; pair < 4; ++pair) {
    Matrices matrices;
    const auto forLanes = [&](auto visit) {
      for (unsigned lane = 0; lane < 4; ++lane)
        for (unsigned half : {0u, 16u})
          visit(*warp.threads[4 * pair + lane + half]);
    };
    forLanes([&](Thread &thread) { gather(thread, matrices); });
    multiply(matrices);
    forLanes([&](Thread &thread) { scatter(thread, matrices); });
  }
  return true;
}

//===-- Decoding ----------------------------------------------------------------------------===//

/// Takes `.row` or `.col`, whichever comes first.
static bool takeOrder(Decoder &decoder, uint32_t column) {
  const auto order = decoder.firstOf({"row", "col"});
  if (!order || !decoder.take(*order))
    return decoder.refuse("'" + decoder.name() + "' has no .row or .col for both operands");
  decoder.op.mode |= *order == "col" ? column : 0;
  return true;
}

static bool takeSumType(Decoder &decoder, uint32_t single) {
  Type type;
  if (!decoder.expectType(type, {Type::F16, Type::F32}))
    return false;
  decoder.op.mode |= type == Type::F32 ? single : 0;
  return true;
}

bool tilewright::ptx::decodeQuadPairs(Decoder &decoder) {
  Op &op = decoder.op;
  Type type;
  if (!decoder.take("sync") || !decoder.take("aligned") || !decoder.take("m8n8k4"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (!takeOrder(decoder, isColumnA) || !takeOrder(decoder, isColumnB) ||
      !takeSumType(decoder, isSingleD) || !decoder.expectType(type, {Type::F16}) ||
      !decoder.expectType(type, {Type::F16}) || !takeSumType(decoder, isSingleC))
    return false;
  op.collective = multiplyPairs;
  const bool singleD = op.mode & isSingleD, singleC = op.mode & isSingleC;
  return decoder.expectOperands(4) &&
         decoder.destinations(decoder.operand(0), singleD ? Type::F32 : Type::B32, singleD ? 8 : 4,
                              op.list) &&
         decoder.sources(decoder.operand(1), Type::B32, 2, op.list2) &&
         decoder.sources(decoder.operand(2), Type::B32, 2, op.list3) &&
         decoder.sources(decoder.operand(3), singleC ? Type::F32 : Type::B32, singleC ? 8 : 4,
                         op.list4) &&
         decoder.finish(waitForWarp);
}
