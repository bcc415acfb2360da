// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is between wgmma.mma_async and its results (PTX ISA, 9.7.15.6 to 9.7.15.8)? Registers that
// it will write, until its group was waited for; and fences, behind which it may use registers.

#ifndef TILEWRIGHT_PTX_ASYNC_WGMMAGROUPS_H
#define TILEWRIGHT_PTX_ASYNC_WGMMAGROUPS_H

#include "tilewright/ptx/machine/Asynchrony.h"

namespace tilewright::ptx {

/// The registers of a product, before they are read. False after a finding.
void checkProductRegisters(Thread &thread, const Op &op, uint32_t form);
/// What a register holds, or will hold when the products before this one are done.
Loaded accumulator(const Thread &thread, uint32_t slot, uint32_t part);
/// Keeps what a product will write.
void addPending(Thread &thread, const Op &op, uint32_t form,
                std::vector<PendingRegister> registers);

/// What the shared memory that a product reads completes with: the open group of the warpgroup.
Completion openGroupOf(Thread &thread);

// wgmma.fence, wgmma.commit_group, wgmma.wait_group
Step fenceProducts(Thread &thread, const Op &op);
Step commitProducts(Thread &thread, const Op &op);
Step waitForProducts(Thread &thread, const Op &op);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_WGMMAGROUPS_H
