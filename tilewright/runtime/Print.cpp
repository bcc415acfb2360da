// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats elements with snprintf. A kernel's format string never reaches it: each expression is
// parsed, and a new one is built for the C type of the promoted element.

#include "tilewright/runtime/Print.h"
#include "tilewright/runtime/Array.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

using namespace tilewright;
using namespace tilewright::runtime;

/// C guarantees conversions of up to 4095 characters.
static constexpr unsigned maxWidth = 4095;

static bool isOneOf(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

bool Specifier::isFloat() const { return isOneOf(conversion, "eEfFgGaA"); }

bool Specifier::isSigned() const { return isOneOf(conversion, "di") || isFloat(); }

/// Whether this is a valid width or precision: empty, or a number within the limit.
static bool isWidth(std::string_view digits) {
  unsigned width = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
  return digits.empty() ||
         (error == std::errc() && end == digits.data() + digits.size() && width <= maxWidth);
}

Specifier runtime::parseSpecifier(std::string_view expression) {
  assert(expression.size() >= 2 && expression.front() == '%' && "a scanned expression");
  Specifier specifier{"", expression.back()};
  for (char c : expression.substr(1, expression.size() - 2)) {
    if (isOneOf(c, "ljLq"))
      specifier.isLong = true;
    else if (isOneOf(c, "0123456789-+ #.'"))
      specifier.flags += c;
    else if (!isOneOf(c, "htz"))
      specifier.isRefused = true;
  }
  std::string_view widths = specifier.flags;
  widths.remove_prefix(std::min(widths.find_first_not_of("-+ #0'"), widths.size()));
  size_t point = std::min(widths.find('.'), widths.size());
  specifier.isRefused |= !isWidth(widths.substr(0, point)) ||
                         !isWidth(widths.substr(std::min(point + 1, widths.size()))) ||
                         !isOneOf(specifier.conversion, "diuoxXcpeEfFgGaA");
  return specifier;
}

//===-- One element ---------------------------------------------------------------------------===//

template <typename Value>
static void printAs(const TextSink &out, const Specifier &specifier, const char *length,
                    Value value) {
  // Room for the largest width or precision, and for 309 digits of a double, with separators,
  // before the point.
  char text[2 * maxWidth];
  std::string format = "%" + specifier.flags + length + specifier.conversion;
  int size = std::snprintf(text, sizeof text, format.c_str(), value);
  assert(size < int(sizeof text) && "widths are limited");
  if (size > 0)
    out({text, size_t(size)});
}

static double asDouble(PromotedElement element) {
  if (const int64_t *integer = std::get_if<int64_t>(&element))
    return double(*integer);
  double value = std::get<double>(element);
  // The sign of a NaN depends on the processor; `nan` is always printed without one.
  return std::isnan(value) ? std::fabs(value) : value;
}

static int64_t asInteger(PromotedElement element) {
  if (const int64_t *integer = std::get_if<int64_t>(&element))
    return *integer;
  double value = std::get<double>(element);
  return value > -9.2e18 && value < 9.2e18 ? int64_t(value) : 0;
}

static void printElement(const TextSink &out, const Specifier &specifier, PromotedElement element) {
  if (specifier.isFloat())
    return printAs(out, specifier, "", asDouble(element));
  int64_t bits = asInteger(element);
  if (specifier.conversion == 'p')
    return printAs(out, specifier, "", reinterpret_cast<void *>(bits));
  // Without `ll`, only the low 32 bits are printed.
  if (specifier.isLong && specifier.conversion != 'c')
    return printAs(out, specifier, "ll", (long long)(bits));
  printAs(out, specifier, "", int(bits));
}

//===-- A tile --------------------------------------------------------------------------------===//

namespace {
struct TilePrinter {
  const TextSink &out;
  const Specifier &specifier;
  std::span<const int64_t> shape;
  const std::function<PromotedElement(int64_t)> &element;
  int64_t next = 0;

  void print(size_t dim = 0) {
    if (dim == shape.size())
      return printElement(out, specifier, element(next++));
    out("[");
    for (int64_t i = 0; i < shape[dim]; ++i) {
      if (i)
        out(", ");
      print(dim + 1);
    }
    out("]");
  }
};
} // namespace

void runtime::printTile(const TextSink &out, const Specifier &specifier,
                        std::span<const int64_t> shape,
                        const std::function<PromotedElement(int64_t)> &element) {
  assert(!specifier.isRefused && "a refused expression prints no element");
  TilePrinter{out, specifier, shape, element}.print();
}

//===-- Printing in one piece -----------------------------------------------------------------===//

namespace {
/// Buffers text until it is complete, or the buffer is full.
class Collector {
public:
  explicit Collector(const TextSink &out) : out(out), buffer(std::move(idle)) {
    if (!buffer)
      buffer.reset(new (std::nothrow) char[capacity]);
  }
  ~Collector() { idle = std::move(buffer); }
  Collector(const Collector &) = delete;

  void add(std::string_view text) {
    if (!buffer || text.size() > capacity - size)
      flush();
    if (!buffer || text.size() > capacity)
      return out(text);
    std::memcpy(buffer.get() + size, text.data(), text.size());
    size += text.size();
  }

  void flush() {
    if (size)
      out({buffer.get(), std::exchange(size, 0)});
  }

private:
  static constexpr size_t capacity = size_t(1) << 20;
  /// The thread's buffer, kept between prints. It is moved out while text is collected, because the
  /// sink may print on the same thread.
  static thread_local std::unique_ptr<char[]> idle;

  const TextSink &out;
  std::unique_ptr<char[]> buffer;
  size_t size = 0;
};
thread_local std::unique_ptr<char[]> Collector::idle;
} // namespace

void runtime::printWhole(const TextSink &out, const std::function<void(const TextSink &)> &write) {
  Collector collector(out);
  write([&](std::string_view text) { collector.add(text); });
  collector.flush();
}
