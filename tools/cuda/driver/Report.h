// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes, when the process ends, the requested reports, and a kernel error that no synchronisation
// has returned.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_REPORT_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_REPORT_H

#include "tools/cuda/driver/State.h"

namespace tilewright::cuda {

/// Called once, by cuInit. Returns false, after a message, if reports were requested but the
/// library cannot be loaded.
bool startReports();

/// Called once, when the library was loaded: registers the exit handler.
void reportAtEnd();

/// The report to which launches add their results; null if none was requested.
twReport *currentReport();

/// Called after each launch: writes new findings, so that they survive a crash of the process.
void updateReports();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_REPORT_H
