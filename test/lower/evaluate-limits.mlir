// RUN: tilewright-opt --evaluate-constants=max-tile-elements=4 %s | FileCheck %s --check-prefixes=CHECK,TILE
// RUN: tilewright-opt --evaluate-constants=max-total-elements=21 %s | FileCheck %s --check-prefixes=CHECK,TOTAL
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

  // Three elements of 21 are spent above (two constants and a sum). Here each sum takes 4
  // and so does the list; of 8 elements, 10 are left, so the list is read but not added.
  // CHECK-LABEL: entry @lists()
  // CHECK: constant <i32: [2, 4, 6, 8]> : tile<4xi32>
  // TILE: addi {{.*}} : tile<8xi32>
  // TOTAL: addi {{.*}} : tile<8xi32>
  // CHECK: print_tko
  entry @lists() {
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %b = addi %a, %a : tile<4xi32>
    %c = constant <i32: [1, 2, 3, 4, 5, 6, 7, 8]> : tile<8xi32>
    %d = addi %c, %c : tile<8xi32>
    %t = print_tko "%d %d", %b, %d : tile<4xi32>, tile<8xi32> -> token
  }
}
