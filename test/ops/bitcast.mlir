// RUN: %check %s
// 1.0 is 0x3F800000; a NaN keeps its pattern.
// CASE @bitcast(f32[1.0, -0.0, 0x7FC00001, 0.0]) -> i32[0x3F800000, 0x80000000, 0x7FC00001, 0]

!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!i32 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @bitcast(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = bitcast %a : tile<4xf32> -> tile<4xi32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i32
    %out_tiles = make_partition_view %out_view : !i32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi32>, !i32_tiles, tile<i32> -> token
  }
}
