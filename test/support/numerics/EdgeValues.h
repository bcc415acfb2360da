// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edge values of a format: around zero, one, the sign change and the ends of the range, and for
// floats also subnormals, infinities and NaNs.

#ifndef TILEWRIGHT_TEST_SUPPORT_NUMERICS_EDGEVALUES_H
#define TILEWRIGHT_TEST_SUPPORT_NUMERICS_EDGEVALUES_H

#include "tilewright/numerics/Element.h"

#include <vector>

namespace tilewright::numerics {

inline std::vector<Element> edgeValues(Format format) {
  const FormatInfo &f = info(format);
  std::vector<uint64_t> patterns = {0,
                                    1,
                                    2,
                                    5,
                                    31,
                                    64,
                                    f.signBit() - 1,
                                    f.signBit(),
                                    f.signBit() + 1,
                                    f.signBit() / 2,
                                    f.mask(),
                                    f.mask() - 1};
  if (f.isFloat()) {
    uint64_t one = uint64_t(f.bias) << f.mantissaBits, unit = uint64_t(1) << f.mantissaBits;
    for (uint64_t pattern :
         {unit - 1, unit, one - unit, one, one + 1, one + unit / 2, one + unit, one + 5 * unit - 1,
          f.largest - unit, f.largest, f.largest + 1, f.canonicalNan, f.canonicalNan - 1})
      for (uint64_t sign : {uint64_t(0), f.signBit()})
        patterns.push_back(pattern | sign);
  }
  std::vector<Element> elements;
  for (uint64_t pattern : patterns)
    elements.push_back(Element::fromBits(format, pattern & f.mask()));
  return elements;
}

} // namespace tilewright::numerics

#endif // TILEWRIGHT_TEST_SUPPORT_NUMERICS_EDGEVALUES_H
