// RUN: tilewright-opt --evaluate-constants=max-tile-elements=4 %s | FileCheck %s
// RUN: tilewright-opt --evaluate-constants=max-total-elements=21 %s | FileCheck %s
// Work is bounded: lists beyond the limits are not computed, splats of any size are.

cuda_tile.module @limits {
  // CHECK-LABEL: entry @splats()
  // CHECK-NEXT: constant <i32: 3> : tile<4096x4096xi32>
  // CHECK-NEXT: print_tko
  entry @splats() {
    %a = constant <i32: 1> : tile<4096x4096xi32>
    %b = constant <i32: 2> : tile<4096x4096xi32>
    %c = addi %a, %b : tile<4096x4096xi32>
    %t = print_tko "%d", %c : tile<4096x4096xi32> -> token
  }

  // With a total of 21: three are spent above (two constants and their sum), 4 go to the
  // first list and 4 to its sum. The second list takes 8 of the 10 that are left; for its
  // sum 2 are not enough.
  // CHECK-LABEL: entry @lists()
  // CHECK: constant <i32: [2, 4, 6, 8]> : tile<4xi32>
  // CHECK: addi {{.*}} : tile<8xi32>
  // CHECK: print_tko
  entry @lists() {
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %b = addi %a, %a : tile<4xi32>
    %c = constant <i32: [1, 2, 3, 4, 5, 6, 7, 8]> : tile<8xi32>
    %d = addi %c, %c : tile<8xi32>
    %t = print_tko "%d %d", %b, %d : tile<4xi32>, tile<8xi32> -> token
  }
}
