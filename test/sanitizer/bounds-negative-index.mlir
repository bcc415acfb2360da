// Each element minus its left neighbour: the first one has none.
// RUN: %pair --grid 1 --arg "i32[5, 7, 4, 9]" --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %left = subi %i, %one : tile<4xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %here = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %there = offset %ins, %left : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %a, %t0 = load_ptr_tko weak %here : tile<4xptr<i32>> -> tile<4xi32>, token
    // CHECK: negative-index.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: element [0]: address 0x{{.*}} lies in no allocation:
    // CHECK-SAME: 4 bytes in front of parameter 1 (4xi32), 16 bytes at 0x{{.*}} [bounds]
    %b, %t1 = load_ptr_tko weak %there : tile<4xptr<i32>> -> tile<4xi32>, token
    %difference = subi %a, %b : tile<4xi32>
    %t2 = store_ptr_tko weak %to, %difference : tile<4xptr<i32>>, tile<4xi32> -> token
  }

  // CHECK: fixed:
  // CHECK: [ 5  2 -3  5]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %none = constant <i32: 0> : tile<4xi32>
    %left = subi %i, %one : tile<4xi32>
    %has_left = cmpi greater_than_or_equal %left, %none, signed : tile<4xi32> -> tile<4xi1>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %here = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %there = offset %ins, %left : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %a, %t0 = load_ptr_tko weak %here : tile<4xptr<i32>> -> tile<4xi32>, token
    %b, %t1 = load_ptr_tko weak %there, %has_left, %none : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    %difference = subi %a, %b : tile<4xi32>
    %t2 = store_ptr_tko weak %to, %difference : tile<4xptr<i32>>, tile<4xi32> -> token
  }
}
