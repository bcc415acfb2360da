// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens where there is no memory for LLVM's containers? By default they end the process.
// The reference machine keeps tiles and what checks remember in them, and reports it instead.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_THROWINGALLOCATIONS_H
#define TILEWRIGHT_REFERENCE_MACHINE_THROWINGALLOCATIONS_H

namespace tilewright::reference {

/// While one lives in a thread, LLVM's containers throw std::bad_alloc in that thread, as those of
/// the standard library do. In all other threads they still end the process. An object is destroyed
/// by the thread that made it. The process has no other handler
/// (llvm::install_bad_alloc_error_handler) while one lives in any thread.
class ThrowingAllocations {
public:
  ThrowingAllocations();
  ~ThrowingAllocations();
  ThrowingAllocations(const ThrowingAllocations &) = delete;
  ThrowingAllocations &operator=(const ThrowingAllocations &) = delete;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_THROWINGALLOCATIONS_H
