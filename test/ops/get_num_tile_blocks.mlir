// RUN: %check %s
// Every block sees nx + 10 ny + 100 nz; dimensions that are not given count 1 (operations, 4.10).
// CASE @get_num_tile_blocks() -> i32[123, 123, 123, 123, 123, 123] grid=3,2,1
// CASE @get_num_tile_blocks() -> i32[112, 112] grid=2

cuda_tile.module @case {
  entry @get_num_tile_blocks(%r_ptr: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %plane = muli %z, %ny : tile<i32>
    %row = addi %plane, %y : tile<i32>
    %before = muli %row, %nx : tile<i32>
    %number = addi %before, %x : tile<i32>
    %at = offset %r_ptr, %number : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %ten = constant <i32: 10> : tile<i32>
    %z10 = muli %nz, %ten : tile<i32>
    %zy = addi %z10, %ny : tile<i32>
    %zy10 = muli %zy, %ten : tile<i32>
    %v = addi %zy10, %nx : tile<i32>
    %t = store_ptr_tko weak %at, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
