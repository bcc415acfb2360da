// A view without padding has three elements, and its tile four. What is unspecified becomes an integer and goes through a
// loop: the origin is the load.
// RUN: %pair --status=0 --grid 1 --check origin --arg "f32[1.0, 2.0, 3.0]" --arg "zeros(4xi32),print" | FileCheck %s

!row = !cuda_tile.partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>
!padded = !cuda_tile.partition_view<tile=(4), padding_value = zero, tensor_view<3xf32, strides=[1]>>
!out = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  // CHECK: tail.mlir:[[#@LINE+10]]:{{.*}} warning: block (0, 0, 0): load_view_tko: element [3]: nothing is read, and there is no padding [origin]
  // CHECK: tail.mlir:[[#@LINE+15]]:{{.*}} note: parameter 2 (4xi32)[3] is unspecified
  entry @bug(%in: tile<ptr<f32>>, %out: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %in_view = make_tensor_view %in, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %in_tiles = make_partition_view %in_view : !row
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %out_tiles = make_partition_view %out_view : !out
    %x, %t0 = load_view_tko weak %in_tiles[%0] : !row, tile<i32> -> tile<4xf32>, token
    %n = ftoi %x signed : tile<4xf32> -> tile<4xi32>
    %m = for %i in (%0 to %2, step %1) : tile<i32> iter_values(%c = %n) -> (tile<4xi32>) {
      %d = addi %c, %c : tile<4xi32>
      continue %d : tile<4xi32>
    }
    %t1 = store_view_tko weak %m, %out_tiles[%0] : tile<4xi32>, !out, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [ 4  8 12  0]
  entry @fixed(%in: tile<ptr<f32>>, %out: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %in_view = make_tensor_view %in, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %in_tiles = make_partition_view %in_view : !padded
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %out_tiles = make_partition_view %out_view : !out
    %x, %t0 = load_view_tko weak %in_tiles[%0] : !padded, tile<i32> -> tile<4xf32>, token
    %n = ftoi %x signed : tile<4xf32> -> tile<4xi32>
    %m = for %i in (%0 to %2, step %1) : tile<i32> iter_values(%c = %n) -> (tile<4xi32>) {
      %d = addi %c, %c : tile<4xi32>
      continue %d : tile<4xi32>
    }
    %t1 = store_view_tko weak %m, %out_tiles[%0] : tile<4xi32>, !out, tile<i32> -> token
  }
}
