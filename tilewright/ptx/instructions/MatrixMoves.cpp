// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix, stmatrix and movmatrix (PTX ISA, 9.7.15.5.15 to 9.7.15.5.17): 8x8 matrices of 16-bit
// elements between shared memory and registers. Lane i has the address of row i % 8 of matrix
// i / 8. Of a matrix, lane i holds elements 2 * (i % 4) and the next of row i / 4.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"
#include "tilewright/ptx/machine/Meet.h"

using namespace tilewright::ptx;

static constexpr uint32_t isTransposed = 1u << 16;

namespace {
/// A matrix on its way, with what is defined of each element.
struct Tile {
  uint16_t elements[8][8];
  uint8_t defined[8][8]; ///< Two bits.

  /// The two elements that a lane holds.
  std::pair<Loaded, Loaded> pair(uint32_t lane, bool transposed) const {
    const unsigned row = lane / 4, column = lane % 4 * 2;
    const auto at = [&](unsigned i, unsigned j) {
      return transposed ? Loaded{elements[j][i], defined[j][i]}
                        : Loaded{elements[i][j], defined[i][j]};
    };
    return {at(row, column), at(row, column + 1)};
  }
  void set(uint32_t lane, bool transposed, uint32_t word, uint8_t has) {
    const unsigned row = lane / 4, column = lane % 4 * 2;
    for (unsigned part = 0; part < 2; ++part) {
      const unsigned i = transposed ? column + part : row;
      const unsigned j = transposed ? row : column + part;
      elements[i][j] = uint16_t(word >> (16 * part));
      defined[i][j] = has >> (2 * part) & 3;
    }
  }
};
} // namespace

static void putPair(Thread &thread, uint32_t slot, const std::pair<Loaded, Loaded> &pair) {
  thread.values[slot] = pair.first.bits | pair.second.bits << 16;
  const uint8_t defined = uint8_t((pair.first.defined & 3) | (pair.second.defined & 3) << 2);
  thread.defined[slot] = defined == 0xF ? 0xFF : defined;
}

/// Lanes 8 * matrix to 8 * matrix + 7 have the addresses of its rows.
static Target rowOf(Warp &warp, unsigned matrix, unsigned row) {
  Thread &thread = *warp.threads[8 * matrix + row];
  return locate(thread, *thread.waitOp, thread.waitOp->in[0], 16, 16);
}

static bool loadMatrices(Warp &warp, uint32_t) {
  const Op &first = *warp.threads.front()->waitOp;
  for (unsigned matrix = 0; matrix < first.list.count; ++matrix) {
    Tile tile;
    for (unsigned row = 0; row < 8; ++row) {
      Thread &thread = *warp.threads[8 * matrix + row];
      const Target target = rowOf(warp, matrix, row);
      if (!target)
        return false;
      for (unsigned column = 0; column < 8; ++column) {
        const Loaded loaded =
            load(thread, *thread.waitOp, {target.region, target.offset + 2 * column}, 2);
        tile.elements[row][column] = uint16_t(loaded.bits);
        tile.defined[row][column] = loaded.defined & 3;
      }
    }
    for (Thread *thread : warp.threads)
      putPair(*thread, thread->code->slots[thread->waitOp->list.first + matrix],
              tile.pair(thread->lane, first.mode & isTransposed));
  }
  return true;
}

static bool storeMatrices(Warp &warp, uint32_t) {
  const Op &first = *warp.threads.front()->waitOp;
  for (unsigned matrix = 0; matrix < first.list.count; ++matrix) {
    Tile tile;
    for (const Thread *thread : warp.threads) {
      const uint32_t slot = thread->code->slots[thread->waitOp->list.first + matrix];
      tile.set(thread->lane, first.mode & isTransposed, uint32_t(thread->values[slot]),
               thread->defined[slot]);
    }
    for (unsigned row = 0; row < 8; ++row) {
      Thread &thread = *warp.threads[8 * matrix + row];
      const Target target = rowOf(warp, matrix, row);
      if (!target)
        return false;
      for (unsigned column = 0; column < 8; ++column)
        if (!store(thread, *thread.waitOp, {target.region, target.offset + 2 * column}, 2,
                   {tile.elements[row][column], tile.defined[row][column]}))
          return false;
    }
  }
  return true;
}

static bool transpose(Warp &warp, uint32_t) {
  Tile tile;
  for (const Thread *thread : warp.threads)
    tile.set(thread->lane, false, thread->get<uint32_t>(thread->waitOp->in[0]),
             thread->defined[thread->waitOp->in[0]]);
  for (Thread *thread : warp.threads)
    putPair(*thread, thread->waitOp->d, tile.pair(thread->lane, true));
  return true;
}

//===-- Decoding ----------------------------------------------------------------------------===//

/// `.sync.aligned.m8n8.x4{.trans}{.shared}.b16`; the number of matrices, or 0.
static size_t takeModifiers(Decoder &decoder) {
  const bool isKnown = decoder.take("sync") && decoder.take("aligned") && decoder.take("m8n8");
  const auto count = decoder.takeOneOf({"x1", "x2", "x4"});
  if (decoder.take("trans"))
    decoder.op.mode |= isTransposed;
  const auto type = decoder.takeType();
  if (!isKnown || !count || type != Type::B16) {
    decoder.refuse("'" + decoder.name() + "' is not supported");
    return 0;
  }
  return size_t(1) << *count;
}

static bool decodeLdmatrix(Decoder &decoder) {
  const size_t count = takeModifiers(decoder);
  decoder.op.together = loadMatrices;
  decoder.op.bytes = 16;
  const Space space = takeSpace(decoder);
  return count && decoder.expectOperands(2) &&
         decoder.destinations(decoder.operand(0), Type::B32, count, decoder.op.list) &&
         decoder.address(decoder.operand(1), space, 0) && decoder.finish(meetWarp);
}

static bool decodeStmatrix(Decoder &decoder) {
  const size_t count = takeModifiers(decoder);
  decoder.op.together = storeMatrices;
  decoder.op.bytes = 16;
  const Space space = takeSpace(decoder);
  return count && decoder.expectOperands(2) && decoder.address(decoder.operand(0), space, 0) &&
         decoder.sources(decoder.operand(1), Type::B32, count, decoder.op.list) &&
         decoder.finish(meetWarp);
}

static bool decodeMovmatrix(Decoder &decoder) {
  decoder.op.together = transpose;
  Type type;
  const bool isKnown = decoder.take("sync") && decoder.take("aligned") && decoder.take("m8n8") &&
                       decoder.take("trans");
  return (isKnown || decoder.refuse("'" + decoder.name() + "' is not supported")) &&
         decoder.expectType(type, {Type::B16}) && decoder.expectOperands(2) &&
         decoder.destination(decoder.operand(0), Type::B32, decoder.op.d) &&
         decoder.source(decoder.operand(1), Type::B32, decoder.op.in[0]) &&
         decoder.finish(meetWarp);
}

std::span<const OpcodeRow> tilewright::ptx::matrixMoveOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"ldmatrix", decodeLdmatrix},
      {"stmatrix", decodeStmatrix},
      {"movmatrix", decodeMovmatrix},
  };
  return rows;
}
