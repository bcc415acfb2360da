// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of elements outside of a tensor (types, 6).

#include "tilewright/numerics/Element.h"
#include "tilewright/tile/Arithmetic.h"

using namespace tilewright;
using numerics::Element;

/// Formats without Inf use NaN instead, or else their largest value.
static Element infinityOf(numerics::Format format, uint64_t sign) {
  const numerics::FormatInfo &info = numerics::info(format);
  uint64_t bits = info.hasInf ? info.infinity() : info.hasNan ? info.canonicalNan : info.largest;
  return Element::fromBits(format, bits | sign);
}

llvm::StringRef tile::lackingForPadding(TileView view) {
  tile::PaddingValueAttr padding = view.getPaddingValue();
  if (!padding)
    return "";
  const numerics::FormatInfo &info =
      numerics::info(*formatOf(view.getTensorView().getElementType()));
  switch (padding.getValue()) {
  case PaddingValue::Zero: // All bits are zero, whatever number that is in the format.
    return "";
  case PaddingValue::NegZero:
    return info.hasZero && info.hasSign ? "" : "-0";
  case PaddingValue::Nan:
    return info.hasNan ? "" : "NaN";
  case PaddingValue::PosInf:
    return info.hasInf ? "" : "Inf";
  case PaddingValue::NegInf:
    return info.hasInf && info.hasSign ? "" : info.hasSign ? "Inf" : "-Inf";
  }
  llvm_unreachable("padding values are listed above");
}

std::optional<Element> tile::paddingOf(TileView view) {
  tile::PaddingValueAttr padding = view.getPaddingValue();
  if (!padding)
    return std::nullopt;
  numerics::Format format = *formatOf(view.getTensorView().getElementType());
  const numerics::FormatInfo &info = numerics::info(format);
  switch (padding.getValue()) {
  case PaddingValue::Zero:
    return Element::zero(format);
  case PaddingValue::NegZero:
    return Element::fromBits(format, info.signBit());
  case PaddingValue::Nan:
    return info.hasNan ? Element::canonicalNan(format) : infinityOf(format, 0);
  case PaddingValue::PosInf:
    return infinityOf(format, 0);
  case PaddingValue::NegInf:
    return infinityOf(format, info.signBit());
  }
  llvm_unreachable("padding values are listed above");
}
