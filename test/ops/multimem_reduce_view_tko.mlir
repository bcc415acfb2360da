// RUN: %check %s
// Every kind, into the one copy that there is; min and max are signed (13.5, section 9.2). What is
// outside of the tensor is skipped.
// CASE @add(i32[1, 2, 3], i32[10, 20, 30, 40]) -> i32[11, 22, 33, 0] on=reference,cpu
// CASE @min(i32[1, -2, 3], i32[-1, 5, 3, 9]) -> i32[-1, -2, 3, 0] on=reference,cpu
// CASE @max(i32[1, -2, 3], i32[-1, 5, 3, 9]) -> i32[1, 5, 3, 0] on=reference,cpu
// CASE @umin(i32[1, -2, 3], i32[-1, 5, 3, 9]) -> i32[1, 5, 3, 0] on=reference,cpu
// CASE @umax(i32[1, -2, 3], i32[-1, 5, 3, 9]) -> i32[-1, -2, 3, 0] on=reference,cpu
// CASE @and(i32[1, 6, 7], i32[3, 3, 0, 1]) -> i32[1, 2, 0, 0] on=reference,cpu
// CASE @or(i32[1, 6, 7], i32[3, 3, 0, 1]) -> i32[3, 7, 7, 0] on=reference,cpu
// CASE @xor(i32[1, 6, 7], i32[3, 3, 0, 1]) -> i32[2, 5, 7, 0] on=reference,cpu
//
// Floats are added, rounded once each.
// CASE @addf(f32[0.5, inf, -0.0], f32[1.0, -inf, -0.0, 1.0]) -> f32[1.5, nan, -0.0, 0.0] on=reference,cpu
//
// An array is no multicast memory of a GPU.
// CASE @add(i32[1, 2, 3], i32[10, 20, 30, 40], i32[0, 0, 0, 0]) -> error "multicast memory is not supported" on=ptx

!f32_4 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @add(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko release sys %view, %v[%zero] : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @min(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko relaxed device %view, %v[%zero] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @max(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko relaxed device %view, %v[%zero] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @umin(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko relaxed device %view, %v[%zero] attributes {reduction = #cuda_tile.multimem_reduction_kind<umin>} : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @umax(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko relaxed device %view, %v[%zero] attributes {reduction = #cuda_tile.multimem_reduction_kind<umax>} : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @and(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko relaxed device %view, %v[%zero] attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @or(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko relaxed device %view, %v[%zero] attributes {reduction = #cuda_tile.multimem_reduction_kind<or>} : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @xor(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko relaxed device %view, %v[%zero] attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<tile=(4), tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xi32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @addf(%a_ptr: tile<ptr<f32>>, %v_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !f32_4
    %v_tiles = make_partition_view %v_view : !f32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !f32_4_tiles, tile<i32> -> tile<4xf32>, token
    %a = ptr_to_ptr %a_ptr : tile<ptr<f32>> -> tile<ptr<f32, <multicast>>>
    %tensor = make_tensor_view %a, shape = [3], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<3xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t = multimem_reduce_view_tko relaxed tl_blk %view, %v[%zero] : partition_view<tile=(4), tensor_view<3xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<4xf32>, tile<i32> -> token
    %padded = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %r, %t2 = multimem_load_reduce_view_tko weak %padded[%zero] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4xf32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f32_4
    %r_tiles = make_partition_view %r_view : !f32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf32>, !f32_4_tiles, tile<i32> -> token
  }
}
