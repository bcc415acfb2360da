// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that print_tko prints for a tile: each element is promoted as in C and converted by the
// C library, with brackets per dimension (operations, 6.3). All executors share this code, because
// the text of a number follows from C, not from Tile IR.

#ifndef TILEWRIGHT_RUNTIME_PRINT_H
#define TILEWRIGHT_RUNTIME_PRINT_H

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace tilewright::runtime {

/// Receives text in pieces. Must not throw.
using TextSink = std::function<void(std::string_view)>;

/// Collects the text that `write` produces, and passes it to `out` in one piece, so that it does
/// not mix with the text of other launches. Text of more than 1 MiB (the default size of a device's
/// printf buffer) comes in several pieces; so does all text when out of memory. `out` may launch
/// kernels that print.
void printWhole(const TextSink &out, const std::function<void(const TextSink &)> &write);

/// An expression such as `%-8.3f`, parsed: flags (with width and precision) and conversion. Length
/// modifiers only give the width of the argument.
struct Specifier {
  std::string flags;
  char conversion;
  bool isLong = false;
  /// An expression for which C would read a further argument, write memory, or produce more than
  /// 4095 characters. It is printed as it stands.
  bool isRefused = false;

  bool isFloat() const;
  /// Whether narrow integers are sign-extended: for d, i and the floating-point conversions. All
  /// others zero-extend. An i1 is 0 or 1 for all of them.
  bool isSigned() const;
};

/// `expression` starts with `%` and ends with the conversion.
Specifier parseSpecifier(std::string_view expression);

/// An element after C's promotions: an integer (or an address), or the exact value of a float.
using PromotedElement = std::variant<int64_t, double>;

/// Prints a tile. `element` returns an element by its number in row-major order; it is called for
/// one after the other, because all of the text may be larger than memory. An element whose kind
/// does not match the conversion (its output is undefined) is converted to the nearest value.
void printTile(const TextSink &out, const Specifier &specifier, std::span<const int64_t> shape,
               const std::function<PromotedElement(int64_t)> &element);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_PRINT_H
