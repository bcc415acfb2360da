// The kernel assumes that the rows of a 2x4 tile are uniform, but the broadcast went the other way.
// RUN: %pair --grid 1 --arg "zeros(8xi32),print" | FileCheck %s

!matrix = !cuda_tile.partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>>

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %lane = iota : tile<4xi32>
    %row = reshape %lane : tile<4xi32> -> tile<1x4xi32>
    %all = broadcast %row : tile<1x4xi32> -> tile<2x4xi32>
    // CHECK: same-elements.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): assume: the assumption is false: element [0, 1] = 1 is not equal to element [0, 0] = 0 [assumption]
    %uniform = assume same_elements<[1, 4]>, %all : tile<2x4xi32>
    %view = make_tensor_view %out, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xi32, strides=[4, 1]>
    %to = make_partition_view %view : !matrix
    %t = store_view_tko weak %uniform, %to[%first, %first] : tile<2x4xi32>, !matrix, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 0 0 0 1 1 1 1]
  entry @fixed(%out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %lane = iota : tile<2xi32>
    %column = reshape %lane : tile<2xi32> -> tile<2x1xi32>
    %all = broadcast %column : tile<2x1xi32> -> tile<2x4xi32>
    %uniform = assume same_elements<[1, 4]>, %all : tile<2x4xi32>
    %view = make_tensor_view %out, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xi32, strides=[4, 1]>
    %to = make_partition_view %view : !matrix
    %t = store_view_tko weak %uniform, %to[%first, %first] : tile<2x4xi32>, !matrix, tile<i32> -> token
  }
}
