// A sum over all blocks by atomics whose scope is one block (memory model, 13, test 30).
// RUN: %pair --grid 3 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%sum: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    // CHECK: scope.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): atomic_rmw_tko: race on parameter 1 (1xi32)[0] with atomic_rmw_tko by block (0, 0, 0): nothing orders the two, and the scope of one does not include the other's block [race]
    // CHECK-NEXT: scope.mlir:[[#@LINE+1]]:{{.*}} note: the earlier access: atomic_rmw_tko by block (0, 0, 0)
    %old, %t = atomic_rmw_tko relaxed tl_blk %sum, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }

  // CHECK: fixed:
  // CHECK: [3]
  entry @fixed(%sum: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %old, %t = atomic_rmw_tko relaxed device %sum, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
