// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Outcome.h.

#include "tilewright/api/advise/Outcome.h"
#include "tilewright/api/Placement.h"
#include "tilewright/numerics/Convert.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::api;
using support::Result;

std::optional<ArrayValues> api::valuesOf(const std::vector<Argument> &arguments) {
  const Result<Placement> placement = Placement::of(arguments);
  if (!placement)
    return std::nullopt;
  ArrayValues values;
  for (const Placement::NamedArray &named : placement->namedArrays()) {
    const std::span<uint8_t> bytes = named.array->bytes();
    const size_t size = numerics::info(named.array->format()).storageBits / 8;
    if (size == 0 || !named.array->links().empty())
      return std::nullopt;
    for (size_t i = 0; i < bytes.size() / size; ++i) {
      uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + i * size, size);
      if (!values.insert({{named.name, int64_t(i)}, bits}).second)
        return std::nullopt;
    }
  }
  return values;
}

bool api::isOutcome(const reference::MemoryChange &outcome, ArrayValues before,
                    const ArrayValues &after) {
  for (const reference::ArrayElement &element : outcome) {
    const auto known = before.find({element.array, element.index});
    if (known == before.end() || element.value.poison)
      return false;
    known->second = element.value.bits;
  }
  return before == after;
}

std::string api::toString(const reference::MemoryChange &outcome, size_t mostElements) {
  std::string text;
  for (const reference::ArrayElement &element : llvm::ArrayRef(outcome).take_front(mostElements))
    text += (text.empty() ? "" : ", ") + element.array + "[" + std::to_string(element.index) +
            "] = " + numerics::toString(element.value);
  if (outcome.size() > mostElements)
    text += ", and " + std::to_string(outcome.size() - mostElements) + " more elements";
  return text.empty() ? "nothing has changed" : text;
}
