// RUN: %check %s
// The load waits for both stores (operations, 7.1).
// CASE @join_tokens(i32[0, 0]) -> i32[1, 2]

!i32_2 = !cuda_tile.tensor_view<2xi32, strides=[1]>
!i32_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>

cuda_tile.module @case {
  entry @join_tokens(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %next = offset %a_ptr, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t1 = store_ptr_tko weak %a_ptr, %one : tile<ptr<i32>>, tile<i32> -> token
    %t2 = store_ptr_tko weak %next, %two : tile<ptr<i32>>, tile<i32> -> token
    %both = join_tokens %t1, %t2 : token
    %x, %t3 = load_ptr_tko weak %a_ptr token=%both : tile<ptr<i32>> -> tile<i32>, token
    %y, %t4 = load_ptr_tko weak %next token=%both : tile<ptr<i32>> -> tile<i32>, token
    %x1 = reshape %x : tile<i32> -> tile<1xi32>
    %y1 = reshape %y : tile<i32> -> tile<1xi32>
    %r = cat %x1, %y1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }
}
