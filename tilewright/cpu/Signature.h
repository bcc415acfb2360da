// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does an entry take, as those see it who call compiled code? Scalars and addresses:
// each parameter has a C type, and a slot of 64 bits in a launch (runtime/Kernel.h).

#ifndef TILEWRIGHT_CPU_SIGNATURE_H
#define TILEWRIGHT_CPU_SIGNATURE_H

#include "tilewright/support/Result.h"
#include "tilewright/tile/Ops.h"

#include <string>
#include <vector>

namespace tilewright::cpu {

struct Parameter {
  /// Of the scalar, or of what the pointer leads to.
  numerics::Format format;
  bool isPointer;

  /// `float`, `uint16_t *`: floats that C has not are the bits of one.
  std::string cType() const;
};

struct Signature {
  std::string name;
  std::vector<Parameter> parameters;
  /// As Tile IR has it: `@k(tile<ptr<f32>>, tile<i32>)`.
  std::string text;
};

/// Fails if a parameter is neither a scalar nor a pointer; the verifier lets others pass
/// (operations, 3.2).
support::Result<Signature> signatureOf(tile::EntryOp entry);

/// Of all entries of the module, in the order of the text.
support::Result<std::vector<Signature>> signaturesOf(tile::ModuleOp module);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_SIGNATURE_H
