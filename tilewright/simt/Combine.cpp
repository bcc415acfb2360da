// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/simt/Combine.h"

#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Integer.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace tilewright;
using namespace tilewright::simt;
using llvm::ArrayRef;
using mlir::vector::CombiningKind;
using numerics::Element;
using numerics::Format;
using numerics::Signedness;

static bool hasArithmetic(Format format) {
  return format == Format::F16 || format == Format::BF16 || format == Format::F32 ||
         format == Format::F64;
}

Element simt::convertFloat(Element source, Format to) {
  if (source.poison)
    return Element::poisoned(to);
  if (source.format == to)
    return source;
  if (hasArithmetic(to) || source.isNan())
    return numerics::floatToFloat(source, to);
  return numerics::roundToFormat(source.asDouble(), to);
}

Element simt::inOwnFormat(FloatFunction function, ArrayRef<Element> operands) {
  const Format format = operands.front().format;
  if (hasArithmetic(format))
    return function(operands);
  llvm::SmallVector<Element> wide;
  for (Element operand : operands)
    wide.push_back(convertFloat(operand, Format::F64));
  return convertFloat(function(wide), format);
}

/// Native arithmetic gives the same result, unless that is a NaN.
template <typename Number, typename Bits, typename Own>
static std::optional<Element> inNumbers(Own own, std::initializer_list<Element> operands) {
  Number numbers[3] = {};
  std::transform(operands.begin(), operands.end(), numbers,
                 [](Element operand) { return std::bit_cast<Number>(Bits(operand.bits)); });
  const Number result = own(numbers[0], numbers[1], numbers[2]);
  if (std::isnan(result))
    return std::nullopt;
  return Element{std::bit_cast<Bits>(result), operands.begin()->format};
}

template <typename Own>
static std::optional<Element> inHardware(Own own, std::initializer_list<Element> operands) {
  if (std::any_of(operands.begin(), operands.end(), [](Element each) { return each.poison; }))
    return std::nullopt;
  switch (operands.begin()->format) {
  case Format::F32:
    return inNumbers<float, uint32_t>(own, operands);
  case Format::F64:
    return inNumbers<double, uint64_t>(own, operands);
  default:
    return std::nullopt;
  }
}

Element simt::add(Element lhs, Element rhs) {
  if (!numerics::info(lhs.format).isFloat())
    return numerics::addI(lhs, rhs);
  if (auto sum = inHardware([](auto a, auto b, auto) { return a + b; }, {lhs, rhs}))
    return *sum;
  return inOwnFormat([](ArrayRef<Element> in) { return numerics::addF(in[0], in[1]); }, {lhs, rhs});
}

Element simt::multiply(Element lhs, Element rhs) {
  if (!numerics::info(lhs.format).isFloat())
    return numerics::mulI(lhs, rhs);
  if (auto product = inHardware([](auto a, auto b, auto) { return a * b; }, {lhs, rhs}))
    return *product;
  return inOwnFormat([](ArrayRef<Element> in) { return numerics::mulF(in[0], in[1]); }, {lhs, rhs});
}

Element simt::fuse(Element lhs, Element rhs, Element acc) {
  if (auto sum =
          inHardware([](auto a, auto b, auto c) { return std::fma(a, b, c); }, {lhs, rhs, acc}))
    return *sum;
  return inOwnFormat([](ArrayRef<Element> in) { return numerics::fmaF(in[0], in[1], in[2]); },
                     {lhs, rhs, acc});
}

template <bool isMax, bool propagatesNan> static Element extremum(Element lhs, Element rhs) {
  return inOwnFormat(
      [](ArrayRef<Element> in) {
        return isMax ? numerics::maxF(in[0], in[1], propagatesNan)
                     : numerics::minF(in[0], in[1], propagatesNan);
      },
      {lhs, rhs});
}

bool simt::canCombine(CombiningKind kind, Format format) {
  switch (kind) {
  case CombiningKind::ADD:
  case CombiningKind::MUL:
    return true;
  case CombiningKind::MINUI:
  case CombiningKind::MINSI:
  case CombiningKind::MAXUI:
  case CombiningKind::MAXSI:
  case CombiningKind::AND:
  case CombiningKind::OR:
  case CombiningKind::XOR:
    return !numerics::info(format).isFloat();
  case CombiningKind::MINNUMF:
  case CombiningKind::MAXNUMF:
  case CombiningKind::MINIMUMF:
  case CombiningKind::MAXIMUMF:
    return numerics::info(format).isFloat();
  }
  llvm_unreachable("all kinds are listed");
}

Element simt::combine(CombiningKind kind, Element lhs, Element rhs) {
  switch (kind) {
  case CombiningKind::ADD:
    return add(lhs, rhs);
  case CombiningKind::MUL:
    return multiply(lhs, rhs);
  case CombiningKind::MINUI:
    return numerics::minI(lhs, rhs, Signedness::Unsigned);
  case CombiningKind::MINSI:
    return numerics::minI(lhs, rhs, Signedness::Signed);
  case CombiningKind::MAXUI:
    return numerics::maxI(lhs, rhs, Signedness::Unsigned);
  case CombiningKind::MAXSI:
    return numerics::maxI(lhs, rhs, Signedness::Signed);
  case CombiningKind::AND:
    return numerics::andI(lhs, rhs);
  case CombiningKind::OR:
    return numerics::orI(lhs, rhs);
  case CombiningKind::XOR:
    return numerics::xorI(lhs, rhs);
  case CombiningKind::MINNUMF:
    return extremum<false, false>(lhs, rhs);
  case CombiningKind::MAXNUMF:
    return extremum<true, false>(lhs, rhs);
  case CombiningKind::MINIMUMF:
    return extremum<false, true>(lhs, rhs);
  case CombiningKind::MAXIMUMF:
    return extremum<true, true>(lhs, rhs);
  }
  llvm_unreachable("all kinds are listed");
}
