// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/memory/MemoryOperation.h"

using namespace tilewright;
using namespace tilewright::reference;

void reference::dropFinished(Token &token) {
  llvm::erase_if(token.pending, [&](const SharedOperation &operation) {
    if (operation->isDone())
      token.clock.join(operation->clock);
    return operation->isDone();
  });
}
