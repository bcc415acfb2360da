// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract execution of an entry: control flow. The body of a loop is executed once for all
// iterations. What a loop carries is known if it grows by the same amount in every iteration, or
// stays as it is.

#ifndef TILEWRIGHT_PROVE_WALK_H
#define TILEWRIGHT_PROVE_WALK_H

#include "tilewright/prove/Evaluator.h"

namespace tilewright::prove {

/// `names` has the names of the parameters.
Analysis analyse(tile::EntryOp entry, llvm::ArrayRef<std::string> names);

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_WALK_H
