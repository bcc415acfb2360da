// RUN: %check %s
// Base + 4 bytes * index, formed as integers, loads the same elements.
// CASE @int_to_ptr(i32[10, 20, 30, 40], i64[12, 8, 4, 0]) -> i32[40, 30, 20, 10]
// CASE @int_to_ptr(i32[10, 20, 30, 40], i64[0, 0, 2, 0], i32[0, 0, 0, 0]) ->
//     error "is not a multiple of 4"
// CASE @int_to_ptr(i32[10, 20, 30, 40], i64[0, 0, 0, 16], i32[0, 0, 0, 0]) ->
//     error "just past the end of parameter 1 (4xi32)"
// CASE @int_to_ptr(i32[10, 20, 30, 40], i64[0, -8, 0, 0], i32[0, 0, 0, 0]) ->
//     error "8 bytes in front of parameter 1 (4xi32)"

!i32 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i64 = !cuda_tile.tensor_view<4xi64, strides=[1]>
!i64_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>

cuda_tile.module @case {
  entry @int_to_ptr(%a_ptr: tile<ptr<i32>>, %b_ptr: tile<ptr<i64>>, %out_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32
    %a_tiles = make_partition_view %a_view : !i32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_tiles, tile<i32> -> tile<4xi32>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i64
    %b_tiles = make_partition_view %b_view : !i64_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i64_tiles, tile<i32> -> tile<4xi64>, token
    %base = ptr_to_int %a_ptr : tile<ptr<i32>> -> tile<i64>
    %base1 = reshape %base : tile<i64> -> tile<1xi64>
    %bases = broadcast %base1 : tile<1xi64> -> tile<4xi64>
    %addresses = addi %bases, %b : tile<4xi64>
    %pointers = int_to_ptr %addresses : tile<4xi64> -> tile<4xptr<i32>>
    %r, %t = load_ptr_tko weak %pointers : tile<4xptr<i32>> -> tile<4xi32>, token
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i32
    %out_tiles = make_partition_view %out_view : !i32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi32>, !i32_tiles, tile<i32> -> token
  }
}
