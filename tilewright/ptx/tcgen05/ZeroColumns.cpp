// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ZeroColumns.h.

#include "tilewright/ptx/tcgen05/ZeroColumns.h"

using namespace tilewright::ptx;

static unsigned fieldOf(uint64_t bits, unsigned first, unsigned count) {
  return unsigned(bits >> first) & ((1u << count) - 1);
}

/// Spans of zeros and of columns of B alternate; the first `start` columns of the first span are
/// left out.
static void appendPart(std::vector<bool> &isZero, uint64_t bits, unsigned part, unsigned columns) {
  const unsigned zeros = fieldOf(bits, 40, 8) + 1, used = fieldOf(bits, 48, 8) + 1;
  const unsigned start = fieldOf(bits, 8 * part, 8);
  const bool beginsWithZeros = fieldOf(bits, 32 + part, 1);
  for (unsigned column = start; column < start + columns; ++column) {
    const unsigned at = column % (zeros + used);
    isZero.push_back(beginsWithZeros ? at < zeros : at >= used);
  }
}

static std::string checkShift(unsigned shift, const InstructionDescriptor &descriptor) {
  const unsigned most = descriptor.m == 32 ? 16 : 32;
  if (shift > most)
    return "the zero-column mask descriptor shifts columns by " + std::to_string(shift) +
           ", expected at most " + std::to_string(most);
  if (shift > descriptor.maxShift)
    return "the machine does not implement this (the kernel may be right): a zero-column mask "
           "descriptor that shifts columns by " +
           std::to_string(shift) + ", where the instruction descriptor has a maximum shift of " +
           std::to_string(descriptor.maxShift);
  return {};
}

std::variant<ZeroColumns, std::string>
tilewright::ptx::decodeZeroColumns(uint64_t bits, const InstructionDescriptor &descriptor,
                                   unsigned parts) {
  if (fieldOf(bits, 36, 3) || fieldOf(bits, 62, 2))
    return "the zero-column mask descriptor has reserved bits";
  ZeroColumns columns;
  columns.shift = fieldOf(bits, 56, 6);
  if (std::string wrong = checkShift(columns.shift, descriptor); !wrong.empty())
    return wrong;
  if (!fieldOf(bits, 39, 1)) {
    columns.isZero.assign(descriptor.n, false);
    return columns;
  }
  for (unsigned part = 0; part < parts; ++part)
    appendPart(columns.isZero, bits, part, descriptor.n / parts);
  return columns;
}
