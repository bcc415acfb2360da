// RUN: %check %s
// Elements outside the tensor are skipped (operations, 9.3).
// CASE @add(i32[1, 2, 3], i32[10, 20, 30, 40]) -> i32[11, 22, 33, 0]
//
// ... max.
// CASE @max(i32[1, -2, 3], i32[-1, 5, 3, 9]) -> i32[1, 5, 3, 0]
//
// ... umin.
// CASE @umin(i32[1, -2, 3], i32[-1, 5, 3, 9]) -> i32[1, 5, 3, 0]
//
// ... xor.
// CASE @xor(i32[1, 2, 3], i32[1, 3, 0, 1]) -> i32[0, 1, 3, 0]
//
// On floats, one rounding each.
// CASE @addf(f32[0.5, inf, -0.0], f32[1.0, -inf, -0.0, 1.0]) -> f32[1.5, nan, -0.0, 0.0]

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!f32_4 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>

cuda_tile.module @case {
  entry @add(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3], strides = [1] : tensor_view<3xi32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>
    %t = atomic_red_view_tko relaxed device %view[%first], add, %v : tile<4xi32>, partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>, tile<i32> -> token
    %p = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1]>>
    %r, %t2 = load_view_tko weak %p[%first] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @max(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3], strides = [1] : tensor_view<3xi32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>
    %t = atomic_red_view_tko relaxed device %view[%first], max, %v : tile<4xi32>, partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>, tile<i32> -> token
    %p = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1]>>
    %r, %t2 = load_view_tko weak %p[%first] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @umin(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3], strides = [1] : tensor_view<3xi32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>
    %t = atomic_red_view_tko relaxed device %view[%first], umin, %v : tile<4xi32>, partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>, tile<i32> -> token
    %p = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1]>>
    %r, %t2 = load_view_tko weak %p[%first] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @xor(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3], strides = [1] : tensor_view<3xi32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>
    %t = atomic_red_view_tko relaxed device %view[%first], xor, %v : tile<4xi32>, partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>, tile<i32> -> token
    %p = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1]>>
    %r, %t2 = load_view_tko weak %p[%first] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @addf(%a_ptr: tile<ptr<f32>>, %v_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !f32_4
    %v_tiles = make_partition_view %v_view : !f32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !f32_4_tiles, tile<i32> -> tile<4xf32>, token
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>
    %t = atomic_red_view_tko relaxed device %view[%first], addf, %v : tile<4xf32>, partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>, tile<i32> -> token
    %p = make_partition_view %tensor : partition_view<tile=(4), padding_value = zero, tensor_view<3xf32, strides=[1]>>
    %r, %t2 = load_view_tko weak %p[%first] token = %t : partition_view<tile=(4), padding_value = zero, tensor_view<3xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f32_4
    %r_tiles = make_partition_view %r_view : !f32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf32>, !f32_4_tiles, tile<i32> -> token
  }
}
