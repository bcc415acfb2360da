// RUN: %check %s
// A module holds entries and globals in any order; each entry runs by its name (operations, 3.1).
// CASE @first() -> i32[1]
//
// The other one.
// CASE @second() -> i32[2]

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>

cuda_tile.module @case {
  entry @first(%r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %r = constant <i32: 1> : tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @second(%r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %r = constant <i32: 2> : tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }
}
