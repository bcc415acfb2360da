// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What went wrong in a launch? A list of findings: each says what happened, in which
// tile block, and at which operation of which source line. The line is that of the
// language the kernel was written in, where its debug information knows it (types, 10).

#ifndef TILEWRIGHT_REFERENCE_FINDING_H
#define TILEWRIGHT_REFERENCE_FINDING_H

#include "mlir/IR/Location.h"

#include <string>

namespace tilewright::reference {

enum class FindingKind {
  /// An `assert` did not hold: the kernel says so itself.
  FailedAssert,
  /// The kernel did what the specification calls undefined.
  Misbehaviour,
  /// This machine cannot execute an operation, or not in this form.
  Unsupported,
  /// The launch did not end within the given number of steps.
  StepLimit,
};

struct Finding {
  FindingKind kind;
  mlir::Location location;
  /// One line: `block (0, 0, 0): store_ptr_tko: element [3]: ...`.
  std::string message;
};

/// `kernel.py:12:3`; of a location without a line, `byte 0x1C8, entry @k` or what else it says.
std::string locationText(mlir::Location location);

/// `kernel.py:12:3: error: block (0, 0, 0): ...`
std::string toString(const Finding &finding);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_FINDING_H
