// RUN: %check %s
// The address of the first element; a global may stand behind the entry (operations, 3.4).
// CASE @get_global() -> i32[2, 3, 5, 7]

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @get_global(%r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %index = iota : tile<4xi32>
    %base = get_global @table : tile<ptr<i32>>
    %base1 = reshape %base : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %base1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r, %t = load_ptr_tko weak %pointers : tile<4xptr<i32>> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  global private @table <i32: [2, 3, 5, 7]> : tile<4xi32>
}
