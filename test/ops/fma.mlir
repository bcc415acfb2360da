// RUN: %check %s
// One rounding: with x = 1 + 2^-12, x * x - (1 + 2^-11) is 2^-24, not 0 (arithmetic, 10).
// CASE @fma(f32[0x3F800800, 2.0, inf, 0.0], f32[0x3F800800, 3.0, 0.0, -1.0], f32[0xBF801000, 4.0, 1.0, -0.0]) ->
//     f32[0x33800000, 10.0, nan, -0.0]

!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>

cuda_tile.module @case {
  entry @fma(%a_ptr: tile<ptr<f32>>, %b_ptr: tile<ptr<f32>>, %c_ptr: tile<ptr<f32>>,
             %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %c_view = make_tensor_view %c_ptr, shape = [4], strides = [1] : !f32
    %c_tiles = make_partition_view %c_view : !f32_tiles
    %c, %c_token = load_view_tko weak %c_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = fma %a, %b, %c : tile<4xf32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f32
    %out_tiles = make_partition_view %out_view : !f32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf32>, !f32_tiles, tile<i32> -> token
  }
}
