// RUN: %check %s
// The one copy that there is gets the tile (13.5, section 9.2), as far as it is in the tensor.
// CASE @store(i32[1, -2, 3, 4]) -> i32[1, -2, 3] on=reference,cpu
//
// An array is no multicast memory of a GPU.
// CASE @store(i32[1, -2, 3, 4], i32[0, 0, 0]) -> error "multicast memory is not supported" on=ptx

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @store(%v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = ptr_to_ptr %r_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %r, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_store_view_tko weak %view, %v[%zero] : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
  }
}
