// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous reductions combine an element in memory with one that arrives.

#ifndef TILEWRIGHT_PTX_ASYNC_REDUCTIONS_H
#define TILEWRIGHT_PTX_ASYNC_REDUCTIONS_H

#include "tilewright/ptx/machine/Asynchrony.h"

#include <string_view>

namespace tilewright::ptx {

class Decoder;

using Combine = uint64_t (*)(uint64_t old, uint64_t value);

struct Reduction {
  std::string_view operation;
  Type type;
  Combine combine;
};

/// The number of a reduction, to store in an op's mode; none for other pairs.
std::optional<uint32_t> findReduction(std::string_view operation, Type type);
const Reduction &reduction(uint32_t number);

/// Takes `.add` or another operation; empty if there is none.
std::string_view takeReductionName(Decoder &decoder);
/// Takes `.add.u32` of red.async, which has only integers, and only the sum for 64 bits. Returns
/// the number of the reduction.
std::optional<uint32_t> takeAsyncReduction(Decoder &decoder, Type &type);

/// Combines `count` bytes from index `first` on. Undefined bytes make the element undefined.
void combineBytes(Region &region, uint64_t offset, const Bytes &bytes, uint64_t first,
                  uint64_t count, const Reduction &reduction);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_REDUCTIONS_H
