// RUN: %check %s
// Indices number slices, as in `extract` (13.4, section 2): slice 2 of 4 elements in 16 is elements
// 8 to 11, and slice (1, 0) of 2x2 in 4x4 is rows 2 and 3, columns 0 and 1. A slice that is not
// there leaves the destination; -1 is a large unsigned number, whose product must not wrap.
// CASE @line(i32[-1, -2, -3, -4], i32[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], 2) ->
//     i32[0, 1, 2, 3, 4, 5, 6, 7, -1, -2, -3, -4, 12, 13, 14, 15]
// CASE @line(i32[-1, -2, -3, -4], i32[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], 0) ->
//     i32[-1, -2, -3, -4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// CASE @line(i32[1, 2, 3, 4], i32[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 4, i32[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) ->
//     error "there is no slice 4 along dimension 0, which has 4"
// CASE @line(i32[1, 2, 3, 4], i32[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], -1, i32[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) ->
//     error "there is no slice 4294967295 along dimension 0"
// CASE @square(i32[-1, -2, -3, -4], i32[0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33], 1, 0) ->
//     i32[0, 1, 2, 3, 10, 11, 12, 13, -1, -2, 22, 23, -3, -4, 32, 33]
// CASE @square(i32[-1, -2, -3, -4], i32[0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33], 0, 1) ->
//     i32[0, 1, -1, -2, 10, 11, -3, -4, 20, 21, 22, 23, 30, 31, 32, 33]
//
// What was inserted can be extracted; equal shapes have one slice, and a scalar has no index.
// CASE @back(i32[5, 6, 7, 8], 3) -> i32[5, 6, 7, 8]
// CASE @whole(i32[5, 6, 7, 8]) -> i32[5, 6, 7, 8]
// CASE @scalar(i32[5, 6, 7, 8]) -> i32[42, 42, 42, 42]
//
// The destination stays what it was, for those who use it again.
// CASE @again(i32[5, 6, 7, 8], 1) -> i32[4, 5, 6, 7]
//
// With constants the compiler knows the result.
// CASE @known() -> i32[9, 9, 0, 1]

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i32_16 = !cuda_tile.tensor_view<16xi32, strides=[1]>
!i32_16_tiles = !cuda_tile.partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>

cuda_tile.module @case {
  entry @line(%s_ptr: tile<ptr<i32>>, %d_ptr: tile<ptr<i32>>, %i: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i32_4
    %s_tiles = make_partition_view %s_view : !i32_4_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %d_view = make_tensor_view %d_ptr, shape = [16], strides = [1] : !i32_16
    %d_tiles = make_partition_view %d_view : !i32_16_tiles
    %d, %d_token = load_view_tko weak %d_tiles[%zero] : !i32_16_tiles, tile<i32> -> tile<16xi32>, token
    %r = insert %s, %d[%i] : tile<4xi32>, tile<16xi32>
    %r_view = make_tensor_view %r_ptr, shape = [16], strides = [1] : !i32_16
    %r_tiles = make_partition_view %r_view : !i32_16_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<16xi32>, !i32_16_tiles, tile<i32> -> token
  }

  entry @square(%s_ptr: tile<ptr<i32>>, %d_ptr: tile<ptr<i32>>, %i: tile<i32>, %j: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i32_4
    %s_tiles = make_partition_view %s_view : !i32_4_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %d_view = make_tensor_view %d_ptr, shape = [16], strides = [1] : !i32_16
    %d_tiles = make_partition_view %d_view : !i32_16_tiles
    %d, %d_token = load_view_tko weak %d_tiles[%zero] : !i32_16_tiles, tile<i32> -> tile<16xi32>, token
    %s2 = reshape %s : tile<4xi32> -> tile<2x2xi32>
    %d2 = reshape %d : tile<16xi32> -> tile<4x4xi32>
    %r2 = insert %s2, %d2[%i, %j] : tile<2x2xi32>, tile<4x4xi32>
    %r = reshape %r2 : tile<4x4xi32> -> tile<16xi32>
    %r_view = make_tensor_view %r_ptr, shape = [16], strides = [1] : !i32_16
    %r_tiles = make_partition_view %r_view : !i32_16_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<16xi32>, !i32_16_tiles, tile<i32> -> token
  }

  entry @back(%s_ptr: tile<ptr<i32>>, %i: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i32_4
    %s_tiles = make_partition_view %s_view : !i32_4_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %d = iota : tile<16xi32>
    %w = insert %s, %d[%i] : tile<4xi32>, tile<16xi32>
    %r = extract %w[%i] : tile<16xi32> -> tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @again(%s_ptr: tile<ptr<i32>>, %i: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i32_4
    %s_tiles = make_partition_view %s_view : !i32_4_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %d = iota : tile<16xi32>
    %w = insert %s, %d[%i] : tile<4xi32>, tile<16xi32>
    %changed = extract %w[%i] : tile<16xi32> -> tile<4xi32>
    %r = extract %d[%i] : tile<16xi32> -> tile<4xi32>
    %kept = cmpi equal %changed, %s, signed : tile<4xi32> -> tile<4xi1>
    assert %kept, "inserted" : tile<4xi1>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @whole(%s_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i32_4
    %s_tiles = make_partition_view %s_view : !i32_4_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %d = iota : tile<4xi32>
    %r = insert %s, %d[%zero] : tile<4xi32>, tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @scalar(%s_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i32_4
    %s_tiles = make_partition_view %s_view : !i32_4_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %source = constant <i32: 42> : tile<i32>
    %first = extract %s[%zero] : tile<4xi32> -> tile<1xi32>
    %destination = reshape %first : tile<1xi32> -> tile<i32>
    %inserted = insert %source, %destination[] : tile<i32>, tile<i32>
    %one = reshape %inserted : tile<i32> -> tile<1xi32>
    %r = broadcast %one : tile<1xi32> -> tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @known(%r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s = constant <i32: 9> : tile<2xi32>
    %d = constant <i32: [7, 8, 0, 1]> : tile<4xi32>
    %r = insert %s, %d[%zero] : tile<2xi32>, tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }
}
