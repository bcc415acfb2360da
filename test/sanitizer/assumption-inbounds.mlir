// The kernel assumes that all tiles lie inside the array; the last one sticks out (13.4, section 6).
// RUN: %pair --grid 2 --arg "f32[1, 2, 3]" --arg "zeros(4xf32),print" | FileCheck %s

!from = !cuda_tile.partition_view<tile=(2), padding_value = zero, tensor_view<3xf32, strides=[1]>>
!to = !cuda_tile.partition_view<tile=(2), tensor_view<4xf32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %in_view = make_tensor_view %in, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %from = make_partition_view %in_view : !from
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %to = make_partition_view %out_view : !to
    // CHECK: inbounds.mlir:[[#@LINE+1]]:{{.*}} error: block (1, 0, 0): load_view_tko: the assumption 'inbounds' is false for index 0: coordinate 3 along dimension 0 of the tensor, whose extent is 3 [assumption]
    %v, %t0 = load_view_tko weak %from[%x] inbounds = [true] : !from, tile<i32> -> tile<2xf32>, token
    %t1 = store_view_tko weak %v, %to[%x] : tile<2xf32>, !to, tile<i32> -> token
  }

  // Nothing is assumed, and the padding is read.
  // CHECK: fixed:
  // CHECK: [1 2 3 0]
  entry @fixed(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %in_view = make_tensor_view %in, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %from = make_partition_view %in_view : !from
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %to = make_partition_view %out_view : !to
    %v, %t0 = load_view_tko weak %from[%x] inbounds = [false] : !from, tile<i32> -> tile<2xf32>, token
    %t1 = store_view_tko weak %v, %to[%x] inbounds = [true] : tile<2xf32>, !to, tile<i32> -> token
  }
}
