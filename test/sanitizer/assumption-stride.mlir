// The kernel assumes that rows begin at multiples of 4 elements, but they are 6 apart. A dimension
// with one coordinate does not use its stride: there, a front end may assume anything.
// RUN: %pair --grid 1 --arg "iota(12xi32)" --arg "zeros(4xi32),print" | FileCheck %s

!rows = !cuda_tile.partition_view<tile=(1x4), tensor_view<2x4xi32, strides=[?, 1]>>
!one = !cuda_tile.partition_view<tile=(1x4), tensor_view<1x4xi32, strides=[?, 1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %pitch = constant <i32: 6> : tile<i32>
    %row = constant <i32: 1> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    // CHECK: stride.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): assume: the assumption is false: 6 is not divisible by 4 [assumption]
    %stride = assume div_by<4>, %pitch : tile<i32>
    // CHECK-NEXT: stride.mlir:[[#@LINE+1]]:{{.*}} note: the stride of dimension 0, which has more than one coordinate
    %view = make_tensor_view %in, shape = [2, 4], strides = [%stride, 1] : tile<i32> -> tensor_view<2x4xi32, strides=[?, 1]>
    %rows = make_partition_view %view : !rows
    %v, %t0 = load_view_tko weak %rows[%row, %first] : !rows, tile<i32> -> tile<1x4xi32>, token
    %to = make_tensor_view %out, shape = [1, 4], strides = [%pitch, 1] : tile<i32> -> tensor_view<1x4xi32, strides=[?, 1]>
    %one = make_partition_view %to : !one
    %t1 = store_view_tko weak %v, %one[%first, %first] : tile<1x4xi32>, !one, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [6 7 8 9]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %pitch = constant <i32: 6> : tile<i32>
    %row = constant <i32: 1> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %stride = assume div_by<2>, %pitch : tile<i32>
    %view = make_tensor_view %in, shape = [2, 4], strides = [%stride, 1] : tile<i32> -> tensor_view<2x4xi32, strides=[?, 1]>
    %rows = make_partition_view %view : !rows
    %v, %t0 = load_view_tko weak %rows[%row, %first] : !rows, tile<i32> -> tile<1x4xi32>, token
    %unused = assume div_by<4>, %pitch : tile<i32>
    %again = assume bounded<0, 3>, %unused : tile<i32>
    %to = make_tensor_view %out, shape = [1, 4], strides = [%again, 1] : tile<i32> -> tensor_view<1x4xi32, strides=[?, 1]>
    %one = make_partition_view %to : !one
    %t1 = store_view_tko weak %v, %one[%first, %first] : tile<1x4xi32>, !one, tile<i32> -> token
  }
}
