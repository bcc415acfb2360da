// A mask is computed from a load that is masked itself: where that had no value, nor has the mask.
// RUN: %pair --grid 1 --arg "i32[5, 0, 6, 1]" --arg 3 --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %zeros = constant <i32: 0> : tile<4xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %inside = cmpi less_than %i, %ns, signed : tile<4xi32> -> tile<4xi1>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t0 = load_ptr_tko weak %from, %inside : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %is_set = cmpi not_equal %v, %zeros, signed : tile<4xi32> -> tile<4xi1>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    // CHECK: mask.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): store_ptr_tko: the mask is undefined, element [3] [undefined]
    // CHECK-NEXT: mask.mlir:[[#@LINE-6]]:{{.*}} note: undefined from here: load_ptr_tko: element [3]: the mask disables it, and there is no padding for it
    %t1 = store_ptr_tko weak %to, %i, %is_set : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 0 2 0]
  entry @fixed(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %zeros = constant <i32: 0> : tile<4xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %inside = cmpi less_than %i, %ns, signed : tile<4xi32> -> tile<4xi1>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t0 = load_ptr_tko weak %from, %inside, %zeros : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    %is_set = cmpi not_equal %v, %zeros, signed : tile<4xi32> -> tile<4xi1>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t1 = store_ptr_tko weak %to, %i, %is_set : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }
}
