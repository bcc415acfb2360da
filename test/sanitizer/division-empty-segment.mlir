// The mean of each segment of a row, sum / count: a segment may be empty.
// RUN: %pair --grid 1 --arg "i32[6, 0, 9, 8]" --arg "i32[3, 0, 2, 4]" --arg "zeros(4xi32),print" | FileCheck %s

!four = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%sums: tile<ptr<i32>>, %counts: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %sum_view = make_tensor_view %sums, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %sum_tiles = make_partition_view %sum_view : !four
    %count_view = make_tensor_view %counts, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %count_tiles = make_partition_view %count_view : !four
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %to = make_partition_view %out_view : !four
    %sum, %t0 = load_view_tko weak %sum_tiles[%first] : !four, tile<i32> -> tile<4xi32>, token
    %count, %t1 = load_view_tko weak %count_tiles[%first] : !four, tile<i32> -> tile<4xi32>, token
    // CHECK: empty-segment.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): divi: element [1]: 0 by 0 has no result [division]
    // CHECK-NEXT: empty-segment.mlir:[[#@LINE+2]]:{{.*}} note: used here: store_view_tko: element [1]: an undefined value is stored to parameter 3 (4xi32)
    %mean = divi %sum, %count signed : tile<4xi32>
    %t2 = store_view_tko weak %mean, %to[%first] : tile<4xi32>, !four, tile<i32> -> token
  }

  // The quotient that does not exist may be computed, as long as it is not used.
  // CHECK: fixed:
  // CHECK: [2 0 4 2]
  entry @fixed(%sums: tile<ptr<i32>>, %counts: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %zeros = constant <i32: 0> : tile<4xi32>
    %sum_view = make_tensor_view %sums, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %sum_tiles = make_partition_view %sum_view : !four
    %count_view = make_tensor_view %counts, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %count_tiles = make_partition_view %count_view : !four
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %to = make_partition_view %out_view : !four
    %sum, %t0 = load_view_tko weak %sum_tiles[%first] : !four, tile<i32> -> tile<4xi32>, token
    %count, %t1 = load_view_tko weak %count_tiles[%first] : !four, tile<i32> -> tile<4xi32>, token
    %quotient = divi %sum, %count signed : tile<4xi32>
    %is_empty = cmpi equal %count, %zeros, signed : tile<4xi32> -> tile<4xi1>
    %mean = select %is_empty, %zeros, %quotient : tile<4xi1>, tile<4xi32>
    %t2 = store_view_tko weak %mean, %to[%first] : tile<4xi32>, !four, tile<i32> -> token
  }
}
