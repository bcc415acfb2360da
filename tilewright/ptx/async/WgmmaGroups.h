// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups and fences of wgmma.mma_async (PTX ISA, 9.7.15.6 to 9.7.15.8): registers that are pending
// until their group was waited for, and fences after which wgmma may access registers.

#ifndef TILEWRIGHT_PTX_ASYNC_WGMMAGROUPS_H
#define TILEWRIGHT_PTX_ASYNC_WGMMAGROUPS_H

#include "tilewright/ptx/machine/Asynchrony.h"

namespace tilewright::ptx {

/// Checks the registers of a product before they are read. False after a finding.
void checkProductRegisters(Thread &thread, const Op &op, uint32_t form);
/// The value of an accumulator register once the products before this one are done.
Loaded accumulator(const Thread &thread, uint32_t slot, uint32_t part);
/// Records the registers that a product will write.
void addPending(Thread &thread, const Op &op, uint32_t form,
                std::vector<PendingRegister> registers);

/// The clock of the warpgroup's open group, with which reads of shared memory complete.
Completion openGroupOf(Thread &thread);

// wgmma.fence, wgmma.commit_group, wgmma.wait_group
Step fenceProducts(Thread &thread, const Op &op);
Step commitProducts(Thread &thread, const Op &op);
Step waitForProducts(Thread &thread, const Op &op);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_WGMMAGROUPS_H
