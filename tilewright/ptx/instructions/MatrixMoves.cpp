// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix, stmatrix and movmatrix (PTX ISA, 9.7.15.5.15 to 9.7.15.5.17): move 8x8 matrices of
// 16-bit elements between shared memory and registers. Lane i has the address of row i % 8 of
// matrix i / 8. It holds the elements 2 * (i % 4) and 2 * (i % 4) + 1 of row i / 4 of each matrix.
//
// ldmatrix.m8n16 loads rows of 16 elements of 4 or 6 bits, which are packed from the lowest bit on;
// each is expanded to the low bits of a byte. stmatrix.m16n8 stores the columns of a matrix of
// bytes as rows of 16: lane i holds two columns from 2 * (i % 4) on of row i / 4, then of the row 8
// below. ldmatrix.m16n16 loads rows of 16 bytes, or of 16 packed elements, as columns: the first of
// two registers of lane i gets four rows from 4 * (i % 4) on of column i / 4, the second the same
// rows of the column 8 further.
//
// The fragments of bytes are those of CuTe's copy traits (copy_traits_sm100.hpp: SM100_U8x8_LDSM_T,
// SM100_SU4_DU8x16_x1_LDSM_N, SM100_U8x4_STSM_T); packed elements go to the lowest bits as
// mma_traits_sm120.hpp says for fp4_shift_A.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"
#include "tilewright/ptx/machine/Rendezvous.h"

#include <array>
#include <optional>

using namespace tilewright::ptx;

static constexpr uint32_t isTransposed = 1u << 16, hasColumnsOfBytes = 1u << 17;
/// Bits of a packed element, or 0.
static constexpr uint32_t packedShift = 18, packedBits = 7;
static constexpr uint32_t hasRowsOfBytes = 1u << 21;

namespace {
/// A matrix in transit, and which bytes of its elements are defined.
struct Tile {
  uint16_t elements[8][8] = {};
  uint8_t defined[8][8] = {}; ///< Two bits.

  /// The two elements that a lane holds.
  std::pair<Loaded, Loaded> pair(uint32_t lane, bool transposed) const {
    const unsigned row = lane / 4, column = lane % 4 * 2;
    const auto at = [&](unsigned i, unsigned j) {
      return transposed ? Loaded{elements[j][i], defined[j][i]}
                        : Loaded{elements[i][j], defined[i][j]};
    };
    return {at(row, column), at(row, column + 1)};
  }
  /// Sets byte `place` of row `row` in memory.
  void setByte(unsigned row, unsigned place, uint8_t byte, bool isDefined) {
    const unsigned shift = 8 * (place % 2);
    uint16_t &element = elements[row][place / 2];
    element = uint16_t((element & ~(0xFF << shift)) | byte << shift);
    uint8_t &has = defined[row][place / 2];
    has = uint8_t((has & ~(1u << place % 2)) | unsigned(isDefined) << place % 2);
  }
  /// Sets four bytes: two columns of a row, and of the row 8 below.
  void setColumnsOfBytes(uint32_t lane, uint32_t word, uint8_t has) {
    for (unsigned part = 0; part < 4; ++part)
      setByte(lane % 4 * 2 + part % 2, lane / 4 + 8 * (part / 2), uint8_t(word >> (8 * part)),
              has >> part & 1);
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

/// The row of a matrix whose address is in this lane; lanes 8 n to 8 n + 7 have the rows of matrix
/// n.
static Target rowOf(Warp &warp, unsigned lane) {
  Thread &thread = *warp.threads[lane];
  return locate(thread, *thread.waitOp, thread.waitOp->in[0], 16, 16);
}

namespace {
/// 16 elements, each in a byte.
struct Row {
  std::array<uint8_t, 16> bytes = {};
  std::array<bool, 16> defined = {};
};
} // namespace

/// Loads the row at a lane's address: 16 bytes, or as many as 16 packed elements take. None after a
/// finding.
static std::optional<Row> loadRow(Warp &warp, unsigned lane) {
  Thread &thread = *warp.threads[lane];
  const Target target = rowOf(warp, lane);
  if (!target)
    return std::nullopt;
  const Op &op = *thread.waitOp;
  const unsigned packed = op.mode >> packedShift & packedBits, bits = packed ? packed : 8;
  std::array<uint8_t, 17> bytes = {}; // one more than can be read
  std::array<bool, 17> has = {};
  for (unsigned at = 0; at < 2 * bits; at += 2) {
    const Loaded loaded = load(thread, op, {target.region, target.offset + at}, 2);
    for (unsigned part = 0; part < 2; ++part) {
      bytes[at + part] = uint8_t(loaded.bits >> (8 * part));
      has[at + part] = loaded.defined >> part & 1;
    }
  }
  Row row;
  for (unsigned place = 0; place < 16; ++place) {
    const unsigned first = place * bits, last = first + bits - 1;
    const unsigned both = bytes[first / 8] | bytes[first / 8 + 1] << 8;
    row.bytes[place] = uint8_t(both >> first % 8 & ((1u << bits) - 1));
    row.defined[place] = has[first / 8] && has[last / 8];
  }
  return row;
}

static bool loadMatrices(Warp &warp, uint32_t) {
  const Op &first = *warp.threads.front()->waitOp;
  std::array<Tile, 4> tiles; // read before any write, since a destination may be an address
  for (unsigned number = 0; number < 8 * first.list.count; ++number) {
    const auto row = loadRow(warp, number);
    if (!row)
      return false;
    for (unsigned place = 0; place < 16; ++place)
      tiles[number / 8].setByte(number % 8, place, row->bytes[place], row->defined[place]);
  }
  for (unsigned matrix = 0; matrix < first.list.count; ++matrix)
    for (Thread *thread : warp.threads)
      putPair(*thread, thread->code->slots[thread->waitOp->list.first + matrix],
              tiles[matrix].pair(thread->lane, first.mode & isTransposed));
  return true;
}

/// Loads matrices of 16 rows of 16 bytes; their columns go to two registers each.
static bool loadRowsOfBytes(Warp &warp, uint32_t) {
  const Op &first = *warp.threads.front()->waitOp;
  std::array<Row, 32> all; // read before any write, since a destination may be an address
  for (unsigned row = 0; row < 8 * first.list.count; ++row) {
    const auto loaded = loadRow(warp, row);
    if (!loaded)
      return false;
    all[row] = *loaded;
  }
  for (unsigned number = 0; number < first.list.count; number += 2) {
    const Row *rows = &all[8 * number];
    for (Thread *thread : warp.threads)
      for (unsigned half = 0; half < 2; ++half) {
        const unsigned row = thread->lane % 4 * 4, column = thread->lane / 4 + 8 * half;
        const uint32_t slot = thread->code->slots[thread->waitOp->list.first + number + half];
        uint32_t word = 0;
        uint8_t defined = 0;
        for (unsigned part = 0; part < 4; ++part) {
          word |= uint32_t(rows[row + part].bytes[column]) << (8 * part);
          defined |= uint8_t(rows[row + part].defined[column] << part);
        }
        thread->values[slot] = word;
        thread->defined[slot] = defined == 0xF ? 0xFF : defined;
      }
  }
  return true;
}

static bool storeMatrices(Warp &warp, uint32_t) {
  const Op &first = *warp.threads.front()->waitOp;
  for (unsigned matrix = 0; matrix < first.list.count; ++matrix) {
    Tile tile;
    for (const Thread *thread : warp.threads) {
      const uint32_t slot = thread->code->slots[thread->waitOp->list.first + matrix];
      const uint32_t word = uint32_t(thread->values[slot]);
      if (first.mode & hasColumnsOfBytes)
        tile.setColumnsOfBytes(thread->lane, word, thread->defined[slot]);
      else
        tile.set(thread->lane, first.mode & isTransposed, word, thread->defined[slot]);
    }
    for (unsigned row = 0; row < 8; ++row) {
      Thread &thread = *warp.threads[8 * matrix + row];
      const Target target = rowOf(warp, 8 * matrix + row);
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

/// Takes `.x4`; returns the number of matrices, or 0.
static size_t takeCount(Decoder &decoder) {
  const auto count = decoder.takeOneOf({"x1", "x2", "x4"});
  return count ? size_t(1) << *count : 0;
}

/// Takes `.m8n8{.trans}.b16`.
static bool takeHalves(Decoder &decoder) {
  if (!decoder.take("m8n8"))
    return false;
  if (decoder.take("trans"))
    decoder.op.mode |= isTransposed;
  return decoder.take("b16");
}

/// Takes `.b8x16.b4x16_p64` or `.b8x16.b6x16_p32`: 64 or 32 bits of a row of 16 bytes are padding.
static bool takePacked(Decoder &decoder) {
  if (!decoder.take("b8x16"))
    return false;
  const auto source = decoder.takeOneOf({"b4x16_p64", "b6x16_p32"});
  decoder.op.mode |= (source == 0 ? 4u : 6u) << packedShift;
  return source.has_value();
}

/// Takes `.m8n16` of packed elements, or `.m16n16.trans` of them or of `.b8`.
static bool takeBytes(Decoder &decoder) {
  if (decoder.take("m8n16"))
    return takePacked(decoder);
  decoder.op.mode |= hasRowsOfBytes;
  return decoder.take("m16n16") && decoder.take("trans") &&
         (decoder.take("b8") || takePacked(decoder));
}

/// Takes `.m16n8.trans.b8`.
static bool takeColumnsOfBytes(Decoder &decoder) {
  decoder.op.mode |= hasColumnsOfBytes;
  return decoder.take("m16n8") && decoder.take("trans") && decoder.take("b8");
}

/// Returns the number of matrices, or 0 for an unsupported form.
static size_t takeModifiers(Decoder &decoder, bool (*takeOther)(Decoder &)) {
  const bool isKnown = decoder.take("sync") && decoder.take("aligned");
  const size_t count = takeCount(decoder);
  const bool isForm = decoder.has("m8n8") ? takeHalves(decoder) : takeOther(decoder);
  if (isKnown && count && isForm)
    return count;
  decoder.refuse("'" + decoder.name() + "' is not supported");
  return 0;
}

static bool decodeLdmatrix(Decoder &decoder) {
  const size_t count = takeModifiers(decoder, takeBytes);
  const bool hasRows = decoder.op.mode & hasRowsOfBytes;
  if (hasRows && count == 4)
    return decoder.refuse("'" + decoder.name() + "' is not supported: .m16n16 has .x1 and .x2");
  decoder.op.collective = hasRows ? loadRowsOfBytes : loadMatrices;
  decoder.op.bytes = 16;
  const Space space = takeSpace(decoder);
  return count && decoder.expectOperands(2) &&
         decoder.destinations(decoder.operand(0), Type::B32, hasRows ? 2 * count : count,
                              decoder.op.list) &&
         decoder.address(decoder.operand(1), space, 0) && decoder.finish(waitForWarp);
}

static bool decodeStmatrix(Decoder &decoder) {
  const size_t count = takeModifiers(decoder, takeColumnsOfBytes);
  decoder.op.collective = storeMatrices;
  decoder.op.bytes = 16;
  const Space space = takeSpace(decoder);
  return count && decoder.expectOperands(2) && decoder.address(decoder.operand(0), space, 0) &&
         decoder.sources(decoder.operand(1), Type::B32, count, decoder.op.list) &&
         decoder.finish(waitForWarp);
}

static bool decodeMovmatrix(Decoder &decoder) {
  decoder.op.collective = transpose;
  Type type;
  const bool isKnown = decoder.take("sync") && decoder.take("aligned") && decoder.take("m8n8") &&
                       decoder.take("trans");
  return (isKnown || decoder.refuse("'" + decoder.name() + "' is not supported")) &&
         decoder.expectType(type, {Type::B16}) && decoder.expectOperands(2) &&
         decoder.destination(decoder.operand(0), Type::B32, decoder.op.d) &&
         decoder.source(decoder.operand(1), Type::B32, decoder.op.in[0]) &&
         decoder.finish(waitForWarp);
}

std::span<const OpcodeRow> tilewright::ptx::matrixMoveOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"ldmatrix", decodeLdmatrix},
      {"stmatrix", decodeStmatrix},
      {"movmatrix", decodeMovmatrix},
  };
  return rows;
}
