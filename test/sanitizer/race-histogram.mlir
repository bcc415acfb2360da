// A histogram by gather, add one, scatter: two elements of a tile may fall into one bin.
// RUN: %pair --grid 1 --arg "i32[2, 0, 2, 3]" --arg "zeros(4xi32),print" | FileCheck %s

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
    %at = offset %binss, %bin : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %old, %t1 = load_ptr_tko weak %at : tile<4xptr<i32>> -> tile<4xi32>, token
    %new = addi %old, %one : tile<4xi32>
    // CHECK: histogram.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): store_ptr_tko: element [2]: race on parameter 2 (4xi32)[2] with another element of the same operation, which is weak [race]
    %t2 = store_ptr_tko weak %at, %new token=%t1 : tile<4xptr<i32>>, tile<4xi32> -> token
  }

  // CHECK: fixed:
  // CHECK: [1 0 2 1]
  entry @fixed(%in: tile<ptr<i32>>, %bins: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %bin, %t0 = load_ptr_tko weak %from : tile<4xptr<i32>> -> tile<4xi32>, token
    %bins1 = reshape %bins : tile<ptr<i32>> -> tile<1xptr<i32>>
    %binss = broadcast %bins1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %at = offset %binss, %bin : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %old, %t1 = atomic_rmw_tko relaxed device %at, add, %one : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
  }
}
