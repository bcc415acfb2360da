// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory orders, scopes and tokens does a launch need, which can be weaker, and which are too
// weak (docs/advise.md)? Each claim is about executions of one launch.

#ifndef TILEWRIGHT_API_ADVISE_ADVISE_H
#define TILEWRIGHT_API_ADVISE_ADVISE_H

#include "tilewright/api/Array.h"
#include "tilewright/api/Entry.h"
#include "tilewright/api/advise/Advice.h"
#include "tilewright/runtime/Grid.h"
#include "tilewright/support/Result.h"

namespace tilewright::api {

/// The arrays keep their values. What the kernel prints is discarded. Fails if the arguments do not
/// match the parameters, or the reference machine does not support the kernel.
support::Result<KernelAdvice> adviseKernel(const Entry &entry, const runtime::Grid &grid,
                                           const std::vector<Argument> &arguments,
                                           const AdviseOptions &options = {});

/// As text, and as JSON (docs/advise.md).
std::string toString(const KernelAdvice &advice);
std::string toJson(const KernelAdvice &advice);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ADVISE_ADVISE_H
