// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: wrong values on the GPU. ptxas takes a predicated load for the only definition of a
// register that is undefined before a loop, and assigns one register to two values that different
// iterations load.
//
// Seen in: ptxas 13.0, on an H200, with a random program. There is no reduced PTX: in small loops
// with predicated loads, and in test/nvidia/windows.mlir without this rewrite, the code of ptxas
// 13.0.88 and 13.5.37 has different registers.
//
// Avoided: an undefined input of a phi becomes zero, except on a back edge.
//
// Probe: `test/differential/run.py --devices reference,gpu` on a GPU. test/nvidia/windows.mlir
// checks that no phi has an undefined input.

#include "tilewright/codegen/workarounds/Workarounds.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace tilewright::codegen;

void workarounds::defineOnAllWays(llvm::Function &function) {
  llvm::DominatorTree tree(function);
  for (llvm::BasicBlock &block : function)
    for (llvm::PHINode &phi : block.phis())
      for (llvm::Use &incoming : phi.incoming_values()) {
        const bool isBackEdge = tree.dominates(&block, phi.getIncomingBlock(incoming));
        if (!isBackEdge && llvm::isa<llvm::UndefValue>(incoming.get()))
          incoming.set(llvm::Constant::getNullValue(phi.getType()));
      }
}
