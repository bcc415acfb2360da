// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the findings of a launch. Failed assertions go to standard output, as on a GPU, and
// findings of checks to standard error, with help texts in cuTile's terms if the kernel is in a
// script. The first error is also returned by the next synchronisation.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_FINDINGS_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_FINDINGS_H

#include "tilewright/api/Tilewright.h"

namespace tilewright::cuda {

/// Reports on a launch that has run with this status.
void reportFindings(const twLaunchHandle *launch, twStatus status,
                    const twDiagnostics *diagnostics);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_FINDINGS_H
