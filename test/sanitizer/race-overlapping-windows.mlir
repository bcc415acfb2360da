// Windows of four, three elements apart, are stored whole: each overlaps the next by one.
// RUN: %pair --grid 2 --arg "zeros(8xi32),print" | FileCheck %s

!overlapping = !cuda_tile.strided_view<tile=(4), traversal_strides=[3], tensor_view<8xi32, strides=[1]>>
!adjacent = !cuda_tile.strided_view<tile=(4), traversal_strides=[4], tensor_view<8xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v = iota : tile<4xi32>
    %view = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %windows = make_strided_view %view : !overlapping
    // CHECK: windows.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): store_view_tko: element [0]: race on parameter 1 (8xi32)[3] with store_view_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
    // CHECK-NEXT: windows.mlir:[[#@LINE+1]]:{{.*}} note: the earlier access: store_view_tko by block (0, 0, 0)
    %t = store_view_tko weak %v, %windows[%x] : tile<4xi32>, !overlapping, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 1 2 3 0 1 2 3]
  entry @fixed(%out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v = iota : tile<4xi32>
    %view = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %windows = make_strided_view %view : !adjacent
    %t = store_view_tko weak %v, %windows[%x] : tile<4xi32>, !adjacent, tile<i32> -> token
  }
}
