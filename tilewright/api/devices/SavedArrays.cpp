// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SavedArrays.h.

#include "tilewright/api/devices/SavedArrays.h"

using namespace tilewright::api;

SavedArrays::SavedArrays(const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments)
    if (const auto *array = std::get_if<Array>(&argument))
      save(*array);
    else if (const auto *multicast = std::get_if<Multicast>(&argument))
      for (const Array &copy : multicast->copies)
        save(copy);
}

/// Links form no cycle, because an array holds its targets by value.
void SavedArrays::save(const Array &array) {
  const std::span<uint8_t> memory = array.bytes();
  saved.push_back({memory, {memory.begin(), memory.end()}});
  for (const Link &link : array.links())
    save(link.target);
}

void SavedArrays::restore() const {
  for (const auto &[memory, bytes] : saved)
    std::copy(bytes.begin(), bytes.end(), memory.begin());
}
