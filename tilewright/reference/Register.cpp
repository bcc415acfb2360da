// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/Register.h"
#include "tilewright/reference/Access.h"

using namespace tilewright;
using namespace tilewright::reference;

void Token::forgetDone() {
  llvm::erase_if(pending, [&](const SharedOperation &operation) {
    if (operation->isDone())
      knowledge.join(operation->knowledge);
    return operation->isDone();
  });
}
