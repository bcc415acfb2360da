// RUN: %check %s
// [[1, 2], [3, 4]] * [[5, 6], [7, 8]] + 1.
// CASE @mmaf(f16[1.0, 2.0, 3.0, 4.0], f16[5.0, 6.0, 7.0, 8.0]) -> f32[20.0, 23.0, 44.0, 51.0]
//
// Our order, one rounding per step: 1 + 2^-24 rounds back to 1 twice, where the exact sum
// would be 1 + 2^-23 (arithmetic, 4.30 and 10). 2^-12 is an f16.
// CASE @chain(f16[0.000244140625, 0.000244140625], f16[0.000244140625, 0.000244140625]) -> f32[1.0]
//
// Two matrices of one element each.
// CASE @batched(f64[2.0, 3.0], f64[5.0, 7.0]) -> f64[10.5, 21.5]
//
// The loop carries the left operand: twos at first, then ones. 2*1 + 2*1, and 1*1 + 1*1 twice.
// CASE @carried_factor() -> f32[8.0, 8.0, 8.0, 8.0]

!f16_2x2 = !cuda_tile.tensor_view<2x2xf16, strides=[2, 1]>
!f16_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xf16, strides=[2, 1]>>
!f32_2x2 = !cuda_tile.tensor_view<2x2xf32, strides=[2, 1]>
!f32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xf32, strides=[2, 1]>>
!f16_1x2 = !cuda_tile.tensor_view<1x2xf16, strides=[2, 1]>
!f16_1x2_tiles = !cuda_tile.partition_view<tile=(1x2), tensor_view<1x2xf16, strides=[2, 1]>>
!f16_2x1 = !cuda_tile.tensor_view<2x1xf16, strides=[1, 1]>
!f16_2x1_tiles = !cuda_tile.partition_view<tile=(2x1), tensor_view<2x1xf16, strides=[1, 1]>>
!f32_1x1 = !cuda_tile.tensor_view<1x1xf32, strides=[1, 1]>
!f32_1x1_tiles = !cuda_tile.partition_view<tile=(1x1), tensor_view<1x1xf32, strides=[1, 1]>>
!f64_2x1x1 = !cuda_tile.tensor_view<2x1x1xf64, strides=[1, 1, 1]>
!f64_2x1x1_tiles = !cuda_tile.partition_view<tile=(2x1x1), tensor_view<2x1x1xf64, strides=[1, 1, 1]>>

cuda_tile.module @case {
  entry @mmaf(%a_ptr: tile<ptr<f16>>, %b_ptr: tile<ptr<f16>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 2], strides = [2, 1] : !f16_2x2
    %a_tiles = make_partition_view %a_view : !f16_2x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !f16_2x2_tiles, tile<i32> -> tile<2x2xf16>, token
    %b_view = make_tensor_view %b_ptr, shape = [2, 2], strides = [2, 1] : !f16_2x2
    %b_tiles = make_partition_view %b_view : !f16_2x2_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero] : !f16_2x2_tiles, tile<i32> -> tile<2x2xf16>, token
    %acc = constant <f32: 1.0> : tile<2x2xf32>
    %r = mmaf %a, %b, %acc : tile<2x2xf16>, tile<2x2xf16>, tile<2x2xf32>
    %r_view = make_tensor_view %r_ptr, shape = [2, 2], strides = [2, 1] : !f32_2x2
    %r_tiles = make_partition_view %r_view : !f32_2x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x2xf32>, !f32_2x2_tiles, tile<i32> -> token
  }

  entry @chain(%a_ptr: tile<ptr<f16>>, %b_ptr: tile<ptr<f16>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1, 2], strides = [2, 1] : !f16_1x2
    %a_tiles = make_partition_view %a_view : !f16_1x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !f16_1x2_tiles, tile<i32> -> tile<1x2xf16>, token
    %b_view = make_tensor_view %b_ptr, shape = [2, 1], strides = [1, 1] : !f16_2x1
    %b_tiles = make_partition_view %b_view : !f16_2x1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero] : !f16_2x1_tiles, tile<i32> -> tile<2x1xf16>, token
    %acc = constant <f32: 1.0> : tile<1x1xf32>
    %r = mmaf %a, %b, %acc : tile<1x2xf16>, tile<2x1xf16>, tile<1x1xf32>
    %r_view = make_tensor_view %r_ptr, shape = [1, 1], strides = [1, 1] : !f32_1x1
    %r_tiles = make_partition_view %r_view : !f32_1x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<1x1xf32>, !f32_1x1_tiles, tile<i32> -> token
  }

  entry @batched(%a_ptr: tile<ptr<f64>>, %b_ptr: tile<ptr<f64>>, %r_ptr: tile<ptr<f64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 1, 1], strides = [1, 1, 1] : !f64_2x1x1
    %a_tiles = make_partition_view %a_view : !f64_2x1x1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero, %zero] : !f64_2x1x1_tiles, tile<i32> -> tile<2x1x1xf64>, token
    %b_view = make_tensor_view %b_ptr, shape = [2, 1, 1], strides = [1, 1, 1] : !f64_2x1x1
    %b_tiles = make_partition_view %b_view : !f64_2x1x1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero, %zero] : !f64_2x1x1_tiles, tile<i32> -> tile<2x1x1xf64>, token
    %acc = constant <f64: 0.5> : tile<2x1x1xf64>
    %r = mmaf %a, %b, %acc : tile<2x1x1xf64>, tile<2x1x1xf64>, tile<2x1x1xf64>
    %r_view = make_tensor_view %r_ptr, shape = [2, 1, 1], strides = [1, 1, 1] : !f64_2x1x1
    %r_tiles = make_partition_view %r_view : !f64_2x1x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero, %zero] : tile<2x1x1xf64>, !f64_2x1x1_tiles, tile<i32> -> token
  }

  entry @carried_factor(%r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %count = constant <i32: 3> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<2x2xf32>
    %ones = constant <f32: 1.0> : tile<2x2xf32>
    %twos = constant <f32: 2.0> : tile<2x2xf32>
    %a, %r = for %k in (%zero to %count, step %one) : tile<i32> iter_values(%lhs = %twos, %acc = %zeros) -> (tile<2x2xf32>, tile<2x2xf32>) {
      %next = mmaf %lhs, %ones, %acc : tile<2x2xf32>, tile<2x2xf32>, tile<2x2xf32>
      continue %ones, %next : tile<2x2xf32>, tile<2x2xf32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [2, 2], strides = [2, 1] : !f32_2x2
    %r_tiles = make_partition_view %r_view : !f32_2x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x2xf32>, !f32_2x2_tiles, tile<i32> -> token
    return
  }
}
