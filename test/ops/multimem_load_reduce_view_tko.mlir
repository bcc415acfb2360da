// RUN: %check %s
// An array is one copy here: what is read from it is the reduction (13.5, section 9.2). Outside of
// the tensor there is padding.
// CASE @add(f32[1.5, -0.0, nan]) -> f32[1.5, -0.0, nan, 0.0] on=reference,cpu
// CASE @umax(i32[1, -2, 3]) -> i32[1, -2, 3, 0] on=reference,cpu
//
// An array is no multicast memory of a GPU.
// CASE @add(f32[1.5, -0.0, nan], f32[0, 0, 0, 0]) -> error "multicast memory is not supported" on=ptx

!f32_4 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @add(%a_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a = ptr_to_ptr %a_ptr : tile<ptr<f32>> -> tile<ptr<f32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<3xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t = multimem_load_reduce_view_tko weak %view[%zero] : partition_view<tile=(4), padding_value = zero, tensor_view<3xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4xf32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f32_4
    %r_tiles = make_partition_view %r_view : !f32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf32>, !f32_4_tiles, tile<i32> -> token
  }

  entry @umax(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t = multimem_load_reduce_view_tko acquire sys %view[%zero] attributes {reduction = #cuda_tile.multimem_reduction_kind<umax>} : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }
}
