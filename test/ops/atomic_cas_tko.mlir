// RUN: %check %s
// Old values out; memory changes where the bits are equal: -0 is not 0, a NaN equals itself
// (operations, 9.2).
// CASE @cas(f32[1.0, -0.0, 0x7FC00001, 4.0], f32[1.0, 0.0, 0x7FC00001, 5.0]) ->
//     f32[1.0, -0.0, 0x7FC00001, 4.0], f32[9.0, -0.0, 9.0, 4.0]
//
// The result of a disabled element is its cmp.
// CASE @masked(i32[1, 2], i1[1, 1, 0, 0], i32[1, 7, 8, 9]) -> i32[1, 2, 8, 9]

!f32_4 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!i1_4 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @cas(%a_ptr: tile<ptr<f32>>, %c_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>,
             %new_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %c_view = make_tensor_view %c_ptr, shape = [4], strides = [1] : !f32_4
    %c_tiles = make_partition_view %c_view : !f32_4_tiles
    %c, %c_token = load_view_tko weak %c_tiles[%zero] : !f32_4_tiles, tile<i32> -> tile<4xf32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<f32>> -> tile<1xptr<f32>>
    %bases = broadcast %a1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %pointers = offset %bases, %index : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %nine = constant <f32: 9.0> : tile<4xf32>
    %r, %t = atomic_cas_tko relaxed device %pointers, %c, %nine : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<f32>> -> tile<4xf32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f32_4
    %r_tiles = make_partition_view %r_view : !f32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf32>, !f32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !f32_4
    %new_tiles = make_partition_view %new_view : !f32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xf32>, !f32_4_tiles, tile<i32> -> token
  }

  entry @masked(%a_ptr: tile<ptr<i32>>, %m_ptr: tile<ptr<i1>>, %c_ptr: tile<ptr<i32>>,
                %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %m_view = make_tensor_view %m_ptr, shape = [4], strides = [1] : !i1_4
    %m_tiles = make_partition_view %m_view : !i1_4_tiles
    %m, %m_token = load_view_tko weak %m_tiles[%zero] : !i1_4_tiles, tile<i32> -> tile<4xi1>, token
    %c_view = make_tensor_view %c_ptr, shape = [4], strides = [1] : !i32_4
    %c_tiles = make_partition_view %c_view : !i32_4_tiles
    %c, %c_token = load_view_tko weak %c_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_cas_tko acq_rel sys %pointers, %c, %c, %m : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }
}
