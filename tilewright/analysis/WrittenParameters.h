// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the arrays that a kernel may write to. A caller can pass read-only memory for all others.

#ifndef TILEWRIGHT_ANALYSIS_WRITTENPARAMETERS_H
#define TILEWRIGHT_ANALYSIS_WRITTENPARAMETERS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

/// One bit per parameter of the entry. A bit is set if a store or an atomic may use an address
/// computed from the parameter, or if such an address escapes, into memory or into an integer.
llvm::BitVector writtenParameters(tile::EntryOp entry);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_WRITTENPARAMETERS_H
