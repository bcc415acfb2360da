// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over programs with layouts.

#ifndef TILEWRIGHT_LAYOUT_PASSES_TD
#define TILEWRIGHT_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def PropagateLayouts : Pass<"tw-propagate-layouts"> {
  let summary = "Give every vector a layout, starting at to_layout";
  let description = [{
    ```mlir
    %a = iree_vector_ext.to_layout %x to layout(#rows) : vector<64x64xf32>
    %b = iree_vector_ext.to_layout %y to layout(#columns) : vector<64x64xf32>
    %c = arith.addf %a, %b : vector<64x64xf32>
    ```
    becomes
    ```mlir
    %a = iree_vector_ext.to_layout %x to layout(#rows) : vector<64x64xf32>
    %b = iree_vector_ext.to_layout %y to layout(#columns) : vector<64x64xf32>
    %d = iree_vector_ext.to_layout %b to layout(#rows) : vector<64x64xf32>
    %c = arith.addf %a, %d : vector<64x64xf32>
    ```

    Afterwards each vector that is connected with a `to_layout` has one layout, and each
    operation finds its operands in the layouts that it needs. Layouts spread at the same
    pace and the first that reaches a value wins: the nearest, or of several the first in
    the program. Where two meet, constants, masks and what is computed from them in a few
    operations are computed again; for other values there is a `to_layout` more.
  }];
  let options = [
    Option<"annotate", "annotate", "bool", "false",
           "Write the layouts of its vector results on each operation, as `iree_vector_ext.layouts`">,
  ];
}

#endif // TILEWRIGHT_LAYOUT_PASSES_TD
