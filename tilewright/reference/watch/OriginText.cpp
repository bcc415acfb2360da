// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OriginText.h.

#include "tilewright/reference/watch/OriginText.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/SmallVector.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::SmallVector;
using numerics::Element;

std::string reference::textOf(Element element) {
  return numerics::info(element.format).isFloat() && element.isNan() ? "NaN"
                                                                     : numerics::toString(element);
}

std::string reference::inF64(double value) {
  return textOf(Element::fromDouble(value)) + " in f64";
}

/// `2.0 and inf`
static std::string listOf(llvm::ArrayRef<Element> elements) {
  std::string text;
  for (auto [number, element] : llvm::enumerate(elements))
    text += (number == 0 ? "" : number + 1 < elements.size() ? ", " : " and ") + textOf(element);
  return text;
}

std::string reference::reasonOf(mlir::Operation *op, llvm::ArrayRef<Element> sources,
                                const std::string &result) {
  if (llvm::isa<tile::ConstantOp>(op))
    return "the constant is " + result;
  if (llvm::isa<tile::ElementwiseOpInterface>(op))
    return "of " + listOf(sources) + " the result is " + result;
  SmallVector<Element> infinities;
  for (Element source : sources)
    if (numerics::info(source.format).isFloat() && source.isInf() &&
        !llvm::is_contained(infinities, source))
      infinities.push_back(source);
  if (infinities.empty() && llvm::StringRef(result).ends_with("in f64"))
    return "of " + std::to_string(sources.size()) + " elements the result is " + result;
  if (infinities.empty())
    return "all " + std::to_string(sources.size()) + " elements that it combines are finite, and " +
           "the result is " + result;
  return "of " + std::to_string(sources.size()) + " elements, some of which are " +
         listOf(infinities) + ", the result is " + result;
}
