// RUN: %check %s
// 65519 rounds down to the largest f16, 65520 up to Inf (arithmetic, 10).
// CASE @with_sign(i32[65519, 65520, -1, 2049]) -> f16[0x7BFF, inf, -1.0, 2048.0]
//
// -1 is 2^32 - 1, which rounds to 2^32.
// CASE @without_sign(i32[-1, 0, 16777217, 5]) -> f32[4294967296.0, 0.0, 16777216.0, 5.0]

// A bit with a sign is 0 or -1; here whether a < 2 and b > -1, and then the smaller one of that and b.
// CASE @of_a_bit(i32[1, 3, 2, 0], bf16[0.5, 0.5, -0.5, -2.0]) -> bf16[-1.0, 0.0, -0.5, -2.0]

!i32 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!f16 = !cuda_tile.tensor_view<4xf16, strides=[1]>
!f16_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>
!bf16 = !cuda_tile.tensor_view<4xbf16, strides=[1]>
!bf16_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xbf16, strides=[1]>>
!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>

cuda_tile.module @case {
  entry @with_sign(%a_ptr: tile<ptr<i32>>, %out_ptr: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32
    %a_tiles = make_partition_view %a_view : !i32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_tiles, tile<i32> -> tile<4xi32>, token
    %r = itof %a signed : tile<4xi32> -> tile<4xf16>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f16
    %out_tiles = make_partition_view %out_view : !f16_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf16>, !f16_tiles, tile<i32> -> token
  }

  entry @without_sign(%a_ptr: tile<ptr<i32>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32
    %a_tiles = make_partition_view %a_view : !i32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_tiles, tile<i32> -> tile<4xi32>, token
    %r = itof %a unsigned : tile<4xi32> -> tile<4xf32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f32
    %out_tiles = make_partition_view %out_view : !f32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf32>, !f32_tiles, tile<i32> -> token
  }

  entry @of_a_bit(%a_ptr: tile<ptr<i32>>, %b_ptr: tile<ptr<bf16>>, %out_ptr: tile<ptr<bf16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %two = constant <i32: 2> : tile<4xi32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32
    %a_tiles = make_partition_view %a_view : !i32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_tiles, tile<i32> -> tile<4xi32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !bf16
    %b_tiles = make_partition_view %b_view : !bf16_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !bf16_tiles, tile<i32> -> tile<4xbf16>, token
    %less = cmpi less_than %a, %two, signed : tile<4xi32> -> tile<4xi1>
    %least = constant <bf16: -1.0> : tile<4xbf16>
    %more = cmpf greater_than ordered %b, %least : tile<4xbf16> -> tile<4xi1>
    %both = andi %less, %more : tile<4xi1>
    %bit = itof %both signed : tile<4xi1> -> tile<4xbf16>
    %r = minf %b, %bit propagate_nan : tile<4xbf16>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !bf16
    %out_tiles = make_partition_view %out_view : !bf16_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xbf16>, !bf16_tiles, tile<i32> -> token
  }
}
