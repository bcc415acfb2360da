// The transpose of a 2x8 matrix is a view of it with extents and strides in the other order.
// With the extents alone swapped, its last row begins at 7 * 8 = 56 of 16 elements.
// RUN: %pair --grid 1 --arg "iota(16xi32)" --arg "zeros(16xi32),print" | FileCheck %s

!wrong = !cuda_tile.partition_view<tile=(8x2), tensor_view<8x2xi32, strides=[8, 1]>>
!right = !cuda_tile.partition_view<tile=(8x2), tensor_view<8x2xi32, strides=[1, 8]>>
!out = !cuda_tile.partition_view<tile=(8x2), tensor_view<8x2xi32, strides=[2, 1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %in_view = make_tensor_view %in, shape = [8, 2], strides = [8, 1] : tensor_view<8x2xi32, strides=[8, 1]>
    %columns = make_partition_view %in_view : !wrong
    %out_view = make_tensor_view %out, shape = [8, 2], strides = [2, 1] : tensor_view<8x2xi32, strides=[2, 1]>
    %rows = make_partition_view %out_view : !out
    // CHECK: strides.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): load_view_tko: element [2, 0]: address 0x{{.*}} lies in no allocation:
    // CHECK-SAME: just past the end of parameter 1 (16xi32), 64 bytes at 0x{{.*}} [bounds]
    %v, %t0 = load_view_tko weak %columns[%first, %first] : !wrong, tile<i32> -> tile<8x2xi32>, token
    %t1 = store_view_tko weak %v, %rows[%first, %first] : tile<8x2xi32>, !out, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [ 0  8  1  9  2 10  3 11  4 12  5 13  6 14  7 15]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %in_view = make_tensor_view %in, shape = [8, 2], strides = [1, 8] : tensor_view<8x2xi32, strides=[1, 8]>
    %columns = make_partition_view %in_view : !right
    %out_view = make_tensor_view %out, shape = [8, 2], strides = [2, 1] : tensor_view<8x2xi32, strides=[2, 1]>
    %rows = make_partition_view %out_view : !out
    %v, %t0 = load_view_tko weak %columns[%first, %first] : !right, tile<i32> -> tile<8x2xi32>, token
    %t1 = store_view_tko weak %v, %rows[%first, %first] : tile<8x2xi32>, !out, tile<i32> -> token
  }
}
