// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other rooms ask an operation.

#ifndef TILEWRIGHT_TILE_INTERFACES_TD
#define TILEWRIGHT_TILE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_ElementwiseInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    An operation whose result element depends on the operand elements at the same
    coordinate only. `evalElement` is its one definition: the reference machine
    executes it and constant evaluation folds with it.
  }];
  let methods = [
    InterfaceMethod<[{
      The result element for one element of each operand. A poison operand gives
      poison (`select` chooses first); so does what the specification calls undefined.
    }], "::tilewright::numerics::Element", "evalElement",
      (ins "::llvm::ArrayRef<::tilewright::numerics::Element>":$in)>,
  ];
}


#endif // TILEWRIGHT_TILE_INTERFACES_TD
