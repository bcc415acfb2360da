// RUN: %check %s
// Doubles until above the limit; carried values and results differ in number (operations, 5.3).
// CASE @loop(100) -> i32[128]
// CASE @loop(0) -> i32[1]
// A loop that carries tokens only stays between the stores around it, which are of one shape.
// CASE @tokens() ->
//   i32[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30],
//   i32[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30],
//   i32[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
!i32_16 = !cuda_tile.tensor_view<16xi32, strides=[1]>
!i32_16_tiles = !cuda_tile.partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>

cuda_tile.module @case {
  entry @loop(%limit: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %power = loop iter_values(%x = %one, %k = %one) : tile<i32>, tile<i32> -> tile<i32> {
      %done = cmpi greater_than %x, %limit, signed : tile<i32> -> tile<i1>
      if %done {
        break %x : tile<i32>
      }
      %next = muli %x, %two : tile<i32>
      %turn = addi %k, %one : tile<i32>
      continue %next, %turn : tile<i32>, tile<i32>
    }
    %r = reshape %power : tile<i32> -> tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @tokens(%a_ptr: tile<ptr<i32>>, %b_ptr: tile<ptr<i32>>, %c_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [16], strides = [1] : !i32_16
    %a = make_partition_view %a_view : !i32_16_tiles
    %b_view = make_tensor_view %b_ptr, shape = [16], strides = [1] : !i32_16
    %b = make_partition_view %b_view : !i32_16_tiles
    %c_view = make_tensor_view %c_ptr, shape = [16], strides = [1] : !i32_16
    %c = make_partition_view %c_view : !i32_16_tiles
    %numbers = iota : tile<16xi32>
    %twice = addi %numbers, %numbers : tile<16xi32>
    %stored = store_view_tko weak %twice, %a[%zero] : tile<16xi32>, !i32_16_tiles, tile<i32> -> token
    %copied = loop iter_values(%before = %stored) : token -> token {
      %read, %after = load_view_tko weak %a[%zero] token=%before : !i32_16_tiles, tile<i32> -> tile<16xi32>, token
      %written = store_view_tko weak %read, %b[%zero] token=%after : tile<16xi32>, !i32_16_tiles, tile<i32> -> token
      break %written : token
    }
    %end = store_view_tko weak %twice, %c[%zero] : tile<16xi32>, !i32_16_tiles, tile<i32> -> token
  }
}
