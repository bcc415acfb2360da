// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mark of an element whose value is unspecified or undefined. A correct program may copy an
// unspecified value. An undefined one exists only because the program did something that is not
// allowed (operations, 11). Memory that was never written counts as undefined
// (decisions/unspecified-values.md). A value that depends on both is undefined.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_MARK_H
#define TILEWRIGHT_REFERENCE_MACHINE_MARK_H

#include <cstdint>

namespace tilewright::reference {

/// A value that depends on several marks gets the largest.
enum class Mark : uint8_t {
  None,
  /// Padding, disabled elements, shifts by the width or more, and signs that f8E5M3FNU cannot
  /// represent.
  Unspecified,
  /// Divisions by zero, false assumptions, conversions out of range, and memory that was never
  /// written.
  Undefined,
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_MARK_H
