// RUN: %check %s
// Neighbours are one element apart: addresses grow by 4 bytes, whatever the base is.
// CASE @ptr_to_int(i32[0, 1, 3, -1]) -> i64[0, 4, 12, -4]

!i32 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i64 = !cuda_tile.tensor_view<4xi64, strides=[1]>
!i64_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>

cuda_tile.module @case {
  entry @ptr_to_int(%a_ptr: tile<ptr<i32>>, %out_ptr: tile<ptr<i64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32
    %a_tiles = make_partition_view %a_view : !i32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_tiles, tile<i32> -> tile<4xi32>, token
    %base = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %base : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pointers = offset %bases, %a : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %addresses = ptr_to_int %pointers : tile<4xptr<i32>> -> tile<4xi64>
    %from = ptr_to_int %bases : tile<4xptr<i32>> -> tile<4xi64>
    %r = subi %addresses, %from : tile<4xi64>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i64
    %out_tiles = make_partition_view %out_view : !i64_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi64>, !i64_tiles, tile<i32> -> token
  }
}
