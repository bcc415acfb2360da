// RUN: %check %s
// A true condition does nothing; each false element is reported with its place, and the message
// is plain text (operations, 6.1).
// CASE @assert(i1[1, 1, 1, 1]) -> i32[7]
// CASE @assert(i1[1, 1, 0, 1], i32[0]) ->
//     error "block (0, 0, 0): assertion failed: 100% wrong at [1, 0]" on=reference,cpu
//
// A scalar has no place. Execution goes on: the second one is reported, too.
// CASE @scalar(false) -> error "block (0, 0, 0): assertion failed: first"
// CASE @scalar(false) -> error "block (0, 0, 0): assertion failed: second" on=reference,cpu
//
// A GPU does not know the place (`__assertfail`), and stops.
// CASE @assert(i1[1, 1, 0, 1], i32[0]) -> error "block (0, 0, 0): assertion failed: 100% wrong" on=ptx

!i1_2x2 = !cuda_tile.tensor_view<2x2xi1, strides=[2, 1]>
!i1_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xi1, strides=[2, 1]>>
!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>

cuda_tile.module @case {
  entry @assert(%a_ptr: tile<ptr<i1>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 2], strides = [2, 1] : !i1_2x2
    %a_tiles = make_partition_view %a_view : !i1_2x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i1_2x2_tiles, tile<i32> -> tile<2x2xi1>, token
    assert %a, "100% wrong" : tile<2x2xi1>
    %r = constant <i32: 7> : tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @scalar(%c: tile<i1>) {
    assert %c, "first" : tile<i1>
    assert %c, "second" : tile<i1>
  }
}
