// One block per element instead of one per tile: a view of 8 elements in tiles of 4 has 2 tiles.
// RUN: %pair --grid 3 --arg "iota(8xi32)" --arg "zeros(8xi32),print" | FileCheck %s

!tiles = !cuda_tile.partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %in_view = make_tensor_view %in, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %from = make_partition_view %in_view : !tiles
    %out_view = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %to = make_partition_view %out_view : !tiles
    // CHECK: partition.mlir:[[#@LINE+1]]:{{.*}} error: block (2, 0, 0): load_view_tko: index 0 is 2, but the view has only 2 along this dimension [index-space]
    %v, %t0 = load_view_tko weak %from[%x] : !tiles, tile<i32> -> tile<4xi32>, token
    %double = addi %v, %v : tile<4xi32>
    // Nothing is written there, but the index is as wrong.
    // CHECK: partition.mlir:[[#@LINE+1]]:{{.*}} error: block (2, 0, 0): store_view_tko: index 0 is 2, but the view has only 2 along this dimension [index-space]
    %t1 = store_view_tko weak %double, %to[%x] : tile<4xi32>, !tiles, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [ 0  2  4  6  8 10 12 14]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %in_view = make_tensor_view %in, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %from = make_partition_view %in_view : !tiles
    %out_view = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %to = make_partition_view %out_view : !tiles
    %count = get_index_space_shape %from : !tiles -> tile<i32>
    %has_tile = cmpi less_than %x, %count, signed : tile<i32> -> tile<i1>
    if %has_tile {
      %v, %t0 = load_view_tko weak %from[%x] : !tiles, tile<i32> -> tile<4xi32>, token
      %double = addi %v, %v : tile<4xi32>
      %t1 = store_view_tko weak %double, %to[%x] : tile<4xi32>, !tiles, tile<i32> -> token
    }
  }
}
