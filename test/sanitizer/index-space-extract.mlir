// The second half of 8 elements is slice 1, not slice 4: extract counts slices (operations, 4.7).
// RUN: %pair --grid 1 --arg "zeros(4xi32),print" | FileCheck %s

!four = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %all = iota : tile<8xi32>
    %four = constant <i32: 4> : tile<i32>
    %begin = addi %x, %four : tile<i32>
    // CHECK: extract.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): extract: there is no slice 4 along dimension 0, which has 2 [index-space]
    %half = extract %all[%begin] : tile<8xi32> -> tile<4xi32>
    %view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %to = make_partition_view %view : !four
    %t = store_view_tko weak %half, %to[%x] : tile<4xi32>, !four, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [4 5 6 7]
  entry @fixed(%out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %all = iota : tile<8xi32>
    %second = constant <i32: 1> : tile<i32>
    %half = extract %all[%second] : tile<8xi32> -> tile<4xi32>
    %view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %to = make_partition_view %view : !four
    %t = store_view_tko weak %half, %to[%x] : tile<4xi32>, !four, tile<i32> -> token
  }
}
