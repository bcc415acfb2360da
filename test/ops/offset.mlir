// RUN: %check %s
// Offsets are signed elements: -1 is the element in front.
// CASE @offset(i16[10, 20, 30, 40], i32[0, -1, -2, -3]) -> i16[40, 30, 20, 10]
// CASE @offset(i16[10, 20, 30, 40], i32[0, -1, 1, -3], i16[0, 0, 0, 0]) ->
//     error "element [2]: address"

!i16 = !cuda_tile.tensor_view<4xi16, strides=[1]>
!i16_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi16, strides=[1]>>
!i32 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @offset(%a_ptr: tile<ptr<i16>>, %b_ptr: tile<ptr<i32>>, %out_ptr: tile<ptr<i16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i16
    %a_tiles = make_partition_view %a_view : !i16_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i16_tiles, tile<i32> -> tile<4xi16>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i32
    %b_tiles = make_partition_view %b_view : !i32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i32_tiles, tile<i32> -> tile<4xi32>, token
    %base = reshape %a_ptr : tile<ptr<i16>> -> tile<1xptr<i16>>
    %one = constant <i32: 3> : tile<1xi32>
    %end = offset %base, %one : tile<1xptr<i16>>, tile<1xi32> -> tile<1xptr<i16>>
    %ends = broadcast %end : tile<1xptr<i16>> -> tile<4xptr<i16>>
    %pointers = offset %ends, %b : tile<4xptr<i16>>, tile<4xi32> -> tile<4xptr<i16>>
    %r, %t = load_ptr_tko weak %pointers : tile<4xptr<i16>> -> tile<4xi16>, token
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i16
    %out_tiles = make_partition_view %out_view : !i16_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi16>, !i16_tiles, tile<i32> -> token
  }
}
