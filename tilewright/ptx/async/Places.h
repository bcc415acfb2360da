// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of instructions that have several: each is two slots of a list, the base and a constant
// that is added to it.

#ifndef TILEWRIGHT_PTX_ASYNC_PLACES_H
#define TILEWRIGHT_PTX_ASYNC_PLACES_H

#include "tilewright/ptx/code/Decoder.h"
#include "tilewright/ptx/machine/Mbarrier.h"

namespace tilewright::ptx {

/// Takes the operands of an instruction, and makes its list of slots.
class PlaceList {
public:
  explicit PlaceList(Decoder &decoder) : decoder(decoder) {}

  bool address(const Operand &operand, Space space);
  /// The base of `[map, {x, y}]`, which is the first part of the operand.
  bool source(const Operand &operand, Type type);
  bool finish(Handler handler);

private:
  Decoder &decoder;
  std::vector<uint32_t> slots;
};

inline uint32_t slotAt(const Thread &thread, const Op &op, uint32_t number) {
  return thread.code->slots[op.list.first + number];
}

/// The memory at the address that begins at this number of the list. As locate().
Target locateAt(Thread &thread, const Op &op, uint32_t number, Space space, uint64_t bytes,
                unsigned alignment);
MbarrierPlace findMbarrierAt(Thread &thread, const Op &op, uint32_t number, Space space);
/// A number that decides what happens has to be defined. None after a finding.
std::optional<uint32_t> valueAt(Thread &thread, const Op &op, uint32_t number);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_PLACES_H
