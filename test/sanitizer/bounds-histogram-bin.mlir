// A histogram of four bins, and a value beyond the last: somebody has to clamp it.
// RUN: %pair --grid 1 --arg "i32[0, 3, 4, 3]" --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %bins: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %bin, %t0 = load_ptr_tko weak %from : tile<4xptr<i32>> -> tile<4xi32>, token
    %bins1 = reshape %bins : tile<ptr<i32>> -> tile<1xptr<i32>>
    %binss = broadcast %bins1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %binss, %bin : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    // CHECK: bin.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): atomic_rmw_tko: element [2]: address 0x{{.*}} lies in no allocation:
    // CHECK-SAME: just past the end of parameter 2 (4xi32), 16 bytes at 0x{{.*}} [bounds]
    %old, %t1 = atomic_rmw_tko relaxed device %to, add, %one : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
  }

  // CHECK: fixed:
  // CHECK: [1 0 0 3]
  entry @fixed(%in: tile<ptr<i32>>, %bins: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %last = constant <i32: 3> : tile<4xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %value, %t0 = load_ptr_tko weak %from : tile<4xptr<i32>> -> tile<4xi32>, token
    %bin = mini %value, %last signed : tile<4xi32>
    %bins1 = reshape %bins : tile<ptr<i32>> -> tile<1xptr<i32>>
    %binss = broadcast %bins1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %binss, %bin : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %old, %t1 = atomic_rmw_tko relaxed device %to, add, %one : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
  }
}
