// RUN: %check %s
// 1 + 2^-25 rounds to 1; Inf - Inf is a NaN; -0 + -0 stays -0 (arithmetic, 3.3 and 10).
// CASE @addf(f32[1.0, inf, -0.0, 0.1], f32[0x33000000, -inf, -0.0, 0.2]) ->
//     f32[1.0, nan, -0.0, 0.3]
//
// ... and up to 1 + 2^-23.
// CASE @up(f32[1.0, inf, 1.0, 2.0], f32[0x33000000, 1.0, -1.0, 3.0]) ->
//     f32[0x3F800001, inf, 0.0, 5.0]
//
// 65504 is the largest f16; half a unit (16) more rounds to infinity.
// CASE @half(f16[65504.0, 65504.0, 1.0, -0.0], f16[16.0, 15.0, 0.0004882812, 0.0]) ->
//     f16[inf, 65504.0, 1.0, 0.0]

!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!f16 = !cuda_tile.tensor_view<4xf16, strides=[1]>
!f16_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>

cuda_tile.module @case {
  entry @addf(%a_ptr: tile<ptr<f32>>, %b_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = addf %a, %b : tile<4xf32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f32
    %out_tiles = make_partition_view %out_view : !f32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf32>, !f32_tiles, tile<i32> -> token
  }

  entry @up(%a_ptr: tile<ptr<f32>>, %b_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = addf %a, %b rounding<positive_inf> : tile<4xf32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f32
    %out_tiles = make_partition_view %out_view : !f32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf32>, !f32_tiles, tile<i32> -> token
  }

  entry @half(%a_ptr: tile<ptr<f16>>, %b_ptr: tile<ptr<f16>>, %out_ptr: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f16
    %a_tiles = make_partition_view %a_view : !f16_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f16_tiles, tile<i32> -> tile<4xf16>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f16
    %b_tiles = make_partition_view %b_view : !f16_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f16_tiles, tile<i32> -> tile<4xf16>, token
    %r = addf %a, %b : tile<4xf16>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f16
    %out_tiles = make_partition_view %out_view : !f16_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf16>, !f16_tiles, tile<i32> -> token
  }
}
