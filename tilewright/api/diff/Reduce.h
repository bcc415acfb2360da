// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduces a kernel to a small one in which a device computes the same operation wrongly. The
// operation is taken out of its loops and its tile block, with the operands that the device had. If
// it is right by itself, operations around it are added, until it is wrong again; those that do not
// matter are then removed one by one.

#ifndef TILEWRIGHT_API_DIFF_REDUCE_H
#define TILEWRIGHT_API_DIFF_REDUCE_H

#include "tilewright/api/diff/Compare.h"

namespace tilewright::api {

/// None if the difference is gone in each smaller kernel.
std::optional<ReducedCase> reduceCase(const DiffLaunch &launch, const DiffDevice &device,
                                      const Observations &observations, const Culprit &culprit);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_REDUCE_H
