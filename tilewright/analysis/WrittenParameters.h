// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays may a kernel write to? A caller can pass read-only memory for the others.

#ifndef TILEWRIGHT_ANALYSIS_WRITTENPARAMETERS_H
#define TILEWRIGHT_ANALYSIS_WRITTENPARAMETERS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

/// One bit per parameter of the entry. Set where a store or an atomic operation may go through an
/// address that was computed from the parameter, and where such an address goes where it cannot be
/// followed: into memory, or into an integer.
llvm::BitVector writtenParameters(tile::EntryOp entry);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_WRITTENPARAMETERS_H
