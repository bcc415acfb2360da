// A row of a softmax in which every element is masked: its maximum is -inf, and -inf minus -inf is NaN.
// RUN: %pair --status=0 --grid 1 --check all,origin --arg "i32[0]" --arg "f32[1.0, 2.0, 3.0, 4.0]" --arg "zeros(4xf32),print" | FileCheck %s

!row = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>

cuda_tile.module @sanitizer {
  // CHECK: row.mlir:[[#@LINE+23]]:{{.*}} warning: block (0, 0, 0): subf: element [0]: of -inf and -inf the result is NaN [origin]
  // CHECK: row.mlir:[[#@LINE+24]]:{{.*}} note: 4 elements are NaN, the first is parameter 3 (4xf32)[0]
  // CHECK: row.mlir:[[#@LINE+13]]:{{.*}} note: an infinity from here: block (0, 0, 0): constant: element [0]: the constant is -inf
  entry @bug(%length: tile<ptr<i32>>, %in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %in_view = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %in_tiles = make_partition_view %in_view : !row
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %out_tiles = make_partition_view %out_view : !row
    %n, %t0 = load_ptr_tko weak %length : tile<ptr<i32>> -> tile<i32>, token
    %n_1 = reshape %n : tile<i32> -> tile<1xi32>
    %n_4 = broadcast %n_1 : tile<1xi32> -> tile<4xi32>
    %column = iota : tile<4xi32>
    %counts = cmpi less_than %column, %n_4, signed : tile<4xi32> -> tile<4xi1>
    %x, %t1 = load_view_tko weak %in_tiles[%first] : !row, tile<i32> -> tile<4xf32>, token
    %minus = constant <f32: 0xFF800000> : tile<4xf32>
    %scores = select %counts, %x, %minus : tile<4xi1>, tile<4xf32>
    %max = reduce %scores dim=0 identities=[0xFF800000 : f32] : tile<4xf32> -> tile<f32> (%a: tile<f32>, %b: tile<f32>) {
      %m = maxf %a, %b : tile<f32>
      yield %m : tile<f32>
    }
    %max_1 = reshape %max : tile<f32> -> tile<1xf32>
    %max_4 = broadcast %max_1 : tile<1xf32> -> tile<4xf32>
    %shifted = subf %scores, %max_4 : tile<4xf32>
    %powers = exp %shifted : tile<4xf32>
    %t2 = store_view_tko weak %powers, %out_tiles[%first] : tile<4xf32>, !row, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 0 0 0]
  entry @fixed(%length: tile<ptr<i32>>, %in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %in_view = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %in_tiles = make_partition_view %in_view : !row
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %out_tiles = make_partition_view %out_view : !row
    %n, %t0 = load_ptr_tko weak %length : tile<ptr<i32>> -> tile<i32>, token
    %n_1 = reshape %n : tile<i32> -> tile<1xi32>
    %n_4 = broadcast %n_1 : tile<1xi32> -> tile<4xi32>
    %column = iota : tile<4xi32>
    %counts = cmpi less_than %column, %n_4, signed : tile<4xi32> -> tile<4xi1>
    %x, %t1 = load_view_tko weak %in_tiles[%first] : !row, tile<i32> -> tile<4xf32>, token
    %minus = constant <f32: 0xFF800000> : tile<4xf32>
    %scores = select %counts, %x, %minus : tile<4xi1>, tile<4xf32>
    %max = reduce %scores dim=0 identities=[0xFF800000 : f32] : tile<4xf32> -> tile<f32> (%a: tile<f32>, %b: tile<f32>) {
      %m = maxf %a, %b : tile<f32>
      yield %m : tile<f32>
    }
    // The maximum of an empty row is finite.
    %lowest = constant <f32: -1.0e30> : tile<f32>
    %start = maxf %max, %lowest : tile<f32>
    %max_1 = reshape %start : tile<f32> -> tile<1xf32>
    %max_4 = broadcast %max_1 : tile<1xf32> -> tile<4xf32>
    %shifted = subf %scores, %max_4 : tile<4xf32>
    %powers = exp %shifted : tile<4xf32>
    %t2 = store_view_tko weak %powers, %out_tiles[%first] : tile<4xf32>, !row, tile<i32> -> token
  }
}
