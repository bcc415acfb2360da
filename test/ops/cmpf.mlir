// RUN: %check %s
// Ordered: false with a NaN (arithmetic, 10).
// CASE @ordered(f32[nan, -1.0, -0.0, inf], f32[1.0, 1.0, 0.0, nan]) -> i1[0, 1, 0, 0]
//
// Unordered: true with a NaN.
// CASE @unordered(f32[nan, -1.0, -0.0, inf], f32[1.0, 1.0, 0.0, nan]) -> i1[1, 1, 0, 1]
//
// The zeros are equal, a NaN is not even equal to itself.
// CASE @equal(f32[nan, -1.0, -0.0, inf], f32[nan, 1.0, 0.0, inf]) -> i1[0, 0, 1, 1]

!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!i1 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>

cuda_tile.module @case {
  entry @ordered(%a_ptr: tile<ptr<f32>>, %b_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = cmpf less_than ordered %a, %b : tile<4xf32> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }

  entry @unordered(%a_ptr: tile<ptr<f32>>, %b_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = cmpf less_than unordered %a, %b : tile<4xf32> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }

  entry @equal(%a_ptr: tile<ptr<f32>>, %b_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = cmpf equal ordered %a, %b : tile<4xf32> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }
}
