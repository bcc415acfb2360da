// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What text does print_tko make of a tile? Every element by the C library's own
// conversion, after the promotions of C, in brackets per dimension (operations, 6.3). All
// executors share this code: how a number looks is a fact about C, not about Tile IR.

#ifndef TILEWRIGHT_RUNTIME_PRINT_H
#define TILEWRIGHT_RUNTIME_PRINT_H

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace tilewright::runtime {

/// Takes a text bit by bit. Must not throw.
using TextSink = std::function<void(std::string_view)>;

/// Collects what `write` makes bit by bit, and hands it to `out` in one piece, so that the text of
/// no other launch comes between. More than a MiB, which is how much devices keep for printf by
/// default, comes in several pieces, and so does everything when there is no memory left.
/// `out` may launch kernels that print.
void printWhole(const TextSink &out, const std::function<void(const TextSink &)> &write);

/// `%-8.3f`, taken apart: flags, width and precision; and the conversion. Length modifiers
/// only say how wide the argument is.
struct Specifier {
  std::string flags;
  char conversion;
  bool isLong = false;
  /// Something that C would read a further argument for, that writes memory, or that makes
  /// more than 4095 characters. Such an expression is printed as it stands.
  bool isRefused = false;

  bool isFloat() const;
  /// Whether narrow integers are extended by their sign: for d, i and the conversions of
  /// floats; for all others with zeros. An i1 is 0 or 1 for all of them.
  bool isSigned() const;
};

/// `expression` starts with `%` and ends with the conversion.
Specifier parseSpecifier(std::string_view expression);

/// An element as C passes it on: an integer (or an address), or the exact value of a float.
using PromotedElement = std::variant<int64_t, double>;

/// Prints a tile of this shape, whose elements come by their number in row-major order, one
/// by one: all of the text together may be larger than memory. Elements of the other kind
/// than the conversion wants (their output is undefined) are converted as near as they can.
void printTile(const TextSink &out, const Specifier &specifier, std::span<const int64_t> shape,
               const std::function<PromotedElement(int64_t)> &element);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_PRINT_H
