// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the counters of a run on the PTX machine as JSON (docs/nvidia-costs.md).

#ifndef TILEWRIGHT_API_PTXCOUNTERS_H
#define TILEWRIGHT_API_PTXCOUNTERS_H

#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/watch/Counters.h"

#include "llvm/Support/JSON.h"

namespace tilewright::api {

/// Totals, then one row per line of the source and of the PTX text. `file` is the name of the PTX
/// text.
llvm::json::Object countersAsJson(const ptx::Machine &machine, const ptx::Counters &counters,
                                  llvm::StringRef file);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PTXCOUNTERS_H
