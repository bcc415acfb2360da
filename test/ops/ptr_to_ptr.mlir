// RUN: %check %s
// The bytes of 1.0 (0x3F800000) read one by one, lowest first.
// CASE @ptr_to_ptr(f32[1.0, 0.0, 0.0, 0.0]) -> i8[0, 0, 0x80, 0x3F]

!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>

cuda_tile.module @case {
  entry @ptr_to_ptr(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %index = iota : tile<4xi32>
    %bytes = ptr_to_ptr %a_ptr : tile<ptr<f32>> -> tile<ptr<i8>>
    %base = reshape %bytes : tile<ptr<i8>> -> tile<1xptr<i8>>
    %bases = broadcast %base : tile<1xptr<i8>> -> tile<4xptr<i8>>
    %pointers = offset %bases, %index : tile<4xptr<i8>>, tile<4xi32> -> tile<4xptr<i8>>
    %r, %t = load_ptr_tko weak %pointers : tile<4xptr<i8>> -> tile<4xi8>, token
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
