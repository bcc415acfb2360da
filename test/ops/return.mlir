// RUN: %check %s
// Ends this tile block only: of three, block 1 returns before it stores (operations, 5.4).
// CASE @return() -> i32[1, 0, 1] grid=3

cuda_tile.module @case {
  entry @return(%r_ptr: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %leaves = cmpi equal %x, %one, signed : tile<i32> -> tile<i1>
    if %leaves {
      return
    }
    %at = offset %r_ptr, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %at, %one : tile<ptr<i32>>, tile<i32> -> token
  }
}
