// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads tensor maps through the tensormap proxy: a copy sees writes of threads to the map only
// after fence.proxy.tensormap.

#ifndef TILEWRIGHT_PTX_ASYNC_TENSORMAPS_H
#define TILEWRIGHT_PTX_ASYNC_TENSORMAPS_H

#include "tilewright/ptx/async/TensorMap.h"
#include "tilewright/ptx/machine/Access.h"

namespace tilewright::ptx {

/// fence.proxy.tensormap::generic.acquire of the map at this location, for this thread and for
/// threads of its CTA that are ordered after it.
void acquireTensorMap(Thread &thread, Target target);

/// The map at an address, if a copy of this rank can use it. None after a finding.
std::optional<TensorMap> readTensorMap(Thread &thread, const Op &op, Target target, unsigned rank);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_TENSORMAPS_H
