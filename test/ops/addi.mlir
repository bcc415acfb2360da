// RUN: %check %s
// 100 + 100 wraps around to -56; so do -1 + 1 and the smallest number with itself
// (arithmetic, 10 and 3.1).
// CASE @addi(i8[100, -1, -128, 0], i8[100, 1, -128, 0]) -> i8[-56, 0, 0, 0]
//
// On i1, addition is exclusive or (arithmetic, 3.1).
// CASE @one_bit(i1[0, 0, 1, 1], i1[0, 1, 0, 1]) -> i1[0, 1, 1, 0]
//
// A broken promise leaves the element undefined, which storing it reports (arithmetic, 4.1).
// CASE @promised(i8[127, 126, 1, 0], i8[0, 1, 1, 0]) -> i8[127, 127, 2, 0]
// CASE @promised(i8[0, 127, 0, 0], i8[0, 1, 0, 0], i8[0, 0, 0, 0]) ->
//     error "element [1]: an undefined value is stored"

!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i1 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>

cuda_tile.module @case {
  entry @addi(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = addi %a, %b : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }

  entry @one_bit(%a_ptr: tile<ptr<i1>>, %b_ptr: tile<ptr<i1>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i1
    %a_tiles = make_partition_view %a_view : !i1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i1_tiles, tile<i32> -> tile<4xi1>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i1
    %b_tiles = make_partition_view %b_view : !i1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i1_tiles, tile<i32> -> tile<4xi1>, token
    %r = addi %a, %b : tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }

  entry @promised(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = addi %a, %b overflow<no_signed_wrap> : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
