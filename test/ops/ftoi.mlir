// RUN: %check %s
// Toward zero.
// CASE @with_sign(f32[1.9, -1.9, 127.5, -128.9]) -> i8[1, -1, 127, -128]
//
// -0.9 truncates to 0, which fits.
// CASE @without_sign(f32[255.9, -0.9, 128.0, 0.0]) -> i8[255, 0, 128, 0]
//
// An i1 is true for what is not zero, with and without a sign (docs/decisions/float-to-i1.md).
// CASE @to_bool(f32[0.5, -0.0, 2.0, nan], f32[0.0, -0.3, inf, 1e-45]) ->
//     i1[1, 0, 1, 1], i1[0, 1, 1, 1]
//
// What does not fit is undefined, and so is a NaN (arithmetic, 4.26).
// CASE @undefined(f32[1.0, 128.0, 0.0, 0.0], i8[0, 0, 0, 0]) ->
//     error "element [1]: an undefined value is stored"
// CASE @undefined(f32[nan, 0.0, 0.0, 0.0], i8[0, 0, 0, 0]) ->
//     error "element [0]: an undefined value is stored"

!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i1 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>

cuda_tile.module @case {
  entry @with_sign(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = ftoi %a signed : tile<4xf32> -> tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }

  entry @without_sign(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = ftoi %a unsigned : tile<4xf32> -> tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }

  entry @to_bool(%a_ptr: tile<ptr<f32>>, %b_ptr: tile<ptr<f32>>, %u_ptr: tile<ptr<i1>>, %s_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %u = ftoi %a unsigned : tile<4xf32> -> tile<4xi1>
    %s = ftoi %b signed : tile<4xf32> -> tile<4xi1>
    %u_view = make_tensor_view %u_ptr, shape = [4], strides = [1] : !i1
    %u_tiles = make_partition_view %u_view : !i1_tiles
    %u_token = store_view_tko weak %u, %u_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i1
    %s_tiles = make_partition_view %s_view : !i1_tiles
    %s_token = store_view_tko weak %s, %s_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }

  entry @undefined(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = ftoi %a signed : tile<4xf32> -> tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
