// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the findings of Origins.h say about elements and the operations that made them.

#ifndef TILEWRIGHT_REFERENCE_WATCH_ORIGINTEXT_H
#define TILEWRIGHT_REFERENCE_WATCH_ORIGINTEXT_H

#include "tilewright/numerics/Element.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace tilewright::reference {

/// `-0.5`, `inf`, and NaN by its usual name.
std::string textOf(numerics::Element element);
/// `0.25 in f64`
std::string inF64(double value);
/// What an operation has made an element of, if none of the sources is of its kind. `result` is
/// what it has made.
std::string reasonOf(mlir::Operation *op, llvm::ArrayRef<numerics::Element> sources,
                     const std::string &result);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_WATCH_ORIGINTEXT_H
