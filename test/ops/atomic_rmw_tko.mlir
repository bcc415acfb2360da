// RUN: %check %s
// Old values out, combined ones in (operations, 9.1).
// CASE @and(i32[12, 0, -1, 5], i32[10, -1, -1, 2]) -> i32[12, 0, -1, 5], i32[8, 0, -1, 0]
//
// ... or.
// CASE @or(i32[12, 0, -1, 5], i32[10, -1, -1, 2]) -> i32[12, 0, -1, 5], i32[14, -1, -1, 7]
//
// ... xor.
// CASE @xor(i32[12, 0, -1, 5], i32[10, -1, -1, 2]) -> i32[12, 0, -1, 5], i32[6, -1, 0, 7]
//
// Wraps around.
// CASE @add(i32[1, -1, 0x7FFFFFFF, 0], i32[2, 1, 1, 0]) ->
//     i32[1, -1, 0x7FFFFFFF, 0], i32[3, 0, 0x80000000, 0]
//
// ... max.
// CASE @max(i32[1, -1, 5, 0], i32[2, 1, -9, 0]) -> i32[1, -1, 5, 0], i32[2, 1, 5, 0]
//
// ... min.
// CASE @min(i32[1, -1, 5, 0], i32[2, 1, -9, 0]) -> i32[1, -1, 5, 0], i32[1, -1, -9, 0]
//
// -1 and -9 are large when read unsigned.
// CASE @umax(i32[1, -1, 5, 0], i32[2, 1, -9, 0]) -> i32[1, -1, 5, 0], i32[2, -1, -9, 0]
//
// ... umin.
// CASE @umin(i32[1, -1, 5, 0], i32[2, 1, -9, 0]) -> i32[1, -1, 5, 0], i32[1, 1, 5, 0]
//
// ... xchg.
// CASE @xchg(i32[1, -1, 5, 0], i32[2, 1, -9, 0]) -> i32[1, -1, 5, 0], i32[2, 1, -9, 0]
//
// 65504 + 16 is Inf in f16, and each half is a transaction of its own.
// CASE @addf(f16[65504.0, 1.0, -0.0, 0.5], f16[16.0, 2.0, -0.0, nan]) ->
//     f16[65504.0, 1.0, -0.0, 0.5], f16[inf, 3.0, -0.0, nan]
//
// Four elements, one address: all take effect, in our order the first one first.
// CASE @same_address(i32[100], i32[1, 2, 3, 4]) -> i32[100, 101, 103, 106]
//
// Every block of the grid adds its number plus one: 1 + 2 + 3 + 4.
// CASE @blocks() -> i32[10] grid=4
//
// A disabled element is not accessed; its result has no value.
// CASE @masked(i32[1, 2], i1[1, 1, 0, 0], i1[1, 1, 0, 0]) -> i32[1, 2, 0, 0]
// CASE @masked(i32[1, 2], i1[1, 1, 0, 0], i1[1, 1, 1, 0], i32[0, 0, 0, 0]) ->
//     warning "element [2]: an unspecified value is stored"

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!f16_4 = !cuda_tile.tensor_view<4xf16, strides=[1]>
!f16_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>
!i1_4 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>

cuda_tile.module @case {
  entry @and(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
             %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, and, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @or(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
            %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, or, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @xor(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
             %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, xor, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @add(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
             %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, add, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @max(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
             %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, max, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @min(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
             %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, min, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @umax(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
              %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, umax, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @umin(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
              %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, umin, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @xchg(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>,
              %new_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, xchg, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !i32_4
    %new_tiles = make_partition_view %new_view : !i32_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @addf(%a_ptr: tile<ptr<f16>>, %v_ptr: tile<ptr<f16>>, %r_ptr: tile<ptr<f16>>,
              %new_ptr: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !f16_4
    %v_tiles = make_partition_view %v_view : !f16_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !f16_4_tiles, tile<i32> -> tile<4xf16>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<f16>> -> tile<1xptr<f16>>
    %bases = broadcast %a1 : tile<1xptr<f16>> -> tile<4xptr<f16>>
    %pointers = offset %bases, %index : tile<4xptr<f16>>, tile<4xi32> -> tile<4xptr<f16>>
    %r, %t = atomic_rmw_tko relaxed device %pointers, addf, %v : tile<4xptr<f16>>, tile<4xf16> -> tile<4xf16>, token
    %new, %t2 = load_ptr_tko weak %pointers token=%t : tile<4xptr<f16>> -> tile<4xf16>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f16_4
    %r_tiles = make_partition_view %r_view : !f16_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf16>, !f16_4_tiles, tile<i32> -> token
    %new_view = make_tensor_view %new_ptr, shape = [4], strides = [1] : !f16_4
    %new_tiles = make_partition_view %new_view : !f16_4_tiles
    %new_token = store_view_tko weak %new, %new_tiles[%zero] : tile<4xf16>, !f16_4_tiles, tile<i32> -> token
  }

  entry @same_address(%a_ptr: tile<ptr<i32>>, %v_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pointers = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %r, %t = atomic_rmw_tko acq_rel sys %pointers, add, %v : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @blocks(%r_ptr: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = addi %x, %one : tile<i32>
    %old, %t = atomic_rmw_tko relaxed device %r_ptr, add, %v : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }

  entry @masked(%a_ptr: tile<ptr<i32>>, %m_ptr: tile<ptr<i1>>, %keep_ptr: tile<ptr<i1>>,
                %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %m_view = make_tensor_view %m_ptr, shape = [4], strides = [1] : !i1_4
    %m_tiles = make_partition_view %m_view : !i1_4_tiles
    %m, %m_token = load_view_tko weak %m_tiles[%zero] : !i1_4_tiles, tile<i32> -> tile<4xi1>, token
    %keep_view = make_tensor_view %keep_ptr, shape = [4], strides = [1] : !i1_4
    %keep_tiles = make_partition_view %keep_view : !i1_4_tiles
    %keep, %keep_token = load_view_tko weak %keep_tiles[%zero] : !i1_4_tiles, tile<i32> -> tile<4xi1>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v = constant <i32: 5> : tile<4xi32>
    %old, %t = atomic_rmw_tko relaxed device %pointers, add, %v, %m : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %zeros = constant <i32: 0> : tile<4xi32>
    %r = select %keep, %old, %zeros : tile<4xi1>, tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }
}
