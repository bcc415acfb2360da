// RUN: %check %s
// Ends a turn early from inside an if: 0 + 2 + 3, without 1; carried values may swap
// (operations, 5).
// CASE @continue() -> i32[5], i32[2, 1]

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
!i32_2 = !cuda_tile.tensor_view<2xi32, strides=[1]>
!i32_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>

cuda_tile.module @case {
  entry @continue(%r_ptr: tile<ptr<i32>>, %swapped_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %sum = for %i in (%none to %four, step %one) : tile<i32> iter_values(%s = %none) -> (tile<i32>) {
      %skip = cmpi equal %i, %one, signed : tile<i32> -> tile<i1>
      if %skip {
        continue %s : tile<i32>
      }
      %total = addi %s, %i : tile<i32>
      continue %total : tile<i32>
    }
    %r = reshape %sum : tile<i32> -> tile<1xi32>
    %three = addi %one, %two : tile<i32>
    %x, %y = for %i in (%none to %three, step %one) : tile<i32> iter_values(%a = %one, %b = %two) -> (tile<i32>, tile<i32>) {
      continue %b, %a : tile<i32>, tile<i32>
    }
    %x1 = reshape %x : tile<i32> -> tile<1xi32>
    %y1 = reshape %y : tile<i32> -> tile<1xi32>
    %swapped = cat %x1, %y1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
    %swapped_view = make_tensor_view %swapped_ptr, shape = [2], strides = [1] : !i32_2
    %swapped_tiles = make_partition_view %swapped_view : !i32_2_tiles
    %swapped_token = store_view_tko weak %swapped, %swapped_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }
}
