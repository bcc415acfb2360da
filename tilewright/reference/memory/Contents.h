// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of the contents of memory, so that a launch can be executed again from the same state.

#ifndef TILEWRIGHT_REFERENCE_MEMORY_CONTENTS_H
#define TILEWRIGHT_REFERENCE_MEMORY_CONTENTS_H

#include "tilewright/reference/memory/Memory.h"

#include <optional>

namespace tilewright::reference {

class MemoryContents {
public:
  /// Copies arrays and globals. None if the host does not have enough memory.
  static std::optional<MemoryContents> of(const Memory &memory);
  void restore() const;

private:
  struct Copy {
    Allocation *allocation;
    OwnedBytes bytes, specified;
  };
  std::vector<Copy> copies;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MEMORY_CONTENTS_H
