// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of a process when it ends: the reports that were asked for, and the error of a
// kernel that nobody has collected.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_REPORT_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_REPORT_H

#include "tools/cuda/driver/State.h"

namespace tilewright::cuda {

/// Once, in cuInit. False, and said, if there is no library to make the reports that were asked
/// for.
bool startReports();

/// Once, when the library has been loaded: from now on the process does not end without a word.
void reportAtEnd();

/// What launches add to; null if nobody asked for a report.
twReport *currentReport();

/// After a launch. Writes what is new, so that a process which crashes leaves it behind.
void updateReports();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_REPORT_H
