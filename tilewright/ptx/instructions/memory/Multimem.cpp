// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// multimem (PTX ISA, 9.7.9.14): an address stands for a place in the memory of each of several
// devices. The machine is one device: such an address is an ordinary one, a reduction over the
// devices is the value that is there, and a store goes to one place.

#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

/// `.add`, and for floats the type that the sum is held in.
static bool takeReduction(Decoder &decoder) {
  const auto operation = decoder.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  decoder.takeOneOf({"acc::f32", "acc::f16"});
  return operation || decoder.refuse("'" + decoder.name() + "' names no operation");
}

static bool decodeMultimem(Decoder &decoder) {
  const auto what = decoder.takeOneOf({"ld_reduce", "st", "red"});
  if (!what)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (*what == 0)
    return takeReduction(decoder) && decodePlainLoad(decoder);
  return *what == 1 ? decodePlainStore(decoder) : decodePlainReduction(decoder);
}

std::span<const OpcodeRow> tilewright::ptx::multimemOpcodes() {
  static constexpr OpcodeRow rows[] = {{"multimem", decodeMultimem}};
  return rows;
}
