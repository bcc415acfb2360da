// The output is accumulated in place, in an array that its caller never filled: empty(...), as
// NumPy calls it. The twin writes it without reading it.
// RUN: %pair --grid 1 --arg "f32[1, 2]" --arg "empty(2xf32),print" | FileCheck %s

!memory = !cuda_tile.tensor_view<2xf32, strides=[1]>
!tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xf32, strides=[1]>>
cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %in_view = make_tensor_view %in, shape = [2], strides = [1] : !memory
    %in_tiles = make_partition_view %in_view : !tiles
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : !memory
    %out_tiles = make_partition_view %out_view : !tiles
    %v, %t0 = load_view_tko weak %in_tiles[%first] : !tiles, tile<i32> -> tile<2xf32>, token
    %old, %t1 = load_view_tko weak %out_tiles[%first] : !tiles, tile<i32> -> tile<2xf32>, token
    %sum = addf %old, %v : tile<2xf32>
    // CHECK: empty-array.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): store_view_tko: element [0]: an undefined value is stored to parameter 2 (2xf32) [undefined]
    // CHECK-NEXT: empty-array.mlir:[[#@LINE-3]]:{{.*}} note: undefined from here: load_view_tko: element [0]: reads memory that was never written
    %t2 = store_view_tko weak %sum, %out_tiles[%first] token=%t1 : tile<2xf32>, !tiles, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: {{\[ *2,? +4\]}}
  entry @fixed(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %in_view = make_tensor_view %in, shape = [2], strides = [1] : !memory
    %in_tiles = make_partition_view %in_view : !tiles
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : !memory
    %out_tiles = make_partition_view %out_view : !tiles
    %v, %t0 = load_view_tko weak %in_tiles[%first] : !tiles, tile<i32> -> tile<2xf32>, token
    %sum = addf %v, %v : tile<2xf32>
    %t2 = store_view_tko weak %sum, %out_tiles[%first] : tile<2xf32>, !tiles, tile<i32> -> token
  }
}
