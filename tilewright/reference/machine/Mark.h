// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with an element? An unspecified one has a value that a correct program may
// copy; an undefined one exists only because something was done that must not be
// (operations, 11). What memory holds that was never written counts as undefined
// (decisions/unspecified-values.md). A value that hangs on both is undefined.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_MARK_H
#define TILEWRIGHT_REFERENCE_MACHINE_MARK_H

#include <cstdint>

namespace tilewright::reference {

/// The larger one is what a value has that hangs on two.
enum class Mark : uint8_t {
  None,
  /// Padding, disabled elements, shifts by the width or more, a sign that f8E5M3FNU has no room
  /// for.
  Unspecified,
  /// A division by zero, a false assumption, a conversion out of range, memory never written.
  Undefined,
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_MARK_H
