// RUN: %check %s
// Row-major lists, hexadecimal bit patterns, and i1 (operations, 4.1).
// CASE @constant() -> f32[1.0, 2.0, 3.0, 0x7FC00001], i8[-1, -1, 16, 0], i1[1, 0]
//
// One number stands for all; 2^-10 is half the least f8E4M3FN and goes to even, 0.
// CASE @splat() -> bf16[-3.5, -3.5], f8E4M3FN[0x38, 0x00]

!f32_2x2 = !cuda_tile.tensor_view<2x2xf32, strides=[2, 1]>
!f32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xf32, strides=[2, 1]>>
!i8_4 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i1_2 = !cuda_tile.tensor_view<2xi1, strides=[1]>
!i1_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi1, strides=[1]>>
!bf16_2 = !cuda_tile.tensor_view<2xbf16, strides=[1]>
!bf16_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xbf16, strides=[1]>>
!f8E4M3FN_2 = !cuda_tile.tensor_view<2xf8E4M3FN, strides=[1]>
!f8E4M3FN_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xf8E4M3FN, strides=[1]>>

cuda_tile.module @case {
  entry @constant(%f_ptr: tile<ptr<f32>>, %i_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %f = constant <f32: [[1.0, 2.0], [3.0, 0x7FC00001]]> : tile<2x2xf32>
    %i = constant <i8: [-1, 255, 0x10, 0]> : tile<4xi8>
    %b = constant <i1: [true, 0]> : tile<2xi1>
    %f_view = make_tensor_view %f_ptr, shape = [2, 2], strides = [2, 1] : !f32_2x2
    %f_tiles = make_partition_view %f_view : !f32_2x2_tiles
    %f_token = store_view_tko weak %f, %f_tiles[%zero, %zero] : tile<2x2xf32>, !f32_2x2_tiles, tile<i32> -> token
    %i_view = make_tensor_view %i_ptr, shape = [4], strides = [1] : !i8_4
    %i_tiles = make_partition_view %i_view : !i8_4_tiles
    %i_token = store_view_tko weak %i, %i_tiles[%zero] : tile<4xi8>, !i8_4_tiles, tile<i32> -> token
    %b_view = make_tensor_view %b_ptr, shape = [2], strides = [1] : !i1_2
    %b_tiles = make_partition_view %b_view : !i1_2_tiles
    %b_token = store_view_tko weak %b, %b_tiles[%zero] : tile<2xi1>, !i1_2_tiles, tile<i32> -> token
  }

  entry @splat(%h_ptr: tile<ptr<bf16>>, %q_ptr: tile<ptr<f8E4M3FN>>) {
    %zero = constant <i32: 0> : tile<i32>
    %h = constant <bf16: -3.5> : tile<2xbf16>
    %q = constant <f8E4M3FN: [1.0, 0.0009765625]> : tile<2xf8E4M3FN>
    %h_view = make_tensor_view %h_ptr, shape = [2], strides = [1] : !bf16_2
    %h_tiles = make_partition_view %h_view : !bf16_2_tiles
    %h_token = store_view_tko weak %h, %h_tiles[%zero] : tile<2xbf16>, !bf16_2_tiles, tile<i32> -> token
    %q_view = make_tensor_view %q_ptr, shape = [2], strides = [1] : !f8E4M3FN_2
    %q_tiles = make_partition_view %q_view : !f8E4M3FN_2_tiles
    %q_token = store_view_tko weak %q, %q_tiles[%zero] : tile<2xf8E4M3FN>, !f8E4M3FN_2_tiles, tile<i32> -> token
  }
}
