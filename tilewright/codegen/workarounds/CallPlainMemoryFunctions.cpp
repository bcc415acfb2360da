// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: ThreadSanitizer's pass calls __tsan_memcpy, __tsan_memmove and __tsan_memset, which
// GCC's libtsan lacks, so a library linked by GCC cannot be loaded.
//
// Seen in: LLVM 22.1.8 with GCC 12.
//
// Avoided: the calls go to memcpy, memmove and memset, which both runtimes intercept.
//
// Tests: test/codegen/workarounds/call-plain-memory-functions.ll has the reduced input,
// test/cpu/sanitize.test a kernel.

#include "tilewright/codegen/workarounds/Workarounds.h"

#include "llvm/IR/Module.h"
#include <string>

using namespace tilewright::codegen;

void workarounds::callPlainMemoryFunctions(llvm::Module &module) {
  for (std::string name : {"memcpy", "memmove", "memset"}) {
    llvm::Function *own = module.getFunction("__tsan_" + name);
    if (!own)
      continue;
    own->replaceAllUsesWith(module.getOrInsertFunction(name, own->getFunctionType()).getCallee());
    own->eraseFromParent();
  }
}
