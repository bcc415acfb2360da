// RUN: %check %s
// Parameters are scalars of any number type, passed bit for bit (operations, 3.2).
// CASE @entry(-1, 0xFFFF, true, 0x7FC00001, -0.5) ->
//     i64[-1], i16[-1], i1[1], f32[0x7FC00001], f16[-0.5]

!i64_1 = !cuda_tile.tensor_view<1xi64, strides=[1]>
!i64_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi64, strides=[1]>>
!i16_1 = !cuda_tile.tensor_view<1xi16, strides=[1]>
!i16_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi16, strides=[1]>>
!i1_1 = !cuda_tile.tensor_view<1xi1, strides=[1]>
!i1_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi1, strides=[1]>>
!f32_1 = !cuda_tile.tensor_view<1xf32, strides=[1]>
!f32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
!f16_1 = !cuda_tile.tensor_view<1xf16, strides=[1]>
!f16_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xf16, strides=[1]>>

cuda_tile.module @case {
  entry @entry(%l: tile<i64>, %h: tile<i16>, %b: tile<i1>, %f: tile<f32>, %g: tile<f16>,
               %r0_ptr: tile<ptr<i64>>, %r1_ptr: tile<ptr<i16>>, %r2_ptr: tile<ptr<i1>>,
               %r3_ptr: tile<ptr<f32>>, %r4_ptr: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %r0 = reshape %l : tile<i64> -> tile<1xi64>
    %r1 = reshape %h : tile<i16> -> tile<1xi16>
    %r2 = reshape %b : tile<i1> -> tile<1xi1>
    %r3 = reshape %f : tile<f32> -> tile<1xf32>
    %r4 = reshape %g : tile<f16> -> tile<1xf16>
    %r0_view = make_tensor_view %r0_ptr, shape = [1], strides = [1] : !i64_1
    %r0_tiles = make_partition_view %r0_view : !i64_1_tiles
    %r0_token = store_view_tko weak %r0, %r0_tiles[%zero] : tile<1xi64>, !i64_1_tiles, tile<i32> -> token
    %r1_view = make_tensor_view %r1_ptr, shape = [1], strides = [1] : !i16_1
    %r1_tiles = make_partition_view %r1_view : !i16_1_tiles
    %r1_token = store_view_tko weak %r1, %r1_tiles[%zero] : tile<1xi16>, !i16_1_tiles, tile<i32> -> token
    %r2_view = make_tensor_view %r2_ptr, shape = [1], strides = [1] : !i1_1
    %r2_tiles = make_partition_view %r2_view : !i1_1_tiles
    %r2_token = store_view_tko weak %r2, %r2_tiles[%zero] : tile<1xi1>, !i1_1_tiles, tile<i32> -> token
    %r3_view = make_tensor_view %r3_ptr, shape = [1], strides = [1] : !f32_1
    %r3_tiles = make_partition_view %r3_view : !f32_1_tiles
    %r3_token = store_view_tko weak %r3, %r3_tiles[%zero] : tile<1xf32>, !f32_1_tiles, tile<i32> -> token
    %r4_view = make_tensor_view %r4_ptr, shape = [1], strides = [1] : !f16_1
    %r4_tiles = make_partition_view %r4_view : !f16_1_tiles
    %r4_token = store_view_tko weak %r4, %r4_tiles[%zero] : tile<1xf16>, !f16_1_tiles, tile<i32> -> token
  }
}
