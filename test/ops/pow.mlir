// RUN: %check %s
// Any base to the power 0 is 1, even a NaN; an odd integer exponent keeps the sign
// (arithmetic, 3.5 and 10).
// CASE @pow(f32[nan, 1.0, -8.0, -0.0], f32[0.0, nan, 0.3333333432674408, -3.0]) ->
//     f32[1.0, 1.0, nan, -inf]
// CASE @pow(f32[2.0, -2.0, 2.0, 10.0], f32[10.0, 3.0, 0.5, -1.0]) ->
//     f32[1024.0, -8.0, 1.4142135623730951, 0.1]
// Exponents that are constants; compilers take a product, a quotient and a root instead. The power 0.5
// of -0 is 0 and that of -inf is inf, unlike their roots; 1e20 squared and the reciprocal of the smallest
// number are beyond f32.
// CASE @square(f32[3.0, -0.5, 0.0, -0.0, inf, -inf, nan, 1e20]) ->
//     f32[9.0, 0.25, 0.0, 0.0, inf, inf, nan, inf]
// CASE @reciprocal(f32[4.0, -0.5, 0.0, -0.0, inf, -inf, nan, 1e-45]) ->
//     f32[0.25, -2.0, inf, -inf, 0.0, -0.0, nan, inf]
// CASE @root(f32[4.0, -0.5, 0.0, -0.0, inf, -inf, nan, 1.0]) ->
//     f32[2.0, nan, 0.0, 0.0, inf, inf, nan, 1.0]
// CASE @same(f32[3.0, -0.5, 0.0, -0.0, inf, -inf, nan, 1e20]) ->
//     f32[3.0, -0.5, 0.0, -0.0, inf, -inf, nan, 1e20]

!f32x8 = !cuda_tile.tensor_view<8xf32, strides=[1]>
!f32x8_tiles = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>

cuda_tile.module @case {
  entry @pow(%a_ptr: tile<ptr<f32>>, %b_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = pow %a, %b : tile<4xf32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f32
    %out_tiles = make_partition_view %out_view : !f32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf32>, !f32_tiles, tile<i32> -> token
  }

  entry @square(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [8], strides = [1] : !f32x8
    %a_tiles = make_partition_view %a_view : !f32x8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32x8_tiles, tile<i32> -> tile<8xf32>, token
    %b = constant <f32: 2.0> : tile<8xf32>
    %r = pow %a, %b : tile<8xf32>
    %out_view = make_tensor_view %out_ptr, shape = [8], strides = [1] : !f32x8
    %out_tiles = make_partition_view %out_view : !f32x8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<8xf32>, !f32x8_tiles, tile<i32> -> token
  }

  entry @reciprocal(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [8], strides = [1] : !f32x8
    %a_tiles = make_partition_view %a_view : !f32x8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32x8_tiles, tile<i32> -> tile<8xf32>, token
    %b = constant <f32: -1.0> : tile<8xf32>
    %r = pow %a, %b : tile<8xf32>
    %out_view = make_tensor_view %out_ptr, shape = [8], strides = [1] : !f32x8
    %out_tiles = make_partition_view %out_view : !f32x8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<8xf32>, !f32x8_tiles, tile<i32> -> token
  }

  entry @root(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [8], strides = [1] : !f32x8
    %a_tiles = make_partition_view %a_view : !f32x8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32x8_tiles, tile<i32> -> tile<8xf32>, token
    %b = constant <f32: 0.5> : tile<8xf32>
    %r = pow %a, %b : tile<8xf32>
    %out_view = make_tensor_view %out_ptr, shape = [8], strides = [1] : !f32x8
    %out_tiles = make_partition_view %out_view : !f32x8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<8xf32>, !f32x8_tiles, tile<i32> -> token
  }

  entry @same(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [8], strides = [1] : !f32x8
    %a_tiles = make_partition_view %a_view : !f32x8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32x8_tiles, tile<i32> -> tile<8xf32>, token
    %b = constant <f32: 1.0> : tile<8xf32>
    %r = pow %a, %b : tile<8xf32>
    %out_view = make_tensor_view %out_ptr, shape = [8], strides = [1] : !f32x8
    %out_tiles = make_partition_view %out_view : !f32x8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<8xf32>, !f32x8_tiles, tile<i32> -> token
  }
}
