// RUN: %check %s
// Disabled elements are padding, and their addresses are never looked at: the array has two
// elements only (operations, 7.3).
// CASE @masked(i32[10, 20], i1[1, 1, 0, 0], i32[-1, -2, -3, -4]) -> i32[10, 20, -3, -4]
// CASE @masked(i32[10, 20], i1[0, 1, 1, 0], i32[-1, -2, -3, -4], i32[0, 0, 0, 0]) ->
//     error "load_ptr_tko: element [2]: address"
//
// Without padding a disabled element has no value; it may be chosen away, but not stored.
// CASE @unpadded(i32[1, 2, 3, 4], i1[1, 0, 1, 0], i1[1, 0, 1, 0]) -> i32[1, 0, 3, 0]
// CASE @unpadded(i32[1, 2, 3, 4], i1[1, 0, 1, 0], i1[1, 0, 1, 1], i32[0, 0, 0, 0]) ->
//     warning "store_view_tko: element [3]: an unspecified value is stored to parameter 4 (4xi32)"
//
// Orderings and scopes change nothing for one block.
// CASE @ordered(i32[5]) -> i32[5]
//
// A word whose low 13 bits are no part of the element.
// CASE @tf32(i32[0x3F80FFFF]) -> i32[0x3F80E000]
//
// Any byte but 0 is true (types, 2.3).
// CASE @boolean(i8[0, 1, 2, 0x80]) -> i1[0, 1, 1, 1]

!i1_4 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>

cuda_tile.module @case {
  entry @masked(%a_ptr: tile<ptr<i32>>, %m_ptr: tile<ptr<i1>>, %p_ptr: tile<ptr<i32>>,
                %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %m_view = make_tensor_view %m_ptr, shape = [4], strides = [1] : !i1_4
    %m_tiles = make_partition_view %m_view : !i1_4_tiles
    %m, %m_token = load_view_tko weak %m_tiles[%zero] : !i1_4_tiles, tile<i32> -> tile<4xi1>, token
    %p_view = make_tensor_view %p_ptr, shape = [4], strides = [1] : !i32_4
    %p_tiles = make_partition_view %p_view : !i32_4_tiles
    %p, %p_token = load_view_tko weak %p_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = load_ptr_tko weak %pointers, %m, %p : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @unpadded(%a_ptr: tile<ptr<i32>>, %m_ptr: tile<ptr<i1>>, %keep_ptr: tile<ptr<i1>>,
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
    %v, %t = load_ptr_tko weak %pointers, %m : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %zeros = constant <i32: 0> : tile<4xi32>
    %r = select %keep, %v, %zeros : tile<4xi1>, tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @ordered(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v, %t = load_ptr_tko acquire device %a_ptr : tile<ptr<i32>> -> tile<i32>, token
    %r = reshape %v : tile<i32> -> tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @tf32(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %words = ptr_to_ptr %a_ptr : tile<ptr<i32>> -> tile<ptr<tf32>>
    %v, %t = load_ptr_tko weak %words : tile<ptr<tf32>> -> tile<tf32>, token
    %wide = ftof %v : tile<tf32> -> tile<f32>
    %bits = bitcast %wide : tile<f32> -> tile<i32>
    %r = reshape %bits : tile<i32> -> tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @boolean(%a_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %index = iota : tile<4xi32>
    %a1 = reshape %a_ptr : tile<ptr<i8>> -> tile<1xptr<i8>>
    %bases = broadcast %a1 : tile<1xptr<i8>> -> tile<4xptr<i8>>
    %pointers = offset %bases, %index : tile<4xptr<i8>>, tile<4xi32> -> tile<4xptr<i8>>
    %booleans = ptr_to_ptr %pointers : tile<4xptr<i8>> -> tile<4xptr<i1>>
    %r, %t = load_ptr_tko weak %booleans : tile<4xptr<i1>> -> tile<4xi1>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i1_4
    %r_tiles = make_partition_view %r_view : !i1_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi1>, !i1_4_tiles, tile<i32> -> token
  }
}
