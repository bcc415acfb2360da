// RUN: %check %s
// x + 10 y + 100 z of every block of a 2x2x2 grid, at its number (operations, 4.10).
// CASE @get_tile_block_id() -> i32[0, 1, 10, 11, 100, 101, 110, 111] grid=2,2,2
// CASE @get_tile_block_id() -> i32[0, 1, 2] grid=3

cuda_tile.module @case {
  entry @get_tile_block_id(%r_ptr: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %plane = muli %z, %ny : tile<i32>
    %row = addi %plane, %y : tile<i32>
    %before = muli %row, %nx : tile<i32>
    %number = addi %before, %x : tile<i32>
    %at = offset %r_ptr, %number : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %ten = constant <i32: 10> : tile<i32>
    %z10 = muli %z, %ten : tile<i32>
    %zy = addi %z10, %y : tile<i32>
    %zy10 = muli %zy, %ten : tile<i32>
    %v = addi %zy10, %x : tile<i32>
    %t = store_ptr_tko weak %at, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
