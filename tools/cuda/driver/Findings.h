// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the library say of a launch that went wrong? Assertions go to standard output, as those
// of a GPU do, and findings of checks to standard error, with advice in words of cuTile where the
// kernel is a script. The first one that is an error is told at the next synchronisation, too.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_FINDINGS_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_FINDINGS_H

#include "tilewright/api/Tilewright.h"

namespace tilewright::cuda {

/// Of a launch that has run with this status.
void tellFindings(const twLaunchHandle *launch, twStatus status, const twDiagnostics *diagnostics);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_FINDINGS_H
