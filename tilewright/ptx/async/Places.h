// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions with several addresses: each address has two slots in a list, the base and a
// constant offset.

#ifndef TILEWRIGHT_PTX_ASYNC_PLACES_H
#define TILEWRIGHT_PTX_ASYNC_PLACES_H

#include "tilewright/ptx/code/Decoder.h"
#include "tilewright/ptx/machine/Mbarrier.h"

namespace tilewright::ptx {

/// Decodes the operands of an instruction into a list of slots.
class PlaceList {
public:
  explicit PlaceList(Decoder &decoder) : decoder(decoder) {}

  bool address(const Operand &operand, Space space);
  /// The base of `[map, {x, y}]`, the first part of the operand.
  bool source(const Operand &operand, Type type);
  bool finish(Handler handler);

private:
  Decoder &decoder;
  std::vector<uint32_t> slots;
};

inline uint32_t slotAt(const Thread &thread, const Op &op, uint32_t number) {
  return thread.code->slots[op.list.first + number];
}

/// The memory at the address with index `number` in the list, as locate().
Target locateAt(Thread &thread, const Op &op, uint32_t number, Space space, uint64_t bytes,
                unsigned alignment);
MbarrierPlace findMbarrierAt(Thread &thread, const Op &op, uint32_t number, Space space);
/// A value that decides what happens must be defined. None after a finding.
std::optional<uint32_t> valueAt(Thread &thread, const Op &op, uint32_t number);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_PLACES_H
