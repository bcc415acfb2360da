// RUN: %check %s
// Where the mask is false, nothing is written: the result array keeps its zeros, and addresses
// past its end do no harm (operations, 7.4).
// CASE @masked(i32[1, 2, 3, 4], i1[1, 0, 1, 1]) -> i32[1, 0, 3, 4]
// CASE @masked(i32[1, 2, 3, 4], i1[0, 1, 0, 0]) -> i32[0, 2]
// CASE @masked(i32[1, 2, 3, 4], i1[0, 0, 1, 0], i32[0, 0]) ->
//     error "store_ptr_tko: element [2]: address"
//
// Any order of addresses.
// CASE @scattered(i32[1, 2, 3, 4], i32[3, 1, 0, 2]) -> i32[3, 2, 4, 1]
//
// True is stored as the byte 1, false as 0 (types, 2.3).
// CASE @boolean(i8[2, 0]) -> i8[1, 0]

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i1_4 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>
!i8_2 = !cuda_tile.tensor_view<2xi8, strides=[1]>
!i8_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>

cuda_tile.module @case {
  entry @masked(%v_ptr: tile<ptr<i32>>, %m_ptr: tile<ptr<i1>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %m_view = make_tensor_view %m_ptr, shape = [4], strides = [1] : !i1_4
    %m_tiles = make_partition_view %m_view : !i1_4_tiles
    %m, %m_token = load_view_tko weak %m_tiles[%zero] : !i1_4_tiles, tile<i32> -> tile<4xi1>, token
    %index = iota : tile<4xi32>
    %a1 = reshape %r_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko weak %pointers, %v, %m : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }

  entry @scattered(%v_ptr: tile<ptr<i32>>, %at_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4], strides = [1] : !i32_4
    %v_tiles = make_partition_view %v_view : !i32_4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %at_view = make_tensor_view %at_ptr, shape = [4], strides = [1] : !i32_4
    %at_tiles = make_partition_view %at_view : !i32_4_tiles
    %at, %at_token = load_view_tko weak %at_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %a1 = reshape %r_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %a1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %at : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko relaxed device %pointers, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  }

  entry @boolean(%v_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [2], strides = [1] : !i8_2
    %v_tiles = make_partition_view %v_view : !i8_2_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero] : !i8_2_tiles, tile<i32> -> tile<2xi8>, token
    %zeros = constant <i8: 0> : tile<2xi8>
    %c = cmpi not_equal %v, %zeros, signed : tile<2xi8> -> tile<2xi1>
    %index = iota : tile<2xi32>
    %booleans = ptr_to_ptr %r_ptr : tile<ptr<i8>> -> tile<ptr<i1>>
    %b1 = reshape %booleans : tile<ptr<i1>> -> tile<1xptr<i1>>
    %bases = broadcast %b1 : tile<1xptr<i1>> -> tile<2xptr<i1>>
    %pointers = offset %bases, %index : tile<2xptr<i1>>, tile<2xi32> -> tile<2xptr<i1>>
    %t = store_ptr_tko weak %pointers, %c : tile<2xptr<i1>>, tile<2xi1> -> token
  }
}
