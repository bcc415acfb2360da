// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes LLVM's containers throw std::bad_alloc when memory runs out. By default they abort the
// process. The reference machine keeps tiles and the state of its checks in them, and reports the
// failure instead.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_THROWINGALLOCATIONS_H
#define TILEWRIGHT_REFERENCE_MACHINE_THROWINGALLOCATIONS_H

namespace tilewright::reference {

/// While an object of this class lives in a thread, LLVM's containers throw std::bad_alloc in that
/// thread, as the standard library's do. In all other threads they still abort the process. The
/// thread that created an object destroys it. No other handler
/// (llvm::install_bad_alloc_error_handler) may be installed while an object lives in any thread.
class ThrowingAllocations {
public:
  ThrowingAllocations();
  ~ThrowingAllocations();
  ThrowingAllocations(const ThrowingAllocations &) = delete;
  ThrowingAllocations &operator=(const ThrowingAllocations &) = delete;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_THROWINGALLOCATIONS_H
