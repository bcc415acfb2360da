// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Operands.h.

#include "tilewright/ptx/tcgen05/Operands.h"
#include "tilewright/ptx/instructions/matrix/Element.h"

using namespace tilewright::ptx;

static bool isSmall(Type type) {
  return type == Type::E2M3 || type == Type::E3M2 || type == Type::E2M1;
}

/// Of the bits of an element.
static double valueOf(uint64_t bits, Type type) {
  if (type == Type::U8 || type == Type::S8)
    return double(integerOfElement(bits & 0xFF, type));
  // mma.sync and Element.h have e2m1 in the middle of a byte.
  return type == Type::E2M1 ? floatOfElement((bits & 15) << 2, type) : floatOfElement(bits, type);
}

//===-- Shared memory -----------------------------------------------------------------------===//

namespace {
/// Bits in shared memory that hold an element.
struct Bits {
  uint64_t address;
  unsigned shift, bits;
};
} // namespace

/// 16 elements of less than a byte are at the beginning of 16 bytes, unless they are packed.
static Bits bitsAt(const SharedMatrix &shared, unsigned row, unsigned column) {
  const MatrixDescriptor &place = shared.place;
  if (shared.element.isPacked) {
    const uint64_t address = place.addressOf(row, column & ~1u, 4, true);
    return {address, 4 * (column % 2), 4};
  }
  if (!isSmall(shared.element.type)) {
    const unsigned bits = bitsOfElement(shared.element.type);
    return {place.addressOf(row, column, bits, !shared.isTransposed), 0, bits};
  }
  const unsigned bits = shared.element.type == Type::E2M1 ? 4 : 6;
  const unsigned along = shared.isTransposed ? row : column, bit = along % 16 * bits;
  const uint64_t block = shared.isTransposed ? place.addressOf(row & ~15u, column, 8, false)
                                             : place.addressOf(row, column & ~15u, 8, true);
  return {block + bit / 8, bit % 8, bits};
}

bool tilewright::ptx::checkSharedReads(Thread &thread, const Op &op, Cta &owner,
                                       std::vector<uint64_t> &blocks) {
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  const bool isOwn = &owner == thread.cta;
  const Completion completion{thread.cta->name(), pipelineAgentOf(*thread.warp),
                              thread.warp->tensor.group};
  Operation operation(thread, op, Proxy::Async);
  for (size_t at = 0; at < blocks.size();) {
    size_t end = at + 1;
    while (end < blocks.size() && blocks[end] == blocks[end - 1] + 16)
      ++end;
    const uint64_t bytes = 16 * (end - at);
    const Target target = locateAddress(thread, op, isOwn ? Space::Shared : Space::Cluster,
                                        sharedAddress(owner.rank, blocks[at]), unsigned(bytes), 16);
    if (!target)
      return false;
    operation.reads(target, bytes, completion);
    at = end;
  }
  return true;
}

bool tilewright::ptx::readShared(Thread &thread, const Op &op, Cta &owner,
                                 const SharedMatrix &shared, TensorMatrix &matrix, unsigned first) {
  std::vector<Bits> places;
  std::vector<uint64_t> blocks;
  for (unsigned row = 0; row < shared.rows; ++row)
    for (unsigned column = 0; column < shared.k; ++column) {
      places.push_back(bitsAt(shared, shared.firstRow + row, column));
      const uint64_t block = places.back().address & ~uint64_t(15);
      if (blocks.empty() || blocks.back() != block)
        blocks.push_back(block);
    }
  if (!checkSharedReads(thread, op, owner, blocks))
    return false;
  const Region &region = *owner.shared;
  for (size_t at = 0; at < places.size(); ++at) {
    const Bits &place = places[at];
    const unsigned bytes = (place.shift + place.bits + 7) / 8;
    uint64_t bits = region.load(place.address, bytes) >> place.shift;
    bits &= (uint64_t(1) << place.bits) - 1;
    bool isDefined = true;
    for (unsigned byte = 0; byte < bytes; ++byte)
      isDefined &= region.definedAt(place.address + byte) & 1;
    const size_t row = first + at / shared.k;
    const double value = valueOf(bits, shared.element.type);
    matrix.values[row * matrix.k + at % shared.k] = shared.element.isNegated ? -value : value;
    matrix.defined[row] &= isDefined;
  }
  return true;
}

//===-- Tensor memory -----------------------------------------------------------------------===//

static unsigned containerBits(const ElementForm &element) {
  return element.isPacked ? 4 : isSmall(element.type) ? 8 : bitsOfElement(element.type);
}

static double valueOfContainer(uint64_t bits, const ElementForm &element) {
  const double value = isSmall(element.type) && !element.isPacked
                           ? floatOfElement(bits & 0x3F, element.type)
                           : valueOf(bits, element.type);
  return element.isNegated ? -value : value;
}

bool tilewright::ptx::readTensor(Thread &thread, const Op &op, Cta &owner, const TensorRows &rows,
                                 TensorMatrix &matrix, unsigned first) {
  const unsigned bits = containerBits(rows.element), perWord = 32 / bits;
  const uint64_t mask = (uint64_t(1) << bits) - 1;
  const TensorAddress &address = rows.address;
  const TensorAccess access = pipelinedAccess(thread, op);
  if (!accessTensor(thread, op, owner,
                    {rows.path.groupsFrom(address.lane), address.column, rows.k / perWord},
                    /*isWrite=*/false, access, orderingOf(thread)))
    return false;
  const TensorMemory &tensor = tensorMemoryOf(owner);
  for (unsigned row = 0; row < rows.path.rows; ++row)
    for (unsigned column = 0; column < rows.k; ++column) {
      const uint32_t lane = address.lane + rows.path.laneOf(row, rows.part);
      const size_t at = TensorMemory::at(lane, address.column + column / perWord);
      const unsigned shift = column % perWord * bits;
      const uint8_t bytes = uint8_t(((1u << (bits + 7) / 8) - 1) << shift / 8);
      matrix.values[(first + row) * matrix.k + column] =
          valueOfContainer(tensor.words[at] >> shift & mask, rows.element);
      matrix.defined[first + row] &= (tensor.defined[at] & bytes) == bytes;
    }
  return true;
}

//===-- Scales ------------------------------------------------------------------------------===//

bool tilewright::ptx::readScales(Thread &thread, const Op &op, Cta &owner,
                                 const ScaleMatrix &scales, TensorMatrix &matrix, unsigned first) {
  const TensorAddress &address = scales.address;
  // CUTLASS keeps the scale factor ID in the two upper bits of the address.
  constexpr unsigned idShift = 30 - 16;
  if (address.lane && address.lane != scales.firstByte << idShift) {
    failTensor(thread, op, "scales begin at lane 0, and not at " + toString(address));
    return false;
  }
  const TensorBlock block{0xFF, address.column, (scales.rows + lanesPerWarp - 1) / lanesPerWarp};
  const TensorAccess access = pipelinedAccess(thread, op);
  if (!accessTensor(thread, op, owner, block, /*isWrite=*/false, access, orderingOf(thread)))
    return false;
  const TensorMemory &tensor = tensorMemoryOf(owner);
  for (unsigned row = 0; row < scales.rows; ++row)
    for (unsigned number = 0; number < scales.count; ++number) {
      const unsigned byte = scales.firstByte + number, column = address.column + row / lanesPerWarp;
      const auto byteOf = [&](unsigned quarter) {
        const size_t at = TensorMemory::at(quarter * lanesPerWarp + row % lanesPerWarp, column);
        return std::pair(tensor.words[at] >> (8 * byte) & 0xFF, tensor.defined[at] >> byte & 1);
      };
      const auto [bits, isDefined] = byteOf(0);
      for (unsigned quarter = 1; quarter < 4; ++quarter)
        if (byteOf(quarter) != byteOf(0)) {
          failTensor(
              thread, op,
              "the scale of row " + std::to_string(row) + " differs between lanes " +
                  std::to_string(row % lanesPerWarp) + " and " +
                  std::to_string(quarter * lanesPerWarp + row % lanesPerWarp) +
                  " of tensor memory: scales are repeated in all four quarters of the lanes");
          return false;
        }
      matrix.values[(first + row) * matrix.k + number] = floatOfElement(bits, scales.type);
      matrix.defined[first + row] &= isDefined;
    }
  return true;
}
