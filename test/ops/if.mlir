// RUN: %check %s
// One branch gives the results; the other does not run: it would store (operations, 5.1).
// CASE @if(true) -> i32[10], i32[0]
// CASE @if(false) -> i32[20], i32[7]
//
// A missing branch does nothing.
// CASE @without_else(true) -> i32[7]
// CASE @without_else(false) -> i32[0]
//
// A condition without value: what a masked load without padding leaves (operations, 12).
// CASE @undefined(i32[1]) -> error "if: the condition is undefined"

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>

cuda_tile.module @case {
  entry @if(%c: tile<i1>, %r_ptr: tile<ptr<i32>>, %side_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %ten = constant <i32: 10> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %chosen = if %c -> (tile<i32>) {
      yield %ten : tile<i32>
    } else {
      %twenty = constant <i32: 20> : tile<i32>
      %t = store_ptr_tko weak %side_ptr, %seven : tile<ptr<i32>>, tile<i32> -> token
      yield %twenty : tile<i32>
    }
    %r = reshape %chosen : tile<i32> -> tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @without_else(%c: tile<i1>, %r_ptr: tile<ptr<i32>>) {
    %seven = constant <i32: 7> : tile<i32>
    if %c {
      %t = store_ptr_tko weak %r_ptr, %seven : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  entry @undefined(%a: tile<ptr<i32>>) {
    %off = constant <i1: false> : tile<i1>
    %v, %t = load_ptr_tko weak %a, %off : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
    %zero = constant <i32: 0> : tile<i32>
    %c = cmpi equal %v, %zero, signed : tile<i32> -> tile<i1>
    if %c {
    }
  }
}
