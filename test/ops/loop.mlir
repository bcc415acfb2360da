// RUN: %check %s
// Doubles until above the limit; carried values and results differ in number (operations, 5.3).
// CASE @loop(100) -> i32[128]
// CASE @loop(0) -> i32[1]

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>

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
}
