// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates CTAs with their threads, warps and shared memory; the CTAs of a cluster begin together.

#ifndef TILEWRIGHT_PTX_MACHINE_GRID_H
#define TILEWRIGHT_PTX_MACHINE_GRID_H

#include "tilewright/ptx/machine/Machine.h"

#include <deque>

namespace tilewright::ptx {

/// The running CTAs, in the order in which they began.
using Ctas = std::deque<std::unique_ptr<Cta>>;

/// Adds the cluster whose first CTA is `first`. All its threads know that the CTAs of the cluster
/// have begun.
void makeCluster(Machine &machine, uint32_t first, Ctas &ctas);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_GRID_H
