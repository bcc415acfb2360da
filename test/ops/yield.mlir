// RUN: %check %s
// Values of a nested branch pass through both ifs (operations, 5.4).
// CASE @yield(true, true) -> i32[1]
// CASE @yield(true, false) -> i32[2]
// CASE @yield(false, true) -> i32[3]

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>

cuda_tile.module @case {
  entry @yield(%c: tile<i1>, %d: tile<i1>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %outer = if %c -> (tile<i32>) {
      %inner = if %d -> (tile<i32>) {
        yield %one : tile<i32>
      } else {
        yield %two : tile<i32>
      }
      yield %inner : tile<i32>
    } else {
      yield %three : tile<i32>
    }
    %r = reshape %outer : tile<i32> -> tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }
}
