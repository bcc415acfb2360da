// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sparsity.h.

#include "tilewright/ptx/tcgen05/Sparsity.h"
#include "tilewright/ptx/instructions/matrix/Element.h"

using namespace tilewright::ptx;

namespace {
/// 4 bits for a chunk: two of four elements are stored, or of four pairs, or one of two of tf32.
struct Index {
  uint32_t bits;
  bool isDefined;
};
} // namespace

static bool isNarrow(Type type) { return type != Type::TF32 && bitsOfElement(type) <= 8; }

/// Elements of 16 and 32 bits: a lane has four chunks of a row in the lower half of a word, and in
/// the upper half those of the row 8 below; the next four chunks are 8 lanes below. Smaller
/// elements: a lane has all 16 chunks of its row, in two columns.
static Index indexOf(const TensorMemory &tensor, const Metadata &metadata, unsigned row,
                     unsigned chunk) {
  const bool isSmall = isNarrow(metadata.type);
  const uint32_t lane = isSmall ? row : row / 16 * 16 + chunk / 4 * 8 + row % 8;
  const uint32_t column = metadata.address.column + (isSmall ? chunk / 8 : metadata.selector);
  const unsigned bit = isSmall ? chunk % 8 * 4 : row / 8 % 2 * 16 + chunk % 4 * 4;
  const size_t at = TensorMemory::at(metadata.part * metadata.path.rows + lane, column);
  return {tensor.words[at] >> bit & 15, bool(tensor.defined[at] >> bit / 8 & 1)};
}

/// The meaningful values (PTX ISA, 9.7.16.10.8.1 and 9.7.16.10.8.2), a bit for each.
static bool isMeaningful(uint32_t index, Type type) {
  static constexpr uint32_t ofPairs = 1 << 0b0100 | 1 << 0b1000 | 1 << 0b1100 | 1 << 0b1001 |
                                      1 << 0b1101 | 1 << 0b0110 | 1 << 0b1110,
                            ofSingles = 1 << 0b0100 | 1 << 0b1110;
  return (type == Type::TF32 ? ofSingles : ofPairs) >> index & 1;
}

/// Number of elements that a part of an index chooses.
static unsigned unitOf(const Metadata &metadata) { return metadata.isPacked ? 2 : 1; }

static unsigned storedInChunk(const Metadata &metadata) {
  return metadata.type == Type::TF32 ? 1 : 2 * unitOf(metadata);
}

/// Where a stored element of a chunk is.
static unsigned positionOf(const Metadata &metadata, uint32_t index, unsigned chunk,
                           unsigned number) {
  if (metadata.type == Type::TF32)
    return 2 * chunk + (index == 0b1110);
  const unsigned unit = unitOf(metadata), chosen = index >> (number / unit * 2) & 3;
  return unit * (4 * chunk + chosen) + number % unit;
}

static bool checkAddress(Thread &thread, const Op &op, const Metadata &metadata) {
  const TensorAddress &address = metadata.address;
  if (address.lane)
    failTensor(thread, op, "sparsity metadata begin at lane 0, and not at " + toString(address));
  else if (!isNarrow(metadata.type) && address.column % 2)
    failTensor(thread, op,
               "the machine does not implement this (the kernel may be right): sparsity metadata "
               "from " +
                   toString(address) + ", where the sparsity selector chooses one of two columns");
  else
    return true;
  return false;
}

static bool access(Thread &thread, const Op &op, Cta &owner, const Metadata &metadata) {
  const bool isSmall = isNarrow(metadata.type);
  const uint32_t first = metadata.address.column + (isSmall ? 0 : metadata.selector);
  const TensorAccess made = pipelinedAccess(thread, op);
  return accessTensor(thread, op, owner, {0xFF, first, isSmall ? 2u : 1u}, /*isWrite=*/false, made,
                      orderingOf(thread));
}

bool tilewright::ptx::readMetadata(Thread &thread, const Op &op, Cta &owner,
                                   const Metadata &metadata, StoredPositions &positions,
                                   unsigned first) {
  if (!checkAddress(thread, op, metadata) || !access(thread, op, owner, metadata))
    return false;
  const TensorMemory &tensor = tensorMemoryOf(owner);
  const Type type = metadata.type;
  const unsigned size = storedInChunk(metadata);
  for (unsigned row = 0; row < metadata.path.rows; ++row)
    for (unsigned chunk = 0; chunk < positions.stored / size; ++chunk) {
      const Index index = indexOf(tensor, metadata, row, chunk);
      positions.defined[first + row] &= index.isDefined;
      if (index.isDefined && !isMeaningful(index.bits, type)) {
        failTensor(thread, op,
                   "the sparsity metadata of row " + std::to_string(first + row) + ", chunk " +
                       std::to_string(chunk) + ", have the index " + std::to_string(index.bits) +
                       ", expected one that the manual lists");
        return false;
      }
      uint16_t *places = &positions.positions[(first + row) * positions.stored + chunk * size];
      for (unsigned number = 0; number < size; ++number)
        places[number] = uint16_t(positionOf(metadata, index.bits, chunk, number));
    }
  return true;
}
