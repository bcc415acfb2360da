// RUN: %check %s
// 32 products of 1 * 1, scaled by 2 (0x80) and 4 (0x81): 256, and 1 from the accumulator. A NaN
// scale (0xFF) makes its row NaN (arithmetic, 4.32).
// CASE @mmaf_scaled(f8E8M0FNU[0x80, 0xFF]) -> f32[257.0, nan]
//
// 16 products of 1.5 * 2, scaled by 1.125 (0x79) and 4, then 16 scaled by 2 (0x80) and 0.5: 216 and
// 48, and 1 from the accumulator; a NaN scale as above (13.4, section 8.3).
// CASE @e5m3(f8E5M3FNU[0x79, 0x80, 0xFF, 0x80]) -> f32[265.0, nan]

!f8E8M0FNU_2x1 = !cuda_tile.tensor_view<2x1xf8E8M0FNU, strides=[1, 1]>
!f8E8M0FNU_2x1_tiles = !cuda_tile.partition_view<tile=(2x1), tensor_view<2x1xf8E8M0FNU, strides=[1, 1]>>
!f8E5M3FNU_2x2 = !cuda_tile.tensor_view<2x2xf8E5M3FNU, strides=[2, 1]>
!f8E5M3FNU_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xf8E5M3FNU, strides=[2, 1]>>
!f32_2x1 = !cuda_tile.tensor_view<2x1xf32, strides=[1, 1]>
!f32_2x1_tiles = !cuda_tile.partition_view<tile=(2x1), tensor_view<2x1xf32, strides=[1, 1]>>

cuda_tile.module @case {
  entry @mmaf_scaled(%s_ptr: tile<ptr<f8E8M0FNU>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [2, 1], strides = [1, 1] : !f8E8M0FNU_2x1
    %s_tiles = make_partition_view %s_view : !f8E8M0FNU_2x1_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero, %zero] : !f8E8M0FNU_2x1_tiles, tile<i32> -> tile<2x1xf8E8M0FNU>, token
    %lhs = constant <f8E4M3FN: 1.0> : tile<2x32xf8E4M3FN>
    %rhs = constant <f8E4M3FN: 1.0> : tile<32x1xf8E4M3FN>
    %acc = constant <f32: 1.0> : tile<2x1xf32>
    %four = constant <f8E8M0FNU: 4.0> : tile<1x1xf8E8M0FNU>
    %r = mmaf_scaled %lhs, %rhs, %acc, %s, %four : tile<2x32xf8E4M3FN>, tile<32x1xf8E4M3FN>, tile<2x1xf32>,
        tile<2x1xf8E8M0FNU>, tile<1x1xf8E8M0FNU>
    %r_view = make_tensor_view %r_ptr, shape = [2, 1], strides = [1, 1] : !f32_2x1
    %r_tiles = make_partition_view %r_view : !f32_2x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x1xf32>, !f32_2x1_tiles, tile<i32> -> token
  }

  entry @e5m3(%s_ptr: tile<ptr<f8E5M3FNU>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [2, 2], strides = [2, 1] : !f8E5M3FNU_2x2
    %s_tiles = make_partition_view %s_view : !f8E5M3FNU_2x2_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero, %zero] : !f8E5M3FNU_2x2_tiles, tile<i32> -> tile<2x2xf8E5M3FNU>, token
    %lhs = constant <f4E2M1FN: 1.5> : tile<2x32xf4E2M1FN>
    %rhs = constant <f4E2M1FN: 2.0> : tile<32x1xf4E2M1FN>
    %acc = constant <f32: 1.0> : tile<2x1xf32>
    %scales = constant <f8E5M3FNU: [[4.0], [0.5]]> : tile<2x1xf8E5M3FNU>
    %r = mmaf_scaled %lhs, %rhs, %acc, %s, %scales : tile<2x32xf4E2M1FN>, tile<32x1xf4E2M1FN>, tile<2x1xf32>,
        tile<2x2xf8E5M3FNU>, tile<2x1xf8E5M3FNU>
    %r_view = make_tensor_view %r_ptr, shape = [2, 1], strides = [1, 1] : !f32_2x1
    %r_tiles = make_partition_view %r_view : !f32_2x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x1xf32>, !f32_2x1_tiles, tile<i32> -> token
  }
}
