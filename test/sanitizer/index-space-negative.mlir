// The tile to the left of the first one: indices are unsigned, so that -1 is far outside, and no
// padding is promised there (operations, 8.1).
// RUN: %pair --grid 2 --arg "i32[1, 2, 3, 4]" --arg "zeros(4xi32),print" | FileCheck %s

!tiles = !cuda_tile.partition_view<tile=(2), padding_value = zero, tensor_view<4xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %left = subi %x, %one : tile<i32>
    %in_view = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %from = make_partition_view %in_view : !tiles
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %to = make_partition_view %out_view : !tiles
    // CHECK: negative.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): load_view_tko: index 0 is 4294967295, but the view has only 2 along this dimension [index-space]
    %v, %t0 = load_view_tko weak %from[%left] : !tiles, tile<i32> -> tile<2xi32>, token
    %t1 = store_view_tko weak %v, %to[%x] : tile<2xi32>, !tiles, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 0 1 2]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <i32: 0> : tile<2xi32>
    %left = subi %x, %one : tile<i32>
    %in_view = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %from = make_partition_view %in_view : !tiles
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %to = make_partition_view %out_view : !tiles
    %has_left = cmpi greater_than_or_equal %x, %one, signed : tile<i32> -> tile<i1>
    %v = if %has_left -> (tile<2xi32>) {
      %loaded, %t0 = load_view_tko weak %from[%left] : !tiles, tile<i32> -> tile<2xi32>, token
      yield %loaded : tile<2xi32>
    } else {
      yield %none : tile<2xi32>
    }
    %t1 = store_view_tko weak %v, %to[%x] : tile<2xi32>, !tiles, tile<i32> -> token
  }
}
