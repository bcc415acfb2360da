// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of an entry as callers of compiled code see them: scalars and addresses. Each has
// a C type, and takes 64 bits in a launch (runtime/Kernel.h).

#ifndef TILEWRIGHT_CPU_SIGNATURE_H
#define TILEWRIGHT_CPU_SIGNATURE_H

#include "tilewright/support/Result.h"
#include "tilewright/tile/Ops.h"

#include <string>
#include <vector>

namespace tilewright::cpu {

struct Parameter {
  /// The format of the scalar, or of the pointee.
  numerics::Format format;
  bool isPointer;

  /// `float`, `uint16_t *`: formats that C lacks are passed as bits.
  std::string cType() const;
};

struct Signature {
  std::string name;
  std::vector<Parameter> parameters;
  /// The signature in Tile IR: `@k(tile<ptr<f32>>, tile<i32>)`.
  std::string text;
};

/// Fails if a parameter is neither a scalar nor a pointer, which the verifier does not check
/// (operations, 3.2).
support::Result<Signature> signatureOf(tile::EntryOp entry);

/// The signatures of all entries of the module, in program order.
support::Result<std::vector<Signature>> signaturesOf(tile::ModuleOp module);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_SIGNATURE_H
