// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do asynchronous reductions combine an element in memory with one that arrives?

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

/// By number, so that an op can have it in its mode; none for another pair.
std::optional<uint32_t> findReduction(std::string_view operation, Type type);
const Reduction &reduction(uint32_t number);

/// Takes `.add`, or what else there is; empty if there is none.
std::string_view takeReductionName(Decoder &decoder);
/// Takes `.add.u32` of red.async, which has integers, and of 64 bits only their sum: its number.
std::optional<uint32_t> takeAsyncReduction(Decoder &decoder, Type &type);

/// The elements from `first` on; what is not defined leaves an element undefined.
void combineBytes(Region &region, uint64_t offset, const Bytes &bytes, uint64_t first,
                  uint64_t count, const Reduction &reduction);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_REDUCTIONS_H
