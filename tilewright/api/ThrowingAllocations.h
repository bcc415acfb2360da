// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens where there is no memory for LLVM's containers? By themselves they end the process;
// a library reports it.

#ifndef TILEWRIGHT_API_THROWINGALLOCATIONS_H
#define TILEWRIGHT_API_THROWINGALLOCATIONS_H

namespace tilewright::api {

/// While one lives, in any thread, LLVM's containers throw std::bad_alloc as others do.
class ThrowingAllocations {
public:
  ThrowingAllocations();
  ~ThrowingAllocations();
  ThrowingAllocations(const ThrowingAllocations &) = delete;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_THROWINGALLOCATIONS_H
