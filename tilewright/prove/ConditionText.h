// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on a launch as text: `grid.x <= ceil(n / 1024)`, `len(x) >= m * k`.

#ifndef TILEWRIGHT_PROVE_CONDITIONTEXT_H
#define TILEWRIGHT_PROVE_CONDITIONTEXT_H

#include "tilewright/prove/Symbols.h"

namespace tilewright::prove {

/// That at least one of the constraints is false.
std::string textOfNegation(const Symbols &symbols, const Conjunction &constraints);
/// The value is between parameters.
std::string textOf(const Symbols &symbols, const Polynomial &value);

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_CONDITIONTEXT_H
