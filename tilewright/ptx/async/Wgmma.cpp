// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma (PTX ISA, 9.7.15): D = A * B + D by the 128 threads of a warpgroup. B is in shared memory,
// A in shared memory or in registers; shared memory is read through the async proxy. D is computed
// when all threads have arrived (WgmmaProduct.cpp), and is visible in registers after a wait for
// its group. A sparse A stores half of its elements, and metadata in registers.

#include "tilewright/ptx/async/MatrixDescriptor.h"
#include "tilewright/ptx/async/WgmmaGroups.h"
#include "tilewright/ptx/async/WgmmaProduct.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/matrix/Sparse.h"

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::wgmma;

//===-- Execution ---------------------------------------------------------------------------===//

static bool refuse(Thread &thread, const Op &op, std::string message) {
  stop(thread, op, Check::Collective, std::move(message));
  return false;
}

/// Descriptors and the predicate must be the same in all threads.
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
    if (part < 2 && MatrixDescriptor(thread.values[slot]).hasBaseOffset())
      return refuse(thread, op,
                    "the machine does not implement this (the kernel may be right): a matrix "
                    "descriptor with a base offset");
  }
  return true;
}

static bool multiply(Warp &warp, uint32_t) {
  const Op &op = *warp.threads.front()->waitOp;
  if (!checkUniform(warp, op))
    return false;
  return multiplyWarpgroup(warp, op);
}

static Step runMultiply(Thread &thread, const Op &op) {
  checkProductRegisters(thread, op, op.mode << 8 | op.bytes);
  return waitForWarpgroup(thread, op);
}

//===-- Decoding ----------------------------------------------------------------------------===//

/// Takes `m64n128k16`; returns n, or 0 if there is no such shape.
static unsigned takeShape(Decoder &decoder, const WgmmaKind &kind) {
  const bool isInteger = kind.d == Type::S32;
  const unsigned k = decoder.op.mode & isSparse ? 2 * kind.k : kind.k;
  for (unsigned n = 8; n <= 256; n += 8) {
    if (isInteger && n > 32 && n % 16)
      continue; // above 32, integer shapes have multiples of 16
    if (decoder.take("m64n" + std::to_string(n) + "k" + std::to_string(k)))
      return n;
  }
  return 0;
}

/// Takes the constant 1 or -1.
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

/// Takes D, A, B, the metadata of a sparse A, and the predicate for adding D.
static bool takeMatrices(Decoder &decoder, const WgmmaKind &kind, unsigned n) {
  Op &op = decoder.op;
  const bool isVector = decoder.operand(1).kind == OperandKind::Vector;
  const unsigned registers = kind.d == Type::F16 ? n / 4 : n / 2;
  const Type sum = kind.d == Type::F32 ? Type::F32 : Type::B32;
  return decoder.destinations(decoder.operand(0), sum, registers, op.list) &&
         (isVector ? decoder.sources(decoder.operand(1), Type::B32, 4, op.list2)
                   : decoder.source(decoder.operand(1), Type::B64, op.in[0])) &&
         decoder.source(decoder.operand(2), Type::B64, op.in[1]) &&
         (!(op.mode & isSparse) ||
          (decoder.source(decoder.operand(3), Type::B32, op.in[3]) &&
           takeSelector(decoder, decoder.operand(4), bitsOfElement(kind.a), kind.k))) &&
         decoder.source(decoder.operand(op.mode & isSparse ? 5 : 3), Type::Pred, op.in[2]);
}

/// Takes the constants at the end: signs for floats, transpositions for 16-bit floats.
static bool takeConstants(Decoder &decoder, const WgmmaKind &kind) {
  const bool isVector = decoder.operand(1).kind == OperandKind::Vector;
  const size_t first = decoder.op.mode & isSparse ? 6 : 4;
  if (kind.d == Type::S32)
    return decoder.expectOperands(first);
  const bool canTranspose = kind.k == 16;
  const size_t count = first + (!canTranspose ? 2 : isVector ? 3 : 4);
  if (!decoder.expectOperands(count) || !takeSign(decoder, decoder.operand(first), negatesA) ||
      !takeSign(decoder, decoder.operand(first + 1), negatesB))
    return false;
  if (canTranspose && !isVector &&
      !takeTransposition(decoder, decoder.operand(first + 2), transposesA))
    return false;
  return !canTranspose || takeTransposition(decoder, decoder.operand(count - 1), transposesB);
}

static bool decodeMultiply(Decoder &decoder) {
  const bool hasMetadata = decoder.take("sp");
  const auto d = decoder.takeType(), a = decoder.takeType(), b = decoder.takeType();
  const bool isSaturated = decoder.take("satfinite");
  if (!d || !a || !b || !decoder.expectOperands(hasMetadata ? 6 : 4, hasMetadata ? 10 : 8))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  for (uint32_t number = 0; number < std::size(wgmmaKinds()); ++number) {
    const WgmmaKind &kind = wgmmaKinds()[number];
    if (kind.d != *d || kind.a != *a || kind.b != *b)
      continue;
    const bool isBit = kind.a == Type::B1;
    if (isBit && (!decoder.take("and") || !decoder.take("popc")))
      return decoder.refuse("'" + decoder.name() + "' has no .and.popc");
    if (isSaturated && (kind.d != Type::S32 || isBit))
      return decoder.refuse("'" + decoder.name() + "' is not supported: modifier '.satfinite'");
    decoder.op.mode = number | (isSaturated ? saturates : 0) | (hasMetadata ? isSparse : 0);
    const unsigned n = takeShape(decoder, kind);
    if (!n || (isBit && hasMetadata))
      return decoder.refuse("'" + decoder.name() + "' is not supported in this shape");
    decoder.op.bytes = uint8_t(n / 8);
    decoder.op.collective = multiply;
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

std::span<const OpcodeRow> tilewright::ptx::wgmmaOpcodes() {
  static constexpr OpcodeRow rows[] = {{"wgmma", decodeWgmma}};
  return rows;
}
