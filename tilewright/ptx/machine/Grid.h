// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do CTAs begin? With their threads, warps and shared memory; those of a cluster together.

#ifndef TILEWRIGHT_PTX_MACHINE_GRID_H
#define TILEWRIGHT_PTX_MACHINE_GRID_H

#include "tilewright/ptx/machine/Machine.h"

#include <deque>

namespace tilewright::ptx {

/// Those that run, in the order in which they began.
using Ctas = std::deque<std::unique_ptr<Cta>>;

/// Adds the CTAs of a cluster, of which `first` is the first. They begin together: their threads
/// see that the others are there.
void makeCluster(Machine &machine, uint32_t first, Ctas &ctas);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_GRID_H
